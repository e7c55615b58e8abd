//! A donor's snippet made to fit a place in a host: its variables become the host's, what it
//! depends on comes along, and names that clash are changed.

use crate::compatible::fits;
use crate::host::Host;
use crate::pool::{Donor, Hole, Need, Snippet};
use crate::usage::Usage;
use crate::variables::{Variable, is_const, unqualified};
use base::{Edit, Random};
use csyntax::{Class, Entity, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A snippet that fits.
#[derive(Debug)]
pub(super) struct Adapted {
    pub text: String,
    /// Does it name no variable?
    pub is_constant: bool,
    /// What must stand before the program: headers and declarations.
    head: String,
}

impl Adapted {
    /// The edit that puts the head in its place. The top of the file is a place that is outside of
    /// everything; the declarations need nothing of the host.
    pub fn head_edits(&self) -> Vec<Edit> {
        if self.head.is_empty() {
            Vec::new()
        } else {
            vec![Edit::replace(0..0, self.head.as_str())]
        }
    }
}

/// What a variable of a snippet becomes.
enum Filling {
    /// One of the host's, or its address.
    Text(String),
    Number(String),
    /// Itself: it comes along.
    Global(Entity),
}

pub(super) fn adapt(
    host: &Host,
    donor: &Donor,
    snippet: &Snippet,
    at: usize,
    random: &mut Random,
) -> Option<Adapted> {
    let program = host.program.as_ref()?;
    let visible: Vec<&Variable> =
        program.variables.visible(at).into_iter().filter(|variable| variable.is_here).collect();
    let fillings: Vec<Filling> = snippet
        .needs
        .iter()
        .map(|need| fill(need, &visible, host.is_cpp, random))
        .collect::<Option<_>>()?;
    let mut wanted = snippet.materials.clone();
    for filling in &fillings {
        if let Filling::Global(entity) = filling {
            wanted.extend(donor.declared_in.get(entity)?.iter().copied());
        }
    }
    let is_constant = fillings.iter().all(|filling| matches!(filling, Filling::Number(_)));
    let materials = donor.closure(&wanted)?;
    let names = new_names(host, donor, &materials);
    let edits: Vec<Edit> = snippet
        .holes
        .iter()
        .filter_map(|(range, hole)| {
            let entity = match hole {
                Hole::Variable(number) => match &fillings[*number] {
                    Filling::Text(text) | Filling::Number(text) => {
                        return Some(edit(snippet.range.start, range, text));
                    }
                    Filling::Global(entity) => entity,
                },
                Hole::Declared(entity) => entity,
            };
            Some(edit(snippet.range.start, range, names.get(entity)?))
        })
        .collect();
    let text = match &snippet.made_up {
        Some(text) => text.as_slice(),
        None => &donor.text[snippet.range.clone()],
    };
    let needs_headers = snippet.needs_headers
        || materials.iter().any(|&material| donor.materials[material].needs_headers);
    let mut head = String::new();
    if needs_headers {
        // The host's own headers come too late for declarations, which stand above them.
        let known = String::from_utf8_lossy(host.text());
        let is_needed = |line: &&String| !materials.is_empty() || !known.contains(line.as_str());
        for line in donor.includes.iter().filter(is_needed) {
            head.push_str(line);
            head.push('\n');
        }
    }
    for &material in &materials {
        let material = &donor.materials[material];
        let edits: Vec<Edit> = material
            .names
            .iter()
            .filter_map(|(range, entity)| {
                Some(edit(material.range.start, range, names.get(entity)?))
            })
            .collect();
        let text = Edit::apply(&edits, &donor.text[material.range.clone()]);
        head.push_str(std::str::from_utf8(&text).ok()?);
        head.push('\n');
    }
    let text = String::from_utf8(Edit::apply(&edits, text)).ok()?;
    Some(Adapted { text, is_constant, head })
}

fn edit(start: usize, range: &std::ops::Range<usize>, with: &str) -> Edit {
    Edit::replace(range.start - start..range.end - start, with)
}

/// New names for what is copied and called as something in the host, or perhaps in its headers.
fn new_names(host: &Host, donor: &Donor, materials: &BTreeSet<usize>) -> BTreeMap<Entity, String> {
    let has_headers = host.words().contains("include");
    let mut names = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for &material in materials {
        let material = &donor.materials[material];
        for (entity, name) in material.declares.iter().filter(|_| !material.is_promise) {
            if !names.contains_key(entity) && (has_headers || host.words().contains(name)) {
                let fresh = host.fresh(name, &taken);
                taken.insert(fresh.clone());
                names.insert(*entity, fresh);
            }
        }
    }
    names
}

/// What a variable becomes: one of the host's that fits; else itself, if it can come along; else a
/// number or an address, if it is only read.
///
/// Deviation: the papers only rename. Where nothing has the type, the ingredient would be lost.
fn fill(need: &Need, visible: &[&Variable], strict: bool, random: &mut Random) -> Option<Filling> {
    let own = has_tag(&need.ty);
    let fitting: Vec<&&Variable> =
        visible.iter().filter(|new| !own && fits(new, &need.ty, need.usage, strict)).collect();
    if !fitting.is_empty() {
        return Some(Filling::Text(random.pick(&fitting).name.to_string()));
    }
    if let Some(entity) = need.global {
        return Some(Filling::Global(entity));
    }
    let Usage { written, escapes, wants_same, .. } = need.usage;
    if written || escapes || wants_same || own {
        return None;
    }
    if need.ty.is_arithmetic() {
        return Some(Filling::Number(random.below(10).to_string()));
    }
    let Class::Pointer(to) = &need.ty.class else { return None };
    let pointed: Vec<String> = visible
        .iter()
        .filter(|variable| to.is_const || !is_const(&variable.ty))
        .filter_map(|variable| match &variable.ty.class {
            Class::Array(element, Some(_)) if same(element, to) => Some(variable.name.to_string()),
            _ if same(&variable.ty, to) && !variable.is_register => {
                Some(format!("(&{})", variable.name))
            }
            _ => None,
        })
        .collect();
    (!pointed.is_empty()).then(|| Filling::Text(random.pick(&pointed).clone()))
}

fn same(one: &Type, other: &Type) -> bool {
    unqualified(one) == unqualified(other)
}

/// Is a structure in the type? The host may have another of the same name.
fn has_tag(ty: &Type) -> bool {
    match &ty.class {
        Class::Record | Class::Vector | Class::Other => true,
        Class::Pointer(to) | Class::Array(to, _) | Class::Function(to) => {
            has_tag(to) || to.class == Class::Enum
        }
        _ => false,
    }
}
