//! The files of a program as one.

use toolchain::{Language, Program, SourceFile};

/// The program as one file, with its own headers where they are included first; nothing when it is
/// one already.
pub(super) fn merged(program: &Program) -> Option<Program> {
    if program.files.len() < 2 {
        return None;
    }
    let mut text = Vec::new();
    let mut included = Vec::new();
    for unit in program.units() {
        inline(program, unit, &mut included, &mut text);
    }
    let name = if program.language == Language::Cxx { "main.cpp" } else { "main.c" };
    let files = vec![SourceFile { name: name.to_owned(), bytes: text }];
    Some(Program { files, ..program.clone() })
}

/// Appends a file; what it includes of the program's own stands in the place of the directive, the
/// first time.
fn inline(program: &Program, file: &SourceFile, included: &mut Vec<String>, text: &mut Vec<u8>) {
    for line in file.bytes.split_inclusive(|&c| c == b'\n') {
        let own = include_of(line)
            .and_then(|name| program.files.iter().find(|header| header.name == name));
        match own {
            Some(header) if included.contains(&header.name) => {}
            Some(header) => {
                included.push(header.name.clone());
                inline(program, header, included, text);
            }
            None => text.extend_from_slice(line),
        }
    }
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
}

/// `x.h` of `#include "x.h"`.
fn include_of(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?.trim();
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    rest.strip_prefix('"')?.split('"').next()
}

/// Does a file use the preprocessor for more than to include what every system has?
pub(super) fn has_macros(program: &Program, file: &SourceFile) -> bool {
    let system = |line: &str| {
        line.strip_prefix("include").is_some_and(|rest| rest.trim_start().starts_with('<'))
    };
    // A header that is found by an argument is no system header.
    let own_folders = program.args.iter().any(|arg| arg.starts_with("-I") || arg.starts_with("-D"));
    let text = String::from_utf8_lossy(&file.bytes);
    text.lines().filter_map(|line| line.trim_start().strip_prefix('#')).any(|line| {
        let line = line.trim_start();
        own_folders || !(system(line) || line.starts_with("pragma"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_stand_where_they_are_included_first() {
        let file =
            |name: &str, text: &str| SourceFile { name: name.to_owned(), bytes: text.into() };
        let mut program = Program::single("a.c", Language::C, "#include \"x.h\"\nint a = X;\n");
        program.files.push(file("b.c", "#include <stdio.h>\n# include \"x.h\"\nint main(void) {}"));
        program.files.push(file("x.h", "#define X 1\n"));
        let merged = merged(&program).unwrap();
        let text = String::from_utf8(merged.files[0].bytes.clone()).unwrap();
        assert_eq!(text, "#define X 1\nint a = X;\n#include <stdio.h>\nint main(void) {}\n");
        assert!(has_macros(&merged, &merged.files[0]));
        assert!(super::merged(&merged).is_none());
    }
}
