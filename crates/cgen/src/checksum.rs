//! The checksum that programs print, here and in C.
//!
//! Exclusive or, multiplication by an odd number and a shift are bijections of the state, so one
//! wrong value can never cancel itself out.

/// The definition in C: `h` adds a value to the state `z`.
pub(crate) const DEFINITION: &[u8] = b"static unsigned long long z;\n\
static void h(unsigned long long v){z^=v;z*=11400714819323198485ull;z^=z>>32;}\n";

/// Tokens of [`DEFINITION`].
pub(crate) const DEFINITION_TOKENS: u64 = 6 + 25;

/// The state.
#[derive(Clone, Copy, Default)]
pub(crate) struct Checksum(pub u64);

impl Checksum {
    /// Adds a value, converted to `unsigned long long`.
    pub fn add(&mut self, value: i64) {
        self.0 = (self.0 ^ value as u64).wrapping_mul(11_400_714_819_323_198_485);
        self.0 ^= self.0 >> 32;
    }
}
