//! How tcc is built: all of it, in seconds.

use super::error::{InstrumentError, at};
use super::work::{Command, Told};
use super::{Made, Making, Recipe, Request};
use std::fs;
use std::path::Path;

pub(super) struct Tcc;

impl Recipe for Tcc {
    fn family(&self) -> &'static str {
        "tcc"
    }

    fn project(&self) -> &'static str {
        "tcc"
    }

    fn landmark(&self) -> &'static str {
        "tccgen.c"
    }

    fn version(&self, root: &Path) -> Option<String> {
        Some(fs::read_to_string(root.join("VERSION")).ok()?.trim().to_owned())
    }

    fn packages(&self, _request: &Request) -> Vec<&'static str> {
        vec!["dpkg-dev", "libc6-dev"]
    }

    fn needs(&self) -> (u64, u64) {
        (1, 1)
    }

    fn tests(&self) -> &'static [&'static str] {
        &["tests/tests2"]
    }

    fn refuse(&self, request: &Request) -> Option<&'static str> {
        let asked = request.cxx || request.clang || request.assertions || request.checking;
        (asked || request.stats)
            .then_some("tcc has no C++, assertions, checks or statistics to build")
    }

    fn build(&self, making: &mut Making) -> Result<Made, InstrumentError> {
        let build = making.work.folder.join("build");
        fs::create_dir_all(&build).map_err(at(&build))?;
        let configure = making.source.join("configure").display().to_string();
        let cc = format!("--cc={}", making.clang.cc());
        making.work.run(&Command::new("configure", &build, &[&configure, &cc]))?;
        let mut flags = making.compile_flags();
        flags.extend(["-I.".to_owned(), format!("-I{}", making.source.display())]);
        let cflags = format!("CFLAGS={}", flags.join(" "));
        let ldflags = format!("LDFLAGS={}", making.link_flags().join(" "));
        let jobs = format!("-j{}", making.request.jobs);
        let argv = ["make", &jobs, &cflags, &ldflags, "tcc", "libtcc1.a"];
        making
            .work
            .run(&Command { told: Told::No, ..Command::new("compile tcc", &build, &argv) })?;
        let mut files = vec![(making.source.join("include"), "lib/include".to_owned())];
        files.extend(
            [("libtcc1.a", "lib/libtcc1.a"), ("bcheck.o", "lib/bcheck.o")]
                .into_iter()
                .map(|(from, to)| (build.join(from), to.to_owned()))
                .filter(|(from, _)| from.exists()),
        );
        Ok(Made { parts: vec![("tcc", build.join("tcc"))], files, front: None, build })
    }
}
