//! From an unstripped program to the map of its edges.

use crate::map::{Function, Line, Map};
use addr2line::gimli::{self, EndianSlice, RunTimeEndian};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// What leads from the paths in debug information to names that people know.
pub(crate) struct Roots<'a> {
    /// The compiler's source: what is below has its path from here.
    pub source: &'a Path,
    /// Where it was built: what is below was generated.
    pub build: &'a Path,
}

/// Why a program has no map.
#[derive(Debug, thiserror::Error)]
pub enum SymboliseError {
    /// Not a program.
    #[error("not an ELF program: {0}")]
    Object(#[from] object::Error),
    /// No debug information, or none that can be read.
    #[error("its debug information cannot be read: {0}")]
    Dwarf(#[from] gimli::Error),
    /// Built in another way than ours.
    #[error("{0}")]
    Foreign(String),
}

type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// The map of the program in `elf`. `demangle` gets the names of functions as the linker knows them and
/// gives them as people do.
pub(crate) fn symbolise(
    elf: &[u8],
    roots: &Roots,
    demangle: impl FnOnce(Vec<String>) -> Vec<String>,
) -> Result<Map, SymboliseError> {
    let object = object::File::parse(elf)?;
    let addresses = edge_addresses(&object)?;
    let dwarf = gimli::Dwarf::load(|id| -> Result<Slice, object::Error> {
        let data = match object.section_by_name(id.name()) {
            Some(section) => section.data()?,
            None => &[],
        };
        Ok(EndianSlice::new(data, RunTimeEndian::Little))
    })?;
    let context = addr2line::Context::from_dwarf(dwarf)?;
    let symbols = Symbols::of(&object);

    // Edges by address: an edge's code goes on to the next one, or to the end of its function.
    let mut order: Vec<usize> = (0..addresses.len()).collect();
    order.sort_unstable_by_key(|&edge| addresses[edge]);
    let mut paths = Paths::new(roots);
    let mut raw: Vec<RawEdge> = vec![RawEdge::default(); addresses.len()];
    for (rank, &edge) in order.iter().enumerate() {
        let low = addresses[edge];
        let symbol = symbols.at(low);
        let next = order.get(rank + 1).map_or(u64::MAX, |&next| addresses[next]);
        let high = next.min(symbol.map_or(u64::MAX, |symbol| symbols.all[symbol].end)).max(low + 1);
        let mut lines: Vec<Line> = Vec::new();
        for (address, _, _) in context.find_location_range(low, high)? {
            // Innermost first; then the call that was inlined, whose line has no code of its own.
            let mut frames = context.find_frames(address.max(low)).skip_all_loads()?;
            while let Some(frame) = frames.next()? {
                let Some(location) = frame.location else { continue };
                let (Some(file), Some(number)) = (location.file, location.line) else { continue };
                let line = paths.line(file, number);
                if number != 0 && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        let mut frames = context.find_frames(low).skip_all_loads()?;
        let frame = frames.next()?;
        let is_inlined = frames.next()?.is_some();
        let dwarf_name = frame.and_then(|frame| frame.function);
        let dwarf_name = dwarf_name.and_then(|name| Some(name.raw_name().ok()?.into_owned()));
        raw[edge].name = match symbol {
            Some(symbol) if !is_inlined => Name::Symbol(symbol),
            _ => Name::Plain(dwarf_name.unwrap_or_default()),
        };
        raw[edge].lines = lines;
    }
    Ok(assemble(raw, paths.names, &symbols, demangle))
}

/// The addresses of the edges, in the order of their counters.
pub(crate) fn edge_addresses(object: &object::File) -> Result<Vec<u64>, SymboliseError> {
    let section = |name: &str| {
        object.section_by_name(name).ok_or_else(|| {
            SymboliseError::Foreign(format!("it has no section {name}: it does not count"))
        })
    };
    let (table, counters) = (section("__sancov_pcs")?, section("__sancov_cntrs")?.size());
    // A pair of words an edge: its address, and whether it is where a function begins.
    let table = table.data()?;
    if table.len() as u64 / 16 != counters / 2 || table.len() % 16 != 0 {
        return Err(SymboliseError::Foreign(format!(
            "{} addresses for {} counters of 16 bits",
            table.len() / 16,
            counters / 2
        )));
    }
    let word = |pair: &[u8]| {
        let word = pair[..8].try_into().expect("eight bytes are eight bytes");
        u64::from_le_bytes(word)
    };
    let addresses: Vec<u64> = table.chunks_exact(16).map(word).collect();
    if addresses.iter().all(|&address| address == 0) {
        let why = "its addresses are known at run time only: it was linked as PIE";
        return Err(SymboliseError::Foreign(why.to_owned()));
    }
    Ok(addresses)
}

struct Symbol {
    start: u64,
    end: u64,
    name: String,
}

/// The functions of the symbol table, by address.
struct Symbols {
    all: Vec<Symbol>,
}

impl Symbols {
    fn of(object: &object::File) -> Symbols {
        let functions = object.symbols().filter(|symbol| {
            symbol.kind() == SymbolKind::Text && symbol.size() > 0 && symbol.is_definition()
        });
        let mut all: Vec<Symbol> = functions
            .filter_map(|symbol| {
                let start = symbol.address();
                let end = start.saturating_add(symbol.size());
                Some(Symbol { start, end, name: symbol.name().ok()?.to_owned() })
            })
            .collect();
        all.sort_by(|a, b| (a.start, &a.name).cmp(&(b.start, &b.name)));
        all.dedup_by_key(|symbol| symbol.start);
        Symbols { all }
    }

    fn at(&self, address: u64) -> Option<usize> {
        let after = self.all.partition_point(|symbol| symbol.start <= address);
        after.checked_sub(1).filter(|&index| address < self.all[index].end)
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    /// The function with this index among the symbols.
    Symbol(usize),
    /// One that was inlined, as the debug information calls it.
    Plain(String),
}

#[derive(Clone)]
struct RawEdge {
    name: Name,
    lines: Vec<Line>,
}

impl Default for RawEdge {
    fn default() -> RawEdge {
        RawEdge { name: Name::Plain(String::new()), lines: Vec::new() }
    }
}

/// Paths of debug information, each understood once.
struct Paths<'a> {
    roots: &'a Roots<'a>,
    /// By the path as it is given: the file, and where its lines come from if it was generated.
    known: BTreeMap<String, (u32, Option<Origins>)>,
    names: Vec<String>,
}

impl<'a> Paths<'a> {
    fn new(roots: &'a Roots<'a>) -> Paths<'a> {
        Paths { roots, known: BTreeMap::new(), names: Vec::new() }
    }

    fn line(&mut self, path: &str, number: u32) -> Line {
        if !self.known.contains_key(path) {
            let clean = clean(Path::new(path));
            let generated = clean.starts_with(self.roots.build);
            let text = generated.then(|| std::fs::read(&clean).ok()).flatten();
            // Generators are run where they write, and name their input from there.
            let folder = clean.parent().unwrap_or(Path::new("/"));
            let origins = text.map(|text| Origins::of(&String::from_utf8_lossy(&text), folder));
            let file = self.file(self.name(&clean));
            self.known.insert(path.to_owned(), (file, origins));
        }
        let (file, origins) = &self.known[path];
        let origin = origins.as_ref().and_then(|origins| origins.at(number));
        match origin {
            Some((origin, number)) => {
                let name = self.name(origin);
                Line { file: self.file(name), number }
            }
            None => Line { file: *file, number },
        }
    }

    fn name(&self, path: &Path) -> String {
        let below =
            path.strip_prefix(self.roots.build).map(|path| Path::new("generated").join(path));
        let below = below.or_else(|_| path.strip_prefix(self.roots.source).map(Path::to_owned));
        below.unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
    }

    fn file(&mut self, name: String) -> u32 {
        let index = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        index as u32
    }
}

/// A path without `.` and `..`; links are not followed.
fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

/// Where the lines of a generated file come from, when it says so in comments: GCC's matchers, made of
/// match.pd, do. (Line directives that are none but comments: those of the preprocessor are in the debug
/// information already.)
struct Origins {
    /// From this line on: the file and line it was made of, or nothing.
    marks: Vec<(u32, Option<(PathBuf, u32)>)>,
}

impl Origins {
    fn of(text: &str, folder: &Path) -> Origins {
        let mut marks = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.starts_with('}') {
                marks.push((number, None));
            } else if let Some(origin) = line.trim().strip_prefix("/* #line ") {
                let mut words = origin.split('"');
                let line = words.next().and_then(|line| line.trim().parse().ok());
                if let (Some(line), Some(file)) = (line, words.next()) {
                    marks.push((number, Some((clean(&folder.join(file)), line))));
                }
            }
        }
        Origins { marks }
    }

    fn at(&self, number: u32) -> Option<(&Path, u32)> {
        let after = self.marks.partition_point(|(from, _)| *from <= number);
        let (_, origin) = &self.marks[after.checked_sub(1)?];
        origin.as_ref().map(|(file, line)| (file.as_path(), *line))
    }
}

fn assemble(
    raw: Vec<RawEdge>,
    mut files: Vec<String>,
    symbols: &Symbols,
    demangle: impl FnOnce(Vec<String>) -> Vec<String>,
) -> Map {
    // In order of names, so that numbers do not depend on the order of addresses.
    let mut sorted: Vec<u32> = (0..files.len() as u32).collect();
    sorted.sort_by(|&a, &b| files[a as usize].cmp(&files[b as usize]));
    let mut new_number = vec![0; files.len()];
    (0..).zip(&sorted).for_each(|(new, &old)| new_number[old as usize] = new);
    files.sort();
    if files.is_empty() {
        files.push("?".to_owned());
        new_number.push(0);
    }
    let renumbered = |line: &Line| Line { file: new_number[line.file as usize], ..*line };

    let lines: BTreeSet<Line> = raw.iter().flat_map(|edge| &edge.lines).map(renumbered).collect();
    let lines: Vec<Line> = lines.into_iter().collect();
    let used: BTreeSet<usize> = raw
        .iter()
        .filter_map(|edge| match edge.name {
            Name::Symbol(index) => Some(index),
            Name::Plain(_) => None,
        })
        .collect();
    let names = demangle(used.iter().map(|&index| symbols.all[index].name.clone()).collect());
    let by_symbol: BTreeMap<usize, String> = used.into_iter().zip(names).collect();
    // A function is where its edge begins; one without a line is where it was last seen to be.
    let mut last_file = 0;
    let placed: Vec<(Function, &RawEdge)> = raw
        .iter()
        .map(|edge| {
            last_file = edge.lines.first().map_or(last_file, |line| renumbered(line).file);
            let name = match &edge.name {
                Name::Symbol(index) => by_symbol.get(index).cloned().unwrap_or_default(),
                Name::Plain(name) => name.clone(),
            };
            (Function { name, file: last_file }, edge)
        })
        .collect();
    let functions: BTreeSet<Function> =
        placed.iter().map(|(function, _)| function.clone()).collect();
    let functions: Vec<Function> = functions.into_iter().collect();
    let edges: Vec<(u32, Vec<u32>)> = placed
        .iter()
        .map(|(function, edge)| {
            let function = functions.binary_search(function).expect("all were collected") as u32;
            let number = |line: &Line| {
                lines.binary_search(&renumbered(line)).expect("all were collected") as u32
            };
            (function, edge.lines.iter().map(number).collect())
        })
        .collect();
    Map::new(files, functions, lines, edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_matchers_lead_back_to_their_patterns() {
        let text = "static bool\nf ()\n{\n/* #line 70 \"../../src/gcc/match.pd\" */\n  a;\n  b;\n\
                    /* #line 71 \"../../src/gcc/match.pd\" */\n  c;\n}\nint g;\n";
        let origins = Origins::of(text, Path::new("/b/gcc/x"));
        assert_eq!(origins.at(5), Some((Path::new("/b/src/gcc/match.pd"), 70)));
        let at = |number| origins.at(number).map(|(_, line)| line);
        assert_eq!([3, 5, 6, 8, 9, 10].map(at), [None, Some(70), Some(70), Some(71), None, None]);
    }

    #[test]
    fn paths_are_made_clean() {
        assert_eq!(clean(Path::new("/b/gcc/../../s/./gcc/a.cc")), Path::new("/s/gcc/a.cc"));
    }
}
