//! The IR reducer with a real optimiser in the predicate.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message
use reduce::{Answer, Halt, Predicate, Search, Settings, is_plausible_ir, reduce_ir};
use std::path::PathBuf;
use toolchain::process::{Ended, Job, Scratch, run};

/// A loop with a division, and much around it that is not needed.
const MODULE: &str = r#"; ModuleID = 'division.c'
source_filename = "division.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.pair = type { i32, ptr }

$inline = comdat any

@table = internal unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16
@count = dso_local global i32 0, align 4
@also = alias i32, ptr @count

; Function Attrs: nounwind uwtable
define dso_local i32 @divide(i32 noundef %0, ptr nocapture noundef readonly %1) local_unnamed_addr #0 !dbg !7 {
  %3 = icmp sgt i32 %0, 0
  br i1 %3, label %4, label %18

4:                                                ; preds = %2
  %5 = zext i32 %0 to i64
  br label %6

6:                                                ; preds = %4, %14
  %7 = phi i64 [ 0, %4 ], [ %16, %14 ]
  %8 = phi i32 [ 1, %4 ], [ %15, %14 ]
  %9 = getelementptr inbounds i32, ptr %1, i64 %7
  %10 = load i32, ptr %9, align 4, !tbaa !4, !dbg !9
  switch i32 %10, label %13 [
    i32 0, label %14
    i32 7, label %11
  ]

11:                                               ; preds = %6
  %12 = tail call i32 (i32, ...) @print(i32 noundef %8, double 1.500000e+00) #1
  br label %14

13:                                               ; preds = %6
  %quotient = sdiv i32 %8, %10
  br label %14

14:                                               ; preds = %11, %13, %6
  %15 = phi i32 [ %quotient, %13 ], [ %8, %6 ], [ %12, %11 ]
  %16 = add nuw nsw i64 %7, 1
  %17 = icmp eq i64 %16, %5
  br i1 %17, label %18, label %6, !llvm.loop !10

18:                                               ; preds = %14, %2
  %19 = phi i32 [ 1, %2 ], [ %15, %14 ]
  ret i32 %19
}

define linkonce_odr i32 @inline(%struct.pair %pair) comdat {
  %first = extractvalue %struct.pair %pair, 0
  %address = extractvalue %struct.pair %pair, 1
  store i32 %first, ptr %address, align 4
  ret i32 %first
}

define dso_local i32 @main() {
  %result = call i32 @divide(i32 4, ptr @table)
  store volatile i32 %result, ptr @count, align 4
  ret i32 %result
}

declare i32 @print(i32, ...) local_unnamed_addr #1

attributes #0 = { nounwind uwtable "frame-pointer"="none" }
attributes #1 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "division.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{!5, !5, i64 0}
!5 = !{!"int", !6, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
!7 = distinct !DISubprogram(name: "divide", file: !1, line: 1, type: !8, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DISubroutineType(types: !{null})
!9 = !DILocation(line: 2, scope: !7)
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
"#;

/// Asks the optimiser for what it thinks of a module: the loops that it prints, if it is valid.
struct Optimiser {
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Optimiser {
    /// The optimiser of LLVM 16, if it is here.
    fn find() -> Option<Optimiser> {
        let program = ["/usr/lib/llvm-16/bin/opt", "/usr/bin/opt-16"].map(PathBuf::from);
        let program = program.into_iter().find(|program| program.exists())?;
        Some(Optimiser { program, folder: tempfile::tempdir().unwrap() })
    }

    fn run(&self, passes: &str, text: &[u8]) -> Option<String> {
        let scratch = Scratch::new_in(self.folder.path()).unwrap();
        std::fs::write(scratch.path().join("a.ll"), text).unwrap();
        let passes = format!("-passes={passes}");
        let job = Job::new(&self.program, scratch.path());
        let ran = run(&job.args([passes.as_str(), "-disable-output", "a.ll"])).unwrap();
        (ran.ended == Ended::Exit(0)).then(|| String::from_utf8_lossy(&ran.stderr).into_owned())
    }

    /// Is the module valid, with a division in a loop?
    fn divides_in_a_loop(&self, text: &[u8]) -> bool {
        let Some(loops) = self.run("verify,print<loops>", text) else { return false };
        let text = String::from_utf8_lossy(text);
        // The blocks of a loop are printed as %name, with marks in angle brackets.
        let blocks: Vec<&str> = loops
            .lines()
            .filter_map(|line| line.split("containing: ").nth(1))
            .flat_map(|line| line.split(','))
            .map(|block| block.split('<').next().unwrap_or(block).trim_start_matches('%'))
            .collect();
        let mut label = "";
        text.lines().any(|line| {
            if let Some((name, _)) = line.split_once(':')
                && !line.starts_with(' ')
            {
                label = name;
            }
            line.contains("sdiv") && blocks.contains(&label)
        })
    }
}

impl Predicate for Optimiser {
    fn is_plausible(&self, text: &[u8]) -> bool {
        is_plausible_ir(text)
    }

    fn ask(&self, text: &[u8]) -> Result<Answer, Halt> {
        Ok(if self.divides_in_a_loop(text) { Answer::Interesting } else { Answer::Boring })
    }
}

fn reduced(optimiser: &Optimiser, jobs: usize) -> (Vec<u8>, reduce::Progress) {
    let settings = Settings { jobs, ..Settings::default() };
    let search = Search::new(optimiser, settings);
    assert_eq!(search.ask(MODULE.as_bytes()).unwrap(), Answer::Interesting);
    (reduce_ir(&search, MODULE.as_bytes()).unwrap(), search.progress())
}

#[test]
fn a_division_in_a_loop_is_all_that_stays() {
    let Some(optimiser) = Optimiser::find() else {
        eprintln!("skipped: there is no opt of LLVM 16");
        return;
    };
    let (small, progress) = reduced(&optimiser, 1);
    let shown = String::from_utf8_lossy(&small);
    eprintln!("{progress:?}\n{shown}");
    assert!(optimiser.run("verify", &small).is_some(), "{shown}");
    let expect = "define void @a() {\n  br label %a\na:\n  %b = sdiv i32 0, 0\n  br label %a\n}\n";
    assert_eq!(shown, expect);
    assert!(!shown.contains("undef") && !shown.contains("poison"));
    assert_eq!(reduced(&optimiser, 3), (small, progress), "jobs must not matter");
}

#[test]
fn what_the_verifier_takes_is_plausible() {
    let Some(optimiser) = Optimiser::find() else {
        eprintln!("skipped: there is no opt of LLVM 16");
        return;
    };
    assert!(optimiser.run("verify", MODULE.as_bytes()).is_some());
    assert!(is_plausible_ir(MODULE.as_bytes()));
}
