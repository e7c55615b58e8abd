//! What LLVM's passes are called in titles, and which label an issue about them gets.

/// A pass as pipelines spell it, as issues call it, and its label where one is in use. Names and
/// labels are those of issues of llvm-project in 2025 and 2026.
const PASSES: [(&str, &str, Option<&str>); 27] = [
    ("adce", "ADCE", None),
    ("bdce", "BDCE", None),
    ("constraint-elimination", "ConstraintElimination", Some("llvm:optimizations")),
    ("correlated-propagation", "CVP", None),
    ("dfa-jump-threading", "DFAJumpThreading", Some("llvm:optimizations")),
    ("dse", "DSE", None),
    ("early-cse", "EarlyCSE", None),
    ("globalopt", "GlobalOpt", None),
    ("gvn", "GVN", None),
    ("indvars", "IndVarSimplify", Some("loopoptim")),
    ("inline", "Inliner", None),
    ("instcombine", "InstCombine", Some("llvm:instcombine")),
    ("ipsccp", "IPSCCP", None),
    ("jump-threading", "JumpThreading", Some("llvm:optimizations")),
    ("licm", "LICM", Some("loopoptim")),
    ("loop-idiom", "LoopIdiom", Some("loopoptim")),
    ("loop-reduce", "LoopStrengthReduce", Some("loopoptim")),
    ("loop-unroll", "LoopUnroll", Some("loopoptim")),
    ("loop-vectorize", "LoopVectorize", Some("vectorizers")),
    ("memcpyopt", "MemCpyOpt", None),
    ("reassociate", "Reassociate", None),
    ("sccp", "SCCP", None),
    ("simple-loop-unswitch", "SimpleLoopUnswitch", Some("loopoptim")),
    ("simplifycfg", "SimplifyCFG", Some("llvm:transforms")),
    ("slp-vectorizer", "SLPVectorizer", Some("llvm:SLPVectorizer")),
    ("sroa", "SROA", None),
    ("vector-combine", "VectorCombine", None),
];

/// The pass as issues call it, with its label. `name` may be as a pipeline spells it, with its
/// options or not, or the name of the class that the bisection prints.
pub(crate) fn known(name: &str) -> (String, Option<&'static str>) {
    let bare = name.split('<').next().unwrap_or(name).trim();
    let class = bare.strip_suffix("Pass").unwrap_or(bare);
    let row = PASSES
        .iter()
        .find(|(pipeline, title, _)| bare == *pipeline || class.eq_ignore_ascii_case(title));
    match row {
        Some((_, title, label)) => ((*title).to_owned(), *label),
        None => (class.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_known_by_both_names() {
        let check = |name: &str, title: &str, label: Option<&str>| {
            assert_eq!(known(name), (title.to_owned(), label));
        };
        check("slp-vectorizer", "SLPVectorizer", Some("llvm:SLPVectorizer"));
        check("SLPVectorizerPass", "SLPVectorizer", Some("llvm:SLPVectorizer"));
        check("instcombine<max-iterations=1>", "InstCombine", Some("llvm:instcombine"));
        check("LowerExpectPass", "LowerExpect", None);
    }
}
