//! What people read about a bug, and what they file.
//!
//! In: bugs as plain data. Out: texts and files: an upstream report for the project that the
//! compiler belongs to, a test stub, scripts that reproduce, a page, SARIF. This crate cannot run
//! anything, and never sends anything anywhere.

mod bug;
mod campaign_text;
mod diff;
mod duration;
mod facts;
mod folder;
mod gcc;
mod godbolt;
pub mod html;
mod kind;
mod llvm;
mod llvm_pass;
mod markdown;
mod needle;
mod other;
#[cfg(test)]
mod sample;
mod sarif;
mod script;
mod shell;
mod test_stub;
mod title;
mod versions;

pub use bug::{
    Bug, Check, CompilerText, Culprit, Family, File, Found, Language, Pair, Run, Suspect,
    Suspicion, Version,
};
pub use campaign_text::{campaign_json, campaign_markdown};
pub use duration::duration;
pub use folder::{folder_file, write_folder};
pub use gcc::gcc_bugzilla;
pub use godbolt::godbolt_link;
pub use html::{Summary, campaign_page, page};
pub use llvm::llvm_issue;
pub use other::other_report;
pub use sarif::sarif;
pub use script::{interesting_script, reproduce_script};
pub use shell::{command_line, quote};
pub use test_stub::test_stub;
pub use title::title;
