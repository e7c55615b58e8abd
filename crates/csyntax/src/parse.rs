//! From a text to its tree, by libclang.
#![allow(unsafe_code)]

use crate::ctype::{Class, Type};
use crate::ffi::{Api, BREAK, CONTINUE, Cursor, IndexOptions, Location, RawType, UnsavedFile};
use crate::kind::Kind;
use crate::library::Library;
use crate::tree::{Entity, Node, NodeId, Problem, Tree};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, c_int, c_uint, c_void};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock, PoisonError};
use std::thread;

/// How a text is to be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// The name of the file, by whose ending clang tells the language.
    pub file_name: String,
    /// Arguments of clang, such as `-std=c99`, `-I…` or `-Wuninitialized`.
    pub args: Vec<String>,
}

/// Why there is no tree.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// libclang failed: it crashed (and survived it), or refuses its arguments.
    #[error("libclang could not read {file_name}: error {code}")]
    Failed {
        /// The name of the file.
        file_name: String,
        /// libclang's number for it.
        code: i32,
    },
    /// Its tree is too deep to be walked.
    #[error("{0} is nested deeper than {DEEPEST} levels")]
    TooDeep(String),
    /// We could not make a thread.
    #[error("cannot make a thread to read {0}: {1}")]
    Thread(String, std::io::Error),
    /// A NUL in a name or an argument.
    #[error("a file name or argument for libclang holds a NUL")]
    Nul,
}

pub(crate) fn version_text(api: &Api) -> String {
    // SAFETY: no arguments.
    api.text(unsafe { (api.getClangVersion)() })
}

impl Library {
    /// Reads a text. An invalid one has a tree as well, with its problems.
    ///
    /// # Errors
    /// When libclang fails.
    pub fn parse(&self, text: &[u8], dialect: &Dialect) -> Result<Tree, ParseError> {
        self.read(text, dialect, |unit| {
            let (nodes, roots) = unit.nodes()?;
            Ok(Tree { text: text.to_vec(), nodes, roots, problems: unit.problems() })
        })?
    }

    /// What clang says about a text, without a tree: faster.
    ///
    /// # Errors
    /// When libclang fails.
    pub fn problems(&self, text: &[u8], dialect: &Dialect) -> Result<Vec<Problem>, ParseError> {
        self.read(text, dialect, Unit::problems)
    }

    /// Reads a text as one that was read the same way before, whose headers are then not read
    /// again.
    fn read<T>(
        &self,
        text: &[u8],
        dialect: &Dialect,
        look: impl FnOnce(&Unit) -> T,
    ) -> Result<T, ParseError> {
        let directives = directives(text);
        let fits = |unit: &Unit| unit.dialect == *dialect && unit.directives == directives;
        let units = || self.units.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = units();
        let known = kept.iter().position(fits).map(|at| kept.swap_remove(at));
        drop(kept);
        let unit = match known.and_then(|unit| unit.parse_again(text)) {
            Some(unit) => unit,
            None => Unit::parse(&self.api, text, dialect, directives)?,
        };
        let found = look(&unit);
        if !unit.has_fatal_problem() {
            let mut kept = units();
            if kept.len() >= *MOST_UNITS {
                kept.remove(0);
            }
            kept.push(unit);
        }
        Ok(found)
    }
}

/// The lines of the preprocessor. A unit is only read again with the same ones: libclang has taken
/// a text that lost an `#include` for a wrong one.
fn directives(text: &[u8]) -> Vec<u8> {
    let lines =
        text.split(|&c| c == b'\n').filter(|line| line.trim_ascii_start().starts_with(b"#"));
    lines.collect::<Vec<_>>().join(&b'\n')
}

const WARNING: c_int = 2;
const ERROR: c_int = 3;
const FATAL: c_int = 4;

/// Deeper trees are refused: whoever reads them goes down level by level, on stacks of 2 MB. Only tests of limits
/// have more.
const DEEPEST: usize = 1500;
/// A level takes 2 KB of the stack (libclang 22), more where clang looks for the end of an expression; only what is
/// used takes memory.
const STACK: usize = 64 << 20;

/// Of files that may be read again: as many as threads read at the same time. A unit takes 2 MB, which every process
/// that we start copies the page tables of.
static MOST_UNITS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(4, |threads| threads.get().max(4)));

/// Keep what the headers at the top of a file hold, from the first time on.
const KEEP_HEADERS: c_uint = 0x4 | 0x100;

/// A parsed file in libclang's hands.
pub(crate) struct Unit {
    api: Arc<Api>,
    index: *mut c_void,
    unit: *mut c_void,
    dialect: Dialect,
    directives: Vec<u8>,
}

// SAFETY: libclang lets any thread use a unit, one at a time.
unsafe impl Send for Unit {}

impl Drop for Unit {
    fn drop(&mut self) {
        // SAFETY: both came from libclang and are given back once.
        unsafe {
            if !self.unit.is_null() {
                (self.api.disposeTranslationUnit)(self.unit);
            }
            (self.api.disposeIndex)(self.index);
        }
    }
}

impl Unit {
    fn parse(
        api: &Arc<Api>,
        text: &[u8],
        dialect: &Dialect,
        directives: Vec<u8>,
    ) -> Result<Unit, ParseError> {
        let c_string = |text: &str| CString::new(text).map_err(|_| ParseError::Nul);
        let name = c_string(&dialect.file_name)?;
        let mut args = vec![c_string("-fno-spell-checking")?, c_string("-ferror-limit=0")?];
        for arg in &dialect.args {
            args.push(c_string(arg)?);
        }
        // The blank lines before a text's first declaration, read as headers are, are no unit that
        // lacks declarations.
        args.push(c_string("-Wno-empty-translation-unit")?);
        let pointers: Vec<_> = args.iter().map(|arg| arg.as_ptr()).collect();
        let mut file = UnsavedFile {
            name: name.as_ptr(),
            contents: text.as_ptr().cast(),
            length: text.len() as _,
        };
        let mut unit = std::ptr::null_mut();
        // SAFETY: the strings, the file and `unit` outlive the call.
        let (index, code) = unsafe {
            let index = (api.createIndexWithOptions)(&IndexOptions::new());
            let code = (api.parseTranslationUnit2)(
                index,
                name.as_ptr(),
                pointers.as_ptr(),
                pointers.len() as c_int,
                &mut file,
                1,
                KEEP_HEADERS,
                &mut unit,
            );
            (index, code)
        };
        let parsed =
            Unit { api: Arc::clone(api), index, unit, dialect: dialect.clone(), directives };
        if code != 0 || unit.is_null() {
            return Err(ParseError::Failed { file_name: dialect.file_name.clone(), code });
        }
        Ok(parsed)
    }

    /// The same with another text; nothing when libclang can't.
    fn parse_again(self, text: &[u8]) -> Option<Unit> {
        let name = CString::new(self.dialect.file_name.as_str()).ok()?;
        let mut file = UnsavedFile {
            name: name.as_ptr(),
            contents: text.as_ptr().cast(),
            length: text.len() as _,
        };
        // SAFETY: the strings outlive the call.
        let code = unsafe { (self.api.reparseTranslationUnit)(self.unit, 1, &mut file, 0) };
        (code == 0).then_some(self)
    }

    /// Did clang give up? Then it calls every later text wrong as well.
    fn has_fatal_problem(&self) -> bool {
        let api = &self.api;
        // SAFETY: the numbers are below the count, each diagnostic is disposed of once.
        unsafe {
            (0..(api.getNumDiagnostics)(self.unit)).any(|number| {
                let diagnostic = (api.getDiagnostic)(self.unit, number);
                let severity = (api.getDiagnosticSeverity)(diagnostic);
                (api.disposeDiagnostic)(diagnostic);
                severity >= FATAL
            })
        }
    }

    fn problems(&self) -> Vec<Problem> {
        let api = &self.api;
        // SAFETY: the numbers are below the count, each diagnostic is disposed of once.
        unsafe {
            (0..(api.getNumDiagnostics)(self.unit))
                .filter_map(|number| {
                    let diagnostic = (api.getDiagnostic)(self.unit, number);
                    let severity = (api.getDiagnosticSeverity)(diagnostic);
                    let message = api.text((api.getDiagnosticSpelling)(diagnostic));
                    let option =
                        api.text((api.getDiagnosticOption)(diagnostic, std::ptr::null_mut()));
                    let at = api.offset((api.getDiagnosticLocation)(diagnostic)).0;
                    (api.disposeDiagnostic)(diagnostic);
                    let problem = Problem { is_error: severity >= ERROR, message, option, at };
                    (severity >= WARNING).then_some(problem)
                })
                .collect()
        }
    }

    /// The tree, walked on a stack of its own: libclang calls us for each level, and compilers' tests have
    /// thousands.
    fn nodes(&self) -> Result<(Vec<Node>, Vec<NodeId>), ParseError> {
        let name = || self.dialect.file_name.clone();
        let unit = Walked(self);
        let walked = thread::scope(|scope| {
            let walk = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let unit = unit;
                unit.0.walk()
            });
            walk.map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        match walked {
            Ok(Some(tree)) => Ok(tree),
            Ok(None) => Err(ParseError::TooDeep(name())),
            Err(error) => Err(ParseError::Thread(name(), error)),
        }
    }

    /// The tree; nothing if it is too deep.
    fn walk(&self) -> Option<(Vec<Node>, Vec<NodeId>)> {
        let mut builder = Builder {
            api: &self.api,
            nodes: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
            is_too_deep: false,
            entities: BTreeMap::new(),
            types: HashMap::new(),
        };
        // SAFETY: the visitor gets the builder back, which outlives the call.
        unsafe {
            let root = (self.api.getTranslationUnitCursor)(self.unit);
            let data = std::ptr::from_mut(&mut builder).cast();
            (self.api.visitChildren)(root, visit, data);
        }
        (!builder.is_too_deep).then_some((builder.nodes, builder.roots))
    }
}

/// A unit on its way to the thread that walks it.
#[derive(Clone, Copy)]
struct Walked<'a>(&'a Unit);

// SAFETY: whoever lends it waits for the thread.
unsafe impl Send for Walked<'_> {}

extern "C" fn visit(cursor: Cursor, _parent: Cursor, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the builder that `Unit::nodes` or this function passed, and nobody else
    // uses it meanwhile.
    let builder = unsafe { &mut *data.cast::<Builder<'_>>() };
    if builder.open.len() >= DEEPEST {
        builder.is_too_deep = true;
        return BREAK;
    }
    if let Some(id) = builder.enter(cursor) {
        builder.open.push(id);
        let visit_children = builder.api.visitChildren;
        // SAFETY: as above.
        unsafe { visit_children(cursor, visit, data) };
        builder.open.pop();
    }
    if builder.is_too_deep { BREAK } else { CONTINUE }
}

struct Builder<'a> {
    api: &'a Api,
    nodes: Vec<Node>,
    roots: Vec<NodeId>,
    /// The ancestors of the next node.
    open: Vec<NodeId>,
    /// Were levels left out?
    is_too_deep: bool,
    /// Entities by where they are first declared.
    entities: BTreeMap<(usize, String), Entity>,
    types: HashMap<(i32, String), Type>,
}

impl Builder<'_> {
    fn enter(&mut self, cursor: Cursor) -> Option<NodeId> {
        let api = self.api;
        // SAFETY: cursors are values that stay valid as long as the unit.
        let (extent, location, name) = unsafe {
            let location = (api.getCursorLocation)(cursor);
            if self.open.is_empty() && (api.Location_isFromMainFile)(location) == 0 {
                return None;
            }
            let name = api.text((api.getCursorSpelling)(cursor));
            ((api.getCursorExtent)(cursor), location, name)
        };
        // SAFETY: as above.
        let (start, end) = unsafe {
            (api.offset((api.getRangeStart)(extent)), api.offset((api.getRangeEnd)(extent)))
        };
        if end.0 < start.0 {
            return None;
        }
        let kind = Kind::of(cursor.kind);
        let id = NodeId(self.nodes.len() as u32);
        let parent = self.open.last().copied();
        match parent {
            Some(parent) => self.nodes[parent.0 as usize].children.push(id),
            None => self.roots.push(id),
        }
        let node = Node {
            kind,
            range: Range { start: start.0, end: end.0 },
            parent,
            children: Vec::new(),
            name_at: api.offset(location).0,
            entity: self.entity(cursor, kind),
            ty: self.type_of(cursor, kind),
            operator: self.operator(cursor, kind),
            // SAFETY: as above.
            is_definition: unsafe { (api.isCursorDefinition)(cursor) } != 0,
            is_exact: !start.1 && !end.1,
            name,
        };
        self.nodes.push(node);
        Some(id)
    }

    /// What a cursor declares or refers to.
    fn entity(&mut self, cursor: Cursor, kind: Kind) -> Option<Entity> {
        let refers = matches!(
            kind,
            Kind::TypeReference
                | Kind::MemberReference
                | Kind::LabelReference
                | Kind::OtherReference
                | Kind::Name
                | Kind::Member
                | Kind::Goto
        );
        if !refers && !kind.is_declaration() && kind != Kind::Label {
            return None;
        }
        let api = self.api;
        // SAFETY: as in `enter`.
        let (location, name) = unsafe {
            let declared = if refers { (api.getCursorReferenced)(cursor) } else { cursor };
            if (api.Cursor_isNull)(declared) != 0 {
                return None;
            }
            let first = (api.getCanonicalCursor)(declared);
            (self.main_file_location(first)?, api.text((api.getCursorSpelling)(first)))
        };
        let key = (api.offset(location).0, name);
        let next = Entity(self.entities.len() as u32);
        Some(*self.entities.entry(key).or_insert(next))
    }

    fn main_file_location(&self, cursor: Cursor) -> Option<Location> {
        // SAFETY: as in `enter`.
        unsafe {
            let location = (self.api.getCursorLocation)(cursor);
            ((self.api.Location_isFromMainFile)(location) != 0).then_some(location)
        }
    }

    fn operator(&self, cursor: Cursor, kind: Kind) -> Option<&'static str> {
        const BINARY: [&str; 34] = [
            "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=",
            "==", "!=", "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=",
            "&=", "^=", "|=", ",",
        ];
        const UNARY: [&str; 15] = [
            "",
            "x++",
            "x--",
            "++x",
            "--x",
            "&",
            "*",
            "+",
            "-",
            "~",
            "!",
            "__real",
            "__imag",
            "__extension__",
            "co_await",
        ];
        // SAFETY: as in `enter`.
        let (number, names) = unsafe {
            match kind {
                Kind::Binary | Kind::CompoundAssignment => {
                    ((self.api.binary_operator?)(cursor), &BINARY[..])
                }
                Kind::Unary => ((self.api.unary_operator?)(cursor), &UNARY[..]),
                _ => return None,
            }
        };
        names.get(usize::try_from(number).ok()?).copied().filter(|name| !name.is_empty())
    }

    fn type_of(&mut self, cursor: Cursor, kind: Kind) -> Option<Type> {
        if !kind.is_expression() && !kind.is_declaration() {
            return None;
        }
        // SAFETY: as in `enter`.
        let raw = unsafe { (self.api.getCursorType)(cursor) };
        (raw.kind != 0).then(|| self.translate(raw))
    }

    fn translate(&mut self, raw: RawType) -> Type {
        let api = self.api;
        // SAFETY: types are values that stay valid as long as the unit.
        let (canonical, spelling) = unsafe {
            let canonical = (api.getCanonicalType)(raw);
            (canonical, api.text((api.getTypeSpelling)(canonical)))
        };
        let key = (canonical.kind, spelling);
        if let Some(known) = self.types.get(&key) {
            return known.clone();
        }
        let class = self.class(canonical);
        // libclang falls over the size of what has none, such as the type of a builtin's name.
        let sized = !matches!(class, Class::Void | Class::Function(_) | Class::Other);
        // SAFETY: as above.
        let (size, is_const, is_volatile) = unsafe {
            (
                sized
                    .then(|| (api.Type_getSizeOf)(canonical))
                    .and_then(|size| size.try_into().ok()),
                (api.isConstQualifiedType)(canonical) != 0,
                (api.isVolatileQualifiedType)(canonical) != 0,
            )
        };
        let spelling = key.1.clone();
        let made = Type { spelling, class, size, is_const, is_volatile };
        self.types.insert(key, made.clone());
        made
    }

    fn class(&mut self, raw: RawType) -> Class {
        let api = self.api;
        // SAFETY: as in `translate`.
        unsafe {
            match raw.kind {
                2 => Class::Void,
                3 => Class::Bool,
                4 | 5 | 8..=12 => Class::Integer { signed: false },
                6 | 7 | 13..=20 => Class::Integer { signed: true },
                21..=23 | 30..=32 | 39 => Class::Float,
                100 => Class::Complex,
                106 => Class::Enum,
                101 | 103 | 104 => {
                    let pointee = (api.getPointeeType)(raw);
                    Class::Pointer(Box::new(self.translate(pointee)))
                }
                112 | 114..=116 => {
                    let element = (api.getArrayElementType)(raw);
                    let length = u64::try_from((api.getArraySize)(raw)).ok();
                    Class::Array(Box::new(self.translate(element)), length)
                }
                113 | 176 => Class::Vector,
                105 => Class::Record,
                110 | 111 => {
                    let result = (api.getResultType)(raw);
                    Class::Function(Box::new(self.translate(result)))
                }
                _ => Class::Other,
            }
        }
    }
}
