//! Passes as compilers print them, and the source files they live in.
//!
//! `gcc.tsv` and `llvm.tsv` are made by `scripts/pass-catalogue` from the sources of the version that
//! their first line names. Other versions differ little: a pass that they lack is unknown, a file
//! may have moved since (GCC's ended in `.c` before its version 12).

mod offered;
mod renamed;

pub use offered::{Need, Offered, Role, read_offered, role};
pub use renamed::respelled;

const GCC: &str = include_str!("gcc.tsv");
const LLVM: &str = include_str!("llvm.tsv");
const KIN: &str = include_str!("kin.tsv");

/// What a pass of LLVM is given to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A whole module.
    Module,
    /// A strongly connected component of the call graph.
    Cgscc,
    /// A function of the IR.
    Function,
    /// A loop, or a nest of loops.
    Loop,
    /// A function of machine code.
    Machine,
}

/// A pass of LLVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Llvm {
    /// What `opt -passes=` calls it, without parameters; a machine pass is named as
    /// `llc -run-pass=` wants it. A version may not know the name: `opt --print-passes` tells.
    pub pipeline: Option<&'static str>,
    /// None where a pass takes several, as the verifier does.
    pub level: Option<Level>,
    /// The file that does the work, from the root of the sources.
    pub file: &'static str,
}

/// The pass of LLVM that is called so: by its class, with or without `Pass` at the end, by its
/// name in a pipeline, or, in code generation, by its description. Parameters are ignored, and so
/// are capitals and hyphens, in which versions differ.
///
/// ```
/// let pass = passes::catalogue::llvm("InstCombinePass").unwrap();
/// assert_eq!(pass.pipeline, Some("instcombine"));
/// assert_eq!(pass.file, "llvm/lib/Transforms/InstCombine/InstructionCombining.cpp");
/// assert_eq!(passes::catalogue::llvm("instcombine<no-verify-fixpoint>"), Some(pass));
/// ```
pub fn llvm(name: &str) -> Option<Llvm> {
    let plain = name.split('<').next().unwrap_or(name);
    let folded = fold(plain);
    let find = |is_it: &dyn Fn(&str) -> bool| rows::<4>(LLVM).find(|row| is_it(row[0]));
    let [_, pipeline, level, file] = find(&|key| key == name)
        .or_else(|| find(&|key| key == plain))
        .or_else(|| find(&|key| fold(key) == folded))?;
    Some(Llvm { pipeline: (pipeline != "-").then_some(pipeline), level: parse_level(level), file })
}

/// The source file of a pass of GCC, named as `-fdump-passes` does (`tree-ccp1`) or as a crash does
/// (`ccp`). A number at the end counts instances unless it is part of the name, as in `cse2`.
///
/// A few names are both a GIMPLE pass and another one, `sra` an interprocedural, `dse1` an RTL pass:
/// without `tree-`, `rtl-` or `ipa-` before it, the pass of exactly that name is meant, GIMPLE first.
///
/// ```
/// # use passes::catalogue::gcc_file;
/// assert_eq!(gcc_file("tree-dse1"), Some("gcc/tree-ssa-dse.cc"));
/// assert_eq!(gcc_file("dse1"), Some("gcc/dse.cc"));
/// ```
pub fn gcc_file(pass: &str) -> Option<&'static str> {
    let find = |name: &str| {
        ["", "tree-", "rtl-", "ipa-"].iter().find_map(|kind| {
            let key = format!("{kind}{name}");
            rows::<2>(GCC).find(|row| row[0] == key).map(|row| row[1])
        })
    };
    find(pass).or_else(|| find(pass.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// How the paths of the files begin that a pass has beside its own file, if there are any.
///
/// ```
/// # use passes::catalogue::kin;
/// let own = "llvm/lib/Transforms/InstCombine/InstructionCombining.cpp";
/// assert!(kin(own).eq(["llvm/lib/Transforms/InstCombine/"]));
/// assert_eq!(kin("gcc/cse.cc").count(), 0);
/// ```
pub fn kin(own: &str) -> impl Iterator<Item = &'static str> {
    let mut rows = KIN.lines().map(|line| line.split('\t'));
    let row = rows.find_map(|mut row| (row.next() == Some(own)).then_some(row));
    row.into_iter().flatten()
}

fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().unwrap_or("-"))
    })
}

/// `SROA` and `SROAPass`, `expandmemcmp` and `expand-memcmp`, `x86-fixup-LEAs` and `x86-fixup-leas`
/// are spellings of different versions.
fn fold(name: &str) -> String {
    let name = name.strip_suffix("Pass").unwrap_or(name);
    name.chars().filter(|&c| c != '-').map(|c| c.to_ascii_lowercase()).collect()
}

fn parse_level(name: &str) -> Option<Level> {
    Some(match name {
        "module" => Level::Module,
        "cgscc" => Level::Cgscc,
        "function" => Level::Function,
        "loop" => Level::Loop,
        "machine" => Level::Machine,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn a_pass_of_llvm_is_known_by_all_its_spellings() {
        fn check(names: &[&str], pipeline: &str, level: Level, file: &str) {
            let pipeline = (pipeline != "-").then_some(pipeline);
            for name in names {
                let pass = llvm(name).unwrap_or_else(|| panic!("{name} is unknown"));
                assert_eq!((pass.pipeline, pass.level), (pipeline, Some(level)), "{name}");
                assert_eq!(pass.file, format!("llvm/lib/{file}"), "{name}");
            }
        }
        use Level::*;
        check(
            &["SROAPass", "SROA", "sroa<modify-cfg>"],
            "sroa",
            Function,
            "Transforms/Scalar/SROA.cpp",
        );
        check(&["GVN", "GVNPass", "gvn<no-pre>"], "gvn", Function, "Transforms/Scalar/GVN.cpp");
        check(&["LICMPass", "licm"], "licm", Loop, "Transforms/Scalar/LICM.cpp");
        check(
            &["InlinerPass", "inline<only-mandatory>"],
            "inline",
            Cgscc,
            "Transforms/IPO/Inliner.cpp",
        );
        check(&["GlobalOptPass"], "globalopt", Module, "Transforms/IPO/GlobalOpt.cpp");
        check(&["SimplifyCFGPass"], "simplifycfg", Function, "Transforms/Utils/SimplifyCFG.cpp");
        check(
            &["InjectTLIMappings", "InjectTLIMappingsPass"],
            "inject-tli-mappings",
            Function,
            "Transforms/Utils/InjectTLIMappings.cpp",
        );
        check(
            &["slp-vectorizer", "SLPVectorizerPass"],
            "slp-vectorizer",
            Function,
            "Transforms/Vectorize/SLPVectorizer.cpp",
        );
        check(
            &["Loop Strength Reduction", "LoopStrengthReducePass"],
            "loop-reduce",
            Loop,
            "Transforms/Scalar/LoopStrengthReduce.cpp",
        );
        check(
            &["Expand memcmp() to load/stores", "expandmemcmp", "expand-memcmp"],
            "expand-memcmp",
            Function,
            "CodeGen/ExpandMemCmp.cpp",
        );
        check(
            &["X86 LEA Fixup", "x86-fixup-leas"],
            "x86-fixup-LEAs",
            Machine,
            "Target/X86/X86FixupLEAs.cpp",
        );
        check(
            &["X86 DAG->DAG Instruction Selection"],
            "x86-isel",
            Machine,
            "Target/X86/X86ISelDAGToDAG.cpp",
        );
        check(&["Greedy Register Allocator"], "greedy", Machine, "CodeGen/RegAllocGreedy.cpp");
        check(
            &["Prologue/Epilogue Insertion & Frame Finalization"],
            "prologepilog",
            Machine,
            "CodeGen/PrologEpilogInserter.cpp",
        );
        check(
            &["X86 Execution Dependency Fix"],
            "x86-execution-domain-fix",
            Machine,
            "CodeGen/ExecutionDomainFix.cpp",
        );
        check(
            &["X86 Atom pad short functions"],
            "-",
            Machine,
            "Target/X86/X86PadShortFunction.cpp",
        );
        assert_eq!(llvm("InvalidateAnalysisPass<llvm::AAManager>").unwrap().pipeline, None);
        assert_eq!(llvm("VerifierPass").unwrap().level, None);
        for unknown in ["", "-", "Pass", "Function Pass Manager"] {
            assert_eq!(llvm(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn the_number_of_an_instance_goes_and_that_of_a_name_stays() {
        fn check(pass: &str, file: &str) {
            assert_eq!(gcc_file(pass), Some(format!("gcc/{file}").as_str()), "{pass}");
        }
        check("tree-ccp1", "tree-ssa-ccp.cc");
        check("ccp", "tree-ssa-ccp.cc");
        check("vrp2", "tree-vrp.cc");
        check("tree-fre5", "tree-ssa-sccvn.cc");
        check("vect", "tree-vectorizer.cc");
        check("slp1", "tree-vect-slp.cc");
        check("ivopts", "tree-ssa-loop-ivopts.cc");
        check("tree-sccp", "tree-scalar-evolution.cc");
        check("rtl-loop2_invariant", "loop-invariant.cc");
        check("loop2", "loop-init.cc");
        check("expand", "cfgexpand.cc");
        check("split3", "recog.cc");
        check("cse2", "cse.cc");
        check("rtl-sched1", "sched-rgn.cc");
        check("rtl-cprop3", "cprop.cc");
        check("rtl-stv2", "config/i386/i386-features.cc");
        check("tree-sra", "tree-sra.cc");
        check("sra", "tree-sra.cc");
        check("ipa-sra", "ipa-sra.cc");
        check("ipa-inline", "ipa-inline.cc");
        check("*free_lang_data", "ipa-free-lang-data.cc");
        for unknown in ["", "1", "tree-", "tree-cse1", "rtl-ccp1", "vect_2"] {
            assert_eq!(gcc_file(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_line_is_well_formed_and_in_order() {
        fn check(table: &str, width: usize) {
            let lines: Vec<&str> = table.lines().skip(1).collect();
            assert!(table.starts_with("# ") && lines.len() > 200);
            let keys = lines.iter().map(|line| line.split('\t').next());
            assert!(keys.is_sorted_by(|a, b| a < b), "sorted and unique");
            for line in lines {
                let cells: Vec<&str> = line.split('\t').collect();
                assert_eq!(cells.len(), width, "{line}");
                assert!(
                    cells.iter().all(|cell| !cell.is_empty() && cell.trim() == *cell),
                    "{line}"
                );
                let file = cells[width - 1];
                let (root, ending) = (file.split('/').next(), file.rsplit('.').next());
                assert!(matches!(root, Some("gcc" | "llvm")), "{line}");
                assert!(matches!(ending, Some("cc" | "cpp" | "h")), "{line}");
            }
        }
        check(GCC, 2);
        check(LLVM, 4);
        for [key, pipeline, level, _] in rows::<4>(LLVM) {
            assert!(level == "-" || parse_level(level).is_some(), "{key}: {level}");
            assert!(!pipeline.contains(' '), "{key}: {pipeline}");
        }
    }

    #[test]
    fn every_kin_is_that_of_a_pass() {
        let files: BTreeSet<&str> =
            rows::<2>(GCC).map(|row| row[1]).chain(rows::<4>(LLVM).map(|row| row[3])).collect();
        let mut owns = BTreeSet::new();
        for line in KIN.lines().skip(1) {
            let own = line.split('\t').next().unwrap();
            assert!(files.contains(own) && owns.insert(own), "{own}");
            let root = own.split('/').next().unwrap();
            assert!(kin(own).count() > 0, "{own}");
            assert!(kin(own).all(|start| start.starts_with(&format!("{root}/"))), "{own}");
        }
    }

    #[test]
    fn no_two_passes_differ_only_in_capitals_and_hyphens() {
        let mut stems = BTreeMap::new();
        for [key, _, _, file] in rows::<4>(LLVM) {
            let name = file.rsplit('/').next().unwrap_or(file);
            let stem = name.split('.').next().unwrap_or(name);
            assert_eq!(*stems.entry(fold(key)).or_insert(stem), stem, "{key}");
        }
    }
}
