//! A link that opens a bug in Compiler Explorer. The program is in the link itself: nothing is
//! uploaded before someone follows it.

use crate::bug::{Bug, File, Language, Run};
use crate::script::{has_pipeline, is_pipeline, kept_args};
use crate::shell::command_line;
use crate::versions::{fixed_in, numbers};
use serde_json::{Value, json};

/// Longer links are cut or refused on their way.
const MAX_BYTES: usize = 6000;

/// Releases of GCC that Compiler Explorer has since 7.1: major, and the last minor one. From
/// `etc/config/c.amazon.properties` of github.com/compiler-explorer/compiler-explorer, where
/// 12.2 is `cg122` for C and `g122` for C++.
const GCC: [(u64, u64); 9] =
    [(7, 5), (8, 5), (9, 5), (10, 5), (11, 4), (12, 5), (13, 4), (14, 3), (15, 2)];

/// Releases of Clang, from the same file: major, and the digits of its first release there, as in
/// `cclang1600` for C and `clang1600` for C++.
const CLANG: [(u64, &str); 15] = [
    (7, "700"),
    (8, "800"),
    (9, "900"),
    (10, "1000"),
    (11, "1100"),
    (12, "1200"),
    (13, "1300"),
    (14, "1400"),
    (15, "1500"),
    (16, "1600"),
    (17, "1701"),
    (18, "1810"),
    (19, "1910"),
    (20, "2010"),
    (21, "2110"),
];

/// The newest `opt` of `llvm.amazon.properties` that is known to be there by its number.
const NEWEST_OPT: u64 = 17;

/// A link to Compiler Explorer with the program, the nearest release of the failing compiler, and
/// the development version unless the bug is fixed. Nothing for other machines than x86-64, for
/// programs of several files, for compilers that are not there, and for programs that are too
/// long for a link.
#[must_use]
pub fn godbolt_link(bug: &Bug) -> Option<String> {
    if bug.language != Language::Ir && has_pipeline(&bug.fail.args) {
        return godbolt_link(&module_of(bug)?);
    }
    let [file] = bug.files.as_slice() else { return None };
    if !bug.compiler.target.starts_with("x86_64") {
        return None;
    }
    let (language, trunk) = match (bug.language, is_gcc(bug)?) {
        (Language::C, true) => ("c", "cgsnapshot"),
        (Language::Cxx, true) => ("c++", "gsnapshot"),
        (Language::C, false) => ("c", "cclang_trunk"),
        (Language::Cxx, false) => ("c++", "clang_trunk"),
        (Language::Ir, _) => ("llvm", "opttrunk"),
    };
    let mut ids: Vec<String> = release(bug).into_iter().collect();
    if fixed_in(bug).is_none() {
        ids.push(trunk.to_owned());
    }
    if ids.is_empty() {
        return None;
    }
    let mut session = json!({ "id": 1, "language": language, "source": file.text });
    let fail = options(bug, &bug.fail);
    // `opt` makes no program there, and a crash needs none.
    let runs = bug.fail.end.is_some() && bug.language != Language::Ir;
    if runs {
        let own = bug.pass.iter().filter(|pass| pass.compiler == bug.fail.compiler);
        let all = own.map(|pass| options(bug, pass)).chain([fail]);
        let pairs: Vec<(String, String)> = all
            .flat_map(|options| ids.iter().map(move |id| (id.clone(), options.clone())))
            .collect();
        session["executors"] = pairs.iter().map(|(id, options)| executor(id, options)).collect();
    } else {
        let compiler = |id: &String| json!({ "id": id, "options": fail });
        session["compilers"] = ids.iter().map(compiler).collect();
    }
    let state = json!({ "sessions": [session] }).to_string();
    let link = format!("https://godbolt.org/clientstate/{}", base64(state.as_bytes()));
    (link.len() < MAX_BYTES).then_some(link)
}

/// There, a driver takes no pipeline: what is shown is the module before the guilty step, and that step alone.
fn module_of(bug: &Bug) -> Option<Bug> {
    let culprit = bug.culprit.as_ref()?;
    let before = &culprit.pair.as_ref().filter(|pair| pair.form == "ll")?.before;
    let alone = culprit.alone.as_ref()?.split_whitespace();
    // Several passes fail on what came before the first of them, which is not kept.
    let is_one = |arg: &&str| is_pipeline(arg) && !arg.contains(',');
    let args: Vec<String> = alone.filter(is_one).map(str::to_owned).collect();
    let mut module = bug.clone();
    module.language = Language::Ir;
    module.files = vec![File { name: "main.ll".to_owned(), text: before.clone() }];
    module.fail = Run { args, ..bug.fail.clone() };
    (!module.fail.args.is_empty()).then_some(module)
}

fn executor(id: &str, options: &str) -> Value {
    json!({
        "arguments": "",
        "stdin": "",
        "compiler": { "id": id, "libs": [], "options": options },
    })
}

/// Is it GCC? Nothing if it is neither that nor Clang.
fn is_gcc(bug: &Bug) -> Option<bool> {
    match bug.family {
        crate::bug::Family::Gcc => Some(true),
        crate::bug::Family::Llvm => Some(false),
        crate::bug::Family::Other => None,
    }
}

/// The id of the release that is nearest to the compiler's version.
fn release(bug: &Bug) -> Option<String> {
    let version = numbers(&bug.compiler.version);
    let (major, minor) = (*version.first()?, version.get(1).copied().unwrap_or_default());
    let c = if bug.language == Language::C { "c" } else { "" };
    if is_gcc(bug)? {
        // x.0 is what development versions call themselves.
        let (_, last) = GCC.iter().find(|(known, _)| *known == major && minor > 0)?;
        return Some(format!("{c}g{major}{}", minor.min(*last)));
    }
    let (_, digits) = CLANG.iter().find(|(known, _)| *known == major)?;
    match bug.language {
        Language::Ir => (major <= NEWEST_OPT).then(|| format!("opt{digits}")),
        _ => Some(format!("{c}clang{digits}")),
    }
}

/// The options of a run, without the names of files.
fn options(bug: &Bug, run: &Run) -> String {
    let mut words = if bug.language == Language::Ir { Vec::new() } else { kept_args(run) };
    words.extend(run.args.iter().cloned());
    command_line(&words)
}

/// Base64 for addresses: `-` and `_` for `+` and `/`, nothing at the end. Compiler Explorer reads
/// both kinds.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_usize, |group, byte| group << 8 | usize::from(*byte));
        let group = group << (8 * (3 - chunk.len()));
        for at in 0..=chunk.len() {
            text.push(char::from(DIGITS[group >> (18 - 6 * at) & 63]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn base64_is_that_of_the_standard() {
        let check = |text: &str, expect: &str| assert_eq!(base64(text.as_bytes()), expect);
        check("", "");
        check("f", "Zg");
        check("fo", "Zm8");
        check("foo", "Zm9v");
        check("foobar", "Zm9vYmFy");
        assert_eq!(base64(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn releases_have_their_ids() {
        let check = |language, version: &str, mut bug: Bug, expect: Option<&str>| {
            bug.language = language;
            bug.compiler.version = version.to_owned();
            assert_eq!(release(&bug).as_deref(), expect, "{version}");
        };
        check(Language::C, "12.2.0", sample::wrong_code(), Some("cg122"));
        check(Language::Cxx, "12.9.0", sample::wrong_code(), Some("g125"));
        check(Language::C, "16.0.0", sample::wrong_code(), None);
        check(Language::C, "16.0.6", sample::llvm_crash(), Some("cclang1600"));
        check(Language::Cxx, "17.0.6", sample::llvm_crash(), Some("clang1701"));
        check(Language::Ir, "16.0.6", sample::llvm_crash(), Some("opt1600"));
        check(Language::Ir, "20.1.0", sample::llvm_crash(), None);
    }

    #[test]
    fn a_program_with_a_pipeline_is_shown_as_the_module_before_its_guilty_step() {
        let mut bug = sample::llvm_crash();
        bug.language = Language::C;
        assert_eq!(godbolt_link(&bug), None, "a driver takes no pipeline");
        let culprit = bug.culprit.as_mut().unwrap();
        let (before, after) = ("define void @f() {".to_owned(), String::new());
        culprit.pair = Some(crate::bug::Pair { form: "ll".to_owned(), before, after });
        culprit.alone = Some("-passes=slp-vectorizer".to_owned());
        let module = module_of(&bug).unwrap();
        assert_eq!(module.fail.args, ["-passes=slp-vectorizer"]);
        assert_eq!(module.files[0].text, "define void @f() {");
        assert_eq!(godbolt_link(&bug), godbolt_link(&module));
    }

    #[test]
    fn only_what_fits_and_exists_gets_a_link() {
        let bug = sample::wrong_code();
        let link = godbolt_link(&bug).unwrap();
        assert!(link.starts_with("https://godbolt.org/clientstate/ey"), "{link}");
        assert_eq!(godbolt_link(&sample::tcc()), None);
        let mut long = bug.clone();
        long.files[0].text = "x".repeat(5000);
        assert_eq!(godbolt_link(&long), None);
        let mut arm = bug;
        arm.compiler.target = "aarch64-linux-gnu".to_owned();
        assert_eq!(godbolt_link(&arm), None);
    }
}
