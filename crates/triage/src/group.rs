//! Which findings are one bug.
//!
//! Every finding has a fingerprint, taken when it is found; the ones that are worth it get another
//! after reduction and full bisection. A finding that shows what an earlier one shows is a
//! duplicate and is not looked into further; those that were looked into are then compared once
//! more. Groups follow from the fingerprints alone, in the order of the findings, so that they are
//! the same however the work was spread.

use oracle::Kind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use toolchain::family::{is_only_a_signal, says_the_same};

/// What tells one bug from another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its kind.
    pub kind: Kind,
    /// The family of the compiler.
    pub family: String,
    /// What is the same whenever it shows.
    pub signature: String,
    /// The pass to look at, by the name that all its runs and versions share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<String>,
    /// The last pass of the shortest sequence that fails (CTOS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_pass: Option<String>,
    /// The counter of transformations that decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter: Option<String>,
    /// The compilers that fail.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub compilers: BTreeSet<String>,
    /// What the reduced program is made of, where the compiler can't be asked more.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub shape: BTreeSet<String>,
}

/// Reduced programs are alike when they share so much of what they are made of. High, because a wrong
/// merge hides a bug and a missed one only costs time.
const ALIKE: f64 = 0.6;

impl Fingerprint {
    /// The evidence that both are one bug; nothing when there is not enough.
    #[must_use]
    pub fn same(&self, other: &Fingerprint) -> Option<Vec<String>> {
        if self.kind != other.kind || self.family != other.family {
            return None;
        }
        let mut evidence = Vec::new();
        match self.kind {
            // The message, the pass and the frame in one.
            Kind::Crash | Kind::InvalidIr | Kind::Codegen | Kind::RejectsValid => {
                if !says_the_same(&self.signature, &other.signature) {
                    return None;
                }
                evidence.push(format!("signature: {}", self.signature));
                if self.needs_pass() {
                    differ(&self.pass, &other.pass, "pass", &mut evidence)?;
                    differ(&self.last_pass, &other.last_pass, "last pass", &mut evidence)?;
                }
            }
            Kind::WrongCode | Kind::Hang | Kind::Memory | Kind::SanitizerAlarm => {
                match (&self.pass, &other.pass) {
                    (Some(one), Some(two)) if one == two => evidence.push(format!("pass: {one}")),
                    (Some(_), Some(_)) => return None,
                    _ => evidence.push(self.alike(other)?),
                }
                differ(&self.last_pass, &other.last_pass, "last pass", &mut evidence)?;
                differ(&self.counter, &other.counter, "counter", &mut evidence)?;
            }
        }
        if !self.compilers.is_empty() && !other.compilers.is_empty() {
            let both: Vec<&str> =
                self.compilers.intersection(&other.compilers).map(String::as_str).collect();
            if both.is_empty() {
                return None;
            }
            evidence.push(format!("both fail with {}", both.join(", ")));
        }
        Some(evidence)
    }

    /// Is it the pass that tells it from others? A crash says itself what it is, if it says more than its signal; the
    /// verifier says the same of all broken IR.
    #[must_use]
    pub fn needs_pass(&self) -> bool {
        match self.kind {
            Kind::WrongCode
            | Kind::Hang
            | Kind::Memory
            | Kind::SanitizerAlarm
            | Kind::InvalidIr => true,
            Kind::Crash => is_only_a_signal(&self.signature),
            Kind::Codegen | Kind::RejectsValid => false,
        }
    }

    fn alike(&self, other: &Fingerprint) -> Option<String> {
        let all = self.shape.union(&other.shape).count();
        let both = self.shape.intersection(&other.shape).count();
        let share = both as f64 / all.max(1) as f64;
        (share >= ALIKE).then(|| format!("reduced programs alike ({:.0} %)", share * 100.0))
    }
}

/// Nothing when both are known and differ.
fn differ(
    one: &Option<String>,
    other: &Option<String>,
    what: &str,
    evidence: &mut Vec<String>,
) -> Option<()> {
    if let (Some(one), Some(other)) = (one, other) {
        if one != other {
            return None;
        }
        evidence.push(format!("{what}: {one}"));
    }
    Some(())
}

/// A finding, as far as grouping sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct Item<Id> {
    /// Its id.
    pub id: Id,
    /// As it was found.
    pub first: Fingerprint,
    /// After reduction and bisection, if it was looked into.
    pub last: Option<Fingerprint>,
    /// Findings that somebody said it is not the same as.
    pub apart: Vec<Id>,
}

impl<Id> Item<Id> {
    /// As it was found, with all compilers that are known to fail by now.
    fn at_most(&self) -> Fingerprint {
        let mut print = self.first.clone();
        print.compilers.extend(self.last.iter().flat_map(|last| last.compilers.clone()));
        print
    }
}

/// Findings of one bug.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Group<Id> {
    /// The first of them, which is the one that is looked into.
    pub leader: Id,
    /// The others, with the evidence for each.
    pub members: Vec<(Id, Vec<String>)>,
}

/// The earlier finding that this one repeats, with the evidence. `earlier` are those that repeat
/// none.
#[must_use]
pub fn repeats<'a, Id: PartialEq + 'a>(
    item: &Item<Id>,
    earlier: impl Iterator<Item = &'a Item<Id>>,
) -> Option<(&'a Id, Vec<String>)> {
    earlier
        .filter(|known| !item.apart.contains(&known.id) && !known.apart.contains(&item.id))
        .find_map(|known| {
            let last = || item.last.as_ref()?.same(known.last.as_ref()?);
            // Two that were both looked into are told apart by that alone.
            let evidence = match (&item.last, &known.last) {
                (Some(_), Some(_)) => last(),
                _ => item.first.same(&known.at_most()),
            };
            Some((&known.id, evidence?))
        })
}

/// Groups findings, which come in their order.
#[must_use]
pub fn group<Id: PartialEq + Clone>(items: &[Item<Id>]) -> Vec<Group<Id>> {
    let mut leaders: Vec<&Item<Id>> = Vec::new();
    let mut groups: Vec<Group<Id>> = Vec::new();
    for item in items {
        match repeats(item, leaders.iter().copied()) {
            Some((leader, evidence)) => {
                let group = groups.iter_mut().find(|group| group.leader == *leader);
                if let Some(group) = group {
                    group.members.push((item.id.clone(), evidence));
                }
            }
            None => {
                leaders.push(item);
                groups.push(Group { leader: item.id.clone(), members: Vec::new() });
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(pass: &str, compilers: &[&str]) -> Fingerprint {
        Fingerprint {
            kind: Kind::WrongCode,
            family: "gcc".to_owned(),
            signature: "wrong code by gcc".to_owned(),
            pass: Some(pass.to_owned()).filter(|pass| !pass.is_empty()),
            last_pass: None,
            counter: None,
            compilers: compilers.iter().map(|&name| name.to_owned()).collect(),
            shape: BTreeSet::new(),
        }
    }

    fn item(id: u32, first: Fingerprint) -> Item<u32> {
        Item { id, first, last: None, apart: Vec::new() }
    }

    fn ids(groups: &[Group<u32>]) -> Vec<Vec<u32>> {
        let of = |group: &Group<u32>| {
            let mut ids = vec![group.leader];
            ids.extend(group.members.iter().map(|(id, _)| *id));
            ids
        };
        groups.iter().map(of).collect()
    }

    #[test]
    fn wrong_code_is_grouped_by_pass_where_compilers_overlap() {
        let items = [
            item(1, wrong("vrp", &["gcc-11", "gcc-12"])),
            item(2, wrong("dse", &["gcc-12"])),
            item(3, wrong("vrp", &["gcc-12"])),
            item(4, wrong("vrp", &["gcc-10"])),
        ];
        assert_eq!(ids(&group(&items)), [vec![1, 3], vec![2], vec![4]]);
    }

    #[test]
    fn compilers_that_turn_out_to_fail_too_overlap() {
        let looked = wrong("vrp", &["gcc-11", "gcc-12"]);
        let first = Item { last: Some(looked), ..item(1, wrong("vrp", &["gcc-12"])) };
        let items = [first, item(2, wrong("vrp", &["gcc-11"])), item(3, wrong("vrp", &["gcc-10"]))];
        assert_eq!(ids(&group(&items)), [vec![1, 2], vec![3]]);
    }

    #[test]
    fn crashes_are_grouped_by_signature() {
        let crash = |signature: &str| Fingerprint {
            kind: Kind::Crash,
            signature: signature.to_owned(),
            ..wrong("vect", &[])
        };
        let items = [item(1, crash("in f")), item(2, crash("in g")), item(3, crash("in f"))];
        let groups = group(&items);
        assert_eq!(ids(&groups), [vec![1, 3], vec![2]]);
        assert_eq!(groups[0].members[0].1, ["signature: in f"]);
    }

    #[test]
    fn crashes_that_say_nothing_and_broken_ir_are_told_apart_by_pass() {
        for (kind, signature) in [
            (Kind::Crash, "Segmentation fault"),
            (Kind::InvalidIr, "broken IR: Broken function found"),
        ] {
            let crash = |pass: &str| Fingerprint {
                kind,
                signature: signature.to_owned(),
                ..wrong(pass, &["clang-14"])
            };
            let items = [item(1, crash("gvn")), item(2, crash("licm")), item(3, crash("gvn"))];
            assert_eq!(ids(&group(&items)), [vec![1, 3], vec![2]]);
            // Where the pass is not known, what is said must do.
            assert_eq!(ids(&group(&[item(1, crash("")), item(2, crash("gvn"))])), [vec![1, 2]]);
        }
    }

    #[test]
    fn what_was_split_stays_split() {
        let mut items = vec![item(1, wrong("vrp", &[])), item(2, wrong("vrp", &[]))];
        assert_eq!(ids(&group(&items)), [vec![1, 2]]);
        items[1].apart.push(1);
        items.push(item(3, wrong("vrp", &[])));
        assert_eq!(ids(&group(&items)), [vec![1, 3], vec![2]]);
    }

    #[test]
    fn a_second_look_merges_what_the_first_kept_apart() {
        let mut items = vec![item(1, wrong("", &[])), item(2, wrong("", &[]))];
        assert_eq!(ids(&group(&items)), [vec![1], vec![2]]);
        for item in &mut items {
            let shape = ["a b", "b c"].map(str::to_owned).into();
            item.last = Some(Fingerprint { shape, ..wrong("", &[]) });
        }
        assert_eq!(ids(&group(&items)), [vec![1, 2]]);
    }

    #[test]
    fn counters_tell_bugs_of_one_pass_apart() {
        let with = |counter: &str| Fingerprint {
            counter: Some(counter.to_owned()),
            ..wrong("combine", &[])
        };
        let items = [item(1, with("a")), item(2, with("b"))];
        assert_eq!(group(&items).len(), 2);
    }
}
