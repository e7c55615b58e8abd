//! Values that differ from one iteration of a loop to the next.
//!
//! A statement in a loop is generated once and executed often. Each execution is a *lane*: every
//! node has a value in every lane, and a repair must do for all of them. Statements are evaluated
//! one after the other, each for all its lanes; that is what a compiler calls distributing the
//! loop, and it is right as long as no earlier statement, in a later iteration, meets memory that a
//! later statement has touched in an earlier one. So every lane has a *time*, memory remembers when
//! it was last read and written, and what would meet it too late is not generated.
//!
//! Lanes come in levels: a loop is a level of its iterations, a branch a level of those lanes that
//! take it. A scalar that is written in a loop has a *version*, its value in every lane.

/// The lanes of a loop or of a branch, in the order of their execution.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// When each lane executes.
    pub time: Vec<u64>,
    /// The lane of the level outside that each belongs to.
    pub parent: Vec<u32>,
    /// The innermost loop: the position of its level.
    pub loop_level: usize,
    /// How many loops there are around.
    pub depth: u32,
    /// The time that loops in each iteration have taken so far.
    spent: u64,
}

/// The value of a scalar at the present point of the text, for every lane of a level.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub cell: u32,
    pub level: usize,
    /// Whether each lane writes the scalar before it gets here, so that no value comes from the
    /// lane before.
    pub fresh: bool,
    pub values: Vec<i64>,
}

/// The lanes of the nest that is being generated, and when memory was touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    pub levels: Vec<Level>,
    pub versions: Vec<Version>,
    /// The values of nodes that differ between lanes: a node knows where its first is.
    pub values: Vec<i64>,
    /// By cell, when it was last read in a loop.
    read_at: Vec<u64>,
    /// By cell, when it was last written in a loop.
    written_at: Vec<u64>,
    /// The time at which the nest starts.
    clock: u64,
    /// Whether what is read may not be written in the nest at all.
    pub frozen: bool,
}

/// Times between iterations of an outermost loop, one in it, and so on: each is room for 4,096
/// iterations further in.
const STRIDES: [u64; 4] = [1 << 36, 1 << 24, 1 << 12, 1];

/// The time that a nest takes: an outermost loop may have 256 iterations, and a program a million
/// nests.
const NEST: u64 = STRIDES[0] << 8;

impl Lanes {
    /// Whether a loop is being generated.
    #[inline]
    pub fn is_on(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Lanes of the present level; 1 outside of loops.
    #[inline]
    pub fn count(&self) -> usize {
        self.levels.last().map_or(1, |level| level.time.len())
    }

    /// The most iterations that a loop may have here.
    pub fn room(&self) -> u64 {
        let Some(level) = self.levels.last() else { return NEST / STRIDES[0] };
        let Some(stride) = STRIDES.get(level.depth as usize) else { return 0 };
        let spent = self.levels[level.loop_level].spent;
        (STRIDES[level.depth as usize - 1] - 1).saturating_sub(spent) / stride / 2
    }

    /// Starts the level of a loop: `trips` iterations for each lane.
    pub fn enter_loop(&mut self, trips: &[u32]) {
        let depth = self.levels.last().map_or(0, |level| level.depth);
        let stride = STRIDES[depth as usize];
        let (mut time, mut parent) = (Vec::new(), Vec::new());
        for (lane, trip) in trips.iter().enumerate() {
            let start = self.levels.last().map_or(self.clock, |level| level.time[lane]);
            for iteration in 0..u64::from(*trip) {
                time.push(start + iteration * stride);
                parent.push(lane as u32);
            }
        }
        let loop_level = self.levels.len();
        self.levels.push(Level { time, parent, loop_level, depth: depth + 1, spent: 0 });
    }

    /// Starts the level of a branch: some of the lanes.
    pub fn enter_branch(&mut self, lanes: &[u32]) {
        let outer = self.levels.last().expect("a branch of lanes stands in a loop");
        let time = lanes.iter().map(|lane| outer.time[*lane as usize]).collect();
        let (loop_level, depth) = (outer.loop_level, outer.depth);
        self.levels.push(Level { time, parent: lanes.to_vec(), loop_level, depth, spent: 0 });
    }

    /// Keeps only these lanes of the innermost level.
    pub fn retain(&mut self, lanes: &[usize]) {
        let at = self.levels.len() - 1;
        let level = &mut self.levels[at];
        level.time = lanes.iter().map(|lane| level.time[*lane]).collect();
        level.parent = lanes.iter().map(|lane| level.parent[*lane]).collect();
        for version in self.versions.iter_mut().filter(|version| version.level == at) {
            version.values = lanes.iter().map(|lane| version.values[*lane]).collect();
        }
    }

    /// Ends the innermost level; its versions become those of the level outside. `before` gives the
    /// value of a cell before the nest. At the end of the nest, gives the cells that were written
    /// with their last values.
    pub fn leave(&mut self, before: impl Fn(u32) -> i64) -> Vec<(u32, i64)> {
        let level = self.levels.len() - 1;
        let mut inner = Vec::new();
        while let Some(at) = self.versions.iter().rposition(|version| version.level == level) {
            inner.push(self.versions.remove(at));
        }
        if level == 0 {
            self.clock += NEST;
            self.levels.clear();
            let last = |version: Version| Some((version.cell, *version.values.last()?));
            return inner.into_iter().filter_map(last).collect();
        }
        for version in inner {
            let value = before(version.cell);
            self.carry_out(version, value);
        }
        let Level { time, parent, depth, loop_level, .. } =
            self.levels.pop().expect("checked above");
        let stride = STRIDES.get(depth as usize - 1).copied().unwrap_or(1);
        let is_loop = loop_level == level;
        if is_loop {
            let outer = self.levels[level - 1].loop_level;
            // No loop has more iterations than all of them together.
            self.levels[outer].spent += (time.len() as u64 + 1) * stride;
        }
        let outer = &mut self.levels[level - 1].time;
        for (time, parent) in time.into_iter().zip(parent) {
            // What follows comes after every iteration of the loop.
            let end = if is_loop { time + stride } else { time };
            let outer = &mut outer[parent as usize];
            *outer = end.max(*outer);
        }
        Vec::new()
    }

    /// Makes the version of an inner level, which is the innermost one, one of the level outside.
    fn carry_out(&mut self, inner: Version, before: i64) {
        let outer = inner.level - 1;
        let lanes = self.levels[outer].time.len();
        let mut last: Vec<Option<i64>> = vec![None; lanes];
        for (value, parent) in inner.values.iter().zip(&self.levels[inner.level].parent) {
            last[*parent as usize] = Some(*value);
        }
        let outside = self.versions.iter().position(|v| v.cell == inner.cell && v.level == outer);
        let reset = outside.is_some_and(|at| self.versions[at].fresh);
        let fresh = reset || inner.fresh && last.iter().all(Option::is_some);
        let mut values: Vec<i64> = Vec::with_capacity(lanes);
        for (lane, last) in last.iter().enumerate() {
            let value = match last {
                Some(value) => *value,
                None => self.carried(inner.cell, outer, lane, values.last().copied(), before),
            };
            values.push(value);
        }
        let version = Version { cell: inner.cell, level: outer, fresh, values };
        match outside {
            Some(at) => self.versions[at] = version,
            None => self.versions.push(version),
        }
    }

    /// What a scalar holds in a lane of `level` before the lane writes it: its version there; or
    /// what an outer level gave it, in the first lane of one of its lanes; or what the lane before
    /// left; or what it held before the nest.
    pub fn carried(
        &self,
        cell: u32,
        level: usize,
        lane: usize,
        previous: Option<i64>,
        before: i64,
    ) -> i64 {
        let known = self.versions.iter().rev().find(|v| v.cell == cell && v.level <= level);
        let Some(version) = known else { return previous.unwrap_or(before) };
        let ancestor = self.ancestor(level, lane, version.level);
        match previous {
            Some(previous)
                if version.level < level
                    && self.ancestor(level, lane - 1, version.level) == ancestor =>
            {
                previous
            }
            _ => version.values[ancestor],
        }
    }

    /// The lane of the level `to` that a lane of the level `from`, further in, belongs to.
    #[inline]
    fn ancestor(&self, from: usize, lane: usize, to: usize) -> usize {
        let inward = self.levels[to + 1..=from].iter().rev();
        inward.fold(lane, |lane, level| level.parent[lane] as usize)
    }

    /// The lane of the outermost level that a present lane belongs to.
    pub fn outermost(&self, lane: usize) -> usize {
        self.ancestor(self.levels.len() - 1, lane, 0)
    }

    /// The version of a cell that holds here.
    pub fn version(&self, cell: u32) -> Option<&Version> {
        self.versions.iter().rev().find(|version| version.cell == cell)
    }

    /// Appends the values of a cell's version in the present lanes to `values`; false if it has
    /// none.
    pub fn gather(&self, cell: u32, values: &mut Vec<i64>) -> bool {
        let Some(version) = self.version(cell) else { return false };
        let present = self.levels.len() - 1;
        if version.level == present {
            values.extend_from_slice(&version.values);
        } else {
            let value = |lane| version.values[self.ancestor(present, lane, version.level)];
            values.extend((0..self.count()).map(value));
        }
        true
    }

    /// Adds something made of a scalar's version, which it must have, to a sum for every lane.
    #[inline]
    pub fn add_to(&self, sums: &mut [u32], cell: u32, map: impl Fn(i64) -> i64) {
        let version = self.version(cell).expect("the variable of a loop has a version");
        let present = self.levels.len() - 1;
        if version.level == present {
            for (sum, value) in sums.iter_mut().zip(&version.values) {
                *sum = sum.wrapping_add(map(*value) as u32);
            }
        } else {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let value = version.values[self.ancestor(present, lane, version.level)];
                *sum = sum.wrapping_add(map(value) as u32);
            }
        }
    }

    /// Remembers that every present lane reads a scalar.
    #[inline]
    pub fn read_scalar(&mut self, cell: u32) {
        let time = match self.levels.last() {
            Some(level) => *level.time.last().expect("a level has lanes"),
            None => return,
        };
        self.touch_read(cell, time);
    }

    #[inline]
    fn touch_read(&mut self, cell: u32, time: u64) {
        let time = if self.frozen { self.clock + NEST - 1 } else { time };
        let cell = cell as usize;
        if self.read_at.len() <= cell {
            self.read_at.resize(cell + 1, 0);
        }
        self.read_at[cell] = self.read_at[cell].max(time);
    }

    /// Remembers that a lane reads an element.
    #[inline]
    pub fn read_element(&mut self, cell: u32, lane: usize) {
        if let Some(level) = self.levels.last() {
            self.touch_read(cell, level.time[lane]);
        }
    }

    /// Whether a lane may read an element: no later iteration has written it.
    #[inline]
    pub fn may_read(&self, cell: u32, lane: usize) -> bool {
        let Some(level) = self.levels.last() else { return true };
        self.written_at.get(cell as usize).copied().unwrap_or(0) <= level.time[lane]
    }

    /// Whether a lane may write an element: no later iteration has read or written it.
    #[inline]
    pub fn may_write(&self, cell: u32, lane: usize) -> bool {
        let Some(level) = self.levels.last() else { return true };
        self.may_read(cell, lane)
            && self.read_at.get(cell as usize).copied().unwrap_or(0) <= level.time[lane]
    }

    /// Remembers that a lane writes an element.
    #[inline]
    pub fn write_element(&mut self, cell: u32, lane: usize) {
        let Some(level) = self.levels.last() else { return };
        let (cell, time) = (cell as usize, level.time[lane]);
        if self.written_at.len() <= cell {
            self.written_at.resize(cell + 1, 0);
        }
        self.written_at[cell] = self.written_at[cell].max(time);
    }

    /// Whether the present lanes may write a scalar. What other lanes left in it must not have been
    /// seen by an earlier statement.
    pub fn may_write_scalar(&self, cell: u32) -> bool {
        let Some(level) = self.levels.last() else { return true };
        let unread = self.read_at.get(cell as usize).copied().unwrap_or(0) <= level.time[0];
        match self.version(cell) {
            None => unread,
            Some(version) => {
                let same_loop = self.levels[version.level].loop_level == level.loop_level;
                version.fresh && (same_loop || unread)
            }
        }
    }

    /// The present lanes write a scalar; `fresh` unless it depends on what the lane before left.
    pub fn write_scalar(&mut self, cell: u32, values: Vec<i64>, fresh: bool) {
        let level = self.levels.len() - 1;
        let version = Version { cell, level, fresh, values };
        match self.versions.iter_mut().find(|v| v.cell == cell && v.level == level) {
            Some(old) => {
                let fresh = fresh || old.fresh;
                *old = Version { fresh, ..version };
            }
            None => self.versions.push(version),
        }
    }

    /// A new local in this cell: whatever had its number before is forgotten.
    pub fn new_local(&mut self, cell: u32) {
        for times in [&mut self.read_at, &mut self.written_at] {
            if let Some(time) = times.get_mut(cell as usize) {
                *time = 0;
            }
        }
        self.versions.retain(|version| version.cell != cell);
    }

    /// Forgets the versions of locals that have left scope: those from `cells` on.
    #[inline]
    pub fn leave_scope(&mut self, cells: usize) {
        if !self.versions.is_empty() {
            self.versions.retain(|version| (version.cell as usize) < cells);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop of three iterations with a cell that holds 7 before it.
    fn three() -> Lanes {
        let mut lanes = Lanes::default();
        lanes.enter_loop(&[3]);
        lanes
    }

    #[test]
    fn an_element_may_be_read_in_the_iteration_that_writes_it_and_in_later_ones() {
        let mut lanes = three();
        lanes.write_element(5, 1);
        assert!(!lanes.may_read(5, 0), "iteration 0 comes before the write of iteration 1");
        assert!(lanes.may_read(5, 1) && lanes.may_read(5, 2));
    }

    #[test]
    fn an_element_may_not_be_written_before_a_later_iteration_has_read_it() {
        let mut lanes = three();
        lanes.read_element(5, 1);
        assert!(lanes.may_write(5, 1) && lanes.may_write(5, 2));
        assert!(!lanes.may_write(5, 0), "iteration 1 would have seen it");
        lanes.leave(|_| 0);
        lanes.enter_loop(&[1]);
        assert!(lanes.may_write(5, 0), "the next nest comes after");
    }

    #[test]
    fn a_scalar_that_was_read_is_not_written_by_the_iterations_before() {
        let mut lanes = three();
        lanes.read_scalar(5);
        assert!(!lanes.may_write_scalar(5));
        assert!(lanes.may_write_scalar(6));
        lanes.write_scalar(6, vec![1, 2, 3], true);
        lanes.read_scalar(6);
        assert!(lanes.may_write_scalar(6), "each iteration writes it first");
        lanes.write_scalar(7, vec![1, 2, 3], false);
        assert!(!lanes.may_write_scalar(7), "it carries from one iteration to the next");
    }

    #[test]
    fn a_write_in_a_branch_is_carried_to_the_iterations_that_do_not_take_it() {
        let mut lanes = three();
        lanes.enter_branch(&[1]);
        lanes.write_scalar(5, vec![40], true);
        lanes.leave(|_| 7);
        let version = lanes.version(5).expect("it was written");
        assert_eq!((version.values.as_slice(), version.fresh), ([7, 40, 40].as_slice(), false));
        assert_eq!(lanes.leave(|_| 7), [(5, 40)]);
    }

    #[test]
    fn an_inner_loop_starts_from_what_the_outer_iteration_wrote() {
        let mut lanes = three();
        lanes.write_scalar(5, vec![10, 20, 30], true);
        lanes.enter_loop(&[2, 0, 2]);
        let mut values: Vec<i64> = Vec::new();
        for lane in 0..4 {
            let before = lanes.carried(5, 1, lane, values.last().copied(), 7);
            values.push(before + 1);
        }
        assert_eq!(values, [11, 12, 31, 32]);
        lanes.write_scalar(5, values, false);
        lanes.leave(|_| 7);
        let version = lanes.version(5).expect("it was written");
        assert_eq!((version.values.as_slice(), version.fresh), ([12, 20, 32].as_slice(), true));
    }

    #[test]
    fn what_follows_an_inner_loop_comes_after_all_its_iterations() {
        let mut lanes = three();
        lanes.enter_loop(&[4, 4, 4]);
        lanes.write_element(5, 3);
        lanes.leave(|_| 0);
        assert!(lanes.may_read(5, 0), "the last inner iteration of the first outer one");
        lanes.enter_loop(&[4, 4, 4]);
        assert!(lanes.may_read(5, 0));
        lanes.write_element(6, 4);
        lanes.leave(|_| 0);
        assert!(!lanes.may_read(6, 0) && lanes.may_read(6, 1));
    }

    #[test]
    fn what_is_read_while_frozen_is_never_written_in_the_nest() {
        let mut lanes = three();
        lanes.frozen = true;
        lanes.read_element(5, 0);
        lanes.frozen = false;
        assert!(!lanes.may_write(5, 2));
        lanes.leave(|_| 0);
        lanes.enter_loop(&[2]);
        assert!(lanes.may_write(5, 0));
    }
}
