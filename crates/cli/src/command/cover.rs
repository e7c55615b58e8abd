//! `whodunit cover`: what a compiler executes for a program.

use crate::args;
use crate::exit::{Failure, NOTHING};
use coverage::{Build, BuildFault, Set};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use toolchain::process::Limits;
use toolchain::{Compiler, Configuration, Program, compile, lay_out};

pub fn run(args: &args::Cover) -> Result<u8, Failure> {
    let program = Program::read_file(&args.file)?;
    let compiler = Arc::new(Compiler::named(&args.compiler)?);
    let build = Build::of(Arc::clone(&compiler))?;
    let configuration = Configuration::new(compiler, args.args.trim()).counting();
    let scratch = crate::scratch::in_memory()?;
    let folder = lay_out(&program, scratch.path())?;
    let built = compile(&configuration, &program, folder.path(), Limits::compiler())?;
    let counts = build.counts(folder.path()).map_err(Failure::ours)?;
    let covered = Covered { build: &build, edges: counts.edges() };
    let failed = built.result.err().map(|(_, failure)| format!("{failure:?}"));
    let rows = match args.level {
        args::Level::File => covered.files(),
        args::Level::Function => covered.functions(),
        args::Level::Line => covered.lines(),
    };
    let rows: Vec<Row> = rows.into_iter().filter(|row| args.all || row.ran).collect();
    if args.json {
        let document = json!({
            "edges": covered.edges.len(),
            "of": covered.edges.total(),
            "failed": failed,
            "covered": rows.iter().map(Row::document).collect::<Vec<_>>(),
        });
        println!("{document}");
        return Ok(NOTHING);
    }
    if let Some(failed) = failed {
        eprintln!("the compiler failed: {failed}");
    }
    for row in &rows {
        println!("{}", row.text());
    }
    let (ran, all) = (covered.edges.len(), covered.edges.total());
    eprintln!("{ran} of {all} edges in {} places", rows.len());
    Ok(NOTHING)
}

struct Covered<'a> {
    build: &'a Build,
    edges: Set,
}

/// A file, function or line, and how many of its edges ran.
struct Row {
    file: String,
    function: Option<String>,
    line: Option<u32>,
    edges: Option<(usize, usize)>,
    ran: bool,
}

impl Row {
    fn document(&self) -> Value {
        let mut row = json!({ "file": self.file, "ran": self.ran });
        if let Some(function) = &self.function {
            row["function"] = json!(function);
        }
        if let Some(line) = self.line {
            row["line"] = json!(line);
        }
        if let Some((ran, all)) = self.edges {
            row["edges"] = json!(ran);
            row["of"] = json!(all);
        }
        row
    }

    fn text(&self) -> String {
        let mut text = self.file.clone();
        if let Some(line) = self.line {
            text += &format!(":{line}");
        }
        if let Some(function) = &self.function {
            text += &format!(" {function}");
        }
        if let Some((ran, all)) = self.edges {
            text += &format!(" {ran}/{all}");
        }
        text
    }
}

impl Covered<'_> {
    fn files(&self) -> Vec<Row> {
        let map = &self.build.map;
        self.counted(|edge| map.file_of(edge))
            .into_iter()
            .map(|(file, edges)| Row {
                file: map.files[file].clone(),
                function: None,
                line: None,
                edges: Some(edges),
                ran: edges.0 > 0,
            })
            .collect()
    }

    fn functions(&self) -> Vec<Row> {
        let map = &self.build.map;
        self.counted(|edge| map.function_of(edge))
            .into_iter()
            .map(|(function, edges)| {
                let function = &map.functions[function];
                Row {
                    file: map.files[function.file as usize].clone(),
                    function: Some(function.name.clone()),
                    line: None,
                    edges: Some(edges),
                    ran: edges.0 > 0,
                }
            })
            .collect()
    }

    fn lines(&self) -> Vec<Row> {
        let map = &self.build.map;
        let ran = map.lines(&self.edges);
        (0..)
            .zip(&map.lines)
            .map(|(index, line)| {
                let file = map.files[line.file as usize].clone();
                let ran = ran.contains(index);
                Row { file, function: None, line: Some(line.number), edges: None, ran }
            })
            .collect()
    }

    /// The edges that ran, of all, by what they belong to.
    fn counted(&self, owner: impl Fn(usize) -> usize) -> BTreeMap<usize, (usize, usize)> {
        let mut counted: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for edge in 0..self.edges.total() {
            let entry = counted.entry(owner(edge)).or_default();
            entry.0 += usize::from(self.edges.contains(edge));
            entry.1 += 1;
        }
        counted
    }
}

impl From<BuildFault> for Failure {
    fn from(fault: BuildFault) -> Failure {
        Failure::input(fault)
    }
}
