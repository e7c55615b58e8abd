//! A worker's side of a hunt: one chunk, in a campaign of its own.

use super::parcel::Parcel;
use super::task::Task;
use crate::hunt::{HuntError, Stop, hunt};
use crate::plan::{Amount, Plan};
use crate::progress::Event;
use crate::record::PlanRecord;
use crate::stage::{self, REDUCE};
use cluster::{Chunk, Envelope, Folder};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{Campaign, FindingId, Reader};

/// What a worker did.
pub enum Worked {
    /// The result.
    Parcel(Vec<u8>),
    /// A part of it: it was stopped, and goes on elsewhere.
    Part(Vec<u8>),
    /// Why there is none.
    Refused(String),
}

/// Does what a chunk asks for, in a campaign in `local`.
///
/// # Errors
/// When the machine, a compiler or the store fails.
pub fn work(
    plan: &mut Plan,
    terms: &serde_json::Value,
    folder: &Folder,
    chunk: &Chunk,
    local: &Path,
    stop: &Arc<Stop>,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Worked, HuntError> {
    let refused = |why: String| Ok(Worked::Refused(why));
    let record = plan.record();
    let wanted: PlanRecord = match serde_json::from_value(terms.clone()) {
        Ok(wanted) => wanted,
        Err(error) => return refused(format!("the order is of another version: {error}")),
    };
    // Where a compiler was installed when does not matter on a node; what it is does.
    if let Some(difference) = wanted.difference_elsewhere(&record) {
        return refused(format!("this node is not like the one that submitted it: {difference}"));
    }
    let Some(task) = Task::of(chunk) else {
        return refused("it asks for something that this version does not know".to_owned());
    };
    let exclusions = folder.input("exclusions.toml");
    let into = |source| HuntError::Scratch { path: local.to_owned(), source };
    let campaign = Campaign::create_or_resume(local, &record)?.campaign;
    if exclusions.is_file() {
        fs::copy(&exclusions, local.join("exclusions.toml")).map_err(into)?;
    }
    if let Task::Stage(id, _) = &task {
        for path in [
            Some(folder.input(&id.to_string())),
            chunk.after.as_ref().map(|name| folder.result(name)),
        ] {
            let Some(path) = path.filter(|path| path.is_file()) else { continue };
            if let Err(why) = unpack(&path, &campaign) {
                return refused(format!("{}: {why}", path.display()));
            }
        }
        let journal = folder.input(&format!("{id}.journal"));
        if journal.is_file() {
            fs::create_dir_all(local.join("reduce")).map_err(into)?;
            fs::copy(&journal, stage::journal_path(local, *id)).map_err(into)?;
        }
        if let Some(why) = lacks(campaign.reader(), &task, plan, chunk.after.is_some())? {
            return refused(why);
        }
    }
    drop(campaign);
    let time = Duration::from_secs(chunk.seconds);
    plan.until = task.until();
    plan.finishes = true;
    match &task {
        Task::Test(range) => {
            plan.part = Some(range.clone());
            // Programs that are selected together are tested together.
            plan.amount = match plan.source.round() {
                1 => Amount::Time(time),
                _ => Amount::Endless,
            };
        }
        Task::Stage(_, stage) => {
            plan.part = Some(0..0);
            plan.amount = Amount::Endless;
            if stage == REDUCE {
                // What is not done by then goes on elsewhere, with the answers that it had.
                let stop = Arc::clone(stop);
                std::thread::spawn(move || {
                    std::thread::sleep(time);
                    stop.request();
                });
            }
        }
    }
    hunt(plan, local, stop, tell)?;
    let reader = Reader::open(local)?;
    let mut parcel = match &task {
        Task::Test(_) => Parcel::of(&reader)?,
        Task::Stage(id, _) => Parcel::of_finding(&reader, *id)?,
    };
    if let Task::Stage(id, _) = &task
        && let Ok(answers) = fs::read_to_string(stage::journal_path(local, *id))
    {
        // It is removed when the reduction is done.
        parcel.journals.push((*id, answers));
        return Ok(Worked::Part(parcel.pack()));
    }
    Ok(Worked::Parcel(parcel.pack()))
}

/// Puts a file of the controller's, or the result of another chunk, into the campaign.
fn unpack(path: &Path, campaign: &Campaign) -> Result<(), String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let (_, content) = match Envelope::open(&bytes) {
        Ok((envelope, content)) => (Some(envelope), content),
        Err(_) => (None, bytes.as_slice()),
    };
    let parcel = Parcel::unpack(content).map_err(|error| error.to_string())?;
    parcel.put(campaign).map_err(|error| error.to_string())
}

/// What is not there that must be before this stage.
fn lacks(
    reader: &Reader,
    task: &Task,
    plan: &Plan,
    waits: bool,
) -> Result<Option<String>, HuntError> {
    let Task::Stage(id, stage) = task else { return Ok(None) };
    let id: &FindingId = id;
    if reader.finding(id)?.is_none() {
        return Ok(Some(format!("finding {id} is not in its input")));
    }
    let stages = stage::Stages::of(reader, id)?;
    Ok(match stage.as_str() {
        stage::LOOK if waits && stages.reduced.is_none() => {
            Some(format!("{id} is not reduced yet"))
        }
        stage::ISOLATE if stages.looked.is_none() => Some(format!("{id} is not looked into yet")),
        stage::ISOLATE if plan.isolator.is_none() => Some("there is no build for it".to_owned()),
        _ => None,
    })
}
