//! Every number that bounds a program, one row each.

use serde::{Deserialize, Serialize};

/// Declares [`Limits`]: a row is a field with its default for the sizes small, medium and paper.
macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident: $small:expr, $medium:expr, $paper:expr;)*) => {
        /// The numbers that bound a program. "v1" is YARPGen v1, as its released code
        /// has it; defaults are given as small, medium, paper. Where v1 has a number, `paper` is
        /// that number, and the smaller sizes are scaled to their amount of source.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Limits {
            $($(#[$doc])* #[doc = concat!("\n\nDefault: ", stringify!($small), ", ",
                stringify!($medium), ", ", stringify!($paper), ".")] pub $name: u32,)*
        }

        impl Limits {
            /// The names, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            pub(crate) const SMALL: Limits = Limits { $($name: $small),* };
            pub(crate) const MEDIUM: Limits = Limits { $($name: $medium),* };
            pub(crate) const PAPER: Limits = Limits { $($name: $paper),* };

            /// The limit of that name, to read or to change.
            pub fn by_name(&mut self, name: &str) -> Option<&mut u32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            /// Names and values, in order.
            #[must_use]
            pub fn entries(&self) -> Vec<(&'static str, u32)> {
                vec![$((stringify!($name), self.$name)),*]
            }
        }
    };
}

limits! {
    /// Test functions. v1: 5.
    functions: 3, 5, 5;
    /// Least bytes of source, all files together: statements are added until a number drawn
    /// between this and `bytes_max` is reached. v1 has no such limit and spreads from nothing to
    /// several MB; a target makes sizes predictable, which budgets need.
    bytes_min: 24_000, 200_000, 1_400_000;
    /// Most bytes of source, but for the statement during which they are reached.
    bytes_max: 44_000, 300_000, 1_800_000;
    /// Depth of expressions, common subexpressions not counted. v1: 5.
    expression_depth: 5, 5, 5;
    /// Nesting of conditionals. v1: 3.
    if_depth: 3, 3, 3;
    /// Least statements in the block of a conditional. v1: 5.
    scope_min: 2, 4, 5;
    /// Most statements in the block of a conditional. v1: 10. Deviation: the block of a function
    /// is bounded by its share of the bytes and by `function_statements` instead: with short
    /// names ten statements would be far from v1's 1.6 MB.
    scope_max: 6, 8, 10;
    /// Most statements of a program. v1: 5000. Deviation: ten times v1's number at size paper,
    /// again because our statements are shorter.
    statements: 5_000, 10_000, 50_000;
    /// Most statements of a function. v1: 1000; Deviation: as `statements`.
    function_statements: 1_000, 4_000, 10_000;
    /// Integer types that a program uses. v1: 3 of the allowed set, not shuffled.
    integer_types: 3, 3, 3;
    /// Least input variables. v1: 20.
    input_variables_min: 6, 20, 20;
    /// Most input variables. v1: 60.
    input_variables_max: 24, 60, 60;
    /// Least mixed variables. v1: 20.
    mixed_variables_min: 6, 20, 20;
    /// Most mixed variables. v1: 60.
    mixed_variables_max: 24, 60, 60;
    /// Least output variables. v1 makes them on demand; here as many as the others.
    output_variables_min: 6, 20, 20;
    /// Most output variables.
    output_variables_max: 24, 60, 60;
    /// Common subexpressions that are remembered. v1: 5.
    common_subexpressions: 5, 5, 5;
    /// Nodes of the largest common subexpression that is remembered. v1 has no limit; subtrees
    /// that contain subtrees that contain subtrees would use up a program's bytes.
    common_subexpression_nodes: 24, 24, 24;
    /// Struct types. v1: 0 to 6.
    struct_types: 4, 6, 6;
    /// Most members of a struct, of which there is one at least. v1: 10.
    struct_members: 6, 10, 10;
    /// Structs within structs. v1: 5.
    struct_depth: 3, 5, 5;
    /// Integers in a struct, those of inner structs included. v1 has no limit: ten members at
    /// depth five can be 100,000.
    struct_fields: 12, 40, 100;
    /// Most input structs. v1: 6.
    input_structs: 3, 6, 6;
    /// Most mixed structs. v1: 6.
    mixed_structs: 3, 6, 6;
    /// Most output structs. v1: 8.
    output_structs: 4, 8, 8;
    /// Most array types, a type being what elements are and how many there are. v1: 6.
    array_types: 4, 6, 6;
    /// Least elements of an array. v1: 2.
    array_size_min: 2, 2, 2;
    /// Most elements of an array. v1: 10.
    array_size_max: 6, 10, 10;
    /// Most input arrays. v1: 6.
    input_arrays: 3, 6, 6;
    /// Most mixed arrays. v1: 6.
    mixed_arrays: 3, 6, 6;
    /// Most output arrays. v1: 8.
    output_arrays: 4, 8, 8;
    /// Most pointers of each category. v1: 10.
    pointers: 5, 10, 10;
    /// Most grids, which are the arrays that loops work on. YARPGen v2 makes them on demand.
    grids: 7, 10, 10;
    /// Most grids of floating point.
    real_grids: 4, 5, 5;
    /// Most elements of a grid.
    grid_cells: 256, 600, 600;
    /// Most iterations of the innermost body of a nest, counted over the whole nest: each is a value
    /// that the generator keeps for every node.
    iterations: 160, 160, 120;
    /// Most iterations of one loop. YARPGen v2: 10 to 25 for the end of a loop.
    trip: 24, 25, 25;
    /// Loops in loops. YARPGen v2: 2 to 3.
    loop_depth: 3, 3, 3;
    /// Most statements that a program executes; when they are used up, no more loops are made.
    steps: 100_000, 400_000, 2_000_000;
    /// Most functions that the test functions call.
    helpers: 4, 6, 8;
    /// Most volatile variables.
    volatiles: 4, 8, 8;
    /// Most enumerated types.
    enums: 3, 5, 5;
    /// Most integers in all global data: it bounds header and driver, which grow with it.
    cells: 240, 2_000, 10_000;
    /// Constants that are remembered. v1: 4.
    constant_buffer: 4, 4, 4;
    /// Least bits of a bit-field. v1: 8.
    bit_field_min: 8, 8, 8;
    /// Of 100 input variables and locals, how many are const. v1's number is not among the
    /// facts; a third leaves most of them changeable.
    const_percent: 30, 30, 30;
    /// Of 100 members that could be static in C++, how many are. As above.
    static_percent: 10, 10, 10;
    /// Of 100 statements, how many may start a region. The paper says only "randomly chosen".
    region_percent: 10, 10, 10;
    /// Of 100 subtrees of expressions, how many may start a region. If all may, as a reading of
    /// the paper allows, two fifths of the leaves are constants by region alone and compilers
    /// fold much of the program before any pass sees it.
    subtree_percent: 30, 30, 30;
}
