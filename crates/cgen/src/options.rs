//! What a program should be like, and which wishes contradict each other.

use crate::construct::Construct;
use crate::construct_set::ConstructSet;
use crate::floats::Floats;
use crate::limits::Limits;
use crate::standard::{DataModel, Standard, UnknownName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::str::FromStr;

/// How much source a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// 20 to 50 KB: many programs an hour, and short enough to reduce soon.
    Small,
    /// 200 to 300 KB.
    Medium,
    /// YARPGen v1's limits: about 1.6 MB.
    Paper,
}

impl Size {
    /// Every size.
    pub const ALL: [Size; 3] = [Size::Small, Size::Medium, Size::Paper];

    /// The name in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Size::Small => "small",
            Size::Medium => "medium",
            Size::Paper => "paper",
        }
    }

    /// The numbers that make the size.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Size::Small => Limits::SMALL,
            Size::Medium => Limits::MEDIUM,
            Size::Paper => Limits::PAPER,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Size {
    type Err = UnknownName;
    fn from_str(name: &str) -> Result<Size, UnknownName> {
        Size::ALL
            .into_iter()
            .find(|s| s.name() == name)
            .ok_or_else(|| UnknownName::new("size", name, &Size::ALL.map(Size::name)))
    }
}

/// The generation policies of section 3.3, each a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policies {
    /// Regions that use only similar operators. Default: on, as in the paper.
    pub contexts: bool,
    /// Regions of constants; special constants and the buffer of used ones. Default: on.
    pub constants: bool,
    /// The buffer of common subexpressions. Default: on.
    pub cse: bool,
    /// Regions may overlap: one may start inside another, of statements or of subtrees. Default:
    /// on.
    pub overlap: bool,
    /// The 23 parameters are shuffled for every program. Default: on.
    pub shuffling: bool,
}

impl Policies {
    /// Everything on.
    pub const ALL: Policies =
        Policies { contexts: true, constants: true, cse: true, overlap: true, shuffling: true };
    /// Everything off.
    pub const NONE: Policies = Policies {
        contexts: false,
        constants: false,
        cse: false,
        overlap: false,
        shuffling: false,
    };
    /// The names of the switches, in order.
    pub const NAMES: [&'static str; 5] = ["contexts", "constants", "cse", "overlap", "shuffling"];

    /// The switch of that name.
    ///
    /// # Errors
    /// When there is no such policy.
    pub fn by_name(&mut self, name: &str) -> Result<&mut bool, UnknownName> {
        match name {
            "contexts" => Ok(&mut self.contexts),
            "constants" => Ok(&mut self.constants),
            "cse" => Ok(&mut self.cse),
            "overlap" => Ok(&mut self.overlap),
            "shuffling" => Ok(&mut self.shuffling),
            _ => Err(UnknownName::new("policy", name, &Policies::NAMES)),
        }
    }
}

impl Default for Policies {
    fn default() -> Policies {
        Policies::ALL
    }
}

/// All options of the generator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The language. Default: C99, which every compiler of a hunt can compile.
    pub standard: Standard,
    /// The widths of types. Default: lp64.
    pub data_model: DataModel,
    /// How much source. Default: small.
    pub size: Size,
    /// Which policies are on. Default: all.
    pub policies: Policies,
    /// One in so many programs is made without any policy; 0 is never. Default: 5, because
    /// section 4.3 finds policies useful in most but not in all programs.
    pub policy_free_in: u32,
    /// One file instead of three. Default: no, since separate compilation hides values best.
    pub single: bool,
    /// The numbers. Default: those of `size`.
    pub limits: Limits,
    /// What programs are made of. Default: all.
    pub constructs: ConstructSet,
    /// How they compute with floating point. Default: exactly.
    #[serde(default)]
    pub floats: Floats,
    /// Constructs that programs do without. Default: none.
    pub exclude: BTreeSet<Construct>,
    /// Constructs that programs have only if asked to: see [`Construct::is_default`]. Default: none.
    #[serde(default)]
    pub include: BTreeSet<Construct>,
    /// Constructs that shuffling may not take away. Default: none.
    pub require: BTreeSet<Construct>,
}

impl Default for Options {
    fn default() -> Options {
        Options::new(Standard::C99, DataModel::Lp64, Size::Small)
    }
}

impl Options {
    /// The default options for a standard, a data model and a size.
    #[must_use]
    pub fn new(standard: Standard, data_model: DataModel, size: Size) -> Options {
        Options {
            standard,
            data_model,
            size,
            policies: Policies::ALL,
            policy_free_in: 5,
            single: false,
            limits: size.limits(),
            constructs: ConstructSet::All,
            floats: Floats::Exact,
            exclude: BTreeSet::new(),
            include: BTreeSet::new(),
            require: BTreeSet::new(),
        }
    }

    /// Whether programs may have `construct`.
    #[must_use]
    pub fn allows(&self, construct: Construct) -> bool {
        construct.exists_in(self.standard)
            && (self.constructs == ConstructSet::All || construct.is_in_paper())
            && !self.exclude.contains(&construct)
            && (construct.is_default()
                || self.include.contains(&construct)
                || self.require.contains(&construct))
    }

    /// Whether a program can be made.
    ///
    /// # Errors
    /// When a limit is impossible, or a required construct cannot be had.
    pub fn check(&self) -> Result<(), OptionsError> {
        let limits = &self.limits;
        let not_zero = [
            ("functions", limits.functions),
            ("expression_depth", limits.expression_depth),
            ("scope_min", limits.scope_min),
            ("statements", limits.statements),
            ("function_statements", limits.function_statements),
            ("integer_types", limits.integer_types),
            ("input_variables_min", limits.input_variables_min),
            ("mixed_variables_min", limits.mixed_variables_min),
            ("output_variables_min", limits.output_variables_min),
            ("struct_members", limits.struct_members),
            ("array_size_min", limits.array_size_min),
            ("bit_field_min", limits.bit_field_min),
            ("grid_cells", limits.grid_cells),
            ("iterations", limits.iterations),
            ("trip", limits.trip),
        ];
        if let Some((limit, _)) = not_zero.into_iter().find(|(_, value)| *value == 0) {
            return Err(OptionsError::Zero { limit });
        }
        let ranges = [
            ("bytes", limits.bytes_min, limits.bytes_max),
            ("scope", limits.scope_min, limits.scope_max),
            ("input_variables", limits.input_variables_min, limits.input_variables_max),
            ("mixed_variables", limits.mixed_variables_min, limits.mixed_variables_max),
            ("output_variables", limits.output_variables_min, limits.output_variables_max),
            ("array_size", limits.array_size_min, limits.array_size_max),
        ];
        if let Some((range, low, high)) = ranges.into_iter().find(|(_, low, high)| low > high) {
            return Err(OptionsError::EmptyRange { range, low, high });
        }
        let most = [
            // Deeper trees have more nodes than a node's 16-bit count, and no compiler's stack.
            ("expression_depth", limits.expression_depth, 12),
            ("if_depth", limits.if_depth, 60),
            ("struct_depth", limits.struct_depth, 60),
            ("common_subexpression_nodes", limits.common_subexpression_nodes, 1000),
            ("bit_field_min", limits.bit_field_min, 31),
            ("const_percent", limits.const_percent, 100),
            ("static_percent", limits.static_percent, 100),
            ("region_percent", limits.region_percent, 100),
            ("subtree_percent", limits.subtree_percent, 100),
            // Times in a nest have room for no more: see `lanes.rs`.
            ("trip", limits.trip, 200),
            ("loop_depth", limits.loop_depth, 4),
            ("iterations", limits.iterations, 2_000),
            ("helpers", limits.helpers, 200),
            ("grids", limits.grids, 1_000),
            ("enums", limits.enums, 1_000),
            ("real_grids", limits.real_grids, 1_000),
            ("grid_cells", limits.grid_cells, 100_000),
            // Positions in the tables of a program are 32-bit numbers.
            ("cells", limits.cells, 1_000_000),
            ("input_variables_max", limits.input_variables_max, 1_000_000),
            ("mixed_variables_max", limits.mixed_variables_max, 1_000_000),
            ("output_variables_max", limits.output_variables_max, 1_000_000),
            ("array_size_max", limits.array_size_max, 60_000),
        ];
        if let Some((limit, value, most)) = most.into_iter().find(|(_, value, most)| value > most) {
            return Err(OptionsError::TooLarge { limit, value, most });
        }
        if let Some(construct) = self.require.intersection(&self.exclude).next() {
            return Err(OptionsError::RequiredAndExcluded { construct: *construct });
        }
        let beyond = |c: &&Construct| self.constructs == ConstructSet::Paper && !c.is_in_paper();
        if let Some(construct) = self.require.iter().find(beyond) {
            return Err(OptionsError::NotInPaper { construct: *construct });
        }
        match self.require.iter().find(|c| !c.exists_in(self.standard)) {
            Some(c) => Err(OptionsError::NotInStandard { construct: *c, standard: self.standard }),
            None => Ok(()),
        }
    }

    /// The options as arguments of `whodunit gen`: enough to repeat a program with its seed.
    /// Defaults of the size are left out.
    #[must_use]
    pub fn arguments(&self) -> String {
        let mut text =
            format!("--std {} --model {} --size {}", self.standard, self.data_model, self.size);
        let mut add = |option: &str, value: &dyn fmt::Display| {
            write!(text, " {option} {value}").expect("writing to a string cannot fail");
        };
        let mut policies = self.policies;
        for name in Policies::NAMES {
            if policies.by_name(name) == Ok(&mut false) {
                add("--no-policy", &name);
            }
        }
        if self.policy_free_in != 5 {
            add("--policy-free-in", &self.policy_free_in);
        }
        if self.constructs != ConstructSet::All {
            add("--constructs", &self.constructs);
        }
        if self.floats != Floats::Exact {
            add("--floats", &self.floats);
        }
        for construct in &self.exclude {
            add("--exclude", construct);
        }
        for construct in &self.include {
            add("--include", construct);
        }
        for construct in &self.require {
            add("--require", construct);
        }
        let defaults = self.size.limits().entries();
        for ((name, value), (_, default)) in self.limits.entries().into_iter().zip(defaults) {
            if value != default {
                add("--limit", &format_args!("{name}={value}"));
            }
        }
        if self.single {
            text.push_str(" --single");
        }
        text
    }
}

/// Why no program can be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// A limit is 0 that must not be.
    #[error("the limit `{limit}` is 0: no program can be made; it must be at least 1")]
    Zero {
        /// The limit.
        limit: &'static str,
    },
    /// A range has no element.
    #[error("the limit `{range}_min` ({low}) is above `{range}_max` ({high})")]
    EmptyRange {
        /// The common part of the two limits' names.
        range: &'static str,
        /// The lower end.
        low: u32,
        /// The upper end.
        high: u32,
    },
    /// A limit is beyond what the generator, or any compiler, can do.
    #[error("the limit `{limit}` is {value}; the most is {most}")]
    TooLarge {
        /// The limit.
        limit: &'static str,
        /// Its value.
        value: u32,
        /// The most.
        most: u32,
    },
    /// A construct is both wanted and unwanted.
    #[error("`{construct}` is both required and excluded; drop one of the two")]
    RequiredAndExcluded {
        /// The construct.
        construct: Construct,
    },
    /// The paper's generator lacks the construct.
    #[error("the paper has no {construct}: choose --constructs all, or do not require it")]
    NotInPaper {
        /// The construct.
        construct: Construct,
    },
    /// The standard lacks the construct.
    #[error(
        "{standard} has no {construct}: choose a standard of the other language, or do not require it"
    )]
    NotInStandard {
        /// The construct.
        construct: Construct,
        /// The standard.
        standard: Standard,
    },
}
