//! A program that ingredients are taken from, and its declarations as material to copy.

use super::harmless::{TIES, is_harmless};
use super::material::{Material, at_top, groups, name_range, whole};
use crate::lexed::Lexed;
use crate::place::callee;
use crate::protected::{is_oracle, wrappers};
use crate::specifiers::Specifiers;
use csyntax::{Entity, Kind, NodeId, TokenKind, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A donor, without its tree.
#[derive(Debug)]
pub(crate) struct Donor {
    pub name: String,
    pub text: Vec<u8>,
    /// Its lines `#include <…>`.
    pub includes: Vec<String>,
    pub materials: Vec<Material>,
    /// Which material declares what; of several the first.
    pub declared_in: BTreeMap<Entity, Vec<usize>>,
    /// What kind of thing each entity is.
    pub kinds: BTreeMap<Entity, Kind>,
    /// Functions that only call the oracle's.
    pub wrappers: BTreeSet<Entity>,
}

impl Donor {
    pub fn new(name: String, tree: &Tree) -> Donor {
        let lexed = Lexed::new(tree.text());
        let includes = lexed
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Directive)
            .map(|token| String::from_utf8_lossy(&lexed.text[token.range.clone()]).into_owned())
            .filter(|line| line.starts_with("#include <"))
            .collect();
        let mut donor = Donor {
            name,
            text: tree.text().to_vec(),
            includes,
            materials: Vec::new(),
            declared_in: BTreeMap::new(),
            kinds: BTreeMap::new(),
            wrappers: wrappers(tree),
        };
        let groups = groups(tree);
        for (at, roots) in groups.iter().enumerate() {
            for id in roots.iter().flat_map(|&root| at_top(tree, root)) {
                let node = tree.node(id);
                if let Some(entity) = node.entity {
                    donor.kinds.insert(entity, node.kind);
                    let known = donor.declared_in.entry(entity).or_default();
                    if known.last() != Some(&at) {
                        known.push(at);
                    }
                }
            }
        }
        let mut from = 0;
        for (at, roots) in groups.iter().enumerate() {
            let material = donor.material(tree, &lexed, roots, at, from);
            from = material.range.end;
            donor.materials.push(material);
        }
        donor.check_promises(tree);
        donor
    }

    fn material(
        &self,
        tree: &Tree,
        lexed: &Lexed,
        roots: &[NodeId],
        at: usize,
        from: usize,
    ) -> Material {
        let range = whole(tree, lexed, roots, from);
        let mut material = Material {
            names: Vec::new(),
            declares: Vec::new(),
            needs: BTreeSet::new(),
            needs_headers: false,
            is_copyable: self.is_movable(lexed, &range),
            is_promise: false,
            range,
        };
        for &root in roots {
            for id in at_top(tree, root) {
                let node = tree.node(id);
                if let Some(entity) = node.entity.filter(|_| !node.name.is_empty()) {
                    material.declares.push((entity, node.name.clone()));
                }
            }
            for id in tree.below(root) {
                self.look(tree, id, at, &mut material);
            }
        }
        // Declarators that share their words tell them twice.
        material.names.sort_by_key(|(range, _)| range.start);
        material.names.dedup();
        material
    }

    /// What one node of a material names, and whether it stands in its way.
    fn look(&self, tree: &Tree, id: NodeId, at: usize, material: &mut Material) {
        let node = tree.node(id);
        let is_reference = matches!(node.kind, Kind::Name | Kind::TypeReference);
        let is_oracle_call = node.kind == Kind::Call
            && (is_oracle(&node.name)
                || callee(tree, id)
                    .and_then(|name| tree.node(name).entity)
                    .is_some_and(|entity| self.wrappers.contains(&entity)));
        if !node.is_exact || is_oracle_call || node.name == "main" {
            material.is_copyable = false;
        }
        let Some(entity) = node.entity else {
            if node.kind == Kind::Name && !is_harmless(&node.name) {
                material.is_copyable = false;
            }
            material.needs_headers |= is_reference && !node.name.starts_with("__builtin_");
            return;
        };
        let Some(places) = self.declared_in.get(&entity) else { return };
        if is_reference || node.kind.is_declaration() && !node.name.is_empty() {
            let start = if is_reference { node.range.start } else { node.name_at };
            material.needs.extend(places.iter().copied().filter(|&other| other != at));
            match name_range(tree, start, &node.name) {
                Some(range) => material.names.push((range, entity)),
                None => material.is_copyable = false,
            }
        }
    }

    /// No directive in it, and nothing that ties it to its file.
    fn is_movable(&self, lexed: &Lexed, range: &Range<usize>) -> bool {
        let (first, last) = (lexed.first_from(range.start), lexed.first_from(range.end));
        (first..last).all(|at| {
            let word = std::str::from_utf8(lexed.word(at)).unwrap_or_default();
            let bare = word.trim_matches('_');
            lexed.tokens[at].kind != TokenKind::Directive
                && !TIES.iter().any(|tie| *tie == word || *tie == bare)
        })
    }

    /// What is declared and defined nowhere in the donor must be a function of the library.
    fn check_promises(&mut self, tree: &Tree) {
        let mut defined: BTreeSet<Entity> = BTreeSet::new();
        let lexed = Lexed::new(tree.text());
        for &root in tree.roots() {
            let node = tree.node(root);
            let is_extern = || {
                let specifiers = lexed.at(node.range.start).map(|at| Specifiers::read(&lexed, at));
                specifiers.is_some_and(|specifiers| specifiers.stores(&lexed, "extern"))
            };
            let is_defined = match node.kind {
                Kind::Function => node.is_definition,
                Kind::Variable => node.is_definition || !is_extern(),
                _ => true,
            };
            if is_defined {
                defined.extend(node.entity);
            }
        }
        for material in &mut self.materials {
            let promised = |entity: &Entity| {
                !defined.contains(entity)
                    && matches!(self.kinds.get(entity), Some(Kind::Function | Kind::Variable))
            };
            let promises = material.declares.iter().filter(|(entity, _)| promised(entity)).count();
            if promises > 0 {
                material.is_promise = true;
                let harmless = material.declares.iter().all(|(_, name)| is_harmless(name));
                material.is_copyable &= harmless;
            }
        }
    }

    /// All materials that some need, themselves included; none if one of them can't be copied.
    pub fn closure(&self, wanted: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let mut found = wanted.clone();
        let mut open: Vec<usize> = wanted.iter().copied().collect();
        while let Some(at) = open.pop() {
            if !self.materials[at].is_copyable {
                return None;
            }
            open.extend(self.materials[at].needs.iter().copied().filter(|&at| found.insert(at)));
        }
        Some(found)
    }
}
