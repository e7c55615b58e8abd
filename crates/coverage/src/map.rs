//! From an edge to its place in the compiler's source.

use crate::Set;
use crate::varint::{Reader, put, zigzag};
use base::ContentId;
use std::collections::BTreeSet;

/// Where the edges of a program are in its source.
///
/// An edge is in one function, that which the source has there, inlined or not, and on some lines, the
/// first of which is where it begins. Lines, functions and files have numbers too, so that a set of them
/// is a [`Set`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Map {
    /// Relative to the root of the source; what is not below that has its whole path.
    pub files: Vec<String>,
    /// By name, then file.
    pub functions: Vec<Function>,
    /// By file, then number.
    pub lines: Vec<Line>,
    /// The function of each edge.
    function_of: Vec<u32>,
    /// Where the lines of each edge begin in `lines_of`; one more at the end.
    starts: Vec<u32>,
    lines_of: Vec<u32>,
}

/// A function of the compiler.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Function {
    /// As a person would call it.
    pub name: String,
    /// The index of its file.
    pub file: u32,
}

/// A line of the compiler's source that has code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// The index of its file.
    pub file: u32,
    /// Its number, from 1.
    pub number: u32,
}

/// Why bytes are no map.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MapError {
    /// Something else, or another version's.
    #[error("it is not a map that this version of whodunit can read")]
    Foreign,
    /// Cut off or changed.
    #[error("it is damaged")]
    Damaged,
}

const MAGIC: &[u8] = b"whodunit map 1\n";

impl Map {
    /// A map in which each edge has a function and lines; an edge without lines is nowhere.
    ///
    /// # Panics
    /// When an index does not exist.
    #[must_use]
    pub fn new(
        files: Vec<String>,
        functions: Vec<Function>,
        lines: Vec<Line>,
        edges: impl IntoIterator<Item = (u32, Vec<u32>)>,
    ) -> Map {
        let mut map = Map { files, functions, lines, starts: vec![0], ..Map::default() };
        for (function, lines) in edges {
            assert!((function as usize) < map.functions.len(), "function {function}");
            assert!(lines.iter().all(|&line| (line as usize) < map.lines.len()), "{lines:?}");
            map.function_of.push(function);
            map.lines_of.extend(lines);
            map.starts.push(map.lines_of.len() as u32);
        }
        map
    }

    /// One map of several programs, whose edges follow one another; what they share is there once.
    #[must_use]
    pub fn join(maps: Vec<Map>) -> Map {
        if maps.len() == 1 {
            return maps.into_iter().next().expect("there is one");
        }
        let files: BTreeSet<&String> = maps.iter().flat_map(|map| &map.files).collect();
        let files: Vec<String> = files.into_iter().cloned().collect();
        let file = |map: &Map, old: u32| {
            files.binary_search(&map.files[old as usize]).expect("all were collected") as u32
        };
        let function = |map: &Map, old: &Function| Function {
            name: old.name.clone(),
            file: file(map, old.file),
        };
        let line = |map: &Map, old: &Line| Line { file: file(map, old.file), ..*old };
        let functions: BTreeSet<Function> = maps
            .iter()
            .flat_map(|map| map.functions.iter().map(|old| function(map, old)))
            .collect();
        let functions: Vec<Function> = functions.into_iter().collect();
        let lines: BTreeSet<Line> =
            maps.iter().flat_map(|map| map.lines.iter().map(|old| line(map, old))).collect();
        let lines: Vec<Line> = lines.into_iter().collect();
        let mut edges = Vec::new();
        for map in &maps {
            // Each number is looked up once, not once an edge.
            let found = "all were collected";
            let new_functions: Vec<u32> = map
                .functions
                .iter()
                .map(|old| functions.binary_search(&function(map, old)).expect(found) as u32)
                .collect();
            let new_lines: Vec<u32> = map
                .lines
                .iter()
                .map(|old| lines.binary_search(&line(map, old)).expect(found) as u32)
                .collect();
            edges.extend((0..map.edges()).map(|edge| {
                let lines = map.lines_of(edge).iter().map(|&old| new_lines[old as usize]);
                (new_functions[map.function_of(edge)], lines.collect())
            }));
        }
        Map::new(files, functions, lines, edges)
    }

    /// How many edges there are.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.function_of.len()
    }

    /// The index of an edge's function.
    #[must_use]
    pub fn function_of(&self, edge: usize) -> usize {
        self.function_of[edge] as usize
    }

    /// The indices of an edge's lines; the first is where it begins.
    #[must_use]
    pub fn lines_of(&self, edge: usize) -> &[u32] {
        &self.lines_of[self.starts[edge] as usize..self.starts[edge + 1] as usize]
    }

    /// The index of the file in which an edge begins.
    #[must_use]
    pub fn file_of(&self, edge: usize) -> usize {
        match self.lines_of(edge).first() {
            Some(&line) => self.lines[line as usize].file as usize,
            None => self.functions[self.function_of(edge)].file as usize,
        }
    }

    /// The lines that edges are on.
    #[must_use]
    pub fn lines(&self, edges: &Set) -> Set {
        let mut lines = Set::none(self.lines.len());
        edges.iter().for_each(|edge| {
            self.lines_of(edge).iter().for_each(|&line| lines.insert(line as usize));
        });
        lines
    }

    /// The functions that edges are in.
    #[must_use]
    pub fn functions(&self, edges: &Set) -> Set {
        let mut functions = Set::none(self.functions.len());
        edges.iter().for_each(|edge| functions.insert(self.function_of(edge)));
        functions
    }

    /// The files that edges begin in.
    #[must_use]
    pub fn files(&self, edges: &Set) -> Set {
        let mut files = Set::none(self.files.len());
        edges.iter().for_each(|edge| files.insert(self.file_of(edge)));
        files
    }

    /// The map as bytes: four to five an edge.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let text = |bytes: &mut Vec<u8>, text: &str| {
            put(bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        };
        put(&mut bytes, self.files.len() as u64);
        self.files.iter().for_each(|file| text(&mut bytes, file));
        put(&mut bytes, self.functions.len() as u64);
        for function in &self.functions {
            text(&mut bytes, &function.name);
            put(&mut bytes, u64::from(function.file));
        }
        put(&mut bytes, self.lines.len() as u64);
        let mut last = Line { file: 0, number: 0 };
        for &line in &self.lines {
            put(&mut bytes, zigzag(i64::from(line.file) - i64::from(last.file)));
            put(&mut bytes, zigzag(i64::from(line.number) - i64::from(last.number)));
            last = line;
        }
        put(&mut bytes, self.edges() as u64);
        let (mut last_function, mut last_line) = (0, 0);
        for edge in 0..self.edges() {
            let (function, lines) = (self.function_of[edge], self.lines_of(edge));
            let is_other = function != last_function;
            put(&mut bytes, (lines.len() as u64) << 1 | u64::from(is_other));
            if is_other {
                put(&mut bytes, zigzag(i64::from(function) - i64::from(last_function)));
                last_function = function;
            }
            for &line in lines {
                put(&mut bytes, zigzag(i64::from(line) - i64::from(last_line)));
                last_line = line;
            }
        }
        let check = ContentId::of(&bytes).to_string();
        bytes.extend(check.as_bytes());
        bytes
    }

    /// The map that [`encode`](Map::encode) made these bytes of.
    ///
    /// # Errors
    /// When they are something else, or changed.
    pub fn decode(bytes: &[u8]) -> Result<Map, MapError> {
        let at = bytes.len().checked_sub(64).ok_or(MapError::Foreign)?;
        let (bytes, check) = bytes.split_at(at);
        let content = bytes.strip_prefix(MAGIC).ok_or(MapError::Foreign)?;
        if ContentId::of(bytes).to_string().as_bytes() != check {
            return Err(MapError::Damaged);
        }
        decode(&mut Reader(content)).ok_or(MapError::Damaged)
    }
}

fn decode(reader: &mut Reader) -> Option<Map> {
    let add = |number: u32, delta: i64| u32::try_from(i64::from(number).checked_add(delta)?).ok();
    let count = reader.number()?;
    let files: Vec<String> = (0..count).map(|_| reader.text()).collect::<Option<_>>()?;
    let count = reader.number()?;
    let mut function = || {
        let function = Function { name: reader.text()?, file: reader.number()?.try_into().ok()? };
        ((function.file as usize) < files.len()).then_some(function)
    };
    let functions: Vec<Function> = (0..count).map(|_| function()).collect::<Option<_>>()?;
    let count = reader.number()?;
    let mut last = Line { file: 0, number: 0 };
    let mut line = || {
        let (file, number) =
            (add(last.file, reader.signed()?)?, add(last.number, reader.signed()?)?);
        last = Line { file, number };
        ((file as usize) < files.len()).then_some(last)
    };
    let lines: Vec<Line> = (0..count).map(|_| line()).collect::<Option<_>>()?;
    let edges = reader.number()?;
    let (mut function, mut line) = (0, 0);
    let mut map = Map { files, functions, lines, starts: vec![0], ..Map::default() };
    for _ in 0..edges {
        let head = reader.number()?;
        if head & 1 == 1 {
            function = add(function, reader.signed()?)?;
        }
        ((function as usize) < map.functions.len()).then_some(())?;
        map.function_of.push(function);
        for _ in 0..head >> 1 {
            line = add(line, reader.signed()?)?;
            ((line as usize) < map.lines.len()).then_some(())?;
            map.lines_of.push(line);
        }
        map.starts.push(map.lines_of.len().try_into().ok()?);
    }
    reader.0.is_empty().then_some(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Map {
        let files = ["gcc/a.cc", "gcc/b.h"].map(str::to_owned).to_vec();
        let function = |name: &str, file| Function { name: name.to_owned(), file };
        let line = |file, number| Line { file, number };
        Map::new(
            files,
            vec![function("f", 0), function("g", 1)],
            vec![line(0, 10), line(0, 11), line(0, 900), line(1, 3)],
            [(0, vec![0, 1]), (0, vec![2, 0]), (1, vec![3]), (0, vec![])],
        )
    }

    #[test]
    fn a_map_survives_being_written() {
        let map = small();
        assert_eq!(Map::decode(&map.encode()), Ok(map));
    }

    #[test]
    fn maps_of_two_programs_become_one() {
        let (one, two) = (small(), small());
        let both = Map::join(vec![one.clone(), two]);
        assert_eq!((both.edges(), both.files.len(), both.lines.len()), (8, 2, 4));
        for edge in 0..8 {
            assert_eq!(both.lines_of(edge), one.lines_of(edge % 4));
            assert_eq!(both.function_of(edge), one.function_of(edge % 4));
        }
    }

    #[test]
    fn a_map_that_was_changed_or_cut_off_is_refused() {
        let bytes = small().encode();
        for at in MAGIC.len()..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(Map::decode(&changed), Err(MapError::Damaged), "byte {at}");
            assert!(Map::decode(&bytes[..at]).is_err(), "cut off at {at}");
        }
        assert_eq!(Map::decode(b"something else"), Err(MapError::Foreign));
    }

    #[test]
    fn lines_functions_and_files_are_views_of_edges() {
        let map = small();
        let mut edges = Set::none(map.edges());
        edges.insert(1);
        edges.insert(2);
        let members = |set: Set| set.iter().collect::<Vec<_>>();
        assert_eq!(members(map.lines(&edges)), [0, 2, 3]);
        assert_eq!(members(map.functions(&edges)), [0, 1]);
        assert_eq!(members(map.files(&edges)), [0, 1]);
        let mut nowhere = Set::none(map.edges());
        nowhere.insert(3);
        assert!(map.lines(&nowhere).is_empty());
        assert_eq!(members(map.files(&nowhere)), [0]);
    }
}
