//! Csmith as a source.

use super::{Source, SourceError, Sourced, Wanted};
use crate::config::CsmithConfig;
use base::Seed;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toolchain::process::{self, Ended, Job, Limits, Scratch};
use toolchain::{Language, Program, in_path};

/// So many programs are made for one that fits the size bounds, before the index is given up.
const MOST_TRIES: u64 = 200;

/// The file that holds probabilities, in the folder of a run.
const PROBABILITIES: &str = "probabilities.txt";

pub(super) struct Csmith {
    path: PathBuf,
    include: PathBuf,
    config: CsmithConfig,
    /// The probabilities that are drawn for each program.
    drawn: Vec<String>,
}

impl Csmith {
    pub(super) fn new(config: &CsmithConfig) -> Result<Csmith, SourceError> {
        let missing = |what| SourceError::Missing {
            what,
            get: "on Debian: apt install csmith libcsmith-dev",
        };
        let path = in_path("csmith").ok_or_else(|| missing("csmith"))?;
        // The header is where csmith was installed, wherever a link in PATH stands.
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let prefix = real.parent().and_then(Path::parent).unwrap_or(Path::new("/usr"));
        let include = ["include/csmith", "include/csmith-2.3.0", "include"]
            .iter()
            .map(|folder| prefix.join(folder))
            .find(|folder| folder.join("csmith.h").is_file())
            .ok_or_else(|| missing("csmith.h, Csmith's header,"))?;
        let mut csmith = Csmith { path, include, config: config.clone(), drawn: Vec::new() };
        if config.swarm.is_some() {
            csmith.drawn = csmith.probabilities()?;
        }
        csmith.check_options()?;
        Ok(csmith)
    }

    /// Wrong options are said before the hunt starts, not by each of a thousand empty programs.
    fn check_options(&self) -> Result<(), SourceError> {
        let refused = |why: String| SourceError::Refused { args: self.config.args.join(" "), why };
        let scratch =
            Scratch::new_in(&std::env::temp_dir()).map_err(|error| refused(error.to_string()))?;
        let mut tried = String::new();
        for seed in 1..=3 {
            match self.make(Seed(seed), scratch.path())? {
                Ok(_) => return Ok(()),
                Err(why) => tried = why,
            }
        }
        Err(refused(tried))
    }

    /// The names of the probabilities that stand alone; shares of a whole, in brackets, stay as they are.
    fn probabilities(&self) -> Result<Vec<String>, SourceError> {
        let refused = |why: String| SourceError::Refused { args: "for swarms".to_owned(), why };
        let failed = |error: std::io::Error| refused(error.to_string());
        let scratch = Scratch::new_in(&std::env::temp_dir()).map_err(failed)?;
        let job = Job::new(&self.path, scratch.path())
            .args(["--dump-default-probabilities", PROBABILITIES]);
        process::run(&job.limits(Limits::tool()))?;
        let text = std::fs::read_to_string(scratch.path().join(PROBABILITIES)).map_err(failed)?;
        Ok(read_probabilities(&text))
    }

    /// The probabilities of a program, in Csmith's form. Deviation: those for floating-point types stay as
    /// they are, since Csmith refuses them unless it is told to make such programs.
    fn swarm(&self, seed: Seed) -> String {
        let mut random = seed.stream("swarm", 0);
        let mut draw = || match self.config.swarm.as_deref() {
            Some("rps") => random.below(2) * 100,
            _ => random.below(101),
        };
        self.drawn.iter().map(|name| format!("{name}={}\n", draw())).collect()
    }

    /// Csmith's seeds are 32 bits wide.
    fn make(&self, seed: Seed, scratch: &Path) -> Result<Result<Vec<u8>, String>, SourceError> {
        let limits = Limits { cpu: Duration::from_secs(20), ..Limits::tool() };
        let failed = |error: std::io::Error| SourceError::Refused {
            args: "for swarms".to_owned(),
            why: error.to_string(),
        };
        let folder = Scratch::new_in(scratch).map_err(failed)?;
        let mut job = Job::new(&self.path, folder.path())
            .args(&self.config.args)
            .args(["--seed", &seed.to_string()])
            .limits(limits);
        if !self.drawn.is_empty() {
            std::fs::write(folder.path().join(PROBABILITIES), self.swarm(seed)).map_err(failed)?;
            job = job.args(["--probability-configuration", PROBABILITIES]);
        }
        let run = process::run(&job)?;
        Ok(match run.ended {
            Ended::Exit(0) if run.stdout.windows(4).any(|word| word == b"main") => Ok(run.stdout),
            Ended::Exit(0) => {
                let said = [run.stdout, run.stderr].concat();
                Err(String::from_utf8_lossy(&said).lines().next().unwrap_or("nothing").to_owned())
            }
            Ended::Limit(_) => Err("csmith did not end".to_owned()),
            ended => Err(format!(
                "csmith failed ({ended:?}): {}",
                String::from_utf8_lossy(&run.stderr).lines().next().unwrap_or_default()
            )),
        })
    }

    fn fits(&self, bytes: &[u8]) -> bool {
        let size = bytes.len() as u64;
        self.config.min_bytes.is_none_or(|min| size >= min)
            && self.config.max_bytes.is_none_or(|max| size <= max)
    }
}

fn read_probabilities(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.starts_with(['[', '(', '#']) && !line.starts_with("float"))
        .filter_map(|line| line.split_once('=').map(|(name, _)| name.trim().to_owned()))
        .collect()
}

impl Source for Csmith {
    fn describe(&self) -> String {
        let mut text = format!("csmith {}", self.config.args.join(" ")).trim_end().to_owned();
        if let Some(swarm) = &self.config.swarm {
            text.push_str(&format!(", probabilities by {swarm}"));
        }
        if let Some(min) = self.config.min_bytes {
            text.push_str(&format!(", at least {min} bytes"));
        }
        if let Some(max) = self.config.max_bytes {
            text.push_str(&format!(", at most {max} bytes"));
        }
        text
    }

    fn language(&self) -> Language {
        let cxx = |arg: &String| arg == "--lang-cpp" || arg == "--cpp11";
        if self.config.args.iter().any(cxx) { Language::Cxx } else { Language::C }
    }

    fn program(&self, wanted: &Wanted<'_>, scratch: &Path) -> Result<Sourced, SourceError> {
        let mut last = String::new();
        let base = wanted.seed.derive("csmith", wanted.index);
        for attempt in 0..MOST_TRIES {
            let seed = Seed(base.derive("attempt", attempt).0 >> 32);
            match self.make(seed, scratch)? {
                Ok(bytes) if self.fits(&bytes) => {
                    let language = self.language();
                    let name = if language == Language::Cxx { "main.cpp" } else { "main.c" };
                    let mut program = Program::single(name, language, bytes);
                    program.args = vec![format!("-I{}", self.include.display())];
                    return Ok(Sourced { seed, program: Ok(program) });
                }
                Ok(bytes) => last = format!("{} bytes do not fit the bounds", bytes.len()),
                Err(why) => last = why,
            }
        }
        Ok(Sourced { seed: base, program: Err(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probabilities_that_stand_alone_are_drawn() {
        let text =
            "a_prob=50\n\nfloat_as_ltype_prob=0\n[statement_prob,x=1,y=2]\n(ops,z=1)\nb_prob=0\n";
        assert_eq!(read_probabilities(text), ["a_prob", "b_prob"]);
        let swarm = |swarm: &str| Csmith {
            path: PathBuf::new(),
            include: PathBuf::new(),
            config: CsmithConfig { swarm: Some(swarm.to_owned()), ..CsmithConfig::default() },
            drawn: (0..40).map(|number| format!("p{number}")).collect(),
        };
        let values = |name: &str| -> Vec<u64> {
            let text = swarm(name).swarm(Seed(1));
            text.lines().map(|line| line.split_once('=').unwrap().1.parse().unwrap()).collect()
        };
        assert!(values("rps").iter().all(|value| [0, 100].contains(value)));
        assert!(values("rpsv").iter().any(|value| ![0, 100].contains(value)));
        assert_eq!(values("rpsv"), values("rpsv"));
        assert_ne!(swarm("rps").swarm(Seed(1)), swarm("rps").swarm(Seed(2)));
    }
}
