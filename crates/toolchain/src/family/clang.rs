//! Clang and the tools of LLVM around it.

use super::{
    Apart, Companion, CountedSteps, Counters, Crash, Failure, Family, GOLD, LINK_WITH_GOLD, Linked,
    OptionSource, Sanitizer, Sees, StackFrame, Step, Stepping, UndefinedWarnings, address,
    is_driver, line_with, m32, machine_trouble, march, signal_name,
};
use crate::build::Stage;
use crate::compiler::DataModel;
use crate::process::Ended;
use crate::program::Language;
use crate::version::Version;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) struct Clang;

/// UBSan and ASan together, spelled the same by GCC, whose runtimes are shared libraries and which
/// takes half the time. Leaks are no undefined behaviour, and their
/// detection reads `/proc` in a way that a PID namespace breaks.
pub(super) const ADDRESS_AND_UNDEFINED: Sanitizer = Sanitizer {
    name: "address,undefined",
    sees: Sees::AddressesAndArithmetic,
    cost: 130,
    args: &["-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    env: &[
        ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0"),
        ("UBSAN_OPTIONS", "print_stacktrace=0:symbolize=0"),
    ],
    alarms: &["runtime error:", "ERROR: AddressSanitizer", "AddressSanitizer:DEADLYSIGNAL"],
};

const MEMORY: Sanitizer = Sanitizer {
    name: "memory",
    sees: Sees::Uninitialised,
    cost: 115,
    args: &["-O0", "-g", "-fsanitize=memory", "-fno-sanitize-recover=all"],
    env: &[("MSAN_OPTIONS", "symbolize=0")],
    alarms: &["WARNING: MemorySanitizer", "MemorySanitizer:DEADLYSIGNAL"],
};

/// The role of LLVM's linker among the companions.
const LLD: &str = "lld";

impl Family for Clang {
    fn name(&self) -> &'static str {
        "clang"
    }

    fn is_driver_name(&self, file_name: &str) -> bool {
        is_driver(file_name, "clang")
    }

    fn version_args(&self) -> &'static [&'static str] {
        &["--version"]
    }

    fn read_version(&self, text: &str) -> Option<Version> {
        let at = text.find("clang version ")?;
        Version::find(text[at..].lines().next()?)
    }

    fn target_args(&self) -> &'static [&'static str] {
        &["-dumpmachine"]
    }

    fn read_target(&self, text: &str) -> Option<String> {
        Some(text.trim().to_owned()).filter(|target| target.contains('-'))
    }

    fn own_libraries(&self) -> &'static [&'static str] {
        &["libLLVM", "libclang"]
    }

    fn levels(&self) -> &'static [&'static str] {
        &["-O0", "-O1", "-O2", "-O3", "-Os"]
    }

    fn always(&self) -> &'static [&'static str] {
        // Otherwise a crash runs the front end twice more and leaves files behind.
        &["-fno-crash-diagnostics"]
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
        args.iter().any(|arg| arg.starts_with("-flto"))
    }

    fn lacks_library(&self, why: &str) -> bool {
        // Of compiler-rt, where libgcc is linked: products of wide types that overflow, until LLVM 13.
        ["__muloti4", "__mulodi4", "__mulosi4"]
            .iter()
            .any(|name| why.contains(&format!("undefined reference to `{name}'")))
    }

    fn march(&self, name: &str) -> Option<String> {
        Some(march(name))
    }

    fn sanitizers(&self) -> &'static [Sanitizer] {
        &[ADDRESS_AND_UNDEFINED, MEMORY]
    }

    fn forgiving(&self) -> &'static [&'static str] {
        &["-fno-strict-aliasing", "-fwrapv"]
    }

    fn undefined_warnings(&self) -> Option<UndefinedWarnings> {
        Some(UndefinedWarnings {
            args: &["-Wall", "-Wextra"],
            // What a `main` without a result ends with is chance.
            certain: &["-Wunsequenced", "-Wmain", "-Wmain-return-type"],
            possible: &[
                "-Wuninitialized",
                "-Wsometimes-uninitialized",
                "-Wconditional-uninitialized",
                "-Warray-bounds",
                "-Wreturn-type",
                "-Wdivision-by-zero",
                "-Wshift-count-overflow",
                "-Wshift-count-negative",
                "-Wshift-negative-value",
                "-Winteger-overflow",
                "-Wnull-dereference",
                "-Wimplicit-function-declaration",
                "-Wdeprecated-non-prototype",
            ],
        })
    }

    fn counters(&self) -> Option<Counters> {
        // Release builds have no -stats; optimisation records are the nearest thing.
        let args = &["-fsave-optimization-record"];
        Some(Counters {
            source: "optimisation records",
            args,
            file: ".opt.yaml",
            read: read_records,
        })
    }

    /// Clang lists no optimisations: these reach passes that the levels leave off, or take away
    /// ones that hide others. Which of them a version has is tried.
    fn options(&self) -> OptionSource {
        OptionSource::Known(&[
            "-fno-vectorize",
            "-fno-slp-vectorize",
            "-funroll-loops",
            "-fno-unroll-loops",
            "-fno-strict-aliasing",
            "-fwrapv",
            "-fno-inline",
            "-finline-functions",
            "-fno-builtin",
            "-fomit-frame-pointer",
            "-fstack-protector-all",
            "-mllvm -enable-gvn-hoist",
            "-mllvm -enable-gvn-sink",
            "-mllvm -enable-newgvn",
            "-mllvm -enable-loopinterchange",
            "-mllvm -enable-loop-flatten",
            "-mllvm -enable-unroll-and-jam",
            "-mllvm -enable-loop-distribute",
            "-mllvm -enable-dfa-jump-thread",
            "-mllvm -enable-constraint-elimination",
            "-mllvm -extra-vectorizer-passes",
            "-mllvm -enable-load-pre=false",
            "-mllvm -enable-merge-functions",
            "-mllvm -enable-partial-inlining",
            "-mllvm -hot-cold-split",
            "-mllvm -enable-global-merge",
            "-mllvm -enable-masked-interleaved-mem-accesses",
            "-mllvm -prefer-predicate-over-epilogue=predicate-else-scalar-epilogue",
            "-mllvm -global-isel",
            "-mllvm -disable-early-taildup",
            "-mllvm -force-vector-width=4",
            "-mllvm -force-vector-interleave=2",
        ])
    }

    fn companions(&self, file_name: &str) -> Vec<Companion> {
        let suffix = file_name.strip_prefix("clang").unwrap_or_default();
        [("opt", "opt"), ("llc", "llc"), ("llvm-reduce", "llvm-reduce"), (LLD, "ld.lld")]
            .into_iter()
            .map(|(role, name)| Companion { role, file_name: format!("{name}{suffix}") })
            .chain([Companion { role: GOLD, file_name: "ld.gold".to_owned() }])
            .collect()
    }

    fn quick_linker(
        &self,
        companions: &BTreeMap<&'static str, PathBuf>,
        linked: Linked,
    ) -> Option<String> {
        match linked {
            Linked::Plain => companions.get(GOLD).map(|_| LINK_WITH_GOLD.to_owned()),
            // Since Clang 12.
            Linked::Sanitized => {
                companions.get(LLD).map(|path| format!("--ld-path={}", path.display()))
            }
        }
    }

    fn pipeline_in<'a>(&self, arg: &'a str) -> Option<&'a str> {
        arg.strip_prefix("-passes=").or_else(|| arg.strip_prefix("--passes="))
    }

    fn unoptimised_ir(&self) -> &'static [&'static str] {
        &["-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-c"]
    }

    fn lists_passes(&self) -> Option<&'static str> {
        Some("--print-passes")
    }

    fn says_that_it_asserts(&self) -> Option<&'static str> {
        Some("with assertions")
    }

    fn crashing_pipeline(&self) -> Option<&'static str> {
        Some("trigger-crash")
    }

    /// Lines such as ` #4 0x000000000312f0a8 (/b/bin/opt+0x312f0a8)`, ` #4 0x… f(int) file.cpp:3:1` with a
    /// symboliser, and `4  opt 0x000000000312f0a8 f(int) + 56`.
    fn stack(&self, stderr: &str) -> Vec<StackFrame> {
        let frame = |line: &str| {
            let line = line.trim_start();
            let mut words = line.split_whitespace();
            words.next()?.trim_start_matches('#').parse::<u32>().ok()?;
            let second = words.next()?;
            if let Some(address) = address(second) {
                let inside = line.rsplit_once('(').map(|(_, inside)| inside);
                let path = inside.and_then(|inside| Some(inside.split_once("+0x")?.0));
                let object = path.map(|path| path.rsplit('/').next().unwrap_or(path).to_owned());
                return Some(StackFrame { object, address });
            }
            let address = address(words.next()?)?;
            Some(StackFrame { object: Some(second.to_owned()), address })
        };
        stderr.lines().filter_map(frame).collect()
    }

    fn checks_each_pass(&self) -> &'static [&'static str] {
        &["-verify-each"]
    }

    fn prints_pipeline(&self, arg: &str) -> Option<&'static [&'static str]> {
        let level = matches!(arg, "-O1" | "-O2" | "-O3" | "-Os" | "-Oz");
        let named = self.pipeline_in(arg).is_some_and(|pipeline| {
            ["default<", "thinlto", "lto"].iter().any(|start| pipeline.contains(start))
        });
        (level || named).then_some(&["-print-pipeline-passes", "-disable-output"])
    }

    fn starts_itself(&self) -> bool {
        true
    }

    fn prints_only(&self) -> &'static [&'static str] {
        &["-disable-output"]
    }

    fn pipeline_arg(&self, pipeline: &str) -> String {
        format!("-passes={pipeline}")
    }

    fn ir_references(&self) -> &'static [&'static str] {
        &["-passes=verify", "-passes=default<O2>"]
    }

    fn stepping(&self) -> Stepping {
        Stepping::Counted(CountedSteps {
            limit: |steps| vec!["-mllvm".to_owned(), step_limit(steps)],
            optimiser_limit: |steps| vec![step_limit(steps)],
            read: steps_that_ran,
            emit_ir: "-emit-llvm",
            nothing: "-passes=verify",
        })
    }

    fn worker(&self, stage: Stage, _language: Language) -> &'static str {
        match stage {
            Stage::Compile => "clang",
            Stage::Optimise => "opt",
            Stage::Codegen => "llc",
        }
    }

    fn apart(&self, args: &[String]) -> Option<Apart> {
        if self.sees_whole_program(args) {
            return None;
        }
        let level = args.iter().rev().find_map(|arg| arg.strip_prefix("-O"));
        let level = match level.unwrap_or("0") {
            "" => "1",
            "4" | "fast" => "3",
            "g" => "1",
            level => level,
        };
        // The code generator knows no levels of size; functions say for themselves.
        let codegen_level = if matches!(level, "s" | "z") { "2" } else { level };
        let passed_on: Vec<String> = args
            .windows(2)
            .filter(|pair| pair[0] == "-mllvm")
            .map(|pair| pair[1].clone())
            .collect();
        let with = |words: &[&str]| {
            let mut all: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            all.extend(passed_on.iter().cloned());
            all
        };
        let front = ["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S"];
        Some(Apart {
            front: front.map(str::to_owned).to_vec(),
            optimise: with(&[&format!("-passes=default<O{level}>"), "-S"]),
            codegen: with(&[
                &format!("-O{codegen_level}"),
                "-relocation-model=pic",
                "-filetype=obj",
            ]),
        })
    }

    fn diagnose(&self, ended: &Ended, stderr: &str, args: &[String]) -> Failure {
        if let Some(trouble) = machine_trouble(stderr) {
            return trouble;
        }
        if stderr.contains("LLVM ERROR: out of memory") || stderr.contains("std::bad_alloc") {
            return Failure::Memory;
        }
        if line_with(stderr, "unable to execute command: Killed").is_some() {
            return Failure::Machine("the compiler was killed from outside".to_owned());
        }
        let pass = pass_of(stderr);
        let crash = |headline: &str, frame| Crash::new(headline, pass.as_deref(), frame, stderr);
        if line_with(stderr, "Broken module found").is_some()
            || line_with(stderr, "Broken function found").is_some()
        {
            let crash = crash(&format!("broken IR: {}", verifier_message(stderr)), None);
            // Deviation: CTOS (section 4.2) calls broken IR a bug type of its own, found by
            // verifying after each pass. Without that, the verifier at the end of the pipeline
            // stops opt, which is a crash to whoever runs it, and the reports file it so.
            return if args.iter().any(|arg| arg.ends_with("-verify-each")) {
                Failure::InvalidIr(crash)
            } else {
                Failure::Crash(crash)
            };
        }
        for marker in ["Assertion `", "UNREACHABLE executed", "LLVM ERROR: ", "error in backend: "]
        {
            if let Some(line) = line_with(stderr, marker) {
                let from = line.find(marker).unwrap_or_default();
                return Failure::Crash(crash(&without_values(&line[from..]), None));
            }
        }
        let signal = match ended {
            Ended::Signal(9) => {
                return Failure::Machine("the compiler was killed from outside".to_owned());
            }
            Ended::Signal(signal) => Some(*signal),
            // The driver's exit code when its own work crashed: 128 + signal.
            Ended::Exit(code) if *code > 128 && *code < 192 => Some(code - 128),
            _ => None,
        };
        let dumped =
            stderr.contains("Stack dump:") || stderr.contains("PLEASE submit a bug report");
        if signal.is_some() || dumped {
            let headline = signal.map_or_else(|| "crash".to_owned(), signal_name);
            return Failure::Crash(crash(&headline, guilty_frame(stderr).as_deref()));
        }
        Failure::Rejected(
            // What the linker says comes before the driver's "error: ld returned 1".
            line_with(stderr, "undefined reference")
                .or_else(|| line_with(stderr, "error: "))
                .or_else(|| stderr.lines().next())
                .unwrap_or("no message")
                .to_owned(),
        )
    }
}

/// Records such as `--- !Passed`, `Pass: gvn`, `Name: LoadElim`; only what was done counts.
fn read_records(text: &str, counters: &mut BTreeMap<String, u64>) {
    for record in text.split("--- !").filter(|record| record.starts_with("Passed")) {
        let field =
            |name: &str| record.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        if let (Some(pass), Some(what)) = (field("Pass:"), field("Name:")) {
            *counters.entry(format!("{pass}: {what}")).or_default() += 1;
        }
    }
}

fn step_limit(steps: Option<u64>) -> String {
    let steps = steps.map_or("-1".to_owned(), |steps| steps.to_string());
    format!("-opt-bisect-limit={steps}")
}

/// Lines such as `BISECT: running pass (7) EarlyCSEPass on foo`, or in code generation `… (474) X86
/// LEA Fixup on function (main)`.
fn steps_that_ran(text: &str) -> Vec<Step> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("BISECT: running pass ("))
        .filter_map(|rest| {
            let (number, rest) = rest.split_once(") ")?;
            let (pass, on) = rest.split_once(" on ").unwrap_or((rest, ""));
            let bare = on
                .strip_prefix("function (")
                .and_then(|on| on.strip_suffix(')'))
                .unwrap_or(on)
                .to_owned();
            Some(Step { number: number.parse().ok()?, pass: pass.to_owned(), on: bare })
        })
        .collect()
}

/// `1. Running pass "GVNPass" on function "f"` or `Running pass 'X86 DAG->DAG …' on …`
fn pass_of(stderr: &str) -> Option<String> {
    // The innermost comes last; adaptors around it are listed before it.
    let line = stderr.lines().rfind(|line| line.contains("Running pass"))?;
    let name = line.split_once("Running pass")?.1.trim_start();
    let quote = name.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let name = name[1..].split(quote).next()?;
    // A whole pipeline in quotes is no pass: take the part that is innermost.
    Some(
        name.rsplit(['(', ','])
            .find(|part| !part.trim_matches(')').is_empty())?
            .trim_matches(')')
            .to_owned(),
    )
}

/// What the verifier complains of first. Steps are told between, if they are counted; newer versions name the pass in
/// their last line.
fn verifier_message(stderr: &str) -> String {
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with([' ', '\t']);
    let mut said = stderr.lines().filter(is_said).filter(|line| !line.starts_with("BISECT: "));
    let line = said.next().unwrap_or("no message");
    match line
        .split_once(" after pass \"")
        .and_then(|(before, rest)| Some((before, rest.split_once('"')?)))
    {
        Some((before, (_, after))) => format!("{before}{after}"),
        None => line.to_owned(),
    }
}

/// `Cannot select: t33: i64 = add t32, t5` names nodes by numbers that change with the program.
fn without_values(line: &str) -> String {
    match line.split_once("Cannot select: ") {
        Some((before, node)) => {
            let operation = node.split(" = ").nth(1).and_then(|rest| rest.split(' ').next());
            format!("{before}Cannot select: {}", operation.unwrap_or(node))
        }
        None => line.to_owned(),
    }
}

/// A stack as deep as this was overflown: LLVM prints 256 frames.
const DEEP: usize = 200;

/// The function that names a crash: the first of the compiler's own in the stack dump, without its
/// parameters. When the stack was overflown, where that happened is chance; then it is the first
/// by name of those that recur.
fn guilty_frame(stderr: &str) -> Option<String> {
    let frames: Vec<&str> = own_frames(stderr).collect();
    let overflown =
        stderr.lines().filter(|line| line.trim_start().starts_with('#')).count() >= DEEP;
    if !overflown {
        return frames.first().map(|frame| crate::text::normalise(frame));
    }
    let recurring = frames.iter().filter(|frame| frames.iter().filter(|f| f == frame).count() > 9);
    Some(format!("endless recursion of {}", recurring.min()?))
}

/// Every stack ends with these: where a program has no names, they are the only ones.
const OUTERMOST: [&str; 4] = ["main", "call_init", "_start", "start_call_main"];

fn own_frames(stderr: &str) -> impl Iterator<Item = &str> {
    const NOT_GUILTY: [&str; 7] = [
        "PrintStackTrace",
        "SignalHandler",
        "raise",
        "abort",
        "pthread_kill",
        "__libc",
        "CrashRecovery",
    ];
    stderr
        .lines()
        .filter(|line| line.trim_start().starts_with('#'))
        .filter_map(|line| line.split_whitespace().nth(2).map(|_| line))
        .filter_map(|line| line.trim_start().splitn(3, ' ').nth(2))
        .filter(|frame| !frame.starts_with('('))
        .filter(|frame| !NOT_GUILTY.iter().any(|word| frame.contains(word)))
        .map(function_name)
        .take_while(|function| !OUTERMOST.contains(&function.split(' ').next().unwrap_or_default()))
}

/// `llvm::f<int (*)(x)>(llvm::Type*) const (/lib/…)` → `llvm::f<int (*)(x)>`
fn function_name(frame: &str) -> &str {
    let mut depth = 0;
    for (at, c) in frame.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            '(' if depth == 0 && !frame[at..].starts_with("(anonymous namespace)") => {
                return frame[..at].trim_end();
            }
            _ => {}
        }
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_read_in_all_their_forms() {
        let said = "Stack dump:\n0.\tProgram arguments: opt -passes=gvn a.ll\n #0 0x000000000312f0a8 \
            (/b/bin/opt+0x312f0a8)\n #1 0x00007f6737c45249 (/lib/libc.so.6+0x45249)\n #2 0x0000000000a1 \
            llvm::f(int) /s/f.cpp:3:1\n3  llc      0x00000000000000b2 llvm::g() + 56\n";
        let frame = |object: Option<&str>, address| {
            let object = object.map(str::to_owned);
            StackFrame { object, address }
        };
        let expect = [
            frame(Some("opt"), 0x312f0a8),
            frame(Some("libc.so.6"), 0x7f67_37c4_5249),
            frame(None, 0xa1),
            frame(Some("llc"), 0xb2),
        ];
        assert_eq!(Clang.stack(said), expect);
    }

    fn crash(text: &str) -> Crash {
        match Clang.diagnose(&Ended::Signal(11), text, &[]) {
            Failure::Crash(crash) => crash,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_stack_dump_is_named_by_pass_and_frame() {
        let text = "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: opt\n\
            1.\tRunning pass \"function(slp-vectorizer)\" on module \"main.ll\"\n\
            2.\tRunning pass \"slp-vectorizer\" on function \"f\"\n \
            #0 0x00007fa7 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so+0xfc)\n \
            #1 0x00007fa7 (/lib/x86_64-linux-gnu/libc.so.6+0x3c050)\n \
            #4 0x00007fa7 llvm::slp::BoUpSLP::canMap(llvm::Type*) const (/lib/libLLVM-16.so.1+0x21)\n";
        let crash = crash(text);
        assert_eq!(crash.pass.as_deref(), Some("slp-vectorizer"));
        assert_eq!(
            crash.signature,
            "Segmentation fault during slp-vectorizer in llvm::slp::BoUpSLP::canMap"
        );
    }

    #[test]
    fn without_names_a_crash_is_not_called_after_what_starts_programs() {
        let text = "Stack dump:\n0.\tProgram arguments: opt\n \
            #0 0x0000560e (/build/bin/opt+0x312f0a8)\n \
            #3 0x0000560e (/build/bin/opt+0x28a1c4)\n \
            #9 0x00007fa7 __libc_start_call_main ./csu/../sysdeps/nptl/libc_start_call_main.h:74:3\n \
            #10 0x00007fa7 call_init ./csu/../csu/libc-start.c:128:20\n \
            #11 0x0000560e _start (/build/bin/opt+0x21)\n";
        assert_eq!(crash(text).signature, "Segmentation fault");
        let text = " #8 0x0000560e main (/usr/bin/opt-16+0x21)\n";
        assert_eq!(crash(text).signature, "Segmentation fault");
    }

    #[test]
    fn endless_recursion_has_one_name_wherever_the_stack_ended() {
        let dump = |first: &str| {
            let mut text = format!("Stack dump:\n #0 0x1 llvm::{first}(int) (/lib/x.so+0x1)\n");
            for at in (1..250).step_by(2) {
                text.push_str(&format!(" #{at} 0x1 llvm::get(int) (/lib/x.so+0x1)\n"));
                text.push_str(&format!(" #{} 0x1 llvm::fold(int) (/lib/x.so+0x1)\n", at + 1));
            }
            crash(&text).signature
        };
        assert_eq!(dump("fold"), "Segmentation fault in endless recursion of llvm::fold");
        assert_eq!(dump("alloc"), dump("get"));
    }

    #[test]
    fn broken_ir_is_a_crash_unless_each_pass_was_verified() {
        let text = "Instruction does not dominate all uses!\n  %1 = shl i64 1, %0\n\
            LLVM ERROR: Broken module found, compilation aborted!\n";
        assert_eq!(crash(text).signature, "broken IR: Instruction does not dominate all uses!");
        let counted = format!("BISECT: running pass (1) GVNPass on f\n{text}");
        assert_eq!(crash(&counted).signature, crash(text).signature);
        let bare = |where_: &str| {
            crash(&format!("LLVM ERROR: Broken module found{where_}, compilation aborted!\n"))
                .signature
        };
        assert_eq!(bare(" after pass \"IROutlinerPass\""), bare(""));
        let each = ["-verify-each".to_owned()];
        assert!(matches!(Clang.diagnose(&Ended::Signal(6), text, &each), Failure::InvalidIr(_)));
    }

    #[test]
    fn assertions_and_backend_errors_are_read() {
        let text =
            "opt: /src/llvm/lib/IR/Value.cpp:123: void f(): Assertion `a == b && \"x\"' failed.\n";
        assert_eq!(crash(text).signature, "Assertion `a == b && \"x\"' failed.");
        let text = "fatal error: error in backend: Cannot select: t33: i64 = X86ISD::FOO t32, t5\n";
        assert_eq!(crash(text).signature, "error in backend: Cannot select: X86ISD::FOO");
    }

    #[test]
    fn steps_are_read_of_both_pass_managers() {
        let text = "BISECT: running pass (7) EarlyCSEPass on foo\n\
            BISECT: running pass (8) X86 LEA Fixup on function (main)\n\
            BISECT: NOT running pass (9) GVNPass on foo\n";
        let step = |number, pass: &str, on: &str| Step {
            number,
            pass: pass.to_owned(),
            on: on.to_owned(),
        };
        let expect = [step(7, "EarlyCSEPass", "foo"), step(8, "X86 LEA Fixup", "main")];
        assert_eq!(steps_that_ran(text), expect);
    }

    #[test]
    fn a_rejected_program_is_not_a_crash() {
        let failure = Clang.diagnose(&Ended::Exit(1), "a.c:1:1: error: unknown type", &[]);
        assert_eq!(failure, Failure::Rejected("a.c:1:1: error: unknown type".to_owned()));
    }
}
