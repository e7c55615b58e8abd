//! Writing declarations and definitions of types and globals.

use crate::aggregate::{ArrayKind, Base, Category, Member, Shape, Variable};
use crate::environment::Environment;
use crate::floats::Floats;
use crate::grid::{Bits, Grid};
use crate::int_type::{IntType, TypeRules};
use crate::print::literal;
use crate::writer::Writer;

/// Writes what the environment declares.
pub(crate) struct Definitions<'a> {
    pub environment: &'a Environment,
    pub rules: &'a TypeRules,
    pub cxx: bool,
    /// One file: nothing is const, since a const needs its value where all can see it, and values
    /// are assigned at run time.
    pub single: bool,
    /// What floating point is like.
    pub floats: Floats,
}

impl Definitions<'_> {
    /// The headers that the containers need.
    pub fn includes(&self, out: &mut Writer) {
        let kinds = [
            (ArrayKind::Valarray, "valarray"),
            (ArrayKind::Array, "array"),
            (ArrayKind::Vector, "vector"),
        ];
        for (kind, header) in kinds {
            let used = |v: &Variable| matches!(v.shape, Shape::Array(it, ..) if it == kind);
            if self.environment.variables.iter().any(used) {
                out.text(b"#include<", 3);
                out.text(header.as_bytes(), 1);
                out.text(b">\n", 1);
            }
        }
    }

    /// The enumerated types and the struct types.
    pub fn types(&self, out: &mut Writer) {
        self.enums(out);
        for (id, structure) in self.environment.structs.iter().enumerate() {
            out.text(b"struct S", 2);
            out.digits(id as u64);
            out.text(b"{\n", 1);
            for (position, member) in structure.members.iter().enumerate() {
                self.member(out, position, *member);
            }
            out.text(b"};\n", 2);
        }
    }

    /// `enum E0{c0=-3,c1,c2=9};`
    fn enums(&self, out: &mut Writer) {
        let memory = &self.environment.memory;
        for (id, enumeration) in self.environment.enums.iter().enumerate() {
            out.text(b"enum E", 2);
            out.digits(id as u64);
            let mut next = 0;
            for (at, constant) in enumeration.constants.iter().enumerate() {
                out.mark(if at == 0 { b'{' } else { b',' });
                out.text(memory.text(memory.places[constant.place as usize].spelling), 1);
                if constant.value != next {
                    out.mark(b'=');
                    literal(out, constant.value, IntType::Int, self.rules);
                }
                next = constant.value + 1;
            }
            out.text(b"};\n", 2);
        }
    }

    fn member(&self, out: &mut Writer, position: usize, member: Member) {
        let field = |out: &mut Writer| {
            out.text(b" f", 1);
            out.digits(position as u64);
        };
        match member {
            Member::Integer(ty) => {
                self.integer(out, ty);
                field(out);
            }
            Member::BitField(ty, bits) | Member::Unnamed(ty, bits) => {
                if ty == IntType::Int {
                    // Whether a plain int bit-field is signed is implementation-defined in C.
                    out.text(b"signed", 1);
                } else {
                    self.integer(out, ty);
                }
                if matches!(member, Member::BitField(..)) {
                    field(out);
                }
                out.mark(b':');
                out.digits(u64::from(bits));
                out.text(b"", 1);
            }
            Member::Static(ty, _) => {
                out.text(b"static ", 1);
                self.integer(out, ty);
                field(out);
            }
            Member::Struct(id) => {
                self.base(out, Base::Struct(id));
                field(out);
            }
        }
        out.text(b";\n", 1);
    }

    fn integer(&self, out: &mut Writer, ty: IntType) {
        let (spelling, tokens) = ty.spelling(self.cxx);
        out.text(spelling, tokens);
    }

    fn base(&self, out: &mut Writer, base: Base) {
        match base {
            Base::Integer(ty) => self.integer(out, ty),
            Base::Enum(id) => {
                out.text(b"enum E", 2);
                out.digits(id as u64);
            }
            Base::Struct(id) => {
                out.text(if self.cxx { b"" } else { b"struct " }, u64::from(!self.cxx));
                out.text(b"S", 1);
                out.digits(id as u64);
            }
        }
    }

    /// `const int name`, without what comes before and after.
    pub fn declarator(&self, out: &mut Writer, variable: &Variable) {
        let memory = &self.environment.memory;
        let constant = variable.constant && !self.single;
        let name = |out: &mut Writer| out.text(memory.text(variable.name), 1);
        if let Shape::Pointer { pointer, .. } = variable.shape {
            let pointer = &memory.pointers[pointer as usize];
            out.text(if pointer.to_const { b"const " } else { b"" }, u64::from(pointer.to_const));
            self.integer(out, pointer.ty);
            out.mark(b'*');
            out.text(if constant { b"const " } else { b"" }, u64::from(constant));
            name(out);
            return;
        }
        out.text(if constant { b"const " } else { b"" }, u64::from(constant));
        out.text(if variable.volatile { b"volatile " } else { b"" }, u64::from(variable.volatile));
        match variable.shape {
            Shape::Single(base) => {
                self.base(out, base);
                out.space(b' ');
                name(out);
            }
            Shape::Array(kind, base, len) => {
                let container: &[u8] = match kind {
                    ArrayKind::C => b"",
                    ArrayKind::Valarray => b"std::valarray<",
                    ArrayKind::Array => b"std::array<",
                    ArrayKind::Vector => b"std::vector<",
                };
                out.text(container, if kind == ArrayKind::C { 0 } else { 4 });
                self.base(out, base);
                if kind == ArrayKind::Array {
                    out.mark(b',');
                    out.digits(u64::from(len));
                    out.text(b"", 1);
                }
                out.text(
                    if kind == ArrayKind::C { b" " } else { b"> " },
                    u64::from(kind != ArrayKind::C),
                );
                name(out);
                if kind == ArrayKind::C {
                    out.mark(b'[');
                    out.digits(u64::from(len));
                    out.text(b"]", 2);
                }
            }
            Shape::Pointer { .. } => unreachable!("written above"),
        }
    }

    /// The definition of a variable with its initial value, or with room for it.
    pub fn definition(&self, out: &mut Writer, variable: &Variable) {
        self.declarator(out, variable);
        if self.single {
            if let Shape::Array(ArrayKind::Valarray | ArrayKind::Vector, _, len) = variable.shape {
                out.mark(b'(');
                out.digits(u64::from(len));
                out.text(b")", 2);
            }
        } else {
            out.mark(b'=');
            self.initializer(out, variable);
        }
        out.text(b";\n", 1);
    }

    fn initializer(&self, out: &mut Writer, variable: &Variable) {
        let mut cell = variable.first_cell;
        match variable.shape {
            Shape::Single(base) => self.value(out, base, &mut cell),
            Shape::Array(kind, base, len) => {
                // std::array is a struct around an array.
                let double = kind == ArrayKind::Array;
                out.text(if double { b"{{" } else { b"{" }, 1 + u64::from(double));
                for index in 0..len {
                    if index > 0 {
                        out.mark(b',');
                    }
                    self.value(out, base, &mut cell);
                }
                out.text(if double { b"}}" } else { b"}" }, 1 + u64::from(double));
            }
            Shape::Pointer { aim, .. } => self.address(out, aim),
        }
    }

    fn address(&self, out: &mut Writer, place: u32) {
        let memory = &self.environment.memory;
        let spelling = memory.places[place as usize].spelling;
        out.mark(b'&');
        out.text(memory.text(spelling), u64::from(spelling.tokens));
    }

    /// The initial value of an integer or struct whose first cell is `cell`.
    fn value(&self, out: &mut Writer, base: Base, cell: &mut u32) {
        let id = match base {
            Base::Integer(_) => {
                self.cell(out, *cell);
                *cell += 1;
                return;
            }
            Base::Enum(id) => {
                // C++ takes no number for it.
                let memory = &self.environment.memory;
                let value = memory.cells[*cell as usize].value;
                let constants = &self.environment.enums[id].constants;
                let named = constants.iter().find(|constant| constant.value == value);
                let named = named.expect("variables start with a constant of their type");
                out.text(memory.text(memory.places[named.place as usize].spelling), 1);
                *cell += 1;
                return;
            }
            Base::Struct(id) => id,
        };
        out.mark(b'{');
        let mut first = true;
        for member in &self.environment.structs[id].members {
            let base = match *member {
                Member::Unnamed(..) | Member::Static(..) => continue,
                Member::Integer(ty) | Member::BitField(ty, _) => Base::Integer(ty),
                Member::Struct(id) => Base::Struct(id),
            };
            if !std::mem::take(&mut first) {
                out.mark(b',');
            }
            self.value(out, base, cell);
        }
        out.mark(b'}');
    }

    /// The value that a cell holds.
    fn cell(&self, out: &mut Writer, cell: u32) {
        let cell = self.environment.memory.cells[cell as usize];
        literal(out, cell.value, cell.ty.promoted(), self.rules);
    }

    /// `int b0[4][5]`.
    fn grid(&self, out: &mut Writer, grid: &Grid) {
        match grid.real {
            Some(real) => out.text(real.spelling().0, real.spelling().1),
            None => self.integer(out, grid.ty),
        }
        out.space(b' ');
        out.text(self.environment.memory.text(grid.name), 1);
        for size in &grid.sizes {
            out.mark(b'[');
            out.digits(u64::from(*size));
            out.text(b"]", 2);
        }
    }

    /// The declarations of the grids, or their definitions.
    pub fn grids(&self, out: &mut Writer, declare: bool) {
        for grid in &self.environment.grids {
            if declare {
                out.text(b"extern ", 1);
            }
            self.grid(out, grid);
            out.text(b";\n", 1);
        }
    }

    /// Loops over all elements of a grid, with what stands before and after each.
    fn each_element(
        &self,
        out: &mut Writer,
        grid: &Grid,
        before: (&[u8], u64),
        after: &dyn Fn(&mut Writer),
    ) {
        const VARIABLES: &[u8] = b"ijk";
        for (variable, size) in VARIABLES.iter().zip(&grid.sizes) {
            out.text(b"for(int ", 3);
            out.mark(*variable);
            out.text(b"=0;", 3);
            out.mark(*variable);
            out.mark(b'<');
            out.digits(u64::from(*size));
            out.text(b";", 2);
            out.mark(*variable);
            out.text(b"++)", 2);
        }
        out.text(before.0, before.1);
        out.text(self.environment.memory.text(grid.name), 1);
        for (variable, _) in VARIABLES.iter().zip(&grid.sizes) {
            out.mark(b'[');
            out.mark(*variable);
            out.mark(b']');
        }
        after(out);
        out.text(b";\n", 1);
    }

    /// The function `r` that fills the grids. In one file their values depend on a volatile zero.
    pub fn fill_grids(&self, out: &mut Writer) {
        if self.environment.grids.is_empty() {
            return;
        }
        out.text(Bits::DEFINITION, Bits::TOKENS);
        out.text(if self.cxx { b"static void r(){\ny=" } else { b"static void r(void){\ny=" }, 8);
        out.text(b"", u64::from(!self.cxx));
        out.digits(self.environment.bits.0);
        out.text(b"ull", 1);
        if self.single {
            out.text(b"+w", 2);
        }
        out.text(b";\n", 1);
        for grid in &self.environment.grids {
            self.each_element(out, grid, (b"", 0), &|out| {
                let bounded = self.floats == Floats::Bounded;
                match grid.real {
                    Some(_) if bounded => out.text(b"=0.5+(int)g(", 8),
                    Some(_) => out.text(b"=((int)g(", 7),
                    None => out.text(b"=g(", 3),
                }
                out.digits(u64::from(grid.fill.shift));
                out.text(b")", 2);
                if grid.fill.offset > 0 {
                    out.mark(b'-');
                    out.digits(u64::from(grid.fill.offset));
                    out.text(b"", 1);
                }
                match grid.real {
                    Some(_) if bounded => out.text(b"/512.0", 2),
                    Some(_) => out.text(b")*0.25", 3),
                    None => {}
                }
            });
        }
        out.text(b"}\n", 1);
    }

    /// Adds the elements of all mixed and output grids to the checksum.
    pub fn check_grids(&self, out: &mut Writer) {
        for grid in &self.environment.grids {
            if grid.category == Category::Input || grid.is_apart(self.floats) {
                continue;
            }
            if grid.real.is_some() {
                // What is in memory is a multiple of 1/64.
                let before: (&[u8], u64) = (b"h((long long)(", 7);
                self.each_element(out, grid, before, &|out| out.text(b"*64))", 4));
            } else {
                self.each_element(out, grid, (b"h(", 2), &|out| out.mark(b')'));
            }
        }
    }

    /// Prints what need not be exact, a number a line.
    pub fn print_apart(&self, out: &mut Writer) {
        for grid in self.environment.grids.iter().filter(|grid| grid.is_apart(self.floats)) {
            if grid.category != Category::Input {
                let before: (&[u8], u64) = (b"printf(\"about %.9g\\n\",(double)", 7);
                self.each_element(out, grid, before, &|out| out.mark(b')'));
            }
        }
    }

    /// The definitions of static members.
    pub fn static_members(&self, out: &mut Writer) {
        for (id, structure) in self.environment.structs.iter().enumerate() {
            for (position, member) in structure.members.iter().enumerate() {
                let Member::Static(ty, cell) = *member else { continue };
                self.integer(out, ty);
                out.space(b' ');
                self.static_name(out, id, position);
                if !self.single {
                    out.mark(b'=');
                    self.cell(out, cell);
                }
                out.text(b";\n", 1);
            }
        }
    }

    fn static_name(&self, out: &mut Writer, id: usize, position: usize) {
        out.text(b"S", 1);
        out.digits(id as u64);
        out.text(b"::f", 2);
        out.digits(position as u64);
    }

    /// One file: the function `n` that gives all globals their initial values at run time.
    ///
    /// Every value is added to a volatile zero, `w`, so no compiler may know it, with inlining,
    /// `-fwhole-program` or LTO: reading a volatile object is a side effect with an unknown
    /// result. `noinline` would not hide values from interprocedural passes, and `noipa`, which
    /// does, is unknown to Clang.
    pub fn assignments(&self, out: &mut Writer) {
        let memory = &self.environment.memory;
        out.text(b"volatile int w;\n", 4);
        if self.cxx {
            out.text(b"static void n(){\n", 6);
        } else {
            out.text(b"static void n(void){\n", 7);
        }
        for (id, structure) in self.environment.structs.iter().enumerate() {
            for (position, member) in structure.members.iter().enumerate() {
                let Member::Static(_, cell) = *member else { continue };
                self.static_name(out, id, position);
                out.mark(b'=');
                self.cell(out, cell);
                out.text(b"+w;\n", 3);
            }
        }
        for variable in &self.environment.variables {
            if let Shape::Pointer { aim, other, .. } = variable.shape {
                out.text(memory.text(variable.name), 1);
                out.text(b"=w?", 3);
                self.address(out, other);
                out.mark(b':');
                self.address(out, aim);
                out.text(b";\n", 1);
                continue;
            }
            for place in variable.places.clone() {
                let place = &memory.places[place as usize];
                if place.target < variable.first_cell {
                    continue; // A static member, done above.
                }
                out.text(memory.text(place.spelling), u64::from(place.spelling.tokens));
                out.mark(b'=');
                if let Shape::Single(Base::Enum(id)) = variable.shape {
                    out.text(b"(enum E", 3);
                    out.digits(id as u64);
                    out.text(b")(", 2);
                    self.cell(out, place.target);
                    out.text(b"+w);\n", 4);
                    continue;
                }
                self.cell(out, place.target);
                out.text(b"+w;\n", 3);
            }
        }
        out.text(b"}\n", 1);
    }
}
