//! The region tree of a function, read from what `opt -passes='print<regions>'` prints.

use super::error::ReadError;
use std::collections::BTreeMap;

/// A part of a function that is entered at one block and left to one block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The block that it begins with.
    pub entry: usize,
    /// The first block behind it; nothing for the whole function.
    pub exit: Option<usize>,
    /// The region that holds it, which stands before it; nothing for the whole function.
    pub parent: Option<usize>,
    /// How many regions hold it.
    pub depth: usize,
}

const FUNCTION: &str = "Region Tree for function: ";
const END: &str = "End region tree";
const RETURN: &str = "<Function Return>";
const ARROW: &str = " => ";

/// The lines of each function's region tree, with their numbers.
pub(super) struct Trees<'t> {
    trees: BTreeMap<&'t str, Vec<(usize, &'t str)>>,
}

impl<'t> Trees<'t> {
    /// Finds the trees; other lines are passed over.
    pub fn find(text: &'t str) -> Trees<'t> {
        let mut trees: BTreeMap<&str, Vec<(usize, &str)>> = BTreeMap::new();
        let mut inside: Option<&mut Vec<(usize, &str)>> = None;
        for (place, line) in text.lines().enumerate() {
            if let Some(name) = line.strip_prefix(FUNCTION) {
                inside = Some(trees.entry(name).or_default());
            } else if line == END {
                inside = None;
            } else if line.trim_start().starts_with('[')
                && let Some(tree) = &mut inside
            {
                tree.push((place + 1, line));
            }
        }
        Trees { trees }
    }

    /// The regions of a function with these blocks, outer ones before inner ones.
    pub fn regions<'b>(
        &self,
        function: &str,
        blocks: impl Iterator<Item = &'b str>,
    ) -> Result<Vec<Region>, ReadError> {
        let tree = self.trees.get(function).filter(|tree| !tree.is_empty());
        let missing = || ReadError::NoRegions { function: function.to_owned() };
        let tree = tree.ok_or_else(missing)?;
        let places: BTreeMap<&str, usize> =
            blocks.enumerate().map(|(place, name)| (name, place)).collect();
        let mut regions: Vec<Region> = Vec::new();
        // The regions that hold the next line, by their depth.
        let mut around: Vec<usize> = Vec::new();
        for (line, text) in tree {
            let region = region(text, &places, &mut around, regions.len());
            let wrong = || ReadError::Region {
                function: function.to_owned(),
                line: *line,
                text: (*text).to_owned(),
            };
            regions.push(region.ok_or_else(wrong)?);
        }
        Ok(regions)
    }
}

/// Reads a line such as `  [1] %9 => %60`.
fn region(
    line: &str,
    places: &BTreeMap<&str, usize>,
    around: &mut Vec<usize>,
    number: usize,
) -> Option<Region> {
    let (depth, ends) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    let depth: usize = depth.parse().ok()?;
    if depth > around.len() || (depth == 0) != around.is_empty() {
        return None;
    }
    around.truncate(depth);
    let parent = around.last().copied();
    around.push(number);
    // Names stand without quotes, whatever they are made of.
    let (entry, exit) = ends.match_indices(ARROW).find_map(|(at, _)| {
        let entry = *places.get(&ends[..at])?;
        match &ends[at + ARROW.len()..] {
            RETURN if depth == 0 => (entry == 0).then_some((entry, None)),
            exit if depth > 0 => Some((entry, Some(*places.get(exit)?))),
            _ => None,
        }
    })?;
    Some(Region { entry, exit, parent, depth })
}

/// The innermost region of each block. A walk from the first block, which must reach all of them,
/// enters a region only at its entry and leaves it only to its exit.
pub(super) fn innermost(regions: &[Region], successors: &[Vec<usize>]) -> Vec<usize> {
    let mut begun = vec![None; successors.len()];
    for (place, region) in regions.iter().enumerate() {
        // Inner regions stand behind the outer ones.
        begun[region.entry] = Some(place);
    }
    let mut places: Vec<Option<usize>> = vec![None; successors.len()];
    places[0] = begun[0];
    let mut open = vec![0];
    while let Some(from) = open.pop() {
        for &to in &successors[from] {
            if places[to].is_none() {
                places[to] = begun[to].or_else(|| leave(regions, places[from]?, to));
                open.push(to);
            }
        }
    }
    places.into_iter().map(Option::unwrap_or_default).collect()
}

/// The region of a block that is reached from inside `region` and begins none.
fn leave(regions: &[Region], mut region: usize, to: usize) -> Option<usize> {
    while regions[region].exit == Some(to) {
        region = regions[region].parent?;
    }
    Some(region)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: [&str; 6] = ["%0", "a", "a => b", "b", "%1", "end"];

    fn read(tree: &str) -> Result<Vec<Region>, ReadError> {
        let text = format!("warning\n{FUNCTION}f g\nRegion tree:\n{tree}{END}\n  [1] a => b\n");
        Trees::find(&text).regions("f g", BLOCKS.into_iter())
    }

    #[test]
    fn regions_hold_each_other_as_their_lines_say() {
        let tree = "\
[0] %0 => <Function Return>
  [1] %0 => end
    [2] a => b => b
    [2] a => b
      [3] a => a => b
  [1] %1 => end
";
        let regions = read(tree).unwrap();
        let region = |entry, exit, parent, depth| Region { entry, exit, parent, depth };
        let expect = [
            region(0, None, None, 0),
            region(0, Some(5), Some(0), 1),
            region(2, Some(3), Some(1), 2),
            region(1, Some(3), Some(1), 2),
            region(1, Some(2), Some(3), 3),
            region(4, Some(5), Some(0), 1),
        ];
        assert_eq!(regions, expect);
    }

    #[test]
    fn lines_that_are_no_regions_of_the_function_are_named() {
        let check = |tree: &str, wrong: usize| {
            let text = tree.lines().nth(wrong - 4).unwrap().to_owned();
            let expect = ReadError::Region { function: "f g".into(), line: wrong, text };
            assert_eq!(read(tree), Err(expect));
        };
        check("[0] a => <Function Return>\n", 4);
        check("[0] %0 => end\n", 4);
        check("[1] %0 => end\n", 4);
        check("[] %0 => <Function Return>\n", 4);
        check("[0] %0 => <Function Return>\n  [1] a => c\n", 5);
        check("[0] %0 => <Function Return>\n  [1] a => <Function Return>\n", 5);
        check("[0] %0 => <Function Return>\n    [2] a => b\n", 5);
        check("[0] %0 => <Function Return>\n[0] %0 => <Function Return>\n", 5);
        assert_eq!(read("\n"), Err(ReadError::NoRegions { function: "f g".into() }));
    }

    #[test]
    fn blocks_are_in_the_innermost_region_that_holds_them() {
        let tree = "\
[0] %0 => <Function Return>
  [1] %0 => end
    [2] a => %1
      [3] a => b
    [2] %1 => end
";
        // The block `end` is behind two regions at once.
        let successors = [vec![1, 4], vec![1, 2, 3], vec![3], vec![1, 4], vec![5], vec![]];
        assert_eq!(innermost(&read(tree).unwrap(), &successors), [1, 3, 3, 2, 4, 0]);
    }
}
