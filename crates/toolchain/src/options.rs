//! Options of a compiler that can be switched on and off.

use crate::compiler::{Compiler, CompilerError, ask};
use crate::configuration::Configuration;
use crate::family::OptionSource;
use crate::process::Limits;
use crate::program::{Language, Program};
use base::Random;
use std::sync::Arc;

/// The options of one compiler that may be switched without changing what a program means.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    /// Each option with its settings.
    options: Vec<Vec<String>>,
}

impl Switches {
    /// Asks the compiler, or tries those that its family knows.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn of(compiler: &Arc<Compiler>) -> Result<Switches, CompilerError> {
        match compiler.family.options() {
            OptionSource::None => Ok(Switches::default()),
            OptionSource::Listed { args, changes_meaning } => {
                let mut question = vec!["-O2"];
                question.extend(args);
                Ok(Switches::read(&ask(&compiler.path, &question)?, changes_meaning))
            }
            OptionSource::Known(options) => Ok(Switches::try_out(compiler, options)),
        }
    }

    /// Reads lines such as `  -fgcse   [enabled]`; options with values have other lines.
    fn read(listing: &str, changes_meaning: &[&str]) -> Switches {
        let options = listing
            .lines()
            .filter(|line| line.ends_with("[enabled]") || line.ends_with("[disabled]"))
            .filter_map(|line| line.split_whitespace().next()?.strip_prefix("-f"))
            .filter(|name| !changes_meaning.iter().any(|word| name.starts_with(word)))
            .map(|name| vec![format!("-f{name}"), format!("-fno-{name}")])
            .collect();
        Switches { options }
    }

    fn try_out(compiler: &Arc<Compiler>, options: &[&str]) -> Switches {
        let program = Program::single("main.c", Language::C, "int main(void) { return 0; }\n");
        let accepted = |option: &&&str| {
            let args = format!("-O2 {option}");
            let args = args.split(' ').map(str::to_owned).collect();
            let configuration = Configuration::with_args(Arc::clone(compiler), args);
            let Ok(folder) = crate::build::lay_out(&program, &std::env::temp_dir()) else {
                return false;
            };
            let limits = Limits::compiler();
            crate::build::build(&configuration, &program, folder.path(), "a.out", limits)
                .is_ok_and(|built| built.result.is_ok())
        };
        let options = options.iter().filter(accepted).map(|&option| vec![option.to_owned()]);
        Switches { options: options.collect() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Are there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// `count` different options, each at a random setting, in the compiler's order.
    #[must_use]
    pub fn draw(&self, count: usize, random: &mut Random) -> Vec<String> {
        let mut chosen: Vec<usize> = (0..self.options.len()).collect();
        random.shuffle(&mut chosen);
        chosen.truncate(count);
        chosen.sort_unstable();
        // A setting may be two words: `-mllvm -enable-newgvn`.
        chosen
            .into_iter()
            .flat_map(|at| random.pick(&self.options[at]).split(' '))
            .map(str::to_owned)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seed;

    #[test]
    fn a_listing_becomes_switches() {
        let listing = "The following options control optimizations:\n  -O<number>\n  \
            -fgcse                      \t\t[enabled]\n  -falign-loops=              \t\t16\n  \
            -ffast-math                 \t\t[disabled]\n  -ftree-vrp                  \t\t[enabled]\n";
        let switches = Switches::read(listing, &["fast-math"]);
        assert_eq!(switches.len(), 2);
        let drawn = switches.draw(5, &mut Seed(1).stream("draw", 0));
        assert_eq!(drawn.len(), 2);
        assert!(drawn[0] == "-fgcse" || drawn[0] == "-fno-gcse");
    }
}
