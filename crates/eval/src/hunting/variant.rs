//! A way to choose, under the names of CTOS's Table 1.

use campaign::{Config, PassesConfig};
use std::fmt;
use std::str::FromStr;

/// How sequences and programs are chosen: `ss+sp`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct HuntVariant {
    sequences: &'static str,
    programs: &'static str,
}

const SEQUENCES: [&str; 3] = ["ss", "rs", "2w"];
const PROGRAMS: [&str; 10] =
    ["rp", "rps", "rpsv", "sp", "sp-whole", "sps", "gen", "gen-sp", "gen-sp-whole", "gen-sps"];

impl FromStr for HuntVariant {
    type Err = String;

    fn from_str(text: &str) -> Result<HuntVariant, String> {
        let known = || {
            let (sequences, programs) = text.split_once('+')?;
            let find = |names: &'static [&'static str], name: &str| {
                names.iter().copied().find(|known| *known == name.trim())
            };
            let (sequences, programs) = (find(&SEQUENCES, sequences)?, find(&PROGRAMS, programs)?);
            Some(HuntVariant { sequences, programs })
        };
        known().ok_or_else(|| {
            format!(
                "{text:?} is no way to choose: say SEQUENCES+PROGRAMS, such as ss+sp, with {} for sequences \
                 and {} for programs",
                SEQUENCES.join(", "),
                PROGRAMS.join(", ")
            )
        })
    }
}

impl fmt::Display for HuntVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.sequences, self.programs)
    }
}

impl HuntVariant {
    /// The config of a hunt that chooses so, and is otherwise as `base` says.
    #[must_use]
    pub fn config(&self, base: &Config, seed: u64) -> Config {
        let mut config = base.clone();
        config.seed = Some(seed);
        let (source, selection) = match self.programs {
            "gen" => ("gen", "rp"),
            "gen-sp" => ("gen", "sp"),
            "gen-sp-whole" => ("gen", "sp-whole"),
            "gen-sps" => ("gen", "sps"),
            selection @ ("sp" | "sp-whole" | "sps") => ("csmith", selection),
            _ => ("csmith", "rp"),
        };
        config.source = Some(source.to_owned());
        let swarm = ["rps", "rpsv"].into_iter().find(|swarm| *swarm == self.programs);
        config.csmith.swarm = swarm.map(str::to_owned);
        let passes = config.passes.get_or_insert_with(PassesConfig::default);
        passes.sequences = Some(self.sequences.to_owned());
        passes.programs = Some(selection.to_owned());
        config
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_decides_sequences_and_programs_and_nothing_else() {
        let config = |text: &str| {
            let mut base = Config { programs: Some(7), ..Config::default() };
            base.csmith.swarm = Some("rps".to_owned());
            let variant: HuntVariant = text.parse().unwrap();
            assert_eq!(variant.to_string(), text);
            let config = variant.config(&base, 3);
            assert_eq!((config.seed, config.programs), (Some(3), Some(7)));
            let passes = config.passes.unwrap();
            [config.source, config.csmith.swarm, passes.sequences, passes.programs]
                .map(Option::unwrap_or_default)
        };
        assert_eq!(config("ss+sp"), ["csmith", "", "ss", "sp"]);
        assert_eq!(config("rs+rpsv"), ["csmith", "rpsv", "rs", "rp"]);
        assert_eq!(config("2w+gen-sps"), ["gen", "", "2w", "sps"]);
        assert!("ss+xx".parse::<HuntVariant>().unwrap_err().contains("gen-sps"));
        assert!("ss".parse::<HuntVariant>().is_err());
    }
}
