//! Pragmas before loops that ask for unrolling and vectorisation.
//!
//! They are requests: none of them says anything about the loop that would be untrue for another
//! one, as `ivdep` or `assume_safety` do. Compilers skip those of others.

use crate::body::Body;
use crate::construct::Construct;

/// A pragma, and the tokens that it has.
type Pragma = (&'static [u8], u64);

/// What does not multiply the code by more than four.
const GENTLE: [Pragma; 10] = [
    (b"#pragma GCC unroll 2\n", 5),
    (b"#pragma GCC unroll 4\n", 5),
    (b"#pragma clang loop unroll_count(3)\n", 8),
    (b"#pragma clang loop vectorize(enable)\n", 8),
    (b"#pragma clang loop vectorize_width(4)\n", 8),
    (b"#pragma clang loop vectorize_width(8)\n", 8),
    (b"#pragma clang loop interleave_count(2)\n", 8),
    (b"#pragma clang loop interleave_count(4)\n", 8),
    (b"#pragma clang loop distribute(enable)\n", 8),
    (b"#pragma clang loop unroll(disable)\n", 8),
];

/// What does. Around a nest, with sanitizers, it costs Clang minutes.
const STRONG: [Pragma; 4] = [
    (b"#pragma GCC unroll 7\n", 5),
    (b"#pragma GCC unroll 16\n", 5),
    (b"#pragma clang loop unroll(full)\n", 8),
    (b"#pragma clang loop unroll_count(8)\n", 8),
];

/// The most iterations of a loop before which a strong one stands: of one that may have another in
/// it, and of one that may not.
const SHORT: [u32; 2] = [3, 8];

/// How many loops have one. YARPGen v2 has none, some or all; some is a quarter here.
const PERCENT: u64 = 25;

impl Body<'_> {
    /// Writes a pragma, or none. A loop of so many iterations must follow.
    pub(crate) fn pragma(&mut self, trip: u32) {
        if self.options.allows(Construct::Pragmas) && self.random.percent(PERCENT) {
            let innermost = self.arounds.len() as u32 + 1 >= self.limits.loop_depth;
            let short = trip <= SHORT[usize::from(innermost)];
            let strong = if short { STRONG.len() } else { 0 };
            let drawn = self.random.index(GENTLE.len() + strong);
            let (text, tokens) =
                *GENTLE.get(drawn).unwrap_or_else(|| &STRONG[drawn - GENTLE.len()]);
            self.out.text(text, tokens);
        }
    }
}
