//! Source packages of Debian, by an apt configuration of our own: the system's is read and left alone.

use super::Recipe;
use super::error::{InstrumentError, at};
use super::source;
use super::work::{Command, Work};
use std::fs;
use std::path::{Path, PathBuf};

/// Gets and unpacks the source of `package`.
pub(super) fn source(
    recipe: &dyn Recipe,
    package: &str,
    work: &mut Work,
) -> Result<(PathBuf, String), InstrumentError> {
    let download = work.folder.join("download");
    let unpacked = work.folder.join("source");
    let wanted = wanted(package, work)?;
    work.once("download", |work| {
        let lists = download.join("apt/lists/partial");
        fs::create_dir_all(&lists).map_err(at(&lists))?;
        let archives = download.join("apt/archives/partial");
        fs::create_dir_all(&archives).map_err(at(&archives))?;
        let sources = download.join("apt/sources.list");
        fs::write(&sources, source_lists(Path::new("/etc/apt"))).map_err(at(&sources))?;
        let apt = |step, words: &[&str]| {
            let apt = download.join("apt");
            let mut argv = vec!["apt-get".to_owned(), "-q".to_owned()];
            for (key, value) in [
                ("Dir::Etc::SourceList", sources.clone()),
                ("Dir::Etc::SourceParts", "/dev/null".into()),
                ("Dir::State::Lists", apt.join("lists")),
                ("Dir::Cache", apt.clone()),
            ] {
                argv.extend(["-o".to_owned(), format!("{key}={}", value.display())]);
            }
            argv.extend(words.iter().map(|&word| word.to_owned()));
            Command { argv, is_free: true, ..Command::new(step, &download, &[]) }
        };
        // A mirror that fails is no reason to stop: another may have the package.
        let (is_updated, _) = work.output(&apt("read Debian's list of sources", &["update"]))?;
        let got = work.run(&apt("download the source", &["source", "--download-only", &wanted]));
        match (is_updated, got) {
            (_, Ok(())) => Ok(()),
            (false, Err(_)) => work.run(&apt("read Debian's list of sources", &["update"])),
            (_, Err(error)) => Err(error),
        }
    })?;
    work.once("unpack", |work| {
        if unpacked.exists() {
            fs::remove_dir_all(&unpacked).map_err(at(&unpacked))?;
        }
        let described = file_with(&download, ".dsc")?;
        let to = unpacked.display().to_string();
        let argv = ["dpkg-source", "--no-check", "-x", &described, &to];
        work.run(&Command::new("unpack the source", &download, &argv))?;
        if source::find(recipe, &unpacked, 2).is_none() {
            // GCC's package holds the project's own archive, and applies patches while it is built.
            let inside = file_with(&unpacked, ".tar.xz")?;
            let argv = ["tar", "xf", &inside];
            work.run(&Command::new("unpack the archive inside", &unpacked, &argv))?;
        }
        Ok(())
    })?;
    let root = source::find(recipe, &unpacked, 2).ok_or_else(|| InstrumentError::NotSource {
        folder: unpacked.clone(),
        project: recipe.project(),
        landmark: recipe.landmark(),
    })?;
    let described = file_with(&download, ".dsc")?;
    let described = described.trim_end_matches(".dsc").replace('_', " ");
    Ok((root, format!("Debian {described}")))
}

/// `source=version` of the installed package; the name as it is when it is not installed.
fn wanted(package: &str, work: &mut Work) -> Result<String, InstrumentError> {
    let folder = work.folder.clone();
    let form = "${db:Status-Status} ${source:Package}=${source:Version}";
    let argv = ["dpkg-query", "-W", "-f", form, package];
    let (is_known, said) =
        work.output(&Command::new("look at the installed version", &folder, &argv))?;
    let said = if is_known { said } else { String::new() };
    Ok(said.trim().strip_prefix("installed ").unwrap_or(package).to_owned())
}

/// The first file of a folder by name with this end that belongs to the project itself.
fn file_with(folder: &Path, end: &str) -> Result<String, InstrumentError> {
    let entries = folder.read_dir().map_err(at(folder))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(end))
        .collect();
    names.sort();
    names.into_iter().next().ok_or_else(|| {
        let missing = std::io::Error::new(std::io::ErrorKind::NotFound, format!("no file *{end}"));
        at(folder)(missing)
    })
}

/// The system's lists of package archives, as one list of source archives.
fn source_lists(etc: &Path) -> String {
    let mut files = vec![etc.join("sources.list")];
    let parts = etc.join("sources.list.d").read_dir();
    files.extend(parts.into_iter().flatten().flatten().map(|entry| entry.path()));
    files.sort();
    let mut lines: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let text = fs::read_to_string(file).ok()?;
            let is_deb822 = file.extension().is_some_and(|end| end == "sources");
            Some(if is_deb822 { of_stanzas(&text) } else { of_lines(&text) })
        })
        .flatten()
        .collect();
    lines.dedup();
    lines.join("\n") + "\n"
}

/// `deb [options] URI suite component…`, one a line.
fn of_lines(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("deb "))
        .map(|rest| format!("deb-src {rest}"))
        .collect()
}

/// Stanzas of `Field: value`.
fn of_stanzas(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for stanza in text.split("\n\n") {
        let field = |name: &str| {
            let line = stanza.lines().find(|line| line.to_lowercase().starts_with(name))?;
            Some(line[name.len()..].trim().to_owned())
        };
        let (Some(uris), Some(suites)) = (field("uris:"), field("suites:")) else { continue };
        if field("enabled:").as_deref() == Some("no") {
            continue;
        }
        let signed = field("signed-by:").filter(|key| !key.is_empty());
        let options = signed.map_or(String::new(), |key| format!("[signed-by={key}] "));
        let components = field("components:").unwrap_or_default();
        for uri in uris.split_whitespace() {
            for suite in suites.split_whitespace() {
                lines
                    .push(format!("deb-src {options}{uri} {suite} {components}").trim().to_owned());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_of_packages_become_archives_of_sources() {
        assert_eq!(
            of_lines("# deb http://a/ b c\ndeb [x=y] http://a/ b c d\ndeb-src http://a/ b c\n"),
            ["deb-src [x=y] http://a/ b c d"]
        );
        let stanzas = "Types: deb\n# deb\nURIs: http://a/\nSuites: b b-updates\nComponents: c\n\
                       Signed-By: /k.gpg\n\nTypes: deb\nURIs: http://d/\nSuites: e/\nEnabled: no\n";
        assert_eq!(
            of_stanzas(stanzas),
            [
                "deb-src [signed-by=/k.gpg] http://a/ b c",
                "deb-src [signed-by=/k.gpg] http://a/ b-updates c"
            ]
        );
    }
}
