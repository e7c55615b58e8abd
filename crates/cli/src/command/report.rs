//! `whodunit report`: a page of a campaign, and a folder for each of its bugs.

use crate::args;
use crate::exit::{Failure, NOTHING};
use crate::shown;
use base::atomic_write;
use campaign::{Overview, overview};
use report::{campaign_json, campaign_markdown, campaign_page, sarif, write_folder};
use std::path::Path;
use store::Reader;

pub fn run(args: &args::Report) -> Result<u8, Failure> {
    let reader = Reader::open(&args.campaign)?;
    let written = write(&overview(&reader)?, &args.out)?;
    eprintln!("written: {} with {}", args.out.display(), shown::plural(written, "bug"));
    Ok(NOTHING)
}

/// Writes the page, the folders that it links to, and Markdown, JSON and SARIF beside it; gives the number of bugs.
fn write(overview: &Overview, out: &Path) -> Result<u64, Failure> {
    let Overview { summary, bugs } = overview;
    let failed = |path: &Path, error: std::io::Error| {
        Failure::ours(format!("cannot write {}: {error}", path.display()))
    };
    let folder = out.parent().unwrap_or(Path::new(""));
    let bugs_folder = folder.join("bugs");
    let needed = if bugs.is_empty() { folder } else { &bugs_folder };
    std::fs::create_dir_all(needed).map_err(|error| failed(needed, error))?;
    for bug in bugs {
        let path = bugs_folder.join(&bug.id);
        write_folder(bug, &path).map_err(|error| failed(&path, error))?;
    }
    let beside = |ending: &str| out.with_extension(ending);
    for (path, text) in [
        (out.to_owned(), campaign_page(bugs, summary)),
        (beside("md"), campaign_markdown(bugs, summary)),
        (beside("json"), campaign_json(bugs, summary).to_string()),
        (beside("sarif"), sarif(bugs).to_string()),
    ] {
        atomic_write(&path, text.as_bytes()).map_err(|error| failed(&path, error))?;
    }
    Ok(bugs.len() as u64)
}
