//! Programs as vectors, as CTOS (section 3.3) makes them of unoptimised LLVM IR.
//!
//! In: the text of a module, and what opt 13 to 22 prints about its regions
//! (`-passes='print<regions>'`) and calls (`-passes=print-callgraph`); one run may print both, and
//! both may be given as one text. Out: a [`Program`], whose [documents](Program::documents) are to be
//! made vectors elsewhere; its own vector is their sum by its [shares](Program::shares).
//!
//! ```
//! use passes::program::Program;
//!
//! let module = b"
//! define i32 @main() {
//!   br label %1
//! 1:
//!   ret i32 0
//! }";
//! let printed = b"\
//! Call graph node for function: 'main'<<0x7>>  #uses=1
//!
//! Region Tree for function: main
//! Region tree:
//! [0] %0 => <Function Return>
//! End region tree
//! ";
//! let program = Program::read(module, printed, printed)?;
//! assert_eq!(program.documents().count(), 1); // br ret
//! assert_eq!(program.shares(passes::program::Passing::Found), [0.5]);
//! # Ok::<(), passes::program::ReadError>(())
//! ```

mod call_graph;
mod deep_region_first;
mod error;
mod function;
mod printed;
mod regions;
mod retreating;
mod vocabulary;

pub use call_graph::CallGraph;
pub use deep_region_first::{Passing, Step, Walk};
pub use error::ReadError;
pub use function::{Block, Edge, Function};
pub use regions::Region;
pub use vocabulary::{OPCODES, word};

use printed::bodies;
use regions::Trees;

/// A program: its functions that have a body, and their calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The functions in the order of the module.
    pub functions: Vec<Function>,
    /// Who calls whom, by the places of the functions.
    pub calls: CallGraph,
}

impl Program {
    /// Reads a module, with the regions and the call graph that opt printed for it.
    ///
    /// # Errors
    /// When the module defines nothing or is not understood, or when the other texts are not about
    /// it.
    pub fn read(module: &[u8], regions: &[u8], call_graph: &[u8]) -> Result<Program, ReadError> {
        let bodies = bodies(&String::from_utf8_lossy(module))?;
        let regions = String::from_utf8_lossy(regions);
        let trees = Trees::find(&regions);
        let functions = bodies.into_iter().map(|body| Function::new(body, &trees));
        let functions: Vec<Function> = functions.collect::<Result<_, _>>()?;
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        let calls = CallGraph::read(&String::from_utf8_lossy(call_graph), &names)?;
        Ok(Program { functions, calls })
    }

    /// The documents of all functions, one function after the other.
    pub fn documents(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.functions.iter().flat_map(Function::documents)
    }

    /// How many documents there are.
    #[must_use]
    pub fn document_count(&self) -> usize {
        self.functions.iter().map(Function::document_count).sum()
    }

    /// How much each of its [documents](Program::documents) counts in its vector.
    #[must_use]
    pub fn shares(&self, passing: Passing) -> Vec<f64> {
        let of_functions = self.functions.iter().zip(self.calls.shares());
        of_functions
            .flat_map(|(function, share)| {
                function.shares(passing).into_iter().map(move |document| share * document)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = include_str!("samples/sort.ll");
    const PRINTED: &str = include_str!("samples/sort.printed");

    #[test]
    fn what_is_not_understood_is_named() {
        let check = |from: &str, to: &str, expect: &str| {
            let replaced = |text: &str| text.replace(from, to).into_bytes();
            let (module, printed) = (replaced(MODULE), replaced(PRINTED));
            assert!(module != MODULE.as_bytes() || printed != PRINTED.as_bytes(), "{from}");
            let error = Program::read(&module, &printed, &printed).unwrap_err().to_string();
            assert!(error.contains(expect), "{from} → {to}: {error}");
        };
        check("define", "declare", "the module defines no function");
        check("@sort(i32*", "@sort[i32*", "define dso_local void @sort[i32* noundef %0");
        check("ret void", "", "block %59 of function sort has no instruction that ends it");
        check("ret void", "rte void", "block %59 of function sort: 'rte' is no instruction");
        check("%13 = icmp", "%13 = icpm", "block %11 of function sort: 'icpm'");
        check("label %59", "label %60", "block %11 of function sort: where its 'br' goes");
        check("br label %55", "br %55", "block %54 of function sort: where its 'br' goes");
        check("%15 => %58", "%15 => %57", "line 10 of the region trees");
        check("function: sort", "function: salt", "no region tree was printed for function sort");
        check("'sort'", "'salt'", "the call graph lacks function sort");
    }

    #[test]
    fn an_empty_text_defines_nothing() {
        assert_eq!(Program::read(b"", b"", b""), Err(ReadError::NoFunction));
        assert_eq!(Program::read(b"\xff\0{<", b"\xff", b"\xff"), Err(ReadError::NoFunction));
    }
}
