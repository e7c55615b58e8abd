//! The heads of loops: where the variable starts and ends, and what it is in every iteration.

use crate::int_type::{IntType, TypeRules};
use base::Random;

/// How the variable is compared with the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    NotEqual,
}

impl Relation {
    /// The operator.
    pub fn text(self) -> &'static [u8] {
        match self {
            Relation::Less => b"<",
            Relation::LessEqual => b"<=",
            Relation::Greater => b">",
            Relation::GreaterEqual => b">=",
            Relation::NotEqual => b"!=",
        }
    }

    /// Whether the loop goes on. Both values are of one type that is at least `int`, and far from
    /// the limits of 64 bits, so that signs do not matter.
    fn holds(self, value: i64, end: i64) -> bool {
        match self {
            Relation::Less => value < end,
            Relation::LessEqual => value <= end,
            Relation::Greater => value > end,
            Relation::GreaterEqual => value >= end,
            Relation::NotEqual => value != end,
        }
    }
}

/// A loop's variable from start to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    pub ty: IntType,
    pub start: i64,
    pub step: i64,
    pub relation: Relation,
    pub end: i64,
    /// How many iterations it has, or has at most.
    pub trip: u32,
}

/// The types of variables; `int` is what most loops have.
const TYPES: [IntType; 13] = [
    IntType::Int,
    IntType::Int,
    IntType::Int,
    IntType::Int,
    IntType::UInt,
    IntType::Long,
    IntType::ULong,
    IntType::LLong,
    IntType::ULLong,
    IntType::Short,
    IntType::UShort,
    IntType::SChar,
    IntType::UChar,
];

impl Head {
    /// A random head of `trip` iterations.
    pub fn draw(trip: u32, rules: &TypeRules, random: &mut Random) -> Head {
        for _ in 0..4 {
            let head = Head::attempt(trip, random);
            if head.values(head.end, trip, rules).is_some_and(|(all, _)| all.len() == trip as usize)
            {
                return head;
            }
        }
        let (relation, end) = (Relation::Less, i64::from(trip));
        Head { ty: IntType::Int, start: 0, step: 1, relation, end, trip }
    }

    fn attempt(trips: u32, random: &mut Random) -> Head {
        let trip = i64::from(trips);
        let ty = *random.pick(&TYPES);
        let step = [1, 1, 1, 1, 1, 1, 1, 2, 3, 4][random.index(10)];
        let low = match random.below(4) {
            0 => random.range(0, 5),
            1 if ty.is_signed() => random.range(-6, 2),
            _ => 0,
        };
        let last = low + (trip - 1) * step;
        // The end may be anywhere after the last value up to the next.
        let slack = random.below(step as u64) as i64;
        let exact = random.below(3) == 0;
        if random.below(4) > 0 {
            let (relation, end) = match random.below(5) {
                0 => (Relation::LessEqual, last + slack),
                _ if exact => (Relation::NotEqual, last + step),
                _ => (Relation::Less, last + 1 + slack),
            };
            Head { ty, start: low, step, relation, end, trip: trips }
        } else {
            let (relation, end) = match random.below(4) {
                0 => (Relation::GreaterEqual, low - slack),
                _ if exact => (Relation::NotEqual, low - step),
                _ => (Relation::Greater, low - 1 - slack),
            };
            Head { ty, start: last, step: -step, relation, end, trip: trips }
        }
    }

    /// The values of the variable in the iterations up to `end`, and the one after them; none if
    /// there are more than `most`, or a value would not be what it says in its type.
    pub fn values(&self, end: i64, most: u32, rules: &TypeRules) -> Option<(Vec<i64>, i64)> {
        let promoted = self.ty.promoted();
        // All 64 bits of an unsigned type look as if they held negative values.
        let fits = |value: i64, ty: IntType| {
            rules.convert(value, ty) == value && (value >= 0 || ty.is_signed())
        };
        if !fits(self.start, self.ty) || !fits(end, promoted) {
            return None;
        }
        let mut value = self.start;
        let mut values = Vec::new();
        while self.relation.holds(value, end) {
            if values.len() == most as usize {
                return None;
            }
            values.push(value);
            value += self.step;
            if !fits(value, self.ty) {
                return None;
            }
        }
        Some((values, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::DataModel;

    #[test]
    fn heads_have_the_iterations_that_were_asked_for() {
        let rules = TypeRules::new(DataModel::Lp64);
        let mut random = base::Seed(1).stream("test", 0);
        let (mut down, mut negative) = (0, 0);
        for round in 0..5000 {
            let trip = 1 + round % 25;
            let head = Head::draw(trip, &rules, &mut random);
            let (values, after) = head.values(head.end, trip, &rules).expect("it ends");
            assert_eq!(values.len(), trip as usize, "{head:?}");
            assert!(values.windows(2).all(|pair| pair[1] == pair[0] + head.step));
            assert_eq!(after, values[values.len() - 1] + head.step);
            down += u32::from(head.step < 0);
            negative += u32::from(values.iter().any(|value| *value < 0));
        }
        assert!(down > 500 && negative > 300, "{down} {negative}");
    }

    #[test]
    fn a_variable_that_would_wrap_is_refused() {
        let rules = TypeRules::new(DataModel::Lp64);
        let (ty, relation) = (IntType::UInt, Relation::GreaterEqual);
        let head = Head { ty, start: 3, step: -1, relation, end: 0, trip: 4 };
        assert!(head.values(0, 100, &rules).is_none(), "unsigned values are never below 0");
        let wide = Head { ty: IntType::ULLong, ..head };
        assert!(wide.values(0, 100, &rules).is_none());
        let head = Head { ty: IntType::SChar, start: 120, step: 4, ..head };
        let head = Head { relation: Relation::LessEqual, ..head };
        assert!(head.values(127, 100, &rules).is_none());
    }
}
