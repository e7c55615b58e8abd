//! A whole program: environment, functions, driver, and the checksum that it must print.

use crate::aggregate::{Category, Shape};
use crate::body::Body;
use crate::checksum::{Checksum, DEFINITION, DEFINITION_TOKENS};
use crate::constant::ConstantBuffer;
use crate::construct::Construct;
use crate::construct_set::ConstructSet;
use crate::definitions::Definitions;
use crate::environment::{Environment, environment};
use crate::grid::Grid;
use crate::int_type::TypeRules;
use crate::lanes::Lanes;
use crate::options::{Options, Policies};
use crate::parameter::{Parameter, Parameters};
use crate::policy::Regions;
use crate::seed::VersionedSeed;
use crate::statement::ASSIGNMENT;
use crate::statistics::Statistics;
use crate::subexpression::SubexpressionBuffer;
use crate::writer::Writer;
use base::Seed;
use std::fmt::Write;

/// A file of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneratedFile {
    /// Its name, without a folder.
    pub name: String,
    /// Its text.
    pub bytes: Vec<u8>,
}

/// A program.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// The files: `init.h`, `func.c` and `driver.c`, or `main.c`; `.cpp` in C++.
    pub files: Vec<GeneratedFile>,
    /// The checksum that the program prints, in decimal and on a line of its own, wherever it is
    /// compiled correctly.
    ///
    /// Deviation: the paper's generator knows this as well and keeps it to itself (section 2.1),
    /// since a program that checks itself cannot be reduced. Here it is not in the program either,
    /// but an oracle can tell with it which side of a disagreement is wrong.
    pub expected: u64,
    /// The numbers that the program prints after the checksum, each on a line that starts with
    /// `about `: with [`Floats::Bounded`] the elements of grids of floating point.
    ///
    /// [`Floats::Bounded`]: crate::Floats::Bounded
    pub about: Vec<f64>,
    /// Tokens in all files.
    pub tokens: u64,
    /// Statements in all test functions.
    pub statements: u64,
    /// How many statements of the test functions the program executes, each iteration of a loop
    /// counted.
    pub steps: u64,
    /// The policies that this program was made with: none in one of
    /// [`Options::policy_free_in`] programs.
    pub policies: Policies,
    /// What it is made of.
    pub statistics: Statistics,
}

impl Generated {
    /// All that the program prints; what is on lines that start with `about ` is not exact.
    #[must_use]
    pub fn output(&self) -> String {
        let mut output = format!("{}\n", self.expected);
        for number in &self.about {
            writeln!(output, "about {number}").expect("writing to a string cannot fail");
        }
        output
    }
}

/// The program of a seed: the same bytes for the same version, seed and options, for ever.
///
/// # Panics
/// When the options are impossible: call [`Options::check`] first.
#[must_use]
pub fn generate(seed: Seed, options: &Options) -> Generated {
    if let Err(error) = options.check() {
        panic!("unchecked options: {error}");
    }
    let policies = policies_of(seed, options);
    let parameters = parameters_of(seed, options, policies);
    let rules = TypeRules::new(options.data_model);
    let environment = environment(
        options,
        &rules,
        &parameters,
        seed.stream("cgen environment", 0),
        seed.stream("cgen more environment", 0),
    );
    let first_line =
        format!("// whodunit gen --seed {} {}\n", VersionedSeed(seed), options.arguments());
    let (head, tail) = frame(&environment, &rules, options, &first_line);
    let limits = &options.limits;
    let target = seed
        .stream("cgen size", 0)
        .range(i64::from(limits.bytes_min), i64::from(limits.bytes_max)) as usize;
    // However large the data is, a quarter of the program is what is done with it.
    // The paper's programs stay as long as they were before there was anything else to choose.
    let named =
        if options.constructs == ConstructSet::Paper { " --constructs paper".len() } else { 0 };
    let named = if options.single { named } else { 2 * named };
    let room = target.saturating_sub(head.len() + tail.len() - named).max(target / 4);

    let (head, out) = if options.single {
        (None, head)
    } else {
        // The last statement may go past the target.
        let mut out = Writer::with_capacity(room + (1 << 13));
        out.text(first_line.as_bytes(), 0);
        out.text(b"#include\"init.h\"\n", 3);
        (Some(head), out)
    };
    let mut body = body(options, policies, &parameters, &rules, environment, out, seed);
    let start = body.out.len();
    body.helpers(seed.stream("cgen helpers", 0));
    for number in 0..limits.functions {
        let last_byte = start + room * (number as usize + 1) / limits.functions as usize;
        body.function(number, seed.stream("cgen function", u64::from(number)), last_byte);
    }
    finish(body, head, tail, options, policies)
}

/// Puts the files together.
fn finish(
    mut body: Body,
    head: Option<Writer>,
    tail: Writer,
    options: &Options,
    policies: Policies,
) -> Generated {
    let expected = checksum_of(&body.environment, options);
    let about = about_of(&body.environment, options);
    let statements = body.made();
    let mut statistics = body.statistics;
    let steps = statistics.steps;
    if options.constructs == ConstructSet::All {
        body.out.text(format!("// {steps} steps\n").as_bytes(), 0);
    }
    statistics.cells = body.environment.memory.cells.len() as u64;
    let mut tokens = body.out.tokens() + tail.tokens();
    let extension = if options.standard.is_cxx() { "cpp" } else { "c" };
    let file = |name: &str, bytes| GeneratedFile { name: format!("{name}.{extension}"), bytes };
    let mut bytes = body.out.into_bytes();
    let files = match head {
        None => {
            bytes.extend_from_slice(&tail.into_bytes());
            vec![file("main", bytes)]
        }
        Some(head) => {
            tokens += head.tokens();
            let header = GeneratedFile { name: "init.h".to_string(), bytes: head.into_bytes() };
            vec![header, file("func", bytes), file("driver", tail.into_bytes())]
        }
    };
    Generated { files, expected, about, tokens, statements, steps, policies, statistics }
}

/// The policies of a seed's program.
fn policies_of(seed: Seed, options: &Options) -> Policies {
    let free = match options.policy_free_in {
        0 => false,
        often => seed.stream("cgen policies", 0).below(u64::from(often)) == 0,
    };
    if free { Policies::NONE } else { options.policies }
}

/// The weights of a seed's program.
fn parameters_of(seed: Seed, options: &Options, policies: Policies) -> Parameters {
    let mut random = seed.stream("cgen parameters", 0);
    let mut more = seed.stream("cgen more parameters", 0);
    let mut parameters = Parameters::new(policies.shuffling.then_some((&mut random, &mut more)));
    // Deviation: shuffling may leave v1 without assignments, and so with a program that computes
    // nothing; here they keep a tenth of the weight.
    let statements = parameters.weights(Parameter::Statement);
    let least = statements.iter().sum::<u32>().div_ceil(10);
    if statements[ASSIGNMENT] < least {
        parameters.set(Parameter::Statement, ASSIGNMENT, least);
    }
    for construct in &options.require {
        construct.require_in(&mut parameters);
    }
    let absent = |c: &Construct| !c.is_default() && !options.allows(*c);
    for construct in
        options.exclude.iter().copied().chain(Construct::ALL.into_iter().filter(absent))
    {
        construct.exclude_from(&mut parameters);
    }
    parameters
}

/// What stands before and after the test functions: header and driver.
fn frame(
    environment: &Environment,
    rules: &TypeRules,
    options: &Options,
    first_line: &str,
) -> (Writer, Writer) {
    let (cxx, single) = (options.standard.is_cxx(), options.single);
    let definitions = Definitions { environment, rules, cxx, single, floats: options.floats };
    let mut head = Writer::with_capacity(1 << 14);
    head.text(first_line.as_bytes(), 0);
    definitions.includes(&mut head);
    definitions.types(&mut head);
    let mut tail = Writer::with_capacity(1 << 14);
    if single {
        define_all(&definitions, &mut head);
    } else {
        for variable in &environment.variables {
            head.text(b"extern ", 1);
            definitions.declarator(&mut head, variable);
            head.text(b";\n", 1);
        }
        definitions.grids(&mut head, true);
        tail.text(first_line.as_bytes(), 0);
        tail.text(b"#include\"init.h\"\n", 3);
    }
    for number in 0..options.limits.functions {
        head.text(b"void t", 2);
        head.digits(u64::from(number));
        head.text(if cxx { b"();\n" } else { b"(void);\n" }, if cxx { 3 } else { 4 });
    }
    if !single {
        define_all(&definitions, &mut tail);
    }
    write_main(&definitions, &mut tail, options.limits.functions);
    (head, tail)
}

fn define_all(definitions: &Definitions, out: &mut Writer) {
    definitions.static_members(out);
    for variable in &definitions.environment.variables {
        definitions.definition(out, variable);
    }
    definitions.grids(out, false);
}

fn write_main(definitions: &Definitions, out: &mut Writer, functions: u32) {
    // A declaration instead of <stdio.h> keeps compilation and reduction fast.
    if definitions.cxx {
        out.text(b"extern \"C\" ", 2);
    }
    out.text(b"int printf(const char*,...);\n", 10);
    out.text(DEFINITION, DEFINITION_TOKENS);
    if definitions.single {
        definitions.assignments(out);
    }
    definitions.fill_grids(out);
    if definitions.cxx {
        out.text(b"int main(){\n", 5);
    } else {
        out.text(b"int main(void){\n", 6);
    }
    if definitions.single {
        out.text(b"n();\n", 4);
    }
    if !definitions.environment.grids.is_empty() {
        out.text(b"r();\n", 4);
    }
    for number in 0..functions {
        out.text(b"t", 1);
        out.digits(u64::from(number));
        out.text(b"();\n", 3);
    }
    let memory = &definitions.environment.memory;
    for place in checked_places(definitions.environment) {
        let spelling = memory.places[place as usize].spelling;
        out.text(b"h(", 2);
        out.text(memory.text(spelling), u64::from(spelling.tokens));
        out.text(b");\n", 2);
    }
    definitions.check_grids(out);
    out.text(b"printf(\"%llu\\n\",z);\n", 7);
    definitions.print_apart(out);
    out.text(b"return 0;\n}\n", 4);
}

/// The places that the checksum is over: all mixed and output integers.
fn checked_places(environment: &Environment) -> impl Iterator<Item = u32> {
    environment
        .variables
        .iter()
        .filter(|v| v.category != Category::Input && !matches!(v.shape, Shape::Pointer { .. }))
        .flat_map(|v| v.places.clone())
}

/// The numbers that are printed apart.
fn about_of(environment: &Environment, options: &Options) -> Vec<f64> {
    let mut about = Vec::new();
    for grid in environment.grids.iter().filter(|grid| grid.is_apart(options.floats)) {
        if grid.category != Category::Input {
            let cells = &environment.memory.cells[grid.first_cell as usize..];
            let cells = &cells[..grid.cells() as usize];
            about.extend(cells.iter().map(|cell| f64::from_bits(cell.value as u64)));
        }
    }
    about
}

fn checksum_of(environment: &Environment, options: &Options) -> u64 {
    let memory = &environment.memory;
    let mut checksum = Checksum::default();
    for place in checked_places(environment) {
        checksum.add(memory.cells[memory.cell_of(place) as usize].value);
    }
    let checked = |grid: &&Grid| grid.category != Category::Input && !grid.is_apart(options.floats);
    for grid in environment.grids.iter().filter(checked) {
        for cell in &memory.cells[grid.first_cell as usize..][..grid.cells() as usize] {
            checksum.add(match grid.real {
                Some(_) => (f64::from_bits(cell.value as u64) * 64.0) as i64,
                None => cell.value,
            });
        }
    }
    checksum.0
}

fn body<'a>(
    options: &'a Options,
    policies: Policies,
    parameters: &'a Parameters,
    rules: &'a TypeRules,
    environment: Environment,
    out: Writer,
    seed: Seed,
) -> Body<'a> {
    Body {
        options,
        limits: &options.limits,
        policies,
        parameters,
        rules,
        cxx: options.standard.is_cxx(),
        negative_shifts: options.standard.defines_negative_shifts(),
        globals: environment.memory.places.len(),
        locals: environment.memory.places.len(),
        environment,
        random: seed.stream("cgen function", 0),
        out,
        nodes: Vec::with_capacity(256),
        constants: ConstantBuffer::default(),
        subexpressions: SubexpressionBuffer::default(),
        regions: Regions::default(),
        statistics: Statistics::default(),
        built: Vec::new(),
        recent: [0; 8],
        written: 0,
        if_depth: 0,
        lanes: Lanes::default(),
        accesses: Vec::new(),
        cells: Vec::new(),
        inductions: Vec::new(),
        walkers: Vec::new(),
        walks: 0,
        favourite: None,
        arounds: Vec::new(),
        labels: 0,
        spelled: Vec::new(),
        vector_types: 0,
        functions: Writer::default(),
        outlines: 0,
        in_outline: false,
        written_before: 0,
        known: Vec::new(),
        pure: false,
        more: options.constructs == ConstructSet::All,
        last_statement: 0,
        last_byte: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::all_rows;

    #[test]
    fn without_shuffling_weights_are_those_of_the_table() {
        let policies = Policies { shuffling: false, ..Policies::ALL };
        let parameters = parameters_of(Seed(1), &Options::default(), policies);
        for row in all_rows() {
            // One value stands for a construct that must be asked for.
            let weight =
                |(name, weight): &(&str, u32)| if *name == "bit-int" { 0 } else { *weight };
            let weights: Vec<u32> = row.values.iter().map(weight).collect();
            assert_eq!(parameters.weights(row.parameter), weights);
        }
    }

    #[test]
    fn assignments_and_required_constructs_keep_a_weight_and_excluded_ones_lose_it() {
        let mut options = Options::default();
        options.require.extend([Construct::BitFields, Construct::Ternary]);
        options.exclude.extend([Construct::If, Construct::Casts, Construct::Pointers]);
        for seed in 0..3000 {
            let parameters = parameters_of(Seed(seed), &options, Policies::ALL);
            let weights = |parameter| parameters.weights(parameter);
            assert!(weights(Parameter::Statement)[ASSIGNMENT] > 0);
            assert!(weights(Parameter::BitField)[0] > 0 && weights(Parameter::BitField)[1] > 0);
            assert!(weights(Parameter::ArithmeticNode)[3] > 0);
            assert_eq!(weights(Parameter::Statement)[2], 0);
            assert_eq!(weights(Parameter::ArithmeticNode)[4], 0);
            assert_eq!(weights(Parameter::OutDataType)[4..], [0, 0]);
        }
    }

    #[test]
    fn one_in_five_programs_is_made_without_policies() {
        let options = Options::default();
        let free = |options: &Options| {
            (0..1000).filter(|seed| policies_of(Seed(*seed), options) == Policies::NONE).count()
        };
        assert!((150..250).contains(&free(&options)), "{}", free(&options));
        assert_eq!(free(&Options { policy_free_in: 0, ..options.clone() }), 0);
        assert_eq!(free(&Options { policy_free_in: 1, ..options }), 1000);
    }
}
