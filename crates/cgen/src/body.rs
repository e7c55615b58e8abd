//! The bodies of the test functions: the state of generation, and blocks of statements.

use crate::constant::ConstantBuffer;
use crate::element::Induction;
use crate::environment::Environment;
use crate::grid::Access;
use crate::helper::Helper;
use crate::int_type::TypeRules;
use crate::lanes::Lanes;
use crate::limits::Limits;
use crate::loop_body::Around;
use crate::moving_pointer::Walker;
use crate::node::{Node, NodeId};
use crate::options::{Options, Policies};
use crate::parameter::{Parameter, Parameters};
use crate::policy::{Context, Regions};
use crate::statement::{ASSIGNMENT, PAPERS, STATEMENTS};
use crate::statistics::Statistics;
use crate::subexpression::SubexpressionBuffer;
use crate::writer::Writer;
use base::Random;

/// Everything that generation of statements reads and changes.
pub(crate) struct Body<'a> {
    pub options: &'a Options,
    pub limits: &'a Limits,
    pub policies: Policies,
    pub parameters: &'a Parameters,
    pub rules: &'a TypeRules,
    pub cxx: bool,
    pub negative_shifts: bool,
    pub environment: Environment,
    /// The number of global places: locals come after.
    pub globals: usize,
    /// The first place that is a local of the present function.
    pub locals: usize,
    pub random: Random,
    pub out: Writer,
    pub nodes: Vec<Node>,
    pub constants: ConstantBuffer,
    pub subexpressions: SubexpressionBuffer,
    pub regions: Regions,
    pub statistics: Statistics,
    /// Room for rebuilding subexpressions.
    pub built: Vec<NodeId>,
    /// The mixed globals that were written last.
    pub recent: [u32; 8],
    /// How many assignments to mixed globals there were.
    pub written: usize,
    /// How deep the present block is nested in conditionals.
    pub if_depth: u32,
    /// The iterations of the loops around.
    pub lanes: Lanes,
    /// The elements that expressions name.
    pub accesses: Vec<Access>,
    /// Room for the cells of an access.
    pub cells: Vec<u32>,
    /// The variables of the loops around, the outermost first.
    pub inductions: Vec<Induction>,
    /// The pointers that move with them, and how many there were.
    pub walkers: Vec<Walker>,
    pub walks: u32,
    /// The loops around, the outermost first.
    pub arounds: Vec<Around>,
    /// Labels so far.
    pub labels: u32,
    /// The functions that can be called.
    pub known: Vec<Helper>,
    /// Whether such a function is being made, which may read and write little.
    pub pure: bool,
    /// The functions that stand before the present one.
    pub functions: Writer,
    /// Outlined functions so far, and whether one is being made.
    pub outlines: u32,
    pub in_outline: bool,
    /// The bytes of what has been set aside.
    pub written_before: usize,
    /// The texts of nodes that only the present statement has.
    pub spelled: Vec<Writer>,
    /// Types of vectors so far.
    pub vector_types: u32,
    /// The grid that the present statement has used before.
    pub favourite: Option<u32>,
    /// Whether there are constructs beyond the paper's.
    pub more: bool,
    /// The statement count at which the function ends.
    pub last_statement: u64,
    /// The size of the file at which the function ends.
    pub last_byte: usize,
}

impl Body<'_> {
    /// Writes one function.
    pub fn function(&mut self, number: u32, random: Random, last_byte: usize) {
        self.random = random;
        self.last_byte = last_byte;
        self.last_statement = (self.made() + u64::from(self.limits.function_statements))
            .min(u64::from(self.limits.statements));
        self.regions = Regions::default();
        self.subexpressions.clear();
        self.accesses.clear();
        let outside = std::mem::take(&mut self.out);
        self.written_before = outside.len();
        self.out.text(b"void t", 2);
        self.out.digits(u64::from(number));
        if self.cxx {
            self.out.text(b"(){\n", 3);
        } else {
            self.out.text(b"(void){\n", 4);
        }
        // One statement at least, whatever the limits.
        self.block(u32::MAX, self.made() + 1);
        self.out.text(b"}\n", 1);
        let function = std::mem::replace(&mut self.out, outside);
        self.out.append(&std::mem::take(&mut self.functions));
        self.out.append(&function);
        self.written_before = 0;
    }

    /// Whether the function is as long as it may be.
    pub fn is_full(&self) -> bool {
        let bytes = self.written_before + self.out.len() + self.functions.len();
        bytes >= self.last_byte || self.made() >= self.last_statement
    }

    /// Statements so far.
    pub fn made(&self) -> u64 {
        self.statistics.statements.iter().sum()
    }

    /// Writes at most `most` statements in a scope of their own. Limits of the function end it
    /// early, once `least` statements have been made in all.
    pub fn block(&mut self, most: u32, least: u64) {
        let mark = self.environment.memory.mark();
        for _ in 0..most {
            if self.is_full() && self.made() >= least {
                break;
            }
            self.statement();
        }
        self.environment.memory.leave_scope(mark);
        self.lanes.leave_scope(self.environment.memory.cells.len());
        self.subexpressions.leave_scope(self.environment.memory.places.len());
    }

    pub(crate) fn statement(&mut self) {
        let context = self.next_context();
        let row = self.draw_statement();
        self.statistics.statements[row] += 1;
        if self.environment.memory.is_taken() {
            self.statistics.executed += 1;
            self.statistics.steps += self.lanes.count() as u64;
        }
        (STATEMENTS[row].generate)(self, context);
        self.clear_nodes();
    }

    /// The row of the next statement.
    fn draw_statement(&mut self) -> usize {
        if self.pure {
            let row = self.parameters.draw(Parameter::Statement, &mut self.random);
            return if (STATEMENTS[row].allowed)(self) { row } else { ASSIGNMENT };
        }
        if self.more {
            let more = self.parameters.draw(Parameter::MoreStatement, &mut self.random);
            if more > 0 && (STATEMENTS[PAPERS + more - 1].allowed)(self) {
                return PAPERS + more - 1;
            }
        }
        let row = self.parameters.draw(Parameter::Statement, &mut self.random);
        if (STATEMENTS[row].allowed)(self) {
            return row;
        }
        // At the depth limit an if becomes one of the other two.
        let row = self.random.index(PAPERS - 1);
        if (STATEMENTS[row].allowed)(self) { row } else { ASSIGNMENT }
    }

    /// Forgets the expressions of a statement, before others are made.
    pub fn clear_nodes(&mut self) {
        self.nodes.clear();
        self.spelled.clear();
        self.lanes.values.clear();
        self.favourite = None;
    }

    fn next_context(&mut self) -> Context {
        if !self.policies.contexts && !self.policies.constants {
            return Context::FREE;
        }
        self.regions.next_statement(
            self.policies,
            self.limits.region_percent,
            self.limits.scope_max,
            self.parameters,
            &mut self.random,
            &mut self.statistics.regions,
        )
    }

    /// Writes how a place is written.
    pub fn print_place(&mut self, place: u32, other: bool) {
        let memory = &self.environment.memory;
        let place = &memory.places[place as usize];
        let span = place.other.filter(|_| other).unwrap_or(place.spelling);
        self.out.text(memory.text(span), u64::from(span.tokens));
    }
}
