//! The built-in generator as a source.

use super::{Source, SourceError, Sourced, Wanted};
use crate::config::GenConfig;
use cgen::{Construct, Options, Policies, Size, Standard};
use std::path::Path;
use toolchain::{DataModel, Language, Program, SourceFile};

pub(super) struct Generated {
    standards: Vec<Standard>,
    options: Options,
}

impl Generated {
    pub(super) fn new(config: &GenConfig) -> Result<Generated, SourceError> {
        let wrong = |error: &dyn std::fmt::Display| SourceError::Options(error.to_string());
        let mut standards = Vec::new();
        for name in &config.standards {
            standards.push(name.parse::<Standard>().map_err(|error| wrong(&error))?);
        }
        if standards.is_empty() {
            standards = vec![Standard::C99, Standard::C11, Standard::C17];
        }
        if standards.iter().any(|standard| standard.is_cxx() != standards[0].is_cxx()) {
            return Err(SourceError::Options("standards: C or C++, not both".to_owned()));
        }
        let size = match &config.size {
            Some(size) => size.parse::<Size>().map_err(|error| wrong(&error))?,
            None => Size::Small,
        };
        let mut options = Options::new(standards[0], cgen::DataModel::Lp64, size);
        options.single = config.single;
        match config.policy.as_deref() {
            None | Some("on") => {}
            Some("off") => options.policies = Policies::NONE,
            Some(list) => {
                options.policies = Policies::NONE;
                for name in list.split(',') {
                    *options.policies.by_name(name.trim()).map_err(|error| wrong(&error))? = true;
                }
            }
        }
        if let Some(name) = &config.constructs {
            options.constructs = name.parse().map_err(|error| wrong(&error))?;
        }
        if let Some(name) = &config.floats {
            options.floats = name.parse().map_err(|error| wrong(&error))?;
        }
        for name in &config.exclude {
            options.exclude.insert(name.parse().map_err(|error| wrong(&error))?);
        }
        for (name, value) in &config.limits {
            match options.limits.by_name(name) {
                Some(limit) => *limit = *value,
                None => {
                    let known = cgen::Limits::NAMES.iter().copied();
                    let hint =
                        base::nearest(name, known).map(|near| format!("; did you mean {near}?"));
                    let hint = hint.unwrap_or_default();
                    return Err(SourceError::Options(format!("limits: no limit {name}{hint}")));
                }
            }
        }
        options.check().map_err(|error| wrong(&error))?;
        Ok(Generated { standards, options })
    }

    fn options(&self, wanted: &Wanted<'_>) -> Options {
        let standard = *wanted.seed.stream("gen standard", wanted.index).pick(&self.standards);
        let data_model = match wanted.data_model {
            DataModel::Lp64 => cgen::DataModel::Lp64,
            DataModel::Ilp32 => cgen::DataModel::Ilp32,
        };
        let mut exclude = self.options.exclude.clone();
        exclude.extend(wanted.without);
        if !wanted.extensions {
            exclude.extend(Construct::ALL.into_iter().filter(|construct| construct.is_extension()));
        }
        let mut include = self.options.include.clone();
        if wanted.bit_int && Construct::BitInt.exists_in(standard) {
            include.insert(Construct::BitInt);
        }
        Options { standard, data_model, exclude, include, ..self.options.clone() }
    }
}

impl Source for Generated {
    fn describe(&self) -> String {
        let standards: Vec<&str> = self.standards.iter().map(|standard| standard.name()).collect();
        let mut options = self.options.clone();
        options.standard = self.standards[0];
        let arguments = options.arguments();
        let rest = arguments.split_once(" --size").map_or("", |(_, rest)| rest);
        format!("gen {} (--std {} --size{rest})", cgen::VERSION, standards.join("|"))
    }

    fn language(&self) -> Language {
        if self.standards[0].is_cxx() { Language::Cxx } else { Language::C }
    }

    fn uses_extensions(&self) -> bool {
        Construct::ALL.into_iter().any(|one| one.is_extension() && self.options.allows(one))
    }

    fn constructs(&self) -> Vec<Construct> {
        let exists =
            |one: Construct| self.standards.iter().any(|standard| one.exists_in(*standard));
        let can_be = |one: &Construct| self.options.allows(*one) && exists(*one);
        Construct::ALL.into_iter().filter(can_be).collect()
    }

    fn program(&self, wanted: &Wanted<'_>, _scratch: &Path) -> Result<Sourced, SourceError> {
        let options = self.options(wanted);
        let seed = wanted.seed.derive("gen", wanted.index);
        let made = cgen::generate(seed, &options);
        let expected = made.output().into_bytes();
        let files = made
            .files
            .into_iter()
            .map(|file| SourceFile { name: file.name, bytes: file.bytes })
            .collect();
        let program = Program {
            language: self.language(),
            files,
            standard: Some(options.standard.name().to_owned()),
            args: Vec::new(),
            expected: Some(expected),
        };
        Ok(Sourced { seed, program: Ok(program) })
    }
}
