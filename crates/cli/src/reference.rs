//! The guide's pages about options and settings say what the code says.
//!
//! `docs/guide/reference.md` is written from the definition of the command line, by
//! `UPDATE_DOCS=1 cargo test -p whodunit reference`. `docs/guide/settings.md` is written by hand, because origins
//! stand nowhere else; that it has every key and every default of a method is checked.

use crate::args::Args;
use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn guide(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide").join(page)
}

#[test]
fn the_reference_has_every_command_and_option() {
    let path = guide("reference.md");
    let made = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "it is old: UPDATE_DOCS=1 cargo test -p whodunit reference");
}

fn reference() -> String {
    let mut root = Args::command().disable_help_subcommand(true);
    root.build();
    let mut commands = Vec::new();
    visible(&root, &mut commands);
    let mut text = format!(
        "# Commands and options\n\n\
         Made from the code by `UPDATE_DOCS=1 cargo test -p whodunit reference`; a test compares. What is not \
         on the command line stands in [settings](settings.md). Every command also has `--help`.\n\n{}\n\n",
        root.get_after_help().map(ToString::to_string).unwrap_or_default()
    );
    for command in &commands {
        let name = name(command);
        let about = about(command);
        writeln!(text, "- [`{name}`](#{}): {about}", name.replace(' ', "-")).unwrap();
    }
    writeln!(text, "- [limits of the generator](#limits-of-the-generator)").unwrap();
    for command in commands {
        text += &section(command);
    }
    text + &limits()
}

/// What `gen --limit` may change.
fn limits() -> String {
    let mut text = "\n## Limits of the generator\n\n\
        `gen --limit NAME=N`. Each is documented in `crates/cgen/src/limits.rs`, with its origin.\n\n\
        | limit | small | medium | paper |\n|---|---|---|---|\n"
        .to_owned();
    let [small, medium, paper] = cgen::Size::ALL.map(|size| size.limits().entries());
    for ((small, medium), paper) in small.iter().zip(&medium).zip(&paper) {
        writeln!(text, "| `{}` | {} | {} | {} |", small.0, small.1, medium.1, paper.1).unwrap();
    }
    text
}

/// The commands that do something, in the order of the help.
fn visible<'a>(command: &'a Command, found: &mut Vec<&'a Command>) {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        match inner.has_subcommands() {
            true => visible(inner, found),
            false => found.push(inner),
        }
    }
}

fn name(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

fn section(command: &Command) -> String {
    let about = about(command);
    let end = if about.ends_with('?') { "" } else { "." };
    let mut text = format!("\n## {}\n\n{about}{end}\n\n", name(command));
    text += "| | meaning | default |\n|---|---|---|\n";
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help") {
        let (meaning, default) = meaning_and_default(arg);
        writeln!(text, "| {} | {} | {} |", spelled(arg), cell(&meaning), cell(&default)).unwrap();
    }
    text
}

fn spelled(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    let spelled = match (arg.get_short(), arg.get_long()) {
        (_, None) => return format!("`{}`", cell(&values)),
        (None, Some(long)) => format!("--{long}"),
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
    };
    let values = if arg.get_action().takes_values() { values } else { String::new() };
    format!("`{}`", cell(format!("{spelled} {values}").trim()))
}

/// Some defaults are too long for a value, and stand in brackets at the end of the help.
fn meaning_and_default(arg: &Arg) -> (String, String) {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let (meaning, said) = match help.split_once(" [default: ") {
        Some((meaning, said)) => (meaning.to_owned(), Some(said.trim_end_matches(']').to_owned())),
        None => (help, None),
    };
    let values: Vec<_> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let default = match said {
        Some(said) => said,
        None if !arg.get_action().takes_values() => "off".to_owned(),
        None if arg.is_required_set() => "required".to_owned(),
        None if values.is_empty() => "–".to_owned(),
        None if values.iter().all(|value| value.is_empty()) => "empty".to_owned(),
        None => format!("`{}`", values.join(",")),
    };
    let possible: Vec<_> = match arg.get_action().takes_values() {
        true => arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        false => Vec::new(),
    };
    let names_them = possible.iter().all(|value| meaning.contains(value.as_str()));
    let meaning = match names_them {
        true => meaning,
        false => format!("{meaning}: {}", possible.join(", ")),
    };
    (meaning, default)
}

/// A bar would end the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The words in back quotes that begin rows of the table below a heading of the page on settings, with the cell
/// after each.
fn rows(heading: &str) -> Vec<(String, String)> {
    let page = fs::read_to_string(guide("settings.md")).unwrap();
    let below = page.split_once(&format!("\n## {heading}\n")).map(|(_, below)| below);
    let below = below.unwrap_or_else(|| panic!("settings.md has no part {heading:?}"));
    let part = below.split("\n## ").next().unwrap_or_default();
    part.lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .map(|(name, rest)| {
            (name.to_owned(), rest.split(" | ").next().unwrap_or_default().to_owned())
        })
        .collect()
}

#[test]
fn the_settings_have_every_key_of_the_config() {
    let sections =
        ["", "[limits]", "[reduce]", "[gen]", "[csmith]", "[passes]", "[[compiler]]", "[[set]]"];
    for section in sections {
        // What is valid is what the refusal of something strange says.
        let refused =
            campaign::Config::parse(&format!("{section}\nqqqqqqqqqqqqqq = 1\n"), Path::new("x"));
        let refused = refused.unwrap_err().to_string();
        let valid = refused.split_once("valid here: ").map(|(_, valid)| valid.trim().split(", "));
        let mut valid: Vec<&str> = valid.unwrap_or_else(|| panic!("{refused}")).collect();
        // Tables of the whole file have parts of their own.
        let is_table =
            |key: &&str| sections.iter().any(|other| other.trim_matches(['[', ']']) == *key);
        valid.retain(|key| !(section.is_empty() && is_table(key)));
        let heading = if section.is_empty() { "whodunit.toml" } else { &format!("`{section}`") };
        let mut told: Vec<String> = rows(heading).into_iter().map(|(key, _)| key).collect();
        valid.sort_unstable();
        told.sort_unstable();
        assert_eq!(told, valid, "settings.md, {heading}");
    }
}

#[test]
fn the_settings_have_every_parameter_of_methods_with_its_default() {
    let debug = format!("{:?}", isolate::Parameters::default());
    let fields = debug.split_once("{ ").unwrap().1.trim_end_matches(" }").split(", ");
    let mut fields: Vec<(String, f64)> = fields
        .map(|field| field.split_once(": ").unwrap())
        .map(|(name, value)| (name.replace('_', "-"), value.parse().unwrap()))
        .collect();
    let parse = |(name, value): (String, String)| {
        let value = value.parse().unwrap_or_else(|_| panic!("{name}: {value} is no number"));
        (name, value)
    };
    let mut told: Vec<(String, f64)> =
        rows("Parameters of methods").into_iter().map(parse).collect();
    fields.sort_by(|a, b| a.0.cmp(&b.0));
    told.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(told, fields);
}

#[test]
fn every_method_of_isolation_is_told_of() {
    let page = fs::read_to_string(guide("../isolation.md")).unwrap();
    for method in isolate::METHODS {
        let row = format!("| `{}` |", method.name);
        assert!(page.contains(&row) || method.name == "combined", "isolation.md: {row}");
    }
}
