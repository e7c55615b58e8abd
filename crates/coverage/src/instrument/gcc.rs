//! How GCC's `cc1` is built: configured as the system's GCC was, so that its driver can use it.

use super::error::{InstrumentError, at};
use super::work::{Command, Told};
use super::{Made, Making, Recipe, Request};
use std::fs;
use std::path::Path;
use toolchain::Compiler;

pub(super) struct Gcc;

/// Options of a configuration that decide what code `cc1` makes, or where it looks for headers.
const KEPT: [&str; 15] = [
    "--prefix=",
    "--libdir=",
    "--libexecdir=",
    "--with-gcc-major-version-only",
    "--enable-linker-build-id",
    "--enable-threads=",
    "--enable-clocale=",
    "--enable-gnu-unique-object",
    "--enable-default-pie",
    "--enable-multiarch",
    "--enable-cet",
    "--with-arch",
    "--with-abi=",
    "--with-tune=",
    "--build=",
];

impl Recipe for Gcc {
    fn family(&self) -> &'static str {
        "gcc"
    }

    fn project(&self) -> &'static str {
        "GCC"
    }

    fn landmark(&self) -> &'static str {
        "gcc/BASE-VER"
    }

    fn version(&self, root: &Path) -> Option<String> {
        Some(fs::read_to_string(root.join(self.landmark())).ok()?.trim().to_owned())
    }

    fn packages(&self, _request: &Request) -> Vec<&'static str> {
        vec![
            "dpkg-dev",
            "lld-CLANG",
            "g++",
            "m4",
            "flex",
            "bison",
            "libgmp-dev",
            "libmpfr-dev",
            "libmpc-dev",
            "libisl-dev",
            "libzstd-dev",
            "zlib1g-dev",
        ]
    }

    fn needs(&self) -> (u64, u64) {
        (8, 3)
    }

    fn tests(&self) -> &'static [&'static str] {
        &[
            "gcc/testsuite/gcc.c-torture/compile",
            "gcc/testsuite/gcc.c-torture/execute",
            "gcc/testsuite/gcc.c-torture/unsorted",
        ]
    }

    /// When it crashes it prints only those frames of its stack that have names.
    fn keeps_symbols(&self) -> bool {
        true
    }

    fn refuse(&self, request: &Request) -> Option<&'static str> {
        let asked = request.clang || request.assertions || request.stats;
        asked.then_some(
            "--clang, --assertions and --stats are LLVM's; GCC has --checking, and always its statistics",
        )
    }

    fn build(&self, making: &mut Making) -> Result<Made, InstrumentError> {
        let front = front(&making.version)?;
        let build = making.work.folder.join("build");
        fs::create_dir_all(&build).map_err(at(&build))?;
        // As part of the compiler's name, because configure strikes -O1 from CFLAGS for its tests, and
        // without it the counters are not the ones that can be widened.
        let flags = making.compile_flags().join(" ");
        let mut link = making.link_flags();
        link.push(format!("-fuse-ld=lld-{}", making.clang.major));
        let link = link.join(" ");
        let env = [
            ("CC", format!("{} {flags}", making.clang.cc())),
            ("CXX", format!("{} {flags}", making.clang.cxx())),
            ("CC_FOR_BUILD", making.clang.cc()),
            ("CXX_FOR_BUILD", making.clang.cxx()),
            ("CFLAGS", "-O1".to_owned()),
            ("CXXFLAGS", "-O1".to_owned()),
            ("LDFLAGS", link),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec();
        let request = making.request;
        making.work.once("configure", |work| {
            let configure = making.source.join("configure").display().to_string();
            let mut argv = vec![configure];
            argv.extend(kept(&front.says()?));
            let checking = if request.checking { "yes,extra" } else { "release" };
            let languages = if request.cxx { "c,c++" } else { "c" };
            argv.extend([
                format!("--enable-languages={languages}"),
                format!("--enable-checking={checking}"),
                "--disable-bootstrap".to_owned(),
                // Libraries for -m32 are not built; cc1 knows it all the same.
                "--disable-multilib".to_owned(),
                "--disable-werror".to_owned(),
                "--disable-nls".to_owned(),
                "--disable-plugin".to_owned(),
                "--disable-lto".to_owned(),
                "--with-system-zlib".to_owned(),
            ]);
            let command = Command::new("configure", &build, &[]);
            work.run(&Command { argv, env: env.clone(), ..command })
        })?;
        let jobs = format!("-j{}", request.jobs);
        let libraries = [
            "all-build-libiberty",
            "all-build-libcpp",
            "all-libiberty",
            "all-libcpp",
            "all-libdecnumber",
            "all-libbacktrace",
            "all-libcody",
            "configure-gcc",
        ];
        let mut argv = vec!["make", &jobs];
        argv.extend(libraries);
        let step = Command::new("compile the libraries", &build, &argv);
        making.work.run(&Command { env: env.clone(), ..step })?;
        let parts: Vec<&'static str> =
            if request.cxx { vec!["cc1", "cc1plus"] } else { vec!["cc1"] };
        let inside = build.join("gcc");
        let mut argv = vec!["make", &jobs];
        argv.extend(parts.iter().copied());
        // The makefile knows its objects; a dry run would end before what is generated on the way. The
        // tools that generate it are about as many as the objects that these programs do not need.
        let missing = "$(filter-out $(wildcard $(ALL_HOST_OBJS)),$(sort $(ALL_HOST_OBJS)))";
        let count = format!("--eval=whodunit-count: ; @echo $(words {missing})");
        let asked = ["make", "-s", &count, "whodunit-count"];
        let step = Command::new("count what is to be compiled", &inside, &asked);
        let (_, said) = making.work.output(&step)?;
        let planned = said.lines().find_map(|line| line.trim().parse::<u64>().ok()).unwrap_or(0);
        let told = if planned > 0 { Told::Compilations(planned) } else { Told::No };
        let step = Command::new("compile cc1", &inside, &argv);
        making.work.run(&Command { told, ..step })?;
        Ok(Made {
            parts: parts.into_iter().map(|part| (part, inside.join(part))).collect(),
            files: Vec::new(),
            front: Some(front.name),
            build,
        })
    }
}

/// The system's GCC of this version.
fn front(version: &str) -> Result<Compiler, InstrumentError> {
    let major = version.split('.').next().unwrap_or_default();
    let name = format!("gcc-{major}");
    let front = Compiler::named(&name).map_err(|error| {
        InstrumentError::Front(format!(
            "cc1 {version} needs the driver of a GCC {version} before it (apt install {name}): {error}"
        ))
    })?;
    if front.version.to_string() != version {
        return Err(InstrumentError::Front(format!(
            "the source is GCC {version}, but the system's {name}, whose driver would be used, is {}",
            front.version
        )));
    }
    Ok(front)
}

/// The options that a compiler says it was configured with, as far as they matter.
fn kept(said: &str) -> Vec<String> {
    let configured = said.lines().find_map(|line| line.strip_prefix("Configured with: "));
    configured
        .unwrap_or_default()
        .split_whitespace()
        .filter(|option| KEPT.iter().any(|kept| option.starts_with(kept)))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_about_code_is_kept() {
        let said = "Using built-in specs.\nConfigured with: ../src/configure -v \
                    --with-pkgversion='Debian 12.2.0-14' --enable-languages=c,ada --prefix=/usr \
                    --enable-default-pie --with-arch-32=i686 --enable-offload-targets=x\nThread model: posix";
        assert_eq!(kept(said), ["--prefix=/usr", "--enable-default-pie", "--with-arch-32=i686"]);
    }
}
