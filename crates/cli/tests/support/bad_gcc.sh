#!/bin/sh
# Passes for GCC. At -O2 it crashes on divisions by 3 in one place, on divisions by 7 in another;
# unless tree-dse1 is off it multiplies by 6 instead of 5, and unless tree-fre1 is off it adds 10 instead of 9.
PATH=/usr/bin:/bin
case " $* " in *" -O2 "*) ;; *) exec gcc-12 "$@" ;; esac
wrong=
case " $* " in *" -fdisable-tree-dse1 "*) ;; *) wrong="$wrong;s/\\* *5/*6/" ;; esac
case " $* " in *" -fdisable-tree-fre1 "*) ;; *) wrong="$wrong;s/\\+ *9/+10/" ;; esac
for arg; do
    case "$arg" in *.c) gcc-12 -w -fsyntax-only "$arg" 2>/dev/null || exec gcc-12 "$@" ;; esac
done
for arg; do
    shift
    case "$arg" in
    *.c)
        where=
        if grep -q '/ *3' "$arg"; then where=three; elif grep -q '/ *7' "$arg"; then where=seven; fi
        if [ "$where" ]; then
            echo "during GIMPLE pass: vect" >&2
            echo "main.c:3:1: internal compiler error: in divide_by_$where, at tree-vect.cc:12" >&2
            exit 1
        fi
        mkdir -p wrong
        sed "s/a/a/$wrong" "$arg" >"wrong/$arg"
        set -- "$@" "wrong/$arg"
        ;;
    *) set -- "$@" "$arg" ;;
    esac
done
exec gcc-12 "$@"
