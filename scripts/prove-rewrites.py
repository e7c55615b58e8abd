#!/usr/bin/env python3
"""Proves the rewrite table of crates/cgen/src/rewrite.rs with Z3 at 32 and 64 bits.

The rows are read from the Rust source: operator, name of the unsafe condition, replacement. For
each row and each combination of widths and signs: when its condition holds and no earlier row of
the operator matches, then the replacement is safe, for every amount c that may be drawn. And for
each operator: what no row matches is safe. Prints one line a row; exit code 1 when one is wrong.

Usage: scripts/prove-rewrites.py [--source FILE] [--timeout SECONDS]
"""
import argparse
import itertools
import pathlib
import re
import subprocess
import sys

ROW = re.compile(r'Row\s*\{\s*name:\s*"([\w-]+)",\s*op:\s*(\w+),\s*applies:\s*Operation::(\w+),'
                 r'\s*replacement:\s*(?:Replacement::)?(\w+)(?:\((\w+)\))?,?\s*\}')


class Case:
    """Widths and signs of both operands, and whether negative shifts are defined (C++20)."""

    def __init__(self, wa, wb, sa, sb, defined):
        self.wa, self.wb, self.sa, self.sb, self.defined = wa, wb, sa, sb, defined

    def __str__(self):
        def shape(signed, width):
            return f"{'signed' if signed else 'unsigned'} {width}"
        return f"{shape(self.sa, self.wa)} by {shape(self.sb, self.wb)}" + (", C++20" if self.defined else "")


def number(value, width):
    return f"(_ bv{value % (1 << width)} {width})"


def least(width):
    return number(1 << (width - 1), width)


def most(width, signed):
    return number((1 << (width - int(signed))) - 1, width)


def exact(op, a, b, width, signed):
    """That a op b is representable: computed twice as wide it has the same value."""
    if not signed:
        return "true"
    wide = [f"((_ sign_extend {width}) {x})" for x in (a, b)]
    return f"(= ({op} {wide[0]} {wide[1]}) ((_ sign_extend {width}) ({op} {a} {b})))"


def no_wrap(op, b, c, width, signed):
    """That b op c has no overflow, and for unsigned operands no wrapping either."""
    if signed:
        return exact(op, b, c, width, True)
    wide = [f"((_ zero_extend {width}) {x})" for x in (b, c)]
    return f"(= ({op} {wide[0]} {wide[1]}) ((_ zero_extend {width}) ({op} {b} {c})))"


def resized(value, source, target):
    if source == target:
        return value
    if source < target:
        return f"((_ zero_extend {target - source}) {value})"
    return f"((_ extract {target - 1} 0) {value})"


def shift_count(b, case):
    return resized(b, case.wb, case.wa)


def in_width(b, case):
    """0 <= b < width of a."""
    bound = number(case.wa, case.wb)
    nonnegative = f"(bvsge {b} {number(0, case.wb)})" if case.sb else "true"
    return f"(and {nonnegative} (bvult {b} {bound}))"


def safe(op, a, b, case):
    """What the standards call defined."""
    minus_one, zero = number(-1, case.wa), number(0, case.wa)
    if op in ("Add", "Sub", "Mul"):
        return exact({"Add": "bvadd", "Sub": "bvsub", "Mul": "bvmul"}[op], a, b, case.wa, case.sa)
    if op in ("Div", "Rem"):
        overflow = f"(and (= {a} {least(case.wa)}) (= {b} {minus_one}))" if case.sa else "false"
        return f"(and (not (= {b} {zero})) (not {overflow}))"
    if not case.sa or case.defined:
        return in_width(b, case)
    nonnegative = f"(bvsge {a} {zero})"
    if op == "Shr":
        return f"(and {nonnegative} {in_width(b, case)})"
    shifted = f"(bvshl {a} {shift_count(b, case)})"
    kept = f"(and (bvsge {shifted} {zero}) (= (bvlshr {shifted} {shift_count(b, case)}) {a}))"
    return f"(and {nonnegative} {in_width(b, case)} {kept})"


def condition(name, op, case):
    """The functions of `impl Operation` that rows name."""
    zero_a, zero_b = number(0, case.wa), number(0, case.wb)
    negative_amount = f"(bvslt b {zero_b})" if case.sb else "false"
    negative_left = f"(bvslt a {zero_a})" if case.sa and not case.defined else "false"
    return {
        "overflows": f"(not {safe(op, 'a', 'b', case)})" if op in ("Add", "Sub", "Mul") else "false",
        "by_zero": f"(= b {zero_b})",
        "min_by_minus_one":
            f"(and (= a {least(case.wa)}) (= b {number(-1, case.wb)}))" if case.sa else "false",
        "amount_is_min": f"(= b {least(case.wb)})" if case.sb else "false",
        "amount_is_negative": negative_amount,
        "amount_is_large": f"(and (not {negative_amount}) (bvugt b {resized('room', case.wa, case.wb)}))",
        "left_is_negative": negative_left,
        "left_is_min": f"(and {negative_left} (= a {least(case.wa)}))",
    }[name]


def definition_of_room(op, case):
    """`Operation::room`: the bits above the highest one of a, the sign not counted."""
    wa = case.wa
    widest = f"(= room {number(wa - 1, wa)})"
    if op != "Shl" or not case.sa or case.defined:
        return widest
    bits = f"(bvsub {number(wa - 1, wa)} room)"
    highest = (f"(and (bvult room {number(wa - 1, wa)}) (= (bvlshr a {bits}) {number(0, wa)})"
               f" (= (bvlshr a (bvsub {bits} {number(1, wa)})) {number(1, wa)}))")
    return f"(ite (bvsle a {number(0, wa)}) {widest} {highest})"


def claim(op, replacement, argument, case):
    """What a replacement must fulfil: (assumptions about c, what follows)."""
    if replacement == "Operator":
        return "true", safe(argument, "a", "b", case)
    if replacement in ("Left", "Right"):
        return "true", "true"
    if replacement == "RaiseLeft":
        top = most(case.wa, case.sa)
        raised = f"(bvsge (bvadd a {top}) {number(0, case.wa)})"
        return "true", f"(and {exact('bvadd', 'a', top, case.wa, True)} {raised})"
    room = resized("room", case.wa, case.wb)
    if replacement == "RaiseRight":
        negated = "(bvneg b)"
        high = f"(bvadd {negated} {room})"
        top = most(case.wb, case.sb)
        # The sum saturates, as in `Operation::amounts`.
        limit = f"(ite (bvslt {high} {number(0, case.wb)}) {top} {high})"
        drawn = f"(and (bvsle {negated} c) (bvsle c {limit}))"
        fixed = "(bvadd b c)"
        fine = f"(and (bvsgt {negated} {number(0, case.wb)}) {no_wrap('bvadd', 'b', 'c', case.wb, case.sb)})"
        some = f"(bvsle {negated} {limit})"
    elif replacement == "LowerRight":
        low = f"(bvsub b {room})"
        drawn = f"(and (bvule {low} c) (bvule c b))"
        fixed = "(bvsub b c)"
        fine = no_wrap("bvsub", "b", "c", case.wb, case.sb)
        some = f"(bvule {low} b)"
    else:
        raise ValueError(f"unknown replacement {replacement}")
    return drawn, f"(and {fine} {some} {safe(op, 'a', fixed, case)})"


def cases(op):
    if op in ("Shl", "Shr"):
        for wa, wb, sa, sb, defined in itertools.product((32, 64), (32, 64), (True, False), (True, False),
                                                         (False, True)):
            yield Case(wa, wb, sa, sb, defined)
    else:
        for width, signed in itertools.product((32, 64), (True, False)):
            yield Case(width, width, signed, signed, False)


def prove(assumption, conclusion, op, case, seconds):
    """None if it holds, else what Z3 says, with the values that show it."""
    text = (f"(declare-const a (_ BitVec {case.wa}))(declare-const b (_ BitVec {case.wb}))"
            f"(declare-const c (_ BitVec {case.wb}))(declare-const room (_ BitVec {case.wa}))"
            f"(assert {definition_of_room(op, case)})(assert {assumption})(assert (not {conclusion}))"
            "(check-sat)(get-value (a b c room))")
    done = subprocess.run(["z3", "-in", f"-T:{seconds}"], input=text, capture_output=True, text=True)
    answer = done.stdout.strip()
    return None if answer.startswith("unsat") else answer


def conjunction(parts):
    return f"(and true {' '.join(parts)})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = pathlib.Path(__file__).resolve().parent.parent / "crates/cgen/src/rewrite.rs"
    parser.add_argument("--source", default=default, help="the Rust file with the rows")
    parser.add_argument("--timeout", type=int, default=120, help="seconds for one question to Z3")
    arguments = parser.parse_args()
    rows = ROW.findall(pathlib.Path(arguments.source).read_text())
    if len(rows) != 18:
        sys.exit(f"{arguments.source}: found {len(rows)} rows of the table, expected 18")
    wrong = 0

    def report(name, statement, results):
        nonlocal wrong
        failed = [(case, answer) for case, answer in results if answer is not None]
        wrong += bool(failed)
        print(f"{name}: {statement}: " + (f"proven in {len(results)} cases at 32 and 64 bits" if not failed
                                           else f"WRONG for {failed[0][0]}: {failed[0][1]}"), flush=True)

    negation = [Case(width, width, True, True, False) for width in (32, 64)]
    report("neg-min", "-a is safe unless a is MIN",
           [(case, prove(f"(not (= a {least(case.wa)}))",
                         exact("bvsub", number(0, case.wa), "a", case.wa, True), "Sub", case, arguments.timeout))
            for case in negation])
    for index, (name, op, applies, replacement, argument) in enumerate(rows):
        results = []
        for case in cases(op):
            earlier = [f"(not {condition(row[2], op, case)})" for row in rows[:index] if row[1] == op]
            drawn, follows = claim(op, replacement, argument, case)
            assumption = conjunction(earlier + [condition(applies, op, case), drawn])
            results.append((case, prove(assumption, follows, op, case, arguments.timeout)))
        report(name, f"{op} becomes {replacement} {argument}".rstrip(), results)
    for op in dict.fromkeys(row[1] for row in rows):
        results = []
        for case in cases(op):
            unmatched = [f"(not {condition(row[2], op, case)})" for row in rows if row[1] == op]
            results.append((case, prove(conjunction(unmatched), safe(op, "a", "b", case), op, case,
                                        arguments.timeout)))
        report(f"{op} complete", "what no row matches is safe", results)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
