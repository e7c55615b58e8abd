//! The bugs of a campaign: its findings in groups.

use crate::record::FindingBody;
use crate::stage::{APART, Stages, all_findings, fingerprint};
use passes::sequence::Pattern;
use serde::Serialize;
use store::{Campaign, FindingId, Reader, StoreError};
use toolchain::family::pipeline_in_label;
use triage::{Group, Item, group};

/// A bug: findings that are believed to be one.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignBug {
    /// The first finding, and the others with the evidence for each.
    #[serde(flatten)]
    pub group: Group<FindingId>,
    /// What the first finding is.
    #[serde(skip)]
    pub finding: FindingBody,
    /// What became of it.
    #[serde(skip)]
    pub stages: Stages,
    /// The known bug that it is, with the evidence.
    pub known: Option<String>,
}

impl CampaignBug {
    /// The passes of the shortest sequence that shows it, where it is one of a sequence and was reduced.
    #[must_use]
    pub fn sequence(&self) -> Vec<String> {
        let reduced = self.stages.reduced.as_ref().filter(|reduced| reduced.failed.is_none());
        let pipeline = reduced.and_then(|reduced| pipeline_in_label(&reduced.fail));
        pipeline.map(passes::pipeline::flat).unwrap_or_default()
    }

    /// What leaves its sequences out of later hunts with its compiler: `clang-14: attributor-cgscc`.
    #[must_use]
    pub fn exclusion(&self) -> Option<String> {
        // What is only required is printed with the pass that needs it.
        let mut sequence = self.sequence();
        sequence.retain(|pass| !pass.starts_with("require<"));
        let sequence = Some(sequence).filter(|sequence| !sequence.is_empty())?;
        let compiler = self.stages.reduced.as_ref()?.fail.split(' ').next()?;
        Some(format!("{compiler}: {}", sequence.join("…")))
    }
}

/// The pairs of passes that the shortest sequences of most bugs have, with the number of bugs.
#[must_use]
pub fn frequent_pairs(bugs: &[CampaignBug]) -> Vec<(Pattern, usize)> {
    let sequences: Vec<Vec<String>> = bugs.iter().map(CampaignBug::sequence).collect();
    passes::sequence::frequent_pairs(&sequences)
}

/// Groups the findings of a campaign.
///
/// # Errors
/// When the store fails.
pub fn bugs(reader: &Reader) -> Result<Vec<CampaignBug>, StoreError> {
    let mut items = Vec::new();
    let mut found = Vec::new();
    for finding in all_findings(reader)? {
        let Ok(body) = serde_json::from_value::<FindingBody>(finding.body) else { continue };
        let stages = Stages::of(reader, &finding.id)?;
        let first = match &stages.triaged {
            Some(triaged) => triaged.fingerprint.clone(),
            // Not told apart yet: what the finding itself says.
            None => fingerprint(&body),
        };
        items.push(Item {
            id: finding.id,
            first,
            last: stages.looked.as_ref().map(|looked| looked.fingerprint.clone()),
            apart: stages.apart.clone().unwrap_or_default().from,
        });
        found.push((finding.id, body, stages));
    }
    Ok(group(&items)
        .into_iter()
        .filter_map(|group| {
            let at = found.iter().position(|(id, ..)| *id == group.leader)?;
            let (_, finding, stages) = found[at].clone();
            let known = stages.known_bug();
            Some(CampaignBug { group, finding, stages, known })
        })
        .collect())
}

/// Says that a finding is not the same bug as the others of its group, for good; the next session
/// looks into it.
///
/// # Errors
/// When there is no such finding, or the store fails.
pub fn split(campaign: &Campaign, id: FindingId) -> Result<Vec<FindingId>, StoreError> {
    let reader = campaign.reader();
    let bugs = bugs(reader)?;
    let holds = |bug: &&CampaignBug| {
        bug.group.leader == id || bug.group.members.iter().any(|(member, _)| *member == id)
    };
    let Some(bug) = bugs.iter().find(holds) else {
        return Err(StoreError::NoSuchFinding { dir: reader.dir().to_owned(), id });
    };
    let ids = std::iter::once(bug.group.leader).chain(bug.group.members.iter().map(|(id, _)| *id));
    let others: Vec<FindingId> = ids.filter(|other| *other != id).collect();
    let mut apart = Stages::of(reader, &id)?.apart.unwrap_or_default();
    apart.from.extend(others.iter().copied());
    apart.from.sort();
    apart.from.dedup();
    campaign.put_stage(&id, APART, &apart)?;
    Ok(others)
}
