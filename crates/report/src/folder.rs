//! A bug as a folder: all that is needed to look at it, repeat it, and file it.

use crate::bug::{Bug, Family};
use crate::{
    diff, gcc_bugzilla, interesting_script, llvm_issue, other_report, page, reproduce_script,
    test_stub,
};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes everything about `bug` as the folder `path`, in place of an older one: the program,
/// `original/` and `preprocessed/`, the scripts, the report for the compiler's project, a stub of
/// a test, the code before and after the guilty step, `bug.json`, and the page `index.html`.
///
/// The folder appears whole or not at all: it is written beside `path` and renamed.
///
/// # Errors
/// When the disk says no, and for names of files that would leave the folder or hide another
/// file; then `path` is as it was.
pub fn write_folder(bug: &Bug, path: &Path) -> io::Result<()> {
    let contents = contents(bug)?;
    let new = beside(path, "new")?;
    let written = write_all(&contents, &new).and_then(|()| swap(&new, path));
    if written.is_err() {
        let _ = fs::remove_dir_all(&new);
    }
    written
}

/// A file of the folder of a bug, by its name; nothing if the folder has none of that name, or it is in a folder below.
#[must_use]
pub fn folder_file(bug: &Bug, name: &str) -> Option<String> {
    let contents = contents(bug).ok()?;
    let found = contents.into_iter().find(|content| content.path == Path::new(name))?;
    Some(found.text)
}

/// A file to be: where, what, and whether it can be run.
struct Content {
    path: PathBuf,
    text: String,
    runs: bool,
}

fn contents(bug: &Bug) -> io::Result<Vec<Content>> {
    let mut contents = Vec::new();
    let mut add = |folder: &str, name: &str, text: String, runs: bool| {
        contents.push(Content { path: Path::new(folder).join(name), text, runs });
    };
    for (folder, files) in
        [("", &bug.files), ("original", &bug.original), ("preprocessed", &bug.preprocessed)]
    {
        for file in files {
            add(folder, checked(&file.name)?, file.text.clone(), false);
        }
    }
    add("", "reproduce.sh", reproduce_script(bug), true);
    add("", "interesting.sh", interesting_script(bug), true);
    add("", report_name(bug.family), report(bug), false);
    if let Some(stub) = test_stub(bug) {
        add("", &stub.name, stub.text, false);
    }
    if let Some(pair) = bug.culprit.as_ref().and_then(|culprit| culprit.pair.as_ref()) {
        let (before, after) = (format!("before.{}", pair.form), format!("after.{}", pair.form));
        let step = diff::unified(&pair.before, &pair.after, (&before, &after));
        add("", checked(&before)?, pair.before.clone(), false);
        add("", checked(&after)?, pair.after.clone(), false);
        add("", "step.diff", step, false);
    }
    let record = serde_json::to_string_pretty(bug).map_err(io::Error::other)?;
    add("", "bug.json", record + "\n", false);
    add("", "index.html", page(bug), false);
    let mut seen = BTreeSet::new();
    match contents.iter().find(|content| !seen.insert(&content.path)) {
        Some(twice) => Err(refused(&twice.path.to_string_lossy(), "another file has that name")),
        None => Ok(contents),
    }
}

/// What the report for the compiler's project is called.
pub(crate) fn report_name(family: Family) -> &'static str {
    match family {
        Family::Gcc => "bugzilla.txt",
        Family::Llvm => "issue.md",
        Family::Other => "report.md",
    }
}

/// The report in the form that the compiler's project wants.
pub(crate) fn report(bug: &Bug) -> String {
    match bug.family {
        Family::Gcc => gcc_bugzilla(bug),
        Family::Llvm => llvm_issue(bug),
        Family::Other => other_report(bug),
    }
}

fn checked(name: &str) -> io::Result<&str> {
    let folders = ["original", "preprocessed"].contains(&name);
    if name.is_empty()
        || name.contains(['/', '\0'])
        || name.contains("..")
        || name == "."
        || folders
    {
        return Err(refused(name, "it is no plain name of a file"));
    }
    Ok(name)
}

fn refused(name: &str, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("cannot write the file {name:?}: {why}"))
}

fn write_all(contents: &[Content], folder: &Path) -> io::Result<()> {
    for content in contents {
        let path = folder.join(&content.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let mut file = fs::File::create(&path)?;
        file.write_all(content.text.as_bytes())?;
        file.sync_all()?;
        if content.runs {
            make_runnable(&path)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn make_runnable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_runnable(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// A name that nobody else uses, in the folder of `path`.
fn beside(path: &Path, what: &str) -> io::Result<PathBuf> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let unique = COUNTER.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{}-{unique}.{what}", std::process::id())))
}

/// Puts `new` in the place of `path`. A folder that is not empty cannot be renamed over, so the
/// old one steps aside first, and comes back if that fails.
fn swap(new: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    let old = beside(path, "old")?;
    fs::rename(path, &old)?;
    if let Err(error) = fs::rename(new, path) {
        fs::rename(&old, path)?;
        return Err(error);
    }
    if old.is_dir() { fs::remove_dir_all(&old) } else { fs::remove_file(&old) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use std::os::unix::fs::PermissionsExt;

    fn listed(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn everything_is_in_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("17-0");
        write_folder(&sample::wrong_code(), &folder).unwrap();
        assert_eq!(
            listed(&folder),
            [
                "after.gimple",
                "before.gimple",
                "bug.json",
                "bugzilla.txt",
                "index.html",
                "interesting.sh",
                "main.c",
                "original",
                "pr000000.c",
                "preprocessed",
                "reproduce.sh",
                "step.diff",
            ]
        );
        let mode = fs::metadata(folder.join("reproduce.sh")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755);
        let record = fs::read_to_string(folder.join("bug.json")).unwrap();
        assert_eq!(serde_json::from_str::<Bug>(&record).unwrap(), sample::wrong_code());
    }

    #[test]
    fn an_older_folder_is_replaced_whole() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("bug");
        write_folder(&sample::wrong_code(), &folder).unwrap();
        write_folder(&sample::tcc(), &folder).unwrap();
        assert!(folder.join("report.md").exists() && !folder.join("bugzilla.txt").exists());
        assert_eq!(listed(dir.path()), ["bug"]);
    }

    #[test]
    fn names_that_leave_the_folder_or_hide_a_file_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("bug");
        write_folder(&sample::tcc(), &folder).unwrap();
        for name in ["", ".", "..", "../x.c", "a/b.c", "/etc/x", "bug.json", "original"] {
            let mut bug = sample::wrong_code();
            bug.files[0].name = name.to_owned();
            let error = write_folder(&bug, &folder).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}");
        }
        assert!(folder.join("report.md").exists());
        assert_eq!(listed(dir.path()), ["bug"]);
    }
}
