//! Fabrice Bellard's Tiny C Compiler: no optimiser, few options, and so the proof that the other
//! crates don't lean on GCC's or Clang's ways.

use super::{
    Crash, Failure, Family, OptionSource, Sanitizer, UndefinedWarnings, is_driver, line_with,
    machine_trouble, signal_name,
};
use crate::build::Stage;
use crate::compiler::DataModel;
use crate::process::Ended;
use crate::program::Language;
use crate::version::Version;
use std::path::Path;

pub(super) struct Tcc;

impl Family for Tcc {
    fn name(&self) -> &'static str {
        "tcc"
    }

    fn is_driver_name(&self, file_name: &str) -> bool {
        file_name == "tcc" || (file_name.contains("-linux") && is_driver(file_name, "tcc"))
    }

    fn version_args(&self) -> &'static [&'static str] {
        &["-v"]
    }

    fn read_version(&self, text: &str) -> Option<Version> {
        Version::find(text.strip_prefix("tcc version ")?)
    }

    fn target_args(&self) -> &'static [&'static str] {
        &["-v"]
    }

    /// `tcc version 0.9.27 (x86_64 Linux)`
    fn read_target(&self, text: &str) -> Option<String> {
        let inside = text.split_once('(')?.1.split_once(')')?.0;
        Some(inside.to_lowercase().replace(' ', "-"))
    }

    fn levels(&self) -> &'static [&'static str] {
        // It accepts -O and ignores it: one configuration is all there is.
        &["-O0"]
    }

    fn without_linking(&self) -> &'static str {
        // It goes from source to object files, without assembly in between.
        "-c"
    }

    fn data_model_args(&self, _target: &str, model: DataModel) -> Option<&'static [&'static str]> {
        (model == DataModel::Lp64).then_some(&[])
    }

    fn compiles_cxx(&self) -> bool {
        false
    }

    fn knows_extensions(&self) -> bool {
        false
    }

    fn sees_whole_program(&self, _args: &[String]) -> bool {
        false
    }

    fn march(&self, _name: &str) -> Option<String> {
        None
    }

    fn sanitizers(&self) -> &'static [Sanitizer] {
        &[]
    }

    fn undefined_warnings(&self) -> Option<UndefinedWarnings> {
        None
    }

    fn options(&self) -> OptionSource {
        OptionSource::None
    }

    fn use_build(&self, folder: &Path) -> Vec<String> {
        vec![format!("-B{}", folder.join("lib").display())]
    }

    fn worker(&self, _stage: Stage, _language: Language) -> &'static str {
        "tcc"
    }

    fn diagnose(&self, ended: &Ended, stderr: &str, _args: &[String]) -> Failure {
        if let Some(trouble) = machine_trouble(stderr) {
            return trouble;
        }
        if stderr.contains("memory full") {
            return Failure::Memory;
        }
        match ended {
            Ended::Signal(9) => Failure::Machine("the compiler was killed from outside".to_owned()),
            Ended::Signal(signal) => {
                Failure::Crash(Crash::new(&signal_name(*signal), None, None, stderr))
            }
            _ => match line_with(stderr, "internal compiler error") {
                Some(line) => {
                    let from = line.find("internal").unwrap_or_default();
                    Failure::Crash(Crash::new(&line[from..], None, None, stderr))
                }
                None => Failure::Rejected(
                    line_with(stderr, "error: ")
                        .or_else(|| stderr.lines().next())
                        .unwrap_or("no message")
                        .to_owned(),
                ),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_version_line_tells_version_and_target() {
        let text = "tcc version 0.9.27 (x86_64 Linux)\n";
        assert_eq!(Tcc.read_version(text).map(|v| v.to_string()).as_deref(), Some("0.9.27"));
        assert_eq!(Tcc.read_target(text).as_deref(), Some("x86_64-linux"));
    }
}
