//! Making the environment: the types and the global data of a program, with initial values.

use crate::aggregate::{ArrayKind, Base, Category, Member, Shape, StructType, Variable};
use crate::construct::Construct;
use crate::enumeration::Enumeration;
use crate::floats::Floats;
use crate::grid::{Bits, Fill, Grid};
use crate::int_type::{IntType, TypeRules};
use crate::memory::{Cell, Memory, Place, Pointer, stored};
use crate::options::Options;
use crate::parameter::{Parameter, Parameters};
use crate::real::RealType;
use crate::writer::push_digits;
use base::Random;

/// Kinds of places that assignments choose among, in the order of parameter 4.
pub(crate) const PLACE_KINDS: usize = 5;
const VARIABLE: usize = 0;
const MEMBER: usize = 1;
const ELEMENT: usize = 2;
const MEMBER_OF_ELEMENT: usize = 3;
const DEREFERENCE: usize = 4;

/// The letter of volatile variables.
const VOLATILE: u8 = b'u';

/// The types and the global data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The integer types that the program uses.
    pub types: Vec<IntType>,
    pub structs: Vec<StructType>,
    pub variables: Vec<Variable>,
    pub memory: Memory,
    /// The global places that expressions may read.
    pub readable: Vec<u32>,
    /// Those of them that nobody writes.
    pub inputs: Vec<u32>,
    /// The global places that assignments may write: mixed and output, by kind.
    pub writable: [[Vec<u32>; PLACE_KINDS]; 2],
    /// The global places whose address may be taken, by category and type. Constants are not
    /// among them.
    pub addressable: [[Vec<u32>; 11]; 3],
    /// Constant input places by type: only pointers to const may point there.
    pub constant_inputs: [Vec<u32>; 11],
    /// The mixed and the output pointers.
    pub assignable_pointers: [Vec<u32>; 2],
    /// The grids.
    pub grids: Vec<Grid>,
    /// How many of them are of integers; the others are of floating point.
    pub integer_grids: usize,
    /// The enumerated types.
    pub enums: Vec<Enumeration>,
    /// Mixed variables of these types: the place and the type.
    pub enum_variables: Vec<(u32, usize)>,
    /// Where the random bits start that fill the grids.
    pub bits: Bits,
}

/// The environment of a program.
pub(crate) fn environment(
    options: &Options,
    rules: &TypeRules,
    parameters: &Parameters,
    random: Random,
    more: Random,
) -> Environment {
    let environment = Environment::default();
    let mut maker = Maker {
        options,
        rules,
        parameters,
        random,
        environment,
        array_types: Vec::new(),
        counts: [0; 256],
        use_cells: 0,
    };
    maker.choose_types();
    maker.make_struct_types();
    maker.make_array_types();
    for category in Category::ALL {
        maker.make_variables(category);
    }
    for category in Category::ALL {
        maker.make_pointers(category);
    }
    // A stream of its own: the data of the paper's constructs stays what it is.
    maker.random = more;
    maker.make_grids();
    maker.make_volatiles();
    maker.make_enums();
    maker.make_flags();
    maker.environment
}

pub(crate) struct Maker<'a> {
    pub options: &'a Options,
    rules: &'a TypeRules,
    parameters: &'a Parameters,
    pub random: Random,
    pub environment: Environment,
    /// What arrays are made of, and their sizes.
    array_types: Vec<(Base, u32)>,
    /// The next number for a name, by its letter.
    counts: [usize; 256],
    /// Cells of variables so far.
    use_cells: u32,
}

/// How a place is written while it is put together.
#[derive(Clone, Default)]
struct Path {
    text: Vec<u8>,
    tokens: u16,
}

impl Path {
    fn then(&self, text: &[u8], number: Option<usize>, end: &[u8], tokens: u16) -> Path {
        let mut path = self.clone();
        path.text.extend_from_slice(text);
        if let Some(number) = number {
            push_digits(&mut path.text, number as u64);
        }
        path.text.extend_from_slice(end);
        path.tokens += tokens;
        path
    }
}

/// What the places of one variable have in common.
#[derive(Clone, Copy)]
struct Owner {
    category: Category,
    constant: bool,
    volatile: bool,
}

impl Maker<'_> {
    fn choose_types(&mut self) {
        let mut allowed = IntType::ALL.to_vec();
        if !self.options.allows(Construct::Bool) {
            allowed.remove(0);
        }
        self.random.shuffle(&mut allowed);
        allowed.truncate(self.options.limits.integer_types as usize);
        self.environment.types = allowed;
    }

    pub fn any_type(&mut self) -> IntType {
        *self.random.pick(&self.environment.types)
    }

    pub fn up_to(&mut self, most: u32) -> u32 {
        self.random.below(u64::from(most) + 1) as u32
    }

    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        self.random.range(i64::from(low), i64::from(high)) as u32
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.percent(u64::from(percent))
    }

    fn draw(&mut self, parameter: Parameter) -> usize {
        self.parameters.draw(parameter, &mut self.random)
    }

    fn make_struct_types(&mut self) {
        if !self.options.allows(Construct::Structs) {
            return;
        }
        let least = u32::from(self.options.require.contains(&Construct::Structs));
        for _ in 0..self.up_to(self.options.limits.struct_types).max(least) {
            let members = self.between(1, self.options.limits.struct_members);
            let mut made = StructType { depth: 1, ..StructType::default() };
            for _ in 0..members {
                let member = self.make_member(&made);
                if let Member::Struct(inner) = member {
                    let inner = &self.environment.structs[inner];
                    made.depth = made.depth.max(inner.depth + 1);
                    made.fields += inner.fields;
                } else if matches!(member, Member::Integer(_) | Member::BitField(..)) {
                    made.fields += 1;
                }
                made.members.push(member);
            }
            if made.fields == 0 {
                // A struct of unnamed members only is undefined in C (C11 6.7.2.1).
                let ty = self.any_type();
                made.members.push(Member::Integer(ty));
                made.fields = 1;
            }
            self.environment.structs.push(made);
        }
    }

    fn make_member(&mut self, made: &StructType) -> Member {
        let limits = &self.options.limits;
        if self.draw(Parameter::MemberClass) == 1 && !self.environment.structs.is_empty() {
            let inner = self.random.index(self.environment.structs.len());
            let it = &self.environment.structs[inner];
            if it.depth < limits.struct_depth && made.fields + it.fields <= limits.struct_fields {
                return Member::Struct(inner);
            }
        }
        let ty = self.any_type();
        let choice = self.draw(Parameter::BitField);
        if choice < 2 && self.options.allows(Construct::BitFields) {
            let (ty, bits) = self.bit_field(ty);
            // An unnamed bit-field may have no bits at all: the next one starts a new unit.
            let none = choice == 0 && self.random.below(8) == 0;
            return match choice {
                0 => Member::Unnamed(ty, if none { 0 } else { bits }),
                _ => Member::BitField(ty, bits),
            };
        }
        if self.options.allows(Construct::StaticMembers) && self.chance(limits.static_percent) {
            let cell = self.new_cell(ty, 0);
            return Member::Static(ty, cell);
        }
        Member::Integer(ty)
    }

    /// The type and width of a bit-field.
    ///
    /// C has only `signed` and `unsigned` (and `_Bool`, which the paper leaves out), narrower
    /// than their type. C++ takes every type, and more bits than the type has, which then are
    /// padding; that is used for types below `int`, where both compilers promote to `int`.
    fn bit_field(&mut self, ty: IntType) -> (IntType, u8) {
        let least = self.options.limits.bit_field_min;
        let (ty, most) = if !self.options.standard.is_cxx() {
            (if ty.is_signed() { IntType::Int } else { IntType::UInt }, 31)
        } else if ty < IntType::Int {
            (ty, self.rules.width(ty) + 8)
        } else {
            (ty, self.rules.width(ty))
        };
        (ty, self.between(least.min(most), most) as u8)
    }

    fn make_variables(&mut self, category: Category) {
        let limits = &self.options.limits;
        let (low, high, structs, arrays) = match category {
            Category::Input => (
                limits.input_variables_min,
                limits.input_variables_max,
                limits.input_structs,
                limits.input_arrays,
            ),
            Category::Mixed => (
                limits.mixed_variables_min,
                limits.mixed_variables_max,
                limits.mixed_structs,
                limits.mixed_arrays,
            ),
            Category::Output => (
                limits.output_variables_min,
                limits.output_variables_max,
                limits.output_structs,
                limits.output_arrays,
            ),
        };
        for _ in 0..self.between(low, high) {
            let base = Base::Integer(self.any_type());
            let letter = [b'm', b'o', b'i'][category as usize];
            self.make_variable(letter, category, Shape::Single(base));
        }
        if !self.environment.structs.is_empty() {
            let least = u32::from(self.options.require.contains(&Construct::Structs));
            for _ in 0..self.up_to(structs).max(least) {
                let base = Base::Struct(self.random.index(self.environment.structs.len()));
                self.make_variable(b's', category, Shape::Single(base));
            }
        }
        if !self.array_types.is_empty() {
            let required = [Construct::Arrays, Construct::Containers];
            let least = u32::from(required.iter().any(|c| self.options.require.contains(c)));
            for _ in 0..self.up_to(arrays).max(least) {
                let shape = self.array();
                self.make_variable(b'a', category, shape);
            }
        }
    }

    fn make_array_types(&mut self) {
        if !self.options.allows(Construct::Arrays) {
            return;
        }
        let limits = &self.options.limits;
        let required = [Construct::Arrays, Construct::Containers];
        let least = u32::from(required.iter().any(|c| self.options.require.contains(c)));
        for _ in 0..self.up_to(limits.array_types).max(least) {
            let structs = self.draw(Parameter::ArrayBaseType) == 1;
            let base = if structs && !self.environment.structs.is_empty() {
                Base::Struct(self.random.index(self.environment.structs.len()))
            } else {
                Base::Integer(self.any_type())
            };
            let len = self.between(limits.array_size_min, limits.array_size_max);
            self.array_types.push((base, len));
        }
    }

    /// An array of one of the types; how it is lowered is drawn for each variable.
    fn array(&mut self) -> Shape {
        let (base, len) = *self.random.pick(&self.array_types);
        let mut kind = ArrayKind::ALL[self.draw(Parameter::ArrayKind)];
        let is_bool = matches!(base, Base::Integer(IntType::Bool));
        if !self.options.allows(Construct::Containers) || is_bool && kind == ArrayKind::Vector {
            kind = ArrayKind::C;
        }
        Shape::Array(kind, base, len)
    }

    pub fn make_variable(&mut self, letter: u8, category: Category, shape: Shape) {
        let (base, len) = match shape {
            Shape::Single(base) => (base, 1),
            Shape::Array(_, base, len) => (base, len),
            Shape::Pointer { .. } => unreachable!("pointers are made by `make_pointers`"),
        };
        let size = match base {
            Base::Integer(_) | Base::Enum(_) => len,
            Base::Struct(id) => len * self.environment.structs[id].fields,
        };
        // Single integers are always made: there is one of each category at least.
        let is_integer = matches!(shape, Shape::Single(Base::Integer(_)));
        if !is_integer && self.use_cells + size > self.options.limits.cells {
            return;
        }
        self.use_cells += size;
        let volatile = letter == VOLATILE;
        let constant = category == Category::Input
            && !volatile
            && self.options.allows(Construct::Const)
            && self.chance(self.options.limits.const_percent);
        let number = self.count(letter);
        let name = self.environment.memory.name(letter, number);
        let path = Path { text: self.environment.memory.text(name).to_vec(), tokens: 1 };
        let owner = Owner { category, constant, volatile };
        let first_cell = self.environment.memory.cells.len() as u32;
        let first_place = self.environment.memory.places.len() as u32;
        match shape {
            Shape::Array(kind, base, len) => {
                for index in 0..len as usize {
                    let path_here = path.then(b"[", Some(index), b"]", 3);
                    let other = matches!(kind, ArrayKind::Array | ArrayKind::Vector)
                        .then(|| path.then(b".at(", Some(index), b")", 5));
                    self.make_places(base, &path_here, other.as_ref(), owner, ELEMENT);
                }
            }
            _ => self.make_places(base, &path, None, owner, VARIABLE),
        }
        let places = first_place..self.environment.memory.places.len() as u32;
        self.environment.variables.push(Variable {
            name,
            category,
            constant,
            volatile,
            shape,
            first_cell,
            places,
        });
    }

    pub fn count(&mut self, letter: u8) -> usize {
        let number = self.counts[usize::from(letter)];
        self.counts[usize::from(letter)] += 1;
        number
    }

    /// Makes the cells and places of a variable, an element or an inner struct.
    fn make_places(
        &mut self,
        base: Base,
        path: &Path,
        other: Option<&Path>,
        owner: Owner,
        kind: usize,
    ) {
        let id = match base {
            Base::Integer(ty) => {
                let cell = self.new_cell(ty, 0);
                self.new_place(cell, path, other, owner, kind);
                return;
            }
            Base::Enum(_) => unreachable!("made by `make_enums`"),
            Base::Struct(id) => id,
        };
        let kind =
            if kind == ELEMENT || kind == MEMBER_OF_ELEMENT { MEMBER_OF_ELEMENT } else { MEMBER };
        for position in 0..self.environment.structs[id].members.len() {
            let member = self.environment.structs[id].members[position];
            let inner = path.then(b".f", Some(position), b"", 2);
            let other = other.map(|path| path.then(b".f", Some(position), b"", 2));
            match member {
                Member::Unnamed(..) => {}
                Member::Struct(id) => {
                    self.make_places(Base::Struct(id), &inner, other.as_ref(), owner, kind);
                }
                Member::Integer(ty) => {
                    let cell = self.new_cell(ty, 0);
                    self.new_place(cell, &inner, other.as_ref(), owner, kind);
                }
                Member::BitField(ty, bits) => {
                    let bits = u32::from(bits).min(self.rules.width(ty)) as u8;
                    let cell = self.new_cell(ty, bits);
                    self.new_place(cell, &inner, other.as_ref(), owner, kind);
                }
                Member::Static(_, cell) => {
                    let class = Path { text: b"S".to_vec(), tokens: 1 };
                    let mut class = class.then(b"", Some(id), b"::f", 2);
                    push_digits(&mut class.text, position as u64);
                    // The object's const does not reach static members, but an input is an input.
                    self.new_place(cell, &inner, Some(&class), owner, kind);
                }
            }
        }
    }

    fn new_cell(&mut self, ty: IntType, bits: u8) -> u32 {
        let value = stored(self.initial_value(ty), ty, bits, self.rules);
        self.environment.memory.cells.push(Cell { value, ty, bits });
        self.environment.memory.cells.len() as u32 - 1
    }

    /// Half uniform, a quarter small, a quarter of few bits: uniform values alone would let
    /// nearly every product overflow and so become a quotient.
    fn initial_value(&mut self, ty: IntType) -> i64 {
        let bits = self.random.next_u64() as i64;
        match self.random.below(4) {
            0 => bits % 17,
            1 => wrap_to(bits, 1 + self.random.below(u64::from(self.rules.width(ty))) as u32),
            _ => bits,
        }
    }

    fn new_place(
        &mut self,
        cell: u32,
        path: &Path,
        other: Option<&Path>,
        owner: Owner,
        kind: usize,
    ) {
        let is_member = kind == MEMBER || kind == MEMBER_OF_ELEMENT;
        let used = !is_member || self.draw(Parameter::MemberUse) == 0;
        let memory = &mut self.environment.memory;
        let id = memory.places.len() as u32;
        let spelling = memory.keep(&path.text, path.tokens);
        let other = other.map(|path| memory.keep(&path.text, path.tokens));
        let Cell { ty, bits, .. } = memory.cells[cell as usize];
        let constant = owner.constant;
        memory.places.push(Place { spelling, other, target: cell, dereference: false, constant });
        if owner.volatile {
            // Pointers are to what is not volatile.
        } else if bits == 0 && constant {
            self.environment.constant_inputs[ty as usize].push(id);
        } else if bits == 0 {
            self.environment.addressable[owner.category as usize][ty as usize].push(id);
        }
        if !used {
            return;
        }
        if owner.category != Category::Output {
            self.environment.readable.push(id);
        }
        if owner.category == Category::Input && !owner.volatile {
            self.environment.inputs.push(id);
        }
        if owner.category != Category::Input {
            self.environment.writable[owner.category as usize][kind].push(id);
        }
    }

    fn make_volatiles(&mut self) {
        if !self.options.allows(Construct::Volatile) {
            return;
        }
        for _ in 0..self.up_to(self.options.limits.volatiles) {
            let category = *self.random.pick(&Category::ALL);
            let base = Base::Integer(self.any_type());
            self.make_variable(VOLATILE, category, Shape::Single(base));
        }
    }

    fn make_grids(&mut self) {
        if !self.options.allows(Construct::Loops) || !self.options.allows(Construct::Arrays) {
            return;
        }
        let start = Bits(self.random.next_u64());
        let mut bits = start;
        for number in 0..self.options.limits.grids {
            // Two of three can be read and two of three written, whatever their number.
            let category =
                [Category::Mixed, Category::Input, Category::Output][number as usize % 3];
            let sizes = self.grid_sizes();
            let ty = self.any_type();
            let small = self.random.below(3) == 0;
            let width = self.rules.width(ty);
            let shift = match self.random.below(4) {
                _ if ty == IntType::Bool => 63,
                _ if small => 59,
                0 => 64 - width,
                _ => 64 - width.div_ceil(2) + self.random.below(3) as u32,
            };
            let offset = if self.random.below(3) == 0 && ty != IntType::Bool { 16 } else { 0 };
            let fill = Fill { shift, offset };
            let memory = &mut self.environment.memory;
            let first_cell = memory.cells.len() as u32;
            for _ in 0..sizes.iter().product::<u32>() {
                let value = self.rules.convert(bits.next(fill), ty);
                memory.cells.push(Cell { value, ty, bits: 0 });
            }
            let name = memory.name(b'b', number as usize);
            let real = None;
            let grid = Grid { name, category, ty, real, sizes, first_cell, fill };
            self.environment.grids.push(grid);
        }
        self.environment.integer_grids = self.environment.grids.len();
        if self.options.allows(Construct::Reals) {
            self.make_real_grids(&mut bits);
        }
        self.environment.bits = start;
    }

    fn make_real_grids(&mut self, bits: &mut Bits) {
        for number in 0..self.options.limits.real_grids {
            let category =
                [Category::Mixed, Category::Input, Category::Output][number as usize % 3];
            let sizes = self.grid_sizes();
            let real = Some(*self.random.pick(&RealType::ALL));
            let shift = 64 - self.random.range(3, 8) as u32;
            let bounded = self.options.floats == Floats::Bounded;
            let fill = Fill { shift, offset: if bounded { 0 } else { 4 } };
            let memory = &mut self.environment.memory;
            let first_cell = memory.cells.len() as u32;
            let ty = IntType::LLong;
            for _ in 0..sizes.iter().product::<u32>() {
                let number = bits.next(fill) as f64;
                let value = if bounded { 0.5 + number / 512.0 } else { number * 0.25 };
                memory.cells.push(Cell { value: value.to_bits() as i64, ty, bits: 0 });
            }
            let name = memory.name(b'd', number as usize);
            let grid = Grid { name, category, ty, real, sizes, first_cell, fill };
            self.environment.grids.push(grid);
        }
    }

    /// Sizes of one to three dimensions, such that loops of the usual length fit into most.
    fn grid_sizes(&mut self) -> Vec<u32> {
        let (most, longest) = (self.options.limits.grid_cells, 2 * self.options.limits.trip);
        let dimensions = [1, 1, 2, 2, 2, 3][self.random.index(6)];
        // The side of a grid whose sides are all alike.
        let side = f64::from(most).powf(1.0 / f64::from(dimensions)) as u32;
        let mut sizes = Vec::new();
        let mut left = most;
        for _ in 0..dimensions {
            let high = (side + side / 2).min(left).min(longest).max(1);
            let size = self.between((side / 2).clamp(1, high), high);
            sizes.push(size);
            left = (left / size).max(1);
        }
        sizes
    }

    fn make_pointers(&mut self, category: Category) {
        if !self.options.allows(Construct::Pointers) {
            return;
        }
        let least = u32::from(self.options.require.contains(&Construct::Pointers));
        for _ in 0..self.up_to(self.options.limits.pointers).max(least) {
            let ty = self.any_type();
            let to_const = category == Category::Input
                && self.options.allows(Construct::Const)
                && self.random.below(2) == 0;
            let free = &self.environment.addressable[category as usize][ty as usize];
            let fixed = &self.environment.constant_inputs[ty as usize];
            let all = free.len() + if to_const { fixed.len() } else { 0 };
            if all == 0 {
                continue;
            }
            let mut pick = || {
                let index = self.random.index(all);
                free.get(index).copied().unwrap_or_else(|| fixed[index - free.len()])
            };
            let (aim, other) = (pick(), pick());
            let constant = category == Category::Input
                && self.options.allows(Construct::Const)
                && self.chance(self.options.limits.const_percent);
            self.make_pointer(category, ty, to_const, constant, aim, other);
        }
    }

    fn make_pointer(
        &mut self,
        category: Category,
        ty: IntType,
        to_const: bool,
        constant: bool,
        aim: u32,
        other: u32,
    ) {
        let number = self.count(b'p');
        let memory = &mut self.environment.memory;
        let name = memory.name(b'p', number);
        let spelling = memory.dereferenced(name);
        let pointer = memory.pointers.len() as u32;
        let target = memory.cell_of(aim);
        memory.pointers.push(Pointer { name, ty, to_const, target });
        let place = memory.places.len() as u32;
        memory.places.push(Place {
            spelling,
            other: None,
            target: pointer,
            dereference: true,
            constant: to_const || category == Category::Input,
        });
        let shape = Shape::Pointer { pointer, aim, other };
        let places = place..place + 1;
        let variable =
            Variable { name, category, constant, volatile: false, shape, first_cell: 0, places };
        self.environment.variables.push(variable);
        if category != Category::Output {
            self.environment.readable.push(place);
        }
        if category != Category::Input {
            self.environment.writable[category as usize][DEREFERENCE].push(place);
            self.environment.assignable_pointers[category as usize].push(pointer);
        }
    }
}

fn wrap_to(bits: i64, width: u32) -> i64 {
    crate::int_type::wrap(bits, width, true)
}
