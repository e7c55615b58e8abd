//! The 23 parameters of YARPGen v1 that are shuffled for every program, those of the constructs
//! beyond it, and the shuffling.
//!
//! Names, values and weights of the 23 are those of v1's `shuffle_prob` calls. The others have a
//! table and a random stream of their own, so that programs of the paper's constructs stay what
//! they are when constructs are added.

use crate::distribution::Distribution;
use base::Random;

/// One kind of random choice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Parameter {
    /// Whether a member of a struct takes part in expressions: yes, no.
    MemberUse,
    /// What a member is: variable, struct.
    MemberClass,
    /// What becomes of a member that is a variable: unnamed bit-field, named one, no bit-field.
    BitField,
    /// What an assignment writes to.
    OutDataType,
    /// Whether it writes to mixed or to output data.
    OutDataCategory,
    /// What arrays are made of: integers, structs.
    ArrayBaseType,
    /// How an array is lowered in C++.
    ArrayKind,
    /// How an element is reached: `[]`, `.at()`.
    ArraySubscript,
    /// The unary operators.
    UnaryOperator,
    /// The binary operators.
    BinaryOperator,
    /// The statements.
    Statement,
    /// The nodes of expressions.
    ArithmeticNode,
    /// The leaves of expressions: data, constant.
    ArithmeticData,
    /// Whether a new subexpression enters the buffer of common ones: yes, no.
    CommonSubexpression,
    /// Regions of constants: all leaves, half of them, no region.
    ConstantUse,
    /// Regions of similar operators: the six contexts, no region.
    SimilarOperator,
    /// A constant is new, or comes from the buffer.
    NewConstant,
    /// A new constant is a special one, or one of the kinds of [`Parameter::ConstantKind`].
    NewConstantType,
    /// The special constants.
    SpecialConstant,
    /// The kinds of other constants.
    ConstantKind,
    /// What is done to a constant of the buffer.
    ConstantTransform,
    /// Whether a conditional has an else: yes, no.
    Else,
    /// What a declaration declares: variable, pointer.
    DeclarationKind,
    /// The statements beyond the paper's; the first value stands for those of the paper.
    MoreStatement,
    /// The nodes of expressions beyond the paper's; the first value stands for those of the paper.
    MoreNode,
}

/// A row of the table of parameters.
pub struct ParameterRow {
    /// Which parameter.
    pub parameter: Parameter,
    /// Its values with v1's weights.
    pub values: &'static [(&'static str, u32)],
}

use Parameter as P;

/// The table, in the order of the facts' numbers 1 to 23.
pub const PARAMETERS: [ParameterRow; 23] = [
    row(P::MemberUse, &[("true", 80), ("false", 20)]),
    row(P::MemberClass, &[("variable", 70), ("struct", 30)]),
    row(P::BitField, &[("unnamed", 15), ("named", 20), ("none", 65)]),
    row(
        P::OutDataType,
        &[
            ("variable", 50),
            ("member", 25),
            ("element", 15),
            ("member of element", 10),
            ("dereference", 10),
            ("pointer", 10),
        ],
    ),
    row(P::OutDataCategory, &[("mixed", 50), ("output", 50)]),
    row(P::ArrayBaseType, &[("integer", 60), ("struct", 40)]),
    row(P::ArrayKind, &[("C", 40), ("valarray", 15), ("array", 15), ("vector", 15)]),
    row(P::ArraySubscript, &[("[]", 50), (".at()", 50)]),
    row(P::UnaryOperator, &[("+", 10), ("-", 10), ("~", 10), ("!", 10)]),
    row(
        P::BinaryOperator,
        &[
            ("+", 10),
            ("-", 10),
            ("*", 10),
            ("/", 10),
            ("%", 10),
            ("<<", 10),
            (">>", 10),
            ("<", 10),
            (">", 10),
            ("<=", 10),
            (">=", 10),
            ("==", 10),
            ("!=", 10),
            ("&", 10),
            ("|", 10),
            ("^", 10),
            ("&&", 10),
            ("||", 10),
        ],
    ),
    row(P::Statement, &[("declaration", 10), ("assignment", 10), ("if", 10)]),
    row(
        P::ArithmeticNode,
        &[
            ("data", 11),
            ("unary", 21),
            ("binary", 46),
            ("conditional", 3),
            ("cast", 11),
            ("common subexpression", 8),
        ],
    ),
    row(P::ArithmeticData, &[("data", 80), ("constant", 20)]),
    row(P::CommonSubexpression, &[("add", 20), ("no", 80)]),
    row(P::ConstantUse, &[("all", 5), ("half", 5), ("none", 90)]),
    row(
        P::SimilarOperator,
        &[
            ("additive", 5),
            ("bitwise", 5),
            ("logical", 5),
            ("multiplicative", 5),
            ("bitwise-shift", 5),
            ("additive-multiplicative", 5),
            ("none", 70),
        ],
    ),
    row(P::NewConstant, &[("new", 50), ("used", 50)]),
    row(P::NewConstantType, &[("special", 50), ("kind", 50)]),
    row(
        P::SpecialConstant,
        &[
            ("0", 10),
            ("1", 10),
            ("2", 10),
            ("3", 10),
            ("4", 10),
            ("8", 10),
            ("16", 10),
            ("limit", 10),
        ],
    ),
    row(P::ConstantKind, &[("end-bits", 25), ("bit-block", 25), ("random", 50)]),
    row(P::ConstantTransform, &[("-", 33), ("~", 33), ("+", 33)]),
    row(P::Else, &[("yes", 50), ("no", 50)]),
    row(P::DeclarationKind, &[("variable", 80), ("pointer", 20)]),
];

/// The parameters of constructs beyond the paper, after the 23.
pub const MORE_PARAMETERS: [ParameterRow; 2] = [
    row(
        P::MoreStatement,
        &[
            ("the paper's", 60),
            ("loop", 16),
            ("reduction", 12),
            ("continue", 3),
            ("goto", 3),
            ("compound", 12),
            ("increment", 4),
            ("recurrence", 6),
            ("switch", 4),
            ("overflow", 3),
            ("assumption", 3),
            ("block memory", 3),
            ("outlined", 4),
            ("vectors", 3),
            ("reals", 7),
            ("enum", 3),
            ("union", 3),
            ("int128", 3),
            ("bit-int", 3),
            ("side effect", 6),
        ],
    ),
    row(P::MoreNode, &[("the paper's", 90), ("builtin", 6), ("call", 5), ("bool trick", 4)]),
];

const COUNT: usize = PARAMETERS.len() + MORE_PARAMETERS.len();

const fn row(parameter: Parameter, values: &'static [(&'static str, u32)]) -> ParameterRow {
    ParameterRow { parameter, values }
}

/// The weights of one program.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    weights: Vec<Vec<u32>>,
    distributions: [Distribution; COUNT],
}

impl Parameters {
    /// The weights of the tables, shuffled if random streams are given: one for each table.
    pub fn new(shuffle: Option<(&mut Random, &mut Random)>) -> Parameters {
        let weights = match shuffle {
            None => all_rows().map(original).collect(),
            Some((paper, more)) => PARAMETERS
                .iter()
                .map(|row| shuffled(&original(row), paper))
                .chain(MORE_PARAMETERS.iter().map(|row| shuffled(&original(row), more)))
                .collect::<Vec<_>>(),
        };
        let distributions = std::array::from_fn(|i| Distribution::new(&weights[i]));
        Parameters { weights, distributions }
    }

    /// A value of `parameter`: the index of its row's `values`.
    #[inline]
    pub fn draw(&self, parameter: Parameter, random: &mut Random) -> usize {
        self.distributions[parameter as usize].draw(random)
    }

    /// A value of each of two parameters, for one random number.
    #[inline]
    pub fn draw_two(&self, a: Parameter, b: Parameter, random: &mut Random) -> (usize, usize) {
        let bits = random.next_u64();
        let pick = |p: Parameter, bits| self.distributions[p as usize].pick(bits);
        (pick(a, (bits >> 32) as u32), pick(b, bits as u32))
    }

    /// The present weights of `parameter`.
    pub fn weights(&self, parameter: Parameter) -> &[u32] {
        &self.weights[parameter as usize]
    }

    /// Sets the weight of one value. Where no value would be left, the change is dropped and the
    /// caller must cope with draws of it.
    pub fn set(&mut self, parameter: Parameter, value: usize, weight: u32) {
        let weights = &mut self.weights[parameter as usize];
        let before = std::mem::replace(&mut weights[value], weight);
        if weights.iter().all(|weight| *weight == 0) {
            weights[value] = before;
        }
        self.distributions[parameter as usize] = Distribution::new(weights);
    }
}

fn original(row: &ParameterRow) -> Vec<u32> {
    row.values.iter().map(|(_, weight)| *weight).collect()
}

/// The rows of both tables, in the order of their parameters.
pub(crate) fn all_rows() -> impl Iterator<Item = &'static ParameterRow> {
    PARAMETERS.iter().chain(&MORE_PARAMETERS)
}

/// v1's algorithm: with T the sum of the weights and d uniform in 1..=T, T is dealt out in steps
/// of round(T / d), each to a value drawn from the original weights. Values may end at 0.
fn shuffled(original: &[u32], random: &mut Random) -> Vec<u32> {
    let total: u32 = original.iter().sum();
    let divisor = 1 + random.below(u64::from(total)) as u32;
    let step = (2 * total + divisor) / (2 * divisor);
    let mut weights = vec![0; original.len()];
    for _ in (0..total).step_by(step as usize) {
        weights[random.weighted(original)] += step;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_the_place_of_their_parameter() {
        for (index, row) in all_rows().enumerate() {
            assert_eq!(row.parameter as usize, index);
        }
    }

    #[test]
    fn all_parameters_are_shuffled_and_values_can_vanish() {
        let plain = Parameters::new(None);
        let mut changed = [false; COUNT];
        let mut vanished = [false; COUNT];
        for seed in 0..2000 {
            let mut random = base::Seed(seed).stream("shuffle", 0);
            let mut more = base::Seed(seed).stream("more", 0);
            let shuffled = Parameters::new(Some((&mut random, &mut more)));
            for row in all_rows() {
                let (new, old) = (shuffled.weights(row.parameter), plain.weights(row.parameter));
                changed[row.parameter as usize] |= new != old;
                vanished[row.parameter as usize] |= new.contains(&0);
            }
        }
        assert_eq!(changed, [true; COUNT]);
        assert_eq!(vanished, [true; COUNT]);
    }

    #[test]
    fn the_dealt_weights_add_up_to_the_total_or_one_step_more() {
        let mut random = base::Seed(5).stream("shuffle", 0);
        for _ in 0..1000 {
            let sum: u32 = shuffled(&[50, 25, 15, 10, 10, 10], &mut random).iter().sum();
            assert!((120..240).contains(&sum), "{sum}");
        }
    }
}
