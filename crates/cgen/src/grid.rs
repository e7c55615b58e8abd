//! Grids: global arrays of one to three dimensions that loops work on, and the ways of writing
//! down one of their elements.

use crate::aggregate::Category;
use crate::floats::Floats;
use crate::int_type::IntType;
use crate::memory::Span;
use crate::real::RealType;

/// The most dimensions of a grid.
pub(crate) const MOST_DIMENSIONS: usize = 3;

/// A grid. Grids are named `b` and a number.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub name: Span,
    pub category: Category,
    /// The type of its integers; nothing for a real grid, whose cells hold the bits of doubles.
    pub ty: IntType,
    /// The type of floating point that it is made of, if it is.
    pub real: Option<RealType>,
    /// The sizes of its dimensions, the outermost first.
    pub sizes: Vec<u32>,
    /// The first of its cells, which are in the order of memory.
    pub first_cell: u32,
    /// How its initial values are made.
    pub fill: Fill,
}

impl Grid {
    /// Whether its elements are printed apart from the checksum.
    pub fn is_apart(&self, floats: Floats) -> bool {
        self.real.is_some() && floats == Floats::Bounded
    }

    /// Its elements.
    pub fn cells(&self) -> u32 {
        self.sizes.iter().product()
    }
}

/// How initial values are made out of random bits: `(bits >> shift) - offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fill {
    pub shift: u32,
    pub offset: u32,
}

/// The generator of random bits of programs, which fills grids before the test functions are called:
/// Knuth's MMIX, whose high bits are good.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits(pub u64);

impl Bits {
    /// Its definition in C.
    pub const DEFINITION: &'static [u8] = b"static unsigned long long y;\n\
static unsigned long long g(int s){y=y*6364136223846793005ull+1442695040888963407ull;return y>>s;}\n";
    /// Tokens of the definition.
    pub const TOKENS: u64 = 6 + 24;

    /// The next value.
    pub fn next(&mut self, fill: Fill) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> fill.shift).wrapping_sub(u64::from(fill.offset)) as i64
    }
}

/// One subscript: `scale * variable + other + offset`, or `(variable + offset) % modulus`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Subscript {
    /// The place of a loop's variable.
    pub variable: Option<u32>,
    pub scale: i8,
    /// The place of another loop's variable, for diagonals.
    pub other: Option<u32>,
    pub offset: i32,
    /// 0 if there is none.
    pub modulus: u32,
}

/// An element of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub grid: u32,
    pub subscripts: [Subscript; MOST_DIMENSIONS],
    /// Whether it is written with pointers: `*(b0[i]+j)`.
    pub by_pointer: bool,
    /// The moving pointer that it is written with, if it is; the last subscript is then counted from
    /// there.
    pub walker: Option<u32>,
}
