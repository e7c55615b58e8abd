//! DejaGnu, for GCC.

use crate::bug::{Bug, File, Language};
use crate::gcc::component;
use crate::kind::{Shows, kind};
use crate::script::kept_args;

/// Zeros stand for the number that Bugzilla gives.
const NAME: &str = "pr000000";

pub(super) fn stub(bug: &Bug, program: &File) -> File {
    let runs = matches!(kind(&bug.kind).shows, Shows::Behaviour | Shows::Alarm);
    let action = if runs { "run" } else { "compile" };
    let ending = if bug.language == Language::Cxx { "C" } else { "c" };
    let component = component(bug).unwrap_or("COMPONENT");
    let mut options: Vec<String> =
        kept_args(&bug.fail).into_iter().filter(|arg| !arg.starts_with("-l")).collect();
    options.extend(bug.fail.args.iter().cloned());
    let options = options.join(" ").replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!(
        "/* PR {component}/000000 */\n/* {{ dg-do {action} }} */\n/* {{ dg-options \"{options}\" }} */\n"
    );
    if runs {
        text.push_str(&verdict(bug));
    }
    text.push('\n');
    text.push_str(program.text.trim_end());
    text.push('\n');
    File { name: format!("{NAME}.{ending}"), text }
}

/// DejaGnu judges a run by its exit status alone.
fn verdict(bug: &Bug) -> String {
    let end = |run: &crate::bug::Run| run.end.clone().unwrap_or_default();
    let right = bug.pass.as_ref().map(end);
    let tells = right.as_deref() == Some("exit 0") && end(&bug.fail) != "exit 0";
    if tells {
        return String::new();
    }
    let output = bug.pass.as_ref().map_or("", |pass| pass.output.trim_end());
    let expected = match (output.lines().count(), right) {
        (1, _) if !output.contains("*/") => format!("print {output}"),
        (_, Some(end)) => format!("end with {end} and print as recorded"),
        (_, None) => "do what its source says".to_owned(),
    };
    format!(
        "/* To be done: the program must {expected}. Replace what it prints and\n   \
         returns by checks that call __builtin_abort (), and let it return 0.  */\n"
    )
}

#[cfg(test)]
mod tests {
    use crate::sample;
    use crate::test_stub::test_stub;

    #[test]
    fn wrong_output_must_be_turned_into_a_check() {
        let stub = test_stub(&sample::wrong_code()).unwrap();
        assert_eq!(stub.name, "pr000000.c");
        assert!(
            stub.text.starts_with(
                "/* PR tree-optimization/000000 */\n/* { dg-do run } */\n\
                 /* { dg-options \"-std=c11 -O2\" } */\n/* To be done: the program must print 3."
            ),
            "{}",
            stub.text
        );
        assert!(stub.text.contains("\n\n#include <stdio.h>\n"), "{}", stub.text);
    }

    #[test]
    fn a_program_that_aborts_is_a_test_already() {
        let mut bug = sample::wrong_code();
        bug.fail.end = Some("signal 6".to_owned());
        let stub = test_stub(&bug).unwrap();
        assert!(!stub.text.contains("To be done"), "{}", stub.text);
    }

    #[test]
    fn a_crash_is_only_compiled() {
        let stub = test_stub(&sample::gcc_crash()).unwrap();
        assert_eq!(stub.name, "pr000000.C");
        assert!(stub.text.contains("{ dg-do compile }"), "{}", stub.text);
    }
}
