//! The integer types with C's rules: widths, promotions, usual arithmetic conversions.
//!
//! A value of any type is kept as an `i64`: signed values sign-extended, unsigned ones
//! zero-extended, so that equal values have equal bits whatever their type.

use crate::standard::DataModel;

/// An integer type of C or C++. Plain `char` is missing: its sign is implementation-defined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum IntType {
    /// `bool`, or `_Bool` in C.
    Bool,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LLong,
    /// `unsigned long long`.
    ULLong,
}

use IntType::{Bool, Int, LLong, Long, SChar, Short, UChar, UInt, ULLong, ULong, UShort};

impl IntType {
    /// Every type, in the order of conversion rank.
    pub const ALL: [IntType; 11] =
        [Bool, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong];

    /// Whether the type has negative values.
    #[inline]
    #[must_use]
    pub fn is_signed(self) -> bool {
        matches!(self, SChar | Short | Int | Long | LLong)
    }

    /// The unsigned type of the same rank, for types of the rank of `int` and above.
    #[inline]
    pub(crate) fn unsigned(self) -> IntType {
        match self {
            Long | ULong => ULong,
            LLong | ULLong => ULLong,
            _ => UInt,
        }
    }

    /// The type after integer promotion.
    #[inline]
    #[must_use]
    pub fn promoted(self) -> IntType {
        if self < Int { Int } else { self }
    }

    /// The spelling, and how many tokens it has. C's `bool` is `_Bool`, which needs no header.
    pub(crate) fn spelling(self, cxx: bool) -> (&'static [u8], u64) {
        match self {
            Bool if cxx => (b"bool", 1),
            Bool => (b"_Bool", 1),
            SChar => (b"signed char", 2),
            UChar => (b"unsigned char", 2),
            Short => (b"short", 1),
            UShort => (b"unsigned short", 2),
            Int => (b"int", 1),
            UInt => (b"unsigned", 1),
            Long => (b"long", 1),
            ULong => (b"unsigned long", 2),
            LLong => (b"long long", 2),
            ULLong => (b"unsigned long long", 3),
        }
    }

    /// What a literal of this type, which must be at least an `int`, ends in.
    pub(crate) fn suffix(self) -> &'static [u8] {
        match self {
            UInt => b"u",
            Long => b"l",
            ULong => b"ul",
            LLong => b"ll",
            ULLong => b"ull",
            _ => b"",
        }
    }
}

/// The rules that depend on the data model, as tables: they are asked for every node.
#[derive(Clone, Debug)]
pub struct TypeRules {
    widths: [u8; 11],
    common: [[IntType; 11]; 11],
}

impl TypeRules {
    /// The rules of `model`.
    #[must_use]
    pub fn new(model: DataModel) -> TypeRules {
        let long = if model == DataModel::Lp64 { 64 } else { 32 };
        let widths = [1, 8, 8, 16, 16, 32, 32, long, long, 64, 64];
        let mut common = [[Int; 11]; 11];
        for a in IntType::ALL {
            for b in IntType::ALL {
                common[a as usize][b as usize] = common_type(a, b, &widths);
            }
        }
        TypeRules { widths, common }
    }

    /// The number of value bits, the sign bit included.
    #[inline]
    #[must_use]
    pub fn width(&self, ty: IntType) -> u32 {
        u32::from(self.widths[ty as usize])
    }

    /// The type that two operands have after the usual arithmetic conversions.
    #[inline]
    #[must_use]
    pub fn common(&self, a: IntType, b: IntType) -> IntType {
        self.common[a as usize][b as usize]
    }

    /// `value` converted to `ty`. For a signed type that cannot hold it this is
    /// implementation-defined before C++20; GCC and Clang both document wrapping.
    #[inline]
    #[must_use]
    pub fn convert(&self, value: i64, ty: IntType) -> i64 {
        if ty == Bool {
            return i64::from(value != 0);
        }
        wrap(value, self.width(ty), ty.is_signed())
    }

    /// The smallest value of `ty`.
    #[inline]
    #[must_use]
    pub fn min(&self, ty: IntType) -> i64 {
        if ty.is_signed() { i64::MIN >> (64 - self.width(ty)) } else { 0 }
    }

    /// The largest value of `ty`; for a 64-bit unsigned type its bits as an `i64`.
    #[inline]
    #[must_use]
    pub fn max(&self, ty: IntType) -> i64 {
        (u64::MAX >> (64 - self.width(ty) + u32::from(ty.is_signed()))) as i64
    }
}

/// The lowest `width` bits of `value`, extended by their sign or by zeros.
#[inline]
#[must_use]
pub fn wrap(value: i64, width: u32, signed: bool) -> i64 {
    let shift = 64 - width;
    if signed { (value << shift) >> shift } else { (((value as u64) << shift) >> shift) as i64 }
}

/// C11 6.3.1.8, C++ [expr.arith.conv]: after promotion the operand of lower rank is converted, or
/// both to the unsigned partner where the signed type cannot hold every unsigned value.
fn common_type(a: IntType, b: IntType, widths: &[u8; 11]) -> IntType {
    let (a, b) = (a.promoted(), b.promoted());
    let rank = |ty: IntType| (ty as u8 - Int as u8) / 2;
    if a.is_signed() == b.is_signed() {
        return a.max(b);
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    if rank(unsigned) >= rank(signed) {
        unsigned
    } else if widths[signed as usize] > widths[unsigned as usize] {
        signed
    } else {
        // The unsigned partner follows its signed type in the order of `ALL`.
        IntType::ALL[signed as usize + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_follow_the_standard_in_both_models() {
        let lp64 = TypeRules::new(DataModel::Lp64);
        let ilp32 = TypeRules::new(DataModel::Ilp32);
        assert_eq!(lp64.common(Bool, UShort), Int);
        assert_eq!(lp64.common(Int, UInt), UInt);
        assert_eq!(lp64.common(Long, UInt), Long, "64 bits hold every unsigned int");
        assert_eq!(ilp32.common(Long, UInt), ULong, "32 bits do not, and long ranks higher");
        assert_eq!(lp64.common(LLong, ULong), ULLong);
        assert_eq!(ilp32.common(LLong, ULong), LLong);
        assert_eq!(lp64.common(ULLong, SChar), ULLong);
    }

    #[test]
    fn conversions_wrap_and_bool_asks_for_zero() {
        let rules = TypeRules::new(DataModel::Lp64);
        assert_eq!(rules.convert(384, SChar), -128);
        assert_eq!(rules.convert(-1, UInt), 0xffff_ffff);
        assert_eq!(rules.convert(256, Bool), 1);
        assert_eq!(rules.max(ULLong) as u64, u64::MAX);
        assert_eq!(rules.min(Long), i64::MIN);
        assert_eq!((rules.min(SChar), rules.max(SChar), rules.max(Bool)), (-128, 127, 1));
    }
}
