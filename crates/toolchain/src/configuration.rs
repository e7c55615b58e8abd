//! A compiler with arguments: what votes.

use crate::build::Stage;
use crate::compiler::{Compiler, DataModel};
use crate::family::{Apart, Linked};
use crate::program::Language;
use std::fmt;
use std::sync::Arc;

/// A compiler and the arguments that it is tested with.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The compiler.
    pub compiler: Arc<Compiler>,
    /// Its arguments.
    pub args: Vec<String>,
    /// The data model of what it makes: the compiler's, unless the arguments change it.
    pub data_model: DataModel,
    /// The pipeline that the optimiser runs in the place of the one that the arguments stand for, where it is a
    /// program of its own.
    pub optimiser: Option<String>,
    /// Whether its programs count what they execute, if they can.
    pub counts: bool,
}

impl Configuration {
    /// `args` are split at white space, as the command line and bug folders give them.
    #[must_use]
    pub fn new(compiler: Arc<Compiler>, args: &str) -> Configuration {
        let args = args.split_whitespace().map(str::to_owned).collect();
        Configuration::with_args(compiler, args)
    }

    /// A compiler with these arguments.
    #[must_use]
    pub fn with_args(compiler: Arc<Compiler>, args: Vec<String>) -> Configuration {
        let data_model =
            compiler.family.data_model_in(&compiler.target, &args).unwrap_or(compiler.data_model);
        Configuration { compiler, args, data_model, optimiser: None, counts: false }
    }

    /// The same compiler at its lowest level, with the arguments that are no levels: what every compilation
    /// needs. Of an optimiser with a pipeline it is one that does nothing.
    #[must_use]
    pub fn lowest(&self) -> Configuration {
        let family = self.compiler.family;
        let is_level = |arg: &&String| family.is_level(arg) || family.pipeline_in(arg).is_some();
        let others = self.args.iter().filter(|arg| !is_level(arg)).cloned();
        let lowest = match self.pipeline() {
            Some(_) => family.ir_references().first(),
            None => family.levels().first(),
        };
        let lowest = lowest.map(|&level| level.to_owned());
        Configuration::with_args(Arc::clone(&self.compiler), others.chain(lowest).collect())
    }

    /// The same, its programs counting what they execute: each in a file in the folder where it
    /// works (`Counting::counters`). A compiler that is no build for that counts nothing.
    #[must_use]
    pub fn counting(self) -> Configuration {
        Configuration { counts: true, ..self }
    }

    /// The same, linking with the quickest linker that is there.
    #[must_use]
    pub fn linking_quickly(mut self, linked: Linked) -> Configuration {
        self.args.extend(self.compiler.family.quick_linker(&self.compiler.companions, linked));
        self
    }

    /// The steps to take for these arguments where optimiser and code generator count, but the driver does not.
    pub(crate) fn apart(&self, args: &[String]) -> Option<Apart> {
        let compiler = &self.compiler;
        let counting = compiler.counting.as_ref()?;
        let role = |stage| compiler.family.worker(stage, Language::C);
        let whole = counting.has(role(Stage::Compile));
        let parts = counting.has(role(Stage::Optimise)) && counting.has(role(Stage::Codegen));
        let mut apart = if whole || !parts { None } else { compiler.family.apart(args) }?;
        if let Some(pipeline) = &self.optimiser {
            let is_pipeline = |arg: &&mut String| compiler.family.pipeline_in(arg).is_some();
            for arg in apart.optimise.iter_mut().filter(is_pipeline) {
                *arg = compiler.family.pipeline_arg(pipeline);
            }
        }
        Some(apart)
    }

    /// The pass pipeline among the arguments, if there is one: they are then the optimiser's.
    #[must_use]
    pub fn pipeline(&self) -> Option<&str> {
        self.args.iter().find_map(|arg| self.compiler.family.pipeline_in(arg))
    }

    /// `gcc-12 -O2`: how it is called in reports.
    #[must_use]
    pub fn label(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.compiler.name)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}
