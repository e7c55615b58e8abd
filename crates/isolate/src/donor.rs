//! Programs beside the failing one: developers' tests and random programs.

use std::fs;
use std::path::Path;
use toolchain::{Language, Program};

/// Where programs beside the failing one come from.
#[derive(Default)]
pub struct Donors<'a> {
    /// Developers' tests, by name.
    pub tests: Vec<Donor>,
    /// What they are, in words: the result says so.
    pub origin: String,
    /// The n-th random program, if there is a generator.
    pub random: Option<&'a (dyn Fn(u64) -> Option<Program> + Sync)>,
    /// What that is, in words.
    pub random_origin: String,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Donor {
    /// Its file, below the folder of tests.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
}

impl Donor {
    /// As a program of its own.
    pub(crate) fn program(&self) -> Program {
        Program::single("test.c", Language::C, self.text.clone())
    }
}

/// Larger tests take longer to compile than they are worth.
const MOST_BYTES: u64 = 64 << 10;

/// The C files below a folder that stand for themselves: those that include other files than the
/// system's are left out.
///
/// # Errors
/// When the folder can't be read.
pub fn tests_below(folder: &Path) -> std::io::Result<Vec<Donor>> {
    let (mut tests, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inside) = folders.pop() {
        for entry in inside.read_dir()? {
            let entry = entry?;
            let (path, meta) = (entry.path(), entry.metadata()?);
            if meta.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "c") && meta.len() <= MOST_BYTES {
                let text = fs::read(&path)?;
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                if !text.windows(10).any(|window| window == b"#include \"") {
                    tests.push(Donor { name, text });
                }
            }
        }
    }
    tests.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_in_order_and_those_that_need_others_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("b/two.c", "int two;\n");
        write("one.c", "int one;\n");
        write("three.c", "#include \"one.c\"\n");
        write("four.h", "int four;\n");
        let tests = tests_below(folder.path()).unwrap();
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["b/two.c", "one.c"]);
    }
}
