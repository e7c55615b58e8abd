//! The question that a reducer asks about a text: does the program still show the bug?

use super::ReduceError;
use csyntax::{Dialect, Library, Problem};
use oracle::{SameBug, Sameness};
use reduce::{Answer, Halt, Predicate, Reader};
use std::path::Path;
use toolchain::process::ProcessError;
use toolchain::{BuildError, DataModel, Language, Program};

/// Asks about texts of one file of a program, the others as they are.
pub(super) struct Asker<'a> {
    bug: &'a SameBug,
    program: &'a Program,
    file: usize,
    reading: Option<(&'a Library, Dialect)>,
    /// Is a text that clang calls wrong not worth a question?
    must_be_valid: bool,
    /// With the full screen.
    hard: bool,
    /// Of IR: more than so many undefined values were not in the program.
    undefined_values: usize,
    scratch: &'a Path,
}

/// What is wrong with a program whatever it does, by clang's warnings.
const NEVER: [&str; 9] = [
    "main",
    "main-return-type",
    "incompatible-library-redeclaration",
    "implicit-function-declaration",
    "implicit-int",
    "return-type",
    "int-conversion",
    "incompatible-pointer-types",
    "incompatible-function-pointer-types",
];

/// What betrays undefined behaviour, before it costs a compilation to see it.
const UNDEFINED: [&str; 10] = [
    "uninitialized",
    "sometimes-uninitialized",
    "array-bounds",
    "division-by-zero",
    "shift-count-overflow",
    "shift-count-negative",
    "unsequenced",
    "format",
    "infinite-recursion",
    "return-stack-address",
];

impl<'a> Asker<'a> {
    pub(super) fn new(
        bug: &'a SameBug,
        program: &'a Program,
        file: usize,
        library: Option<&'a Library>,
        hard: bool,
        scratch: &'a Path,
    ) -> Result<Asker<'a>, ReduceError> {
        let text = &program.files[file].bytes;
        let mut asker = Asker {
            bug,
            program,
            file,
            reading: None,
            must_be_valid: false,
            hard,
            undefined_values: undefined_values(text),
            scratch,
        };
        if let Some(library) = library {
            let dialect = dialect(bug, program, file, library)?;
            let problems = library.problems(text, &dialect).unwrap_or_default();
            asker.must_be_valid = !problems.iter().any(|problem| problem.is_error);
            asker.reading = Some((library, dialect));
        }
        Ok(asker)
    }

    /// How C is read; nothing for IR.
    pub(super) fn reader(&self) -> Option<Reader<'_>> {
        self.reading.as_ref().map(|(library, dialect)| Reader { library, dialect })
    }
}

/// Asks about a whole program, with the full screen if `hard`.
pub(super) fn ask_about(
    bug: &SameBug,
    program: &Program,
    hard: bool,
    scratch: &Path,
) -> Result<Answer, Halt> {
    let looked = if hard { bug.look_hard(program, scratch) } else { bug.look(program, scratch) };
    match looked {
        Ok(Sameness::Same) => Ok(Answer::Interesting),
        Ok(Sameness::Other(_)) => Ok(Answer::Slipped),
        Ok(Sameness::Gone(_)) => Ok(Answer::Boring),
        Ok(Sameness::Trouble(what)) => Err(Halt::Failed(what.into())),
        Err(BuildError::Process(ProcessError::Interrupted { .. })) => Err(Halt::Stopped),
        Err(error) => Err(Halt::Failed(Box::new(error))),
    }
}

impl Predicate for Asker<'_> {
    fn is_plausible(&self, text: &[u8]) -> bool {
        match &self.reading {
            Some((library, dialect)) if self.must_be_valid => {
                let problems = library.problems(text, dialect);
                problems.is_ok_and(|problems| !problems.iter().any(|problem| problem.is_error))
            }
            Some(_) => true,
            None => {
                // An undefined value that the reducer brought in excuses every result.
                undefined_values(text) <= self.undefined_values && reduce::is_plausible_ir(text)
            }
        }
    }

    fn ask(&self, text: &[u8]) -> Result<Answer, Halt> {
        let mut candidate = self.program.clone();
        candidate.files[self.file].bytes = text.to_vec();
        ask_about(self.bug, &candidate, self.hard, self.scratch)
    }
}

/// How clang reads the program: as strictly as the program bears it, so that what was good C stays
/// good C.
fn dialect(
    bug: &SameBug,
    program: &Program,
    file: usize,
    library: &Library,
) -> Result<Dialect, ReduceError> {
    let source = &program.files[file];
    let mut args: Vec<String> =
        program.standard.iter().map(|standard| format!("-std={standard}")).collect();
    args.extend(program.args.iter().cloned());
    if bug.fail.data_model == DataModel::Ilp32 {
        args.push("-m32".to_owned());
    }
    // A header of C must not be read as one of C++.
    let file_name = match (Language::of(&source.name), program.language) {
        (None, Language::Cxx) => "header.cpp".to_owned(),
        (None, _) => "header.c".to_owned(),
        (Some(_), _) => source.name.clone(),
    };
    let undefined: &[&str] = if bug.kind == oracle::Kind::WrongCode { &UNDEFINED } else { &[] };
    let errors = NEVER.iter().chain(undefined).map(|warning| format!("-Werror={warning}"));
    let mut strict = Dialect { file_name: file_name.clone(), args: args.clone() };
    strict.args.extend(errors);
    let failed = |error: csyntax::ParseError| ReduceError::Failed(error.to_string());
    let errors = |dialect: &Dialect| -> Result<Vec<Problem>, ReduceError> {
        let problems = library.parse(&source.bytes, dialect).map_err(failed)?.problems().to_vec();
        Ok(problems.into_iter().filter(|problem| problem.is_error).collect())
    };
    // Of the warnings, those that the program has are not asked for.
    let had = errors(&strict)?;
    let is_had = |arg: &String| {
        arg.strip_prefix("-Werror=").is_some_and(|name| {
            had.iter().any(|problem| problem.option.trim_start_matches("-W") == name)
        })
    };
    strict.args.retain(|arg| !is_had(arg));
    let mut pedantic = strict.clone();
    pedantic.args.push("-pedantic-errors".to_owned());
    args.push("-Wno-everything".to_owned());
    for dialect in [pedantic, strict] {
        if errors(&dialect)?.is_empty() {
            return Ok(dialect);
        }
    }
    Ok(Dialect { file_name, args })
}

fn undefined_values(text: &[u8]) -> usize {
    let text = String::from_utf8_lossy(text);
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| matches!(*word, "undef" | "poison"))
        .count()
}
