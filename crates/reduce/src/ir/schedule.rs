//! The order in which families of changes are tried: round and round, until none of them can
//! change anything.

use crate::{Change, Halt, Search};
use passes::ir::{FAMILIES, Family, When};

/// Makes a module of textual LLVM IR small: no change that [`FAMILIES`] knows can be made to the
/// result. Bytes that are no module come back as they are.
///
/// # Errors
/// When the predicate has no answer.
pub fn reduce_ir(search: &Search, text: &[u8]) -> Result<Vec<u8>, Halt> {
    let families = |when| FAMILIES.iter().filter(move |family| family.when == when);
    let once = |text: Vec<u8>, when| {
        families(when).try_fold(text, |text, family: &Family| {
            let smaller = search.apply(&text, &family.changes(&text))?;
            Ok::<_, Halt>(smaller.unwrap_or(text))
        })
    };
    let text = once(text.to_vec(), When::First)?;
    let again: Vec<&Family> = families(When::Again).collect();
    let text = to_fixpoint(search, text, again.len(), |at, text| again[at].changes(text))?;
    once(text, When::Last)
}

/// Tries the changes of each of `count` sorts in turn, until none of them changes anything.
///
/// # Errors
/// When the predicate has no answer.
pub fn to_fixpoint(
    search: &Search,
    mut text: Vec<u8>,
    count: usize,
    changes: impl Fn(usize, &[u8]) -> Vec<Change>,
) -> Result<Vec<u8>, Halt> {
    let mut quiet = 0;
    for at in (0..count).cycle() {
        match search.apply(&text, &changes(at, &text))? {
            Some(smaller) => (text, quiet) = (smaller, 0),
            None => quiet += 1,
        }
        if quiet == count {
            break;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Predicate, Settings};
    use passes::pipeline::{self, Stage};

    /// Makes a pass pipeline small: no pass, group or parameter of the result can go.
    fn reduce_pipeline(search: &Search, text: &str) -> Result<String, Halt> {
        let changes = |at: usize, text: &[u8]| {
            std::str::from_utf8(text).map_or_else(
                |_| Vec::new(),
                |text| {
                    let stage: Stage = Stage::ALL[at];
                    pipeline::changes(text, stage)
                },
            )
        };
        let reached = to_fixpoint(search, text.as_bytes().to_vec(), Stage::ALL.len(), changes)?;
        Ok(String::from_utf8(reached).unwrap_or_else(|_| text.to_owned()))
    }

    fn searched<T>(predicate: &dyn Predicate, run: impl Fn(&Search) -> T) -> T {
        let settings = Settings::default();
        run(&Search::new(predicate, settings))
    }

    fn check(text: &str, interesting: fn(&str) -> bool, expect: &str) {
        let predicate = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            // What is no pipeline must never be asked about.
            assert!(pipeline::parse(text).is_ok(), "{text}");
            Ok(if interesting(text) { Answer::Interesting } else { Answer::Boring })
        };
        let found = searched(&predicate, |search| reduce_pipeline(search, text)).unwrap();
        assert_eq!(found, expect);
    }

    #[test]
    fn pipelines_keep_only_what_is_needed() {
        let text = "annotation2metadata,cgscc(devirt<4>(inline,function<eager-inv>(sroa<modify-cfg>,\
            loop-mssa(loop-rotate<header-duplication;no-prepare-for-lto>,licm<allowspeculation>),gvn<>,dce))),verify";
        check(text, |text| text.contains("gvn"), "gvn");
        check(text, |text| text.contains("loop-mssa") && text.contains("licm"), "loop-mssa(licm)");
        let order = |text: &str| match (text.find("sroa"), text.find("dce")) {
            (Some(first), Some(last)) => first < last && text.contains("no-prepare-for-lto"),
            _ => false,
        };
        check(text, order, "sroa,loop-rotate<no-prepare-for-lto>,dce");
        check("a,a,a,b", |text| text.matches('a').count() == 2, "a,a");
        check("only", |_| true, "only");
    }

    #[test]
    fn modules_keep_only_what_is_needed() {
        let text = b"; a comment
define i32 @long(i32, i32) #0 {
  %3 = mul nsw i32 %0, %1
  br i1 true, label %4, label %6
4:
  %5 = sdiv exact i32 %3, 12, !x !0
  ret i32 %5
6:
  ret i32 0
}
attributes #0 = { nounwind }
!0 = !{}
";
        let predicate = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap();
            let good = passes::ir::is_plausible(text.as_bytes()) && text.contains("sdiv");
            Ok(if good { Answer::Interesting } else { Answer::Boring })
        };
        let found = searched(&predicate, |search| reduce_ir(search, text)).unwrap();
        let expect = "define void @a() {\n  %a = sdiv i32 0, 0\n  ret void\n}\n";
        assert_eq!(String::from_utf8(found).unwrap(), expect);
    }
}
