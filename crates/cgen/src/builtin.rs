//! Builtin functions of GCC and Clang that compute an integer from an integer.

use crate::body::Body;
use crate::int_type::{IntType, TypeRules, wrap};
use crate::node::{NodeId, NodeKind};
use crate::operator::BinaryOp;

/// What a builtin computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Popcount,
    Parity,
    Clz,
    Ctz,
    Ffs,
    Clrsb,
    Swap,
}

/// A builtin: its name, what it takes and gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Builtin {
    pub name: &'static [u8],
    kind: Kind,
    takes: IntType,
    gives: IntType,
}

const fn builtin(name: &'static [u8], kind: Kind, takes: IntType, gives: IntType) -> Builtin {
    Builtin { name, kind, takes, gives }
}

use IntType::{Int, LLong, Long, UInt, ULLong, ULong, UShort};

/// The builtins. `bswap64` gives an `unsigned long` on some machines; it has as many bits.
pub(crate) const BUILTINS: [Builtin; 17] = [
    builtin(b"__builtin_popcount", Kind::Popcount, UInt, Int),
    builtin(b"__builtin_popcountl", Kind::Popcount, ULong, Int),
    builtin(b"__builtin_popcountll", Kind::Popcount, ULLong, Int),
    builtin(b"__builtin_parity", Kind::Parity, UInt, Int),
    builtin(b"__builtin_parityll", Kind::Parity, ULLong, Int),
    builtin(b"__builtin_clz", Kind::Clz, UInt, Int),
    builtin(b"__builtin_clzl", Kind::Clz, ULong, Int),
    builtin(b"__builtin_clzll", Kind::Clz, ULLong, Int),
    builtin(b"__builtin_ctz", Kind::Ctz, UInt, Int),
    builtin(b"__builtin_ctzll", Kind::Ctz, ULLong, Int),
    builtin(b"__builtin_ffs", Kind::Ffs, Int, Int),
    builtin(b"__builtin_ffsll", Kind::Ffs, LLong, Int),
    builtin(b"__builtin_clrsb", Kind::Clrsb, Int, Int),
    builtin(b"__builtin_clrsbl", Kind::Clrsb, Long, Int),
    builtin(b"__builtin_bswap16", Kind::Swap, UShort, UShort),
    builtin(b"__builtin_bswap32", Kind::Swap, UInt, UInt),
    builtin(b"__builtin_bswap64", Kind::Swap, ULLong, ULLong),
];

impl Builtin {
    /// The result for an argument of any type.
    fn result(&self, argument: i64, rules: &TypeRules) -> i64 {
        let width = rules.width(self.takes);
        let argument = rules.convert(argument, self.takes);
        // The bits, without those above the type.
        let bits = wrap(argument, width, false) as u64;
        let above = 64 - width;
        i64::from(match self.kind {
            Kind::Popcount => bits.count_ones(),
            Kind::Parity => bits.count_ones() & 1,
            Kind::Clz => bits.leading_zeros() - above,
            Kind::Ctz => bits.trailing_zeros(),
            Kind::Ffs if bits == 0 => 0,
            Kind::Ffs => bits.trailing_zeros() + 1,
            Kind::Clrsb => (argument ^ (argument >> 63)).leading_zeros() - above - 1,
            Kind::Swap => return (bits.swap_bytes() >> above) as i64,
        })
    }

    /// Whether an argument of 0 is undefined.
    fn needs_bits(&self) -> bool {
        matches!(self.kind, Kind::Clz | Kind::Ctz)
    }
}

impl Body<'_> {
    /// A call of a builtin.
    pub(crate) fn draw_builtin(&mut self, operand: NodeId) -> NodeId {
        let at = self.random.index(BUILTINS.len());
        self.builtin(at as u8, operand)
    }

    /// A call of a builtin. One that is undefined for 0 gets a bit set in every lane.
    pub(crate) fn builtin(&mut self, at: u8, mut operand: NodeId) -> NodeId {
        let builtin = BUILTINS[usize::from(at)];
        let node = self.node(operand);
        let is_zero = |lane| self.rules.convert(self.value_in(&node, lane), builtin.takes) == 0;
        if builtin.needs_bits() && (0..self.lanes.count()).any(is_zero) {
            let bit = self.random.below(u64::from(self.rules.width(builtin.takes)) - 1);
            let bit = self.literal(1 << bit, builtin.takes);
            operand = self.binary(BinaryOp::Or, operand, bit);
        }
        let node = self.node(operand);
        let (kind, size) = (NodeKind::Builtin(at, operand), node.size.saturating_add(1));
        let rules = self.rules;
        if node.varies {
            let start = self.map_lanes(operand, |value| builtin.result(value, rules));
            self.push_varying(kind, builtin.gives, size, start)
        } else {
            self.push(kind, builtin.gives, size, builtin.result(node.value, rules))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::DataModel;

    #[test]
    fn builtins_compute_what_their_manual_says() {
        let rules = TypeRules::new(DataModel::Lp64);
        let check = |name: &str, argument: i64, result: i64| {
            let builtin = BUILTINS.iter().find(|b| b.name.ends_with(name.as_bytes()));
            let builtin = builtin.expect(name);
            assert_eq!(builtin.result(argument, &rules), result, "{name}({argument})");
        };
        check("popcount", -1, 32);
        check("popcountll", -1, 64);
        check("parity", 7, 1);
        check("_clz", 1, 31);
        check("clzll", 1, 63);
        check("ctzll", 1 << 40, 40);
        check("_ffs", 0, 0);
        check("_ffs", 8, 4);
        check("_clrsb", 0, 31);
        check("_clrsb", -1, 31);
        check("_clrsb", i64::from(i32::MIN), 0);
        check("clrsbl", 1, 62);
        check("bswap16", 0x1234, 0x3412);
        check("bswap32", 0x1234_5678, 0x7856_3412);
        check("bswap64", 1, 1 << 56);
    }
}
