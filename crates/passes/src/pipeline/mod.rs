//! Pass pipelines of LLVM's new pass manager, as `-passes=` takes them.
//!
//! ```
//! let text = "function<eager-inv>(loop-mssa(licm<allowspeculation>),gvn),globaldce";
//! let pipeline = passes::pipeline::parse(text).unwrap();
//! assert_eq!(pipeline.elements.len(), 2);
//! assert_eq!(pipeline.elements[0].parameters(), ["eager-inv"]);
//! assert_eq!(pipeline.to_string(), text);
//! ```

mod changes;
mod parse;

pub use changes::{Stage, changes};
pub use parse::{ParseError, parse};

use std::fmt;
use std::ops::Range;

/// Passes in the order in which they run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pipeline {
    /// Passes and groups of passes.
    pub elements: Vec<Element>,
}

/// A pass, or a manager with a pipeline of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// `licm`, `function`, `repeat`.
    pub name: String,
    /// What stands between `<` and `>`, if they are there.
    pub list: Option<String>,
    /// What stands between `(` and `)`, if they are there.
    pub inner: Option<Pipeline>,
    /// Its bytes in the text that it was read from.
    pub range: Range<usize>,
}

impl Element {
    /// The parameters one by one.
    #[must_use]
    pub fn parameters(&self) -> Vec<&str> {
        self.list.as_deref().map_or_else(Vec::new, split)
    }

    /// Where the parameters stand, with their brackets.
    fn list_range(&self) -> Option<Range<usize>> {
        let start = self.range.start + self.name.len();
        self.list.as_ref().map(|list| start..start + list.len() + 2)
    }
}

/// The passes of a pipeline with their parameters, in the order in which they stand; nothing if the text is none.
///
/// ```
/// let text = "function<eager-inv>(loop-mssa(licm<allowspeculation>),gvn),globaldce";
/// assert_eq!(passes::pipeline::flat(text), ["licm<allowspeculation>", "gvn", "globaldce"]);
/// ```
#[must_use]
pub fn flat(text: &str) -> Vec<String> {
    fn collect(pipeline: &Pipeline, names: &mut Vec<String>) {
        for element in &pipeline.elements {
            match &element.inner {
                Some(inner) => collect(inner, names),
                None => names.push(element.to_string()),
            }
        }
    }
    let mut names = Vec::new();
    parse(text).iter().for_each(|pipeline| collect(pipeline, &mut names));
    names
}

/// Every form in which `name` stands in the pipeline, in the managers around it and with nothing
/// else in them, each once; nothing if the text is no pipeline.
///
/// ```
/// let text = "function<eager-inv>(sroa,loop-mssa(licm<allowspeculation>),gvn),gvn";
/// let alone = |name| passes::pipeline::alone(text, name);
/// assert_eq!(alone("licm"), ["function<eager-inv>(loop-mssa(licm<allowspeculation>))"]);
/// assert_eq!(alone("gvn"), ["function<eager-inv>(gvn)", "gvn"]);
/// ```
#[must_use]
pub fn alone(text: &str, name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (pass, element) in parse(text).iter().flat_map(singles_of) {
        let text = element.to_string();
        if pass == name && !found.contains(&text) {
            found.push(text);
        }
    }
    found
}

/// Every pass of a pipeline in the managers around it and with nothing else in them, in the order in which they
/// stand.
///
/// # Errors
/// When the text is no pipeline.
///
/// ```
/// let singles = passes::pipeline::singles("function(sroa,loop-mssa(licm)),globaldce").unwrap();
/// assert_eq!(singles, ["function(sroa)", "function(loop-mssa(licm))", "globaldce"]);
/// ```
pub fn singles(text: &str) -> Result<Vec<String>, ParseError> {
    Ok(singles_of(&parse(text)?).iter().map(|(_, element)| element.to_string()).collect())
}

/// The name of each pass, and the pass with what is around it.
fn singles_of(pipeline: &Pipeline) -> Vec<(String, Element)> {
    let mut found = Vec::new();
    for element in &pipeline.elements {
        match &element.inner {
            None => found.push((element.name.clone(), element.clone())),
            Some(inner) => found.extend(singles_of(inner).into_iter().map(|(name, only)| {
                let inner = Some(Pipeline { elements: vec![only] });
                (name, Element { inner, ..element.clone() })
            })),
        }
    }
    found
}

/// Pipelines one after the other, in one set of managers where neighbours have the same.
///
/// ```
/// let parts = ["function(sroa)", "function(loop-mssa(licm))", "function(loop-mssa(indvars))"];
/// let joined = passes::pipeline::join(&parts.map(str::to_owned));
/// assert_eq!(joined.as_deref(), Some("function(sroa,loop-mssa(licm,indvars))"));
/// ```
#[must_use]
pub fn join(parts: &[String]) -> Option<String> {
    fn add(to: &mut Pipeline, element: Element) {
        match (to.elements.last_mut(), element) {
            (
                Some(Element { name, list, inner: Some(inner), .. }),
                Element { name: other, list: other_list, inner: Some(more), .. },
            ) if *name == other && *list == other_list => {
                more.elements.into_iter().for_each(|element| add(inner, element));
            }
            (_, element) => to.elements.push(element),
        }
    }
    let mut joined = Pipeline::default();
    for part in parts {
        parse(part).ok()?.elements.into_iter().for_each(|element| add(&mut joined, element));
    }
    Some(joined.to_string())
}

/// Splits parameters at the semicolons that no inner brackets hold.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0usize, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, element) in self.elements.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            element.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(list) = &self.list {
            write!(f, "<{list}>")?;
        }
        match &self.inner {
            Some(inner) => write!(f, "({inner})"),
            None => Ok(()),
        }
    }
}
