//! How LLVM's `opt` and `llc` are built.

use super::error::{InstrumentError, at};
use super::headers::Headers;
use super::work::{Command, Told};
use super::{Made, Making, Recipe, Request};
use std::fs;
use std::path::{Path, PathBuf};
use toolchain::{Compiler, in_path};

pub(super) struct Llvm;

impl Recipe for Llvm {
    fn family(&self) -> &'static str {
        "clang"
    }

    fn project(&self) -> &'static str {
        "LLVM"
    }

    fn landmark(&self) -> &'static str {
        "llvm/lib/Passes/PassRegistry.def"
    }

    fn version(&self, root: &Path) -> Option<String> {
        // Newer versions have it in a file that all projects share.
        let files = ["llvm/CMakeLists.txt", "cmake/Modules/LLVMVersion.cmake"];
        let texts: String =
            files.iter().filter_map(|file| fs::read_to_string(root.join(file)).ok()).collect();
        let number = |name: &str| {
            let start = texts.find(&format!("set(LLVM_VERSION_{name} "))?;
            let rest = texts[start..].split_once(' ')?.1;
            Some(rest.split(')').next()?.trim().to_owned())
        };
        Some(format!("{}.{}.{}", number("MAJOR")?, number("MINOR")?, number("PATCH")?))
    }

    fn packages(&self, _request: &Request) -> Vec<&'static str> {
        vec!["dpkg-dev", "lld-CLANG", "g++", "cmake", "ninja-build", "python3", "zlib1g-dev"]
    }

    fn needs(&self) -> (u64, u64) {
        (16, 4)
    }

    fn tests(&self) -> &'static [&'static str] {
        &["clang/test/CodeGen"]
    }

    fn refuse(&self, request: &Request) -> Option<&'static str> {
        (request.cxx || request.checking)
            .then_some("--cxx and --checking are GCC's; LLVM has --clang, --assertions and --stats")
    }

    fn build(&self, making: &mut Making) -> Result<Made, InstrumentError> {
        let major = making.version.split('.').next().unwrap_or_default().to_owned();
        let front = Compiler::named(&format!("clang-{major}")).map_err(|error| {
            InstrumentError::Front(format!(
                "opt {} needs a clang of its version before it (apt install clang-{major}): {error}",
                making.version
            ))
        })?;
        if front.version.to_string() != making.version {
            return Err(InstrumentError::Front(format!(
                "the source is LLVM {}, but the system's {}, whose front end would be used, is {}",
                making.version, front.name, front.version
            )));
        }
        let build = making.work.folder.join("build");
        fs::create_dir_all(&build).map_err(at(&build))?;
        let request = making.request;
        let (compile, link) = (making.compile_flags().join(" "), making.link_flags().join(" "));
        let mut roles = vec!["opt", "llc"];
        if request.clang {
            roles.push("clang");
        }
        let headers = Headers::of(&making.work, &making.source, &build)?;
        making.work.once("configure", |work| {
            let switch = |on: bool| if on { "ON" } else { "OFF" };
            let mut argv: Vec<String> = vec!["cmake".to_owned(), "-GNinja".to_owned()];
            let mut set = |name: &str, value: &str| argv.push(format!("-D{name}={value}"));
            // It takes only the usual types; what this one adds is said here.
            set("CMAKE_BUILD_TYPE", "Release");
            set("CMAKE_C_COMPILER", &making.clang.cc());
            set("CMAKE_CXX_COMPILER", &making.clang.cxx());
            let defines = if request.assertions { "" } else { "-DNDEBUG" };
            for language in ["C", "CXX"] {
                set(&format!("CMAKE_{language}_FLAGS"), &compile);
                set(&format!("CMAKE_{language}_FLAGS_RELEASE"), defines);
            }
            set("CMAKE_EXE_LINKER_FLAGS", &format!("{link} -fuse-ld=lld-{}", making.clang.major));
            set("CMAKE_CXX_COMPILER_LAUNCHER", &headers.launcher.display().to_string());
            set("CMAKE_EXPORT_COMPILE_COMMANDS", "ON");
            set("CMAKE_POSITION_INDEPENDENT_CODE", "OFF");
            set("LLVM_ENABLE_PIC", "OFF");
            set("LLVM_ENABLE_ASSERTIONS", switch(request.assertions));
            set("LLVM_FORCE_ENABLE_STATS", switch(request.stats));
            set("LLVM_TARGETS_TO_BUILD", "X86");
            set("LLVM_ENABLE_PROJECTS", if request.clang { "clang" } else { "" });
            for off in [
                "LLVM_INCLUDE_TESTS",
                "LLVM_INCLUDE_BENCHMARKS",
                "LLVM_INCLUDE_EXAMPLES",
                "LLVM_INCLUDE_DOCS",
                "LLVM_ENABLE_ZSTD",
                "LLVM_ENABLE_TERMINFO",
                "LLVM_ENABLE_LIBXML2",
                "LLVM_ENABLE_BINDINGS",
                "LLVM_BUILD_LLVM_DYLIB",
                "CLANG_ENABLE_STATIC_ANALYZER",
                "CLANG_ENABLE_ARCMT",
            ] {
                set(off, "OFF");
            }
            // The generator of tables that belongs to the version spares building one, with counters.
            let folder = format!("/usr/lib/llvm-{major}/bin/llvm-tblgen");
            let generator =
                in_path(&format!("llvm-tblgen-{major}")).or_else(|| Some(folder.into()));
            match generator.filter(|path| path.is_file()) {
                Some(path) => set("LLVM_TABLEGEN", &path.display().to_string()),
                None => set("LLVM_OPTIMIZED_TABLEGEN", "ON"),
            }
            argv.push(making.source.join("llvm").display().to_string());
            work.run(&Command { argv, ..Command::new("configure", &build, &[]) })
        })?;
        let jobs = format!("-j{}", request.jobs);
        making.work.once("headers", |work| {
            // Some headers include what is generated.
            let argv = ["ninja", &jobs, "intrinsics_gen"];
            work.run(&Command::new("generate headers", &build, &argv))?;
            headers.compile(work, "llvm", &["llvm/"])
        })?;
        if request.clang {
            making.work.once("headers-of-clang", |work| {
                let argv =
                    ["ninja", &jobs, "clang-tablegen-targets", "ClangDriverOptions", "omp_gen"];
                work.run(&Command::new("generate headers of clang", &build, &argv))?;
                headers.compile(work, "clang", &["clang/", "llvm/"])
            })?;
        }
        let mut argv = vec!["ninja", &jobs];
        argv.extend(roles.iter().copied());
        if request.clang {
            argv.push("clang-resource-headers");
        }
        let step = format!("compile {}", roles.join(", "));
        let command = Command::new(&step, &build, &argv);
        making.work.run(&Command { told: Told::Ninja, ..command })?;
        let parts = roles.into_iter().map(|role| (role, build.join("bin").join(role))).collect();
        let files = if request.clang { own_headers(&build)? } else { Vec::new() };
        Ok(Made { parts, files, front: Some(front.name), build })
    }
}

/// Clang's own headers, such as stddef.h, where it looks for them: in `lib/clang/VERSION` beside `bin`.
fn own_headers(build: &Path) -> Result<Vec<(PathBuf, String)>, InstrumentError> {
    let versions = build.join("lib/clang");
    let mut found = Vec::new();
    for entry in versions.read_dir().map_err(at(&versions))? {
        let entry = entry.map_err(at(&versions))?;
        let to = format!("lib/clang/{}/include", entry.file_name().to_string_lossy());
        found.push((entry.path().join("include"), to));
    }
    Ok(found)
}
