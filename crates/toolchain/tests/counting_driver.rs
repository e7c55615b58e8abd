//! A build whose own driver counts: it is the compiler, and no two of its processes count at once.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

use base::ContentId;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use toolchain::process::Limits;
use toolchain::{
    Compiler, Configuration, CountingPart, Language, Manifest, Program, SourceFile, build, compile,
    in_path, lay_out,
};

/// A clang that writes down, in the folder where it works, whether it counts.
const CLANG: &str = "#!/bin/sh\n\
    echo \"${WHODUNIT_COUNTERS##*/} $*\" >> said\n\
    PATH=/usr/bin:/bin exec clang-16 \"$@\"\n";

fn build_folder(folder: &Path) {
    let clang = folder.join("bin/clang");
    fs::create_dir(folder.join("bin")).unwrap();
    fs::write(&clang, CLANG).unwrap();
    fs::set_permissions(&clang, fs::Permissions::from_mode(0o755)).unwrap();
    let id = ContentId::of(&fs::read(&clang).unwrap());
    let manifest = Manifest {
        version: Manifest::VERSION,
        family: "clang".to_owned(),
        compiler_version: "16.0.6".to_owned(),
        source: String::new(),
        built_by: String::new(),
        options: Vec::new(),
        front: Some("clang-19".to_owned()),
        parts: vec![CountingPart {
            role: "clang".to_owned(),
            file: "bin/clang".to_owned(),
            id,
            edges: 0,
            map: String::new(),
            map_id: id,
        }],
    };
    let text = serde_json::to_string(&manifest).unwrap();
    fs::write(folder.join(Manifest::FILE), text).unwrap();
}

#[test]
fn a_driver_that_counts_compiles_each_file_by_itself_and_links_without_counting() {
    if in_path("clang-16").is_none() {
        eprintln!("not tested: clang-16 is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build_folder(folder.path());
    let compiler = Compiler::named(&format!("{}/", folder.path().display())).unwrap();
    assert_eq!(compiler.path, folder.path().join("bin/clang"), "the build's, not the system's");
    let file = |name: &str, text: &str| SourceFile { name: name.to_owned(), bytes: text.into() };
    let program = Program {
        files: vec![
            file("main.c", "int f(void);\nint main(void) { return f(); }\n"),
            file("f.c", "int f(void) { return 0; }\n"),
        ],
        ..Program::single("main.c", Language::C, "")
    };
    let said = |configuration: Configuration, links: bool| -> Vec<String> {
        let scratch = tempfile::tempdir().unwrap();
        let dir = lay_out(&program, scratch.path()).unwrap();
        let limits = Limits::compiler();
        let built = match links {
            true => build(&configuration, &program, dir.path(), "a.out", limits).unwrap(),
            false => compile(&configuration, &program, dir.path(), limits).unwrap(),
        };
        assert!(built.result.is_ok(), "{built:?}");
        let said = fs::read_to_string(dir.path().join("said")).unwrap();
        said.lines().map(str::to_owned).collect()
    };
    let compiler = Arc::new(compiler);
    let configuration = Configuration::new(Arc::clone(&compiler), "-O1");
    assert_eq!(said(configuration.clone(), true).len(), 1, "as any other where nothing counts");
    let counts = |line: &String| line.starts_with("counters.clang ");
    let counting = said(configuration.clone().counting(), true);
    assert_eq!(
        counting.iter().map(counts).collect::<Vec<_>>(),
        [true, true, false],
        "{counting:?}"
    );
    let compiled = said(configuration.counting(), false);
    assert_eq!(compiled.iter().map(counts).collect::<Vec<_>>(), [true, true], "{compiled:?}");
}
