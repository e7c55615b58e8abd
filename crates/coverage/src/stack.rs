//! Where a program was when it crashed: from addresses to edges. The addresses of all edges stand in the program
//! itself, stripped or not.

use crate::build::{Build, BuildFault};
use crate::symbolise::edge_addresses;
use object::{Object, ObjectSection, SectionKind};
use std::fs;
use toolchain::CountingPart;
use toolchain::family::StackFrame;

impl Build {
    /// The edge in which each frame of a stack is; frames of libraries are in none.
    ///
    /// # Errors
    /// When a program of the build can't be read.
    pub fn edges_at(&self, stack: &[StackFrame]) -> Result<Vec<Option<usize>>, BuildFault> {
        let mut known: Vec<(&str, Addresses)> = Vec::new();
        let mut edges = Vec::new();
        for frame in stack {
            let Some(part) = self.part_of(frame) else {
                edges.push(None);
                continue;
            };
            let at = match known.iter().position(|(role, _)| *role == part.role) {
                Some(at) => at,
                None => {
                    known.push((&part.role, self.addresses(part)?));
                    known.len() - 1
                }
            };
            let start = self.edges_of(&part.role).map_or(0, |edges| edges.start);
            edges.push(known[at].1.edge_before(frame.address).map(|edge| start + edge));
        }
        Ok(edges)
    }

    /// The program that a frame belongs to; the first where that is not said.
    fn part_of(&self, frame: &StackFrame) -> Option<&CountingPart> {
        match &frame.object {
            Some(object) => self.parts().iter().find(|part| part.role == *object),
            None => self.parts().first(),
        }
    }

    fn addresses(&self, part: &CountingPart) -> Result<Addresses, BuildFault> {
        let path = self.folder().join(&part.file);
        let elf =
            fs::read(&path).map_err(|source| BuildFault::Io { path: path.clone(), source })?;
        Addresses::of(&elf).ok_or(BuildFault::Foreign { path, program: part.file.clone() })
    }
}

/// The edges of a program by their addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Addresses {
    edges: Vec<(u64, u32)>,
    /// Where there is code.
    code: Vec<std::ops::Range<u64>>,
}

impl Addresses {
    fn of(elf: &[u8]) -> Option<Addresses> {
        let object = object::File::parse(elf).ok()?;
        let mut edges: Vec<(u64, u32)> =
            edge_addresses(&object).ok()?.into_iter().zip(0_u32..).collect();
        edges.sort_unstable();
        let code = object.sections().filter(|section| section.kind() == SectionKind::Text);
        let code = code.map(|section| section.address()..section.address() + section.size());
        Some(Addresses { edges, code: code.collect() })
    }

    /// The edge of the call that goes on at an address.
    fn edge_before(&self, address: u64) -> Option<usize> {
        let call = address.checked_sub(1)?;
        if !self.code.iter().any(|code| code.contains(&call)) {
            return None;
        }
        let after = self.edges.partition_point(|(start, _)| *start <= call);
        Some(self.edges[after.checked_sub(1)?].1 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_in_the_edge_that_begins_before_it() {
        let addresses =
            Addresses { edges: vec![(16, 1), (32, 0), (48, 2)], code: vec![16..64, 128..160] };
        let edge = |address| addresses.edge_before(address);
        assert_eq!([edge(17), edge(32), edge(33), edge(64)], [Some(1), Some(1), Some(0), Some(2)]);
        assert_eq!([edge(16), edge(100), edge(0)], [None, None, None], "no code is there");
    }
}
