//! Changes of small programs. A machine without libclang says so.
#![allow(clippy::unwrap_used)]

mod insert;
mod local;

use csyntax::{Dialect, Library};
use std::sync::OnceLock;

fn dialect() -> Dialect {
    Dialect { file_name: "a.c".to_owned(), args: vec!["-std=gnu17".to_owned()] }
}

fn library() -> Option<Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let find = || Library::find().map_err(|error| println!("not tested: {error}")).ok();
    LIBRARY.get_or_init(find).clone()
}
