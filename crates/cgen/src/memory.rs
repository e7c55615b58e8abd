//! What the program's data holds at the point that generation has reached.
//!
//! Cells are integers in memory, places are the ways of writing them down. Locals are on top of
//! the globals in all tables and leave with their scope. In a branch that is not taken values are
//! tracked as if it were, and taken back at its end.

use crate::int_type::{IntType, TypeRules, wrap};
use crate::writer::push_digits;

/// A piece of [`Memory::text`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    len: u16,
    /// How many tokens it is.
    pub tokens: u16,
}

/// An integer in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// What it holds now.
    pub value: i64,
    /// Its declared type.
    pub ty: IntType,
    /// The bits of a bit-field, at most the width of the type; 0 if it is none.
    pub bits: u8,
}

/// An lvalue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// How it is written.
    pub spelling: Span,
    /// Another way to write it: `.at()` instead of `[]`, `S::f` instead of `s.f`.
    pub other: Option<Span>,
    /// The cell, or for a dereference the pointer.
    pub target: u32,
    /// Whether it is a dereferenced pointer.
    pub dereference: bool,
    /// Whether assignments to it are an error.
    pub constant: bool,
}

/// A pointer to an integer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pointer {
    /// Its name.
    pub name: Span,
    /// The type it points to.
    pub ty: IntType,
    /// Whether that type is const.
    pub to_const: bool,
    /// The cell it points to.
    pub target: u32,
}

/// A change in a branch that is not taken: what was there before.
#[derive(Clone, Copy, Debug)]
enum Change {
    Cell(u32, i64),
    Pointer(u32, u32),
}

/// How full the tables were.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    text: usize,
    cells: usize,
    places: usize,
    pointers: usize,
}

/// All data of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub cells: Vec<Cell>,
    pub places: Vec<Place>,
    pub pointers: Vec<Pointer>,
    text: Vec<u8>,
    untaken: u32,
    journal: Vec<Change>,
}

impl Memory {
    /// Keeps a piece of text.
    pub fn keep(&mut self, text: &[u8], tokens: u16) -> Span {
        let start = self.text.len() as u32;
        self.text.extend_from_slice(text);
        Span { start, len: text.len() as u16, tokens }
    }

    /// Keeps a name: a letter and a number.
    pub fn name(&mut self, letter: u8, number: usize) -> Span {
        let start = self.text.len();
        self.text.push(letter);
        push_digits(&mut self.text, number as u64);
        Span { start: start as u32, len: (self.text.len() - start) as u16, tokens: 1 }
    }

    /// Keeps `*name`.
    pub fn dereferenced(&mut self, name: Span) -> Span {
        let start = self.text.len() as u32;
        self.text.push(b'*');
        let from = name.start as usize;
        self.text.extend_from_within(from..from + usize::from(name.len));
        Span { start, len: name.len + 1, tokens: 2 }
    }

    /// The text of a span.
    #[inline]
    pub fn text(&self, span: Span) -> &[u8] {
        &self.text[span.start as usize..][..usize::from(span.len)]
    }

    /// The cell that a place names now.
    #[inline]
    pub fn cell_of(&self, place: u32) -> u32 {
        let place = &self.places[place as usize];
        if place.dereference { self.pointers[place.target as usize].target } else { place.target }
    }

    /// Assigns `value` to a place, converted as C does.
    #[inline]
    pub fn store(&mut self, place: u32, value: i64, rules: &TypeRules) {
        let index = self.cell_of(place);
        let cell = &mut self.cells[index as usize];
        let before = cell.value;
        cell.value = stored(value, cell.ty, cell.bits, rules);
        if self.untaken > 0 {
            self.journal.push(Change::Cell(index, before));
        }
    }

    /// Puts a value, which its type can hold, into a cell.
    #[inline]
    pub fn put(&mut self, cell: u32, value: i64) {
        let before = std::mem::replace(&mut self.cells[cell as usize].value, value);
        if self.untaken > 0 {
            self.journal.push(Change::Cell(cell, before));
        }
    }

    /// Lets a pointer point to another cell.
    pub fn aim(&mut self, pointer: u32, cell: u32) {
        let before = std::mem::replace(&mut self.pointers[pointer as usize].target, cell);
        if self.untaken > 0 {
            self.journal.push(Change::Pointer(pointer, before));
        }
    }

    /// Where a scope starts.
    pub fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            cells: self.cells.len(),
            places: self.places.len(),
            pointers: self.pointers.len(),
        }
    }

    /// Ends the scope that started at `mark`.
    pub fn leave_scope(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.cells.truncate(mark.cells);
        self.places.truncate(mark.places);
        self.pointers.truncate(mark.pointers);
    }

    /// Starts a branch that is not taken.
    pub fn enter_untaken(&mut self) -> usize {
        self.untaken += 1;
        self.journal.len()
    }

    /// Ends it; `start` is what its start gave. Its scope must have ended.
    pub fn leave_untaken(&mut self, start: usize) {
        self.untaken -= 1;
        while self.journal.len() > start {
            // Locals of the branch are gone, and those of a later scope may have their number;
            // neither is below the marks of the scopes that are still open.
            match self.journal.pop().expect("longer than start") {
                Change::Cell(cell, value) => {
                    if let Some(cell) = self.cells.get_mut(cell as usize) {
                        cell.value = value;
                    }
                }
                Change::Pointer(pointer, target) => {
                    if let Some(pointer) = self.pointers.get_mut(pointer as usize) {
                        pointer.target = target;
                    }
                }
            }
        }
    }

    /// Whether the code being generated is executed.
    pub fn is_taken(&self) -> bool {
        self.untaken == 0
    }
}

/// What a cell of this type holds after an assignment of `value`.
#[inline]
pub(crate) fn stored(value: i64, ty: IntType, bits: u8, rules: &TypeRules) -> i64 {
    if bits == 0 || ty == IntType::Bool {
        rules.convert(value, ty)
    } else {
        wrap(value, u32::from(bits), ty.is_signed())
    }
}
