//! An integer by the next, the one before, its negative, or 0.

use super::rule_that;
use crate::host::{Host, Program};
use crate::literal::Literal;
use crate::place::{inner, is_bound};
use crate::rule::{Action, Arithmetic, Family};
use crate::site::Site;
use base::Edit;
use csyntax::{Class, Kind, NodeId, Tree};

const ALL: [Arithmetic; 4] =
    [Arithmetic::Increment, Arithmetic::Decrement, Arithmetic::Negate, Arithmetic::Zero];

pub(super) fn sites(host: &Host, program: &Program) -> Vec<(u8, Site)> {
    let tree = &program.tree;
    let mut found = Vec::new();
    for (id, node) in tree.nodes() {
        if node.kind != Kind::Integer || !node.is_exact {
            continue;
        }
        let Ok(old) = std::str::from_utf8(&tree.text()[node.range.clone()]) else { continue };
        let Some(literal) = Literal::read(old) else { continue };
        if is_null_pointer(tree, id) {
            continue;
        }
        let role = role(host, tree, id);
        for what in ALL.into_iter().filter(|&what| role.allows(&literal, what)) {
            let rule = rule_that(Family::Constant, Action::Constant(what));
            let (Some(rule), Some(new)) = (rule, changed(old, what)) else { continue };
            let site = Site::new(
                vec![Edit::replace(node.range.clone(), new.as_str())],
                format!("replaced {old} by {new}"),
            );
            found.push((rule, site));
        }
    }
    found
}

/// Is it a 0 that stands for a pointer to nothing?
fn is_null_pointer(tree: &Tree, id: NodeId) -> bool {
    tree.ancestors(id)
        .map(|id| tree.node(id))
        .take_while(|node| matches!(node.kind, Kind::Unexposed | Kind::Parenthesis))
        .any(|node| node.ty.as_ref().is_some_and(|ty| matches!(ty.class, Class::Pointer(_))))
}

/// The literal that takes the place of another; none if it would be the same or C has none.
pub(crate) fn changed(old: &str, what: Arithmetic) -> Option<String> {
    let literal = Literal::read(old)?;
    match what {
        Arithmetic::Increment => literal.with(literal.value.checked_add(1)?),
        Arithmetic::Decrement if literal.value == 0 => Some(literal.minus_one()),
        Arithmetic::Decrement => literal.with(literal.value - 1),
        Arithmetic::Negate if literal.value != 0 => Some(format!("(-{old})")),
        Arithmetic::Zero if literal.value != 0 => literal.with(0),
        Arithmetic::Negate | Arithmetic::Zero => None,
    }
}

/// What a constant is there for, which limits what it may become.
enum Role {
    Free,
    /// How long an array is, or how wide a bit-field, with the most that it may be.
    Size(u128),
    /// A `case`, whose value no other of the `switch` may have.
    Case {
        is_negative: bool,
        taken: Vec<i128>,
    },
    /// A designator, an alignment: not changed.
    Fixed,
}

impl Role {
    fn allows(&self, literal: &Literal, what: Arithmetic) -> bool {
        let value = i128::try_from(literal.value).unwrap_or(i128::MAX);
        match self {
            Role::Free => true,
            Role::Fixed => false,
            Role::Size(most) => match what {
                Arithmetic::Increment => literal.value < *most,
                Arithmetic::Decrement => literal.value > 1,
                Arithmetic::Negate | Arithmetic::Zero => false,
            },
            Role::Case { is_negative, taken } => {
                let new = match what {
                    Arithmetic::Increment => value.saturating_add(1),
                    Arithmetic::Decrement => value - 1,
                    Arithmetic::Negate => -value,
                    Arithmetic::Zero => 0,
                };
                !taken.contains(&if *is_negative { -new } else { new })
            }
        }
    }
}

fn role(host: &Host, tree: &Tree, id: NodeId) -> Role {
    let mut below = id;
    for outer in tree.ancestors(id) {
        let node = tree.node(outer);
        match node.kind {
            Kind::Case if node.children.last() != Some(&below) => {
                return case(tree, outer, below, id);
            }
            Kind::Field => {
                // Wide bit-fields of `long` are rare; those of `int` are not.
                let bits = node.ty.as_ref().and_then(|ty| ty.size).map_or(1, |size| size * 8);
                return if is_behind_colon(host, node.name_at, tree.node(id).range.start) {
                    Role::Size(u128::from(bits))
                } else {
                    Role::Size(1 << 20)
                };
            }
            Kind::Variable | Kind::Parameter | Kind::Typedef => {
                return if is_bound(&host.lexed, tree, outer, id) {
                    Role::Size(1 << 20)
                } else {
                    Role::Free
                };
            }
            Kind::InitList if is_designator(host, tree.node(id).range.start) => return Role::Fixed,
            Kind::SizeOf | Kind::Cast | Kind::CompoundLiteral if is_type_bound(host, tree, id) => {
                return Role::Size(1 << 20);
            }
            Kind::StaticAssert | Kind::Attribute => return Role::Fixed,
            kind if kind.is_statement() && kind != Kind::DeclarationStatement => return Role::Free,
            _ => below = outer,
        }
    }
    Role::Free
}

fn is_behind_colon(host: &Host, name_at: usize, literal: usize) -> bool {
    let (first, last) = (host.lexed.first_from(name_at), host.lexed.first_from(literal));
    (first..last).any(|at| host.lexed.is(at, ":"))
}

/// `[3] = …` in a list of initialisers.
fn is_designator(host: &Host, literal: usize) -> bool {
    let lexed = &host.lexed;
    let at = lexed.first_from(literal);
    let open = (at.saturating_sub(8)..at)
        .rev()
        .find(|&at| matches!(lexed.word(at), b"[" | b"]" | b"=" | b"," | b"{"));
    open.is_some_and(|open| {
        lexed.is(open, "[") && open > 0 && matches!(lexed.word(open - 1), b"{" | b"," | b"]")
    })
}

/// `(int[3]){…}`, `sizeof(int[3])`: the bracket follows the words of a type.
fn is_type_bound(host: &Host, tree: &Tree, id: NodeId) -> bool {
    let at = host.lexed.first_from(tree.node(id).range.start);
    at >= 2
        && host.lexed.is(at - 1, "[")
        && (matches!(host.lexed.word(at - 2), b"]" | b"*") || host.lexed.is_word(at - 2))
        && !tree.ancestors(id).any(|id| tree.node(id).kind == Kind::Subscript)
}

fn case(tree: &Tree, case: NodeId, value: NodeId, id: NodeId) -> Role {
    let label = inner(tree, value);
    let is_negative =
        tree.node(label).operator == Some("-") && tree.node(label).children.len() == 1;
    let alone = label == id
        || is_negative && tree.node(label).children.iter().any(|&c| inner(tree, c) == id);
    let switch = tree.ancestors(case).find(|&id| tree.node(id).kind == Kind::Switch);
    let (Some(switch), true, 2) = (switch, alone, tree.node(case).children.len()) else {
        return Role::Fixed;
    };
    let mut taken = Vec::new();
    for other in tree.below(switch).into_iter().filter(|&other| other != case) {
        let node = tree.node(other);
        if node.kind != Kind::Case {
            continue;
        }
        match node.children.first().and_then(|&value| value_of(tree, value)) {
            Some(value) if node.children.len() == 2 => taken.push(value),
            // A range or a name: what it covers is not known.
            _ => return Role::Fixed,
        }
    }
    Role::Case { is_negative, taken }
}

/// The value of an integer or a character, with its sign.
fn value_of(tree: &Tree, id: NodeId) -> Option<i128> {
    let id = inner(tree, id);
    let node = tree.node(id);
    match (node.kind, node.operator) {
        (Kind::Integer, _) => {
            let literal = Literal::read(std::str::from_utf8(tree.text_of(id)).ok()?)?;
            i128::try_from(literal.value).ok()
        }
        (Kind::Character, _) => match tree.text_of(id) {
            [b'\'', c, b'\''] => Some(i128::from(*c)),
            _ => None,
        },
        (Kind::Unary, Some("-")) => Some(-value_of(tree, *node.children.first()?)?),
        _ => None,
    }
}
