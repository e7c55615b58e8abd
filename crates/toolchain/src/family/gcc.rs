//! GCC.

use super::{
    Companion, Counters, Crash, CxxHeaders, Failure, Family, GOLD, LINK_WITH_GOLD, Linked,
    NamedPasses, OptionSource, Sanitizer, StackFrame, Stepping, UndefinedWarnings, address,
    is_driver, line_with, m32, machine_trouble, march, signal_name,
};
use crate::build::Stage;
use crate::compiler::DataModel;
use crate::process::Ended;
use crate::program::Language;
use crate::version::Version;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(super) struct Gcc;

/// Arguments after which it lists its optimisations, and whether each is on.
const LIST_OPTIONS: &[&str] = &["-Q", "--help=optimizers"];

impl Family for Gcc {
    fn name(&self) -> &'static str {
        "gcc"
    }

    fn is_driver_name(&self, file_name: &str) -> bool {
        is_driver(file_name, "gcc")
    }

    fn version_args(&self) -> &'static [&'static str] {
        &["--version"]
    }

    /// `gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0`: the last word of the first line.
    fn read_version(&self, text: &str) -> Option<Version> {
        if !text.contains("Free Software Foundation") || text.contains("clang") {
            return None;
        }
        Version::find(text.lines().next()?.rsplit(')').next()?)
    }

    fn describe_args(&self) -> &'static [&'static str] {
        &["-v"]
    }

    fn target_args(&self) -> &'static [&'static str] {
        &["-dumpmachine"]
    }

    fn read_target(&self, text: &str) -> Option<String> {
        Some(text.trim().to_owned()).filter(|target| target.contains('-'))
    }

    fn worker_args(&self) -> &'static [&'static str] {
        &["-print-prog-name=cc1"]
    }

    fn levels(&self) -> &'static [&'static str] {
        &["-O0", "-O1", "-O2", "-O3", "-Os"]
    }

    fn data_model_args(&self, target: &str, model: DataModel) -> Option<&'static [&'static str]> {
        m32(target, model)
    }

    fn compiles_cxx(&self) -> bool {
        true
    }

    fn knows_bit_int(&self, version: Version) -> bool {
        version.major >= 14
    }

    fn sees_whole_program(&self, args: &[String]) -> bool {
        args.iter().any(|arg| arg.starts_with("-flto") || arg == "-fwhole-program")
    }

    fn march(&self, name: &str) -> Option<String> {
        Some(march(name))
    }

    fn sanitizers(&self) -> &'static [Sanitizer] {
        &[Sanitizer { cost: 60, ..super::clang::ADDRESS_AND_UNDEFINED }]
    }

    fn companions(&self, file_name: &str) -> Vec<Companion> {
        let target = file_name.rfind("gcc").map_or("", |at| &file_name[..at]);
        vec![Companion { role: GOLD, file_name: format!("{target}ld.gold") }]
    }

    fn quick_linker(
        &self,
        companions: &BTreeMap<&'static str, PathBuf>,
        _linked: Linked,
    ) -> Option<String> {
        companions.get(GOLD).map(|_| LINK_WITH_GOLD.to_owned())
    }

    fn forgiving(&self) -> &'static [&'static str] {
        &["-fno-strict-aliasing", "-fwrapv"]
    }

    fn undefined_warnings(&self) -> Option<UndefinedWarnings> {
        // At -O2, because the analyses behind several of them run only when optimising.
        Some(UndefinedWarnings {
            args: &["-O2", "-Wall", "-Wextra"],
            // What a `main` without a result ends with is chance.
            certain: &["-Wsequence-point", "-Wmain"],
            possible: &[
                "-Wuninitialized",
                "-Wmaybe-uninitialized",
                "-Warray-bounds",
                "-Waggressive-loop-optimizations",
                "-Wstrict-aliasing",
                "-Wreturn-type",
                "-Wdangling-pointer",
                "-Wstringop-overflow",
                "-Wshift-count-overflow",
                "-Wshift-count-negative",
                "-Wdiv-by-zero",
                "-Wnonnull",
                "-Wimplicit-function-declaration",
            ],
        })
    }

    fn counters(&self) -> Option<Counters> {
        let args = &["-fdump-statistics"];
        let source = "-fdump-statistics";
        Some(Counters { source, args, file: ".statistics", read: read_statistics })
    }

    fn options(&self) -> OptionSource {
        OptionSource::Listed {
            args: LIST_OPTIONS,
            // Arithmetic, layout, profiles that must exist, and what the other levels can't have.
            changes_meaning: &[
                "fast-math",
                "unsafe-math",
                "associative-math",
                "reciprocal-math",
                "finite-math",
                "signed-zeros",
                "trapping-math",
                "rounding-math",
                "signaling-nans",
                "cx-",
                "fp-",
                "excess-precision",
                "math-errno",
                "single-precision",
                "float-store",
                "short-",
                "pack-struct",
                "trapv",
                "profile",
                "branch-probabilities",
                "auto-profile",
                "openmp",
                "openacc",
                "lto",
                "whole-program",
                "exceptions",
                "non-call-exceptions",
                "asynchronous-unwind",
                "handle-exceptions",
                "toplevel-reorder",
                "stack-clash",
                "split-stack",
                "live-patching",
                "isolate-erroneous",
            ],
        }
    }

    fn stepping(&self) -> Stepping {
        Stepping::Named(NamedPasses {
            list: "-fdump-passes",
            read: passes_that_are_on,
            without: |pass, function| {
                let (kind, name) = pass.split_once('-').unwrap_or(("tree", pass));
                match function {
                    None => format!("-fdisable-{kind}-{name}"),
                    Some(function) => format!("-fdisable-{kind}-{name}={function}"),
                }
            },
            // The first sets up what all others of its kind use; the rest hold passes together,
            // or leave instructions that the assembler does not know.
            essential: &["rtl-dfinit", "rtl-loop2", "rtl-split2", "rtl-cse1", "rtl-bbro"],
            options: LIST_OPTIONS,
            without_option: |option| option.replacen("-f", "-fno-", 1),
            counters: "-fdbg-cnt-list",
            read_counters: counters_with_values,
            count_to: |counters| {
                let each: Vec<String> =
                    counters.iter().map(|(name, to)| format!("{name}:{to}")).collect();
                format!("-fdbg-cnt={}", each.join(","))
            },
            dump: &["-fdump-tree-all", "-fdump-rtl-all", "-fdump-ipa-all"],
            dumped: pass_of_dump,
            functions: functions_in_dump,
        })
    }

    fn use_build(&self, folder: &Path) -> Vec<String> {
        // With a slash at its end it is a prefix of programs' names.
        vec![format!("-B{}/", folder.join("bin").display())]
    }

    fn cxx_headers(&self) -> Option<CxxHeaders> {
        let args = &["-fsyntax-only", "-v", "-x", "c++", "/dev/null"];
        Some(CxxHeaders { args, read: read_cxx_headers })
    }

    fn worker(&self, _stage: Stage, language: Language) -> &'static str {
        match language {
            Language::Cxx => "cc1plus",
            Language::C | Language::Ir => "cc1",
        }
    }

    /// Lines such as `0xb2f4e6 expand_gimple_stmt_1(gimple*)`, with the place in the next line.
    fn stack(&self, stderr: &str) -> Vec<StackFrame> {
        let first = stderr.lines().filter_map(|line| address(line.split(' ').next()?));
        first.map(|address| StackFrame { object: None, address }).collect()
    }

    fn diagnose(&self, ended: &Ended, stderr: &str, _args: &[String]) -> Failure {
        if let Some(trouble) = machine_trouble(stderr) {
            return trouble;
        }
        if stderr.contains("virtual memory exhausted")
            || line_with(stderr, "out of memory allocating").is_some()
        {
            return Failure::Memory;
        }
        // The driver's words when the kernel's out-of-memory killer, or a person, killed cc1.
        if let Some(line) = line_with(stderr, "Killed signal terminated program") {
            return Failure::Machine(line.trim().to_owned());
        }
        // The driver calls it an internal error when our limit ended cc1 or as.
        if stderr.contains("File size limit exceeded") {
            return Failure::Memory;
        }
        if stderr.contains("CPU time limit exceeded") {
            return Failure::Hang;
        }
        let pass = stderr.lines().find_map(|line| line.strip_prefix("during "));
        if let Some(at) = stderr.find("internal compiler error: ") {
            let headline = stderr[at..].lines().next().unwrap_or_default();
            return Failure::Crash(Crash::new(
                headline,
                pass.map(pass_name).as_deref(),
                None,
                stderr,
            ));
        }
        match ended {
            Ended::Signal(9) => Failure::Machine("the compiler was killed from outside".to_owned()),
            Ended::Signal(signal) => {
                Failure::Crash(Crash::new(&signal_name(*signal), None, None, stderr))
            }
            _ => Failure::Rejected(
                // What the linker says comes before the driver's "error: ld returned 1".
                line_with(stderr, "undefined reference")
                    .or_else(|| line_with(stderr, "error: "))
                    .or_else(|| stderr.lines().next())
                    .unwrap_or("no message")
                    .to_owned(),
            ),
        }
    }
}

/// Lines such as `39 ccp "Copies propagated" "t0" 4`. Left out are histograms (`iterations == 10`)
/// and what counts the work of an analysis instead of its effect (`RPO blocks`).
fn read_statistics(text: &str, counters: &mut BTreeMap<String, u64>) {
    for line in text.lines() {
        let mut parts = line.split('"');
        let (Some(head), Some(what), Some(count)) = (parts.next(), parts.next(), parts.nth(2))
        else {
            continue;
        };
        let (Some(pass), Ok(count)) = (head.split(' ').nth(1), count.trim().parse::<u64>()) else {
            continue;
        };
        if !what.contains("==") && !what.starts_with("RPO ") {
            *counters.entry(format!("{pass}: {what}")).or_default() += count;
        }
    }
}

/// Lines such as `   tree-ccp1        :  ON`; a star begins the name of a pass without switches.
fn passes_that_are_on(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.rsplit_once(':'))
        .filter(|(_, state)| state.trim() == "ON")
        .map(|(name, _)| name.trim())
        .filter(|name| ["tree-", "rtl-", "ipa-"].iter().any(|kind| name.starts_with(kind)))
        .map(str::to_owned)
        .collect()
}

/// Lines such as `  dce       50      unset`.
fn counters_with_values(text: &str) -> Vec<(String, u64)> {
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), words.next()?.parse().ok()?))
        })
        .filter(|(_, value)| *value > 0)
        .collect()
}

/// `main.c.211t.crited1` → 211, `tree-crited1`
fn pass_of_dump(file_name: &str) -> Option<(u64, String)> {
    let mut parts = file_name.rsplitn(3, '.');
    let (pass, number) = (parts.next()?, parts.next()?);
    let kind = match number.as_bytes().last()? {
        b't' => "tree",
        b'r' => "rtl",
        b'i' => "ipa",
        _ => return None,
    };
    let number = number[..number.len() - 1].parse().ok()?;
    Some((number, format!("{kind}-{pass}")))
}

/// Functions begin with `;; Function f (f, funcdef_no=0, …)`. A pass that runs over a function
/// several times repeats it; the last is how it left it.
fn functions_in_dump(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for part in text.split("\n;; Function ").skip(1) {
        let Some(name) = part.split_whitespace().next() else { continue };
        let body = part.split_once('\n').map_or("", |(_, body)| body).to_owned();
        match found.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = body,
            None => found.push((name.to_owned(), body)),
        }
    }
    found
}

/// `GIMPLE pass: ssa` → `ssa`
fn pass_name(line: &str) -> String {
    line.split_once("pass: ").map_or(line, |(_, name)| name).trim().to_owned()
}

/// Debian has the headers that differ between machines in a folder of its own; what is already known is
/// looked at first.
fn read_cxx_headers(said: &str) -> Vec<String> {
    let list = said.lines().skip_while(|line| !line.contains("#include <...>")).skip(1);
    list.take_while(|line| line.starts_with(' '))
        .map(str::trim)
        .filter(|folder| folder.contains("/c++/"))
        .flat_map(|folder| ["-idirafter".to_owned(), folder.to_owned()])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_of_cxx_are_where_the_driver_says() {
        let said = "#include \"...\" search starts here:\n#include <...> search starts here:\n \
                    /usr/include/c++/12\n /usr/include/x86_64-linux-gnu/c++/12\n /usr/include\n\
                    End of search list.\n/c++/\n";
        let after = "-idirafter";
        let folders = ["/usr/include/c++/12", "/usr/include/x86_64-linux-gnu/c++/12"];
        assert_eq!(read_cxx_headers(said), [after, folders[0], after, folders[1]]);
        assert!(read_cxx_headers("").is_empty());
    }

    const ICE: &str = "during GIMPLE pass: vect\nmain.c: In function 'g_97':\n\
        main.c:4:6: internal compiler error: in vect_slp_analyze, at tree-vect-slp.cc:4498\n    4 | void\n";

    #[test]
    fn an_internal_error_is_a_crash_with_its_pass() {
        let Failure::Crash(crash) = Gcc.diagnose(&Ended::Exit(1), ICE, &[]) else { panic!() };
        assert_eq!(crash.pass.as_deref(), Some("vect"));
        assert_eq!(
            crash.signature,
            "internal compiler error: in vect_slp_analyze, at tree-vect-slp.cc during vect"
        );
    }

    #[test]
    fn the_stack_is_read() {
        let said = "main.c:3:1: internal compiler error: Segmentation fault\n    3 | }\n      | ^\n\
            0xd0a3f1 crash_signal\n\t???:0\n0x7f7da7e5a04f ???\n\t./signal/x.c:0\n\
            0x6f1b20 lookup_attribute(char const*, tree_node*)\n\t???:0\n";
        let found: Vec<u64> = Gcc.stack(said).iter().map(|frame| frame.address).collect();
        assert_eq!(found, [0xd0a3f1, 0x7f7d_a7e5_a04f, 0x6f1b20]);
    }

    #[test]
    fn statistics_are_counted_by_pass() {
        let text = "39 ccp \"Copies propagated\" \"t0\" 4\n39 ccp \"Copies propagated\" \"t1\" 3\n\
            44 fre \"RPO blocks\" \"t0\" 117\n44 fre \"RPO iterations == 10\" \"t0\" 1\n";
        let mut counters = BTreeMap::new();
        read_statistics(text, &mut counters);
        assert_eq!(counters, [("ccp: Copies propagated".to_owned(), 7)].into());
    }

    #[test]
    fn passes_counters_and_dumps_are_read() {
        let listing = "   *warn_unused_result    :  ON\n   tree-lower     :  ON\n      \
            tree-ehopt  :  OFF\n   rtl-rtl pre     :  ON\n";
        assert_eq!(passes_that_are_on(listing), ["tree-lower", "rtl-rtl pre"]);
        let listing = "  counter name   counter value   closed intervals\n---------\n  \
            dce     50    unset\n  dse     0    unset\n";
        assert_eq!(counters_with_values(listing), [("dce".to_owned(), 50)]);
        assert_eq!(pass_of_dump("main.c.211t.crited1"), Some((211, "tree-crited1".to_owned())));
        assert_eq!(pass_of_dump("main.s"), None);
        let dump = "\n;; Function f (f, funcdef_no=0)\n\nbody 1\n\n;; Function g (g)\n\nbody 2\n";
        let names: Vec<String> =
            functions_in_dump(dump).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["f", "g"]);
    }

    #[test]
    fn the_machine_and_the_program_may_be_at_fault_too() {
        let diagnose = |text| Gcc.diagnose(&Ended::Exit(1), text, &[]);
        let full = "as: cannot write a.o: No space left on device";
        assert_eq!(diagnose(full), Failure::Machine(full.to_owned()));
        assert!(matches!(
            diagnose("gcc: fatal error: Killed signal terminated program cc1"),
            Failure::Machine(_)
        ));
        assert!(matches!(diagnose("cc1: out of memory allocating 65536 bytes"), Failure::Memory));
        let wrong = "a.c:1:1: error: unknown type name 'foo'";
        assert_eq!(diagnose(wrong), Failure::Rejected(wrong.to_owned()));
    }

    #[test]
    fn versions_of_many_builds_are_read() {
        let check = |text: &str, expect: Option<&str>| {
            let text = format!("{text}\nCopyright (C) 2022 Free Software Foundation, Inc.\n");
            assert_eq!(Gcc.read_version(&text).map(|v| v.to_string()).as_deref(), expect);
        };
        check("gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0", Some("12.2.0"));
        check("xgcc (GCC) 15.0.0 20240601 (experimental)", None);
        check("gcc 12.2.0", Some("12.2.0"));
    }
}
