//! SARIF 2.1.0, which code scanning services and editors read.

use crate::bug::Bug;
use crate::kind::{KINDS, kind};
use crate::title::title;
use crate::versions;
use base::ContentId;
use serde_json::{Value, json};

/// So many suspicious files of the compiler are named.
const SUSPECTS: usize = 10;

/// One run with one result for each bug. Programs are named as in a folder that has the bugs'
/// folders below `bugs/`.
#[must_use]
pub fn sarif(bugs: &[Bug]) -> Value {
    let version = bugs.iter().find_map(|bug| bug.found.as_ref()).map(|found| &found.whodunit);
    let mut driver = json!({ "name": "whodunit", "rules": rules() });
    if let Some(version) = version {
        driver["version"] = json!(version);
    }
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "results": bugs.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn rules() -> Vec<Value> {
    let rule = |kind: &crate::kind::Kind| {
        json!({
            "id": kind.name,
            "name": kind.headline,
            "shortDescription": { "text": kind.means },
            "defaultConfiguration": { "level": kind.level },
        })
    };
    KINDS.iter().map(rule).collect()
}

fn result(bug: &Bug) -> Value {
    let pass = bug.culprit.as_ref().map(|culprit| culprit.pass.as_str());
    let mut result = json!({
        "ruleId": bug.kind,
        "level": kind(&bug.kind).level,
        "message": { "text": title(bug) },
        "partialFingerprints": { "whodunit/v1": fingerprint(bug) },
        "properties": {
            "id": bug.id,
            "compiler": bug.compiler.name,
            "compilerVersion": bug.compiler.version,
            "target": bug.compiler.target,
            "arguments": bug.fail.args,
            "signature": bug.signature,
            "pass": pass,
            "versions": bug.versions.iter().map(|version| json!({
                "compiler": version.compiler,
                "version": version.version,
                "fails": version.fails,
            })).collect::<Vec<_>>(),
            "failing": versions::failing(bug),
            "duplicates": bug.duplicates.len(),
        },
    });
    if let Some(at) = KINDS.iter().position(|kind| kind.name == bug.kind) {
        result["ruleIndex"] = json!(at);
    }
    let locations = bug.files.iter().take(1).map(|file| {
        json!({
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&["bugs", &bug.id, &file.name]) },
                "region": { "startLine": 1 },
            },
        })
    });
    result["locations"] = locations.collect();
    if let Some(suspicion) = &bug.suspicion {
        let suspects = suspicion.files.iter().take(SUSPECTS).map(|suspect| {
            json!({
                "physicalLocation": { "artifactLocation": {
                    "uri": uri(&suspect.file.split('/').collect::<Vec<_>>()),
                    "uriBaseId": "COMPILER",
                } },
                "message": { "text": format!("suspicious, rank {}", suspect.rank) },
                "properties": { "score": suspect.score },
            })
        });
        result["relatedLocations"] = suspects.collect();
    }
    result
}

/// The same for the same bug in every campaign.
fn fingerprint(bug: &Bug) -> String {
    let pass = bug.culprit.as_ref().map_or("", |culprit| culprit.pass.as_str());
    let text = [&bug.kind, &bug.signature, pass].map(|part| format!("{}:{part}", part.len()));
    ContentId::of(text.concat().as_bytes()).to_string()
}

/// A relative address: everything in a segment but letters, digits and a few signs is escaped.
fn uri(segments: &[&str]) -> String {
    let segment = |text: &&str| -> String {
        let byte = |byte: u8| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        };
        text.bytes().map(byte).collect()
    };
    segments.iter().map(segment).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn what_the_standard_requires_is_there() {
        let mut odd = sample::tcc();
        odd.files[0].name = "a b#.c".to_owned();
        let value = sarif(&[sample::wrong_code(), sample::llvm_crash(), odd]);
        assert_eq!(value["version"], "2.1.0");
        assert!(value["$schema"].is_string());
        let run = &value["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "whodunit");
        assert_eq!(run["tool"]["driver"]["version"], "0.1.0");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 3);
        for result in results {
            let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(result["message"]["text"].is_string());
            assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
            assert_eq!(result["partialFingerprints"]["whodunit/v1"].as_str().unwrap().len(), 64);
        }
        let place = |at: usize| {
            results[at]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone()
        };
        assert_eq!(place(0), "bugs/17-0/main.c");
        let suspect = &results[0]["relatedLocations"][1]["physicalLocation"]["artifactLocation"];
        assert_eq!(suspect["uri"], "gcc/range-op.cc");
        assert_eq!(place(2), "bugs/5-0/a%20b%23.c");
        assert_eq!(results[1]["properties"]["pass"], "slp-vectorizer");
    }

    #[test]
    fn fingerprints_are_of_the_bug_and_not_of_the_finding() {
        let bug = sample::wrong_code();
        let again = Bug { id: "99-0".to_owned(), files: Vec::new(), ..bug.clone() };
        assert_eq!(fingerprint(&bug), fingerprint(&again));
        let other = Bug { kind: "crash".to_owned(), ..bug.clone() };
        assert_ne!(fingerprint(&bug), fingerprint(&other));
    }

    #[test]
    fn no_bugs_are_a_run_without_results() {
        assert_eq!(sarif(&[])["runs"][0]["results"], json!([]));
    }
}
