//! The greedy choice, without looking at everything each time.
//!
//! A candidate's distance to the nearest chosen point can only fall when more are chosen. So its score,
//! when it was last looked at, is a bound on its score now; and the candidate whose score, made up to date,
//! is above the bounds of all others is the best of all (Minoux, "Accelerated greedy algorithms for
//! maximizing submodular set functions", 1978). Most candidates are never compared with most of the chosen.
//!
//! The choice is the one that comparing everything would make, to the last bit: scores are products of
//! squared distances, which order as the distances do, and two `f32` multiplied in an `f64` are not
//! rounded.
//!
//! Threads only help to begin. Sharing the candidates among them was tried: a choice takes a third of a
//! millisecond, and on a busy machine waking a thread takes longer (`examples/choose.rs` as it comes, with
//! six processes on two cores: 0.7 s with one thread, 1.3 s with two).

use crate::distance::{TOGETHER, nearest, split, squared, squared_to_each};
use crate::parallel::{self, PIECE};
use crate::points::Points;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeSet, BinaryHeap};

/// See [`super::diverse`].
pub(super) fn choose(
    points: Points<'_>,
    first: &[usize],
    count: usize,
    threads: usize,
) -> Vec<usize> {
    let mut indices = first.to_vec();
    let mut chosen = Chosen { rows: Vec::with_capacity(count * points.dimensions()), count: 0 };
    first.iter().for_each(|index| chosen.push(points.row(*index)));
    let mut remaining = Remaining::new(points, first, &chosen, threads);
    while indices.len() < count {
        let index = remaining.take_best(&chosen);
        chosen.push(points.row(index));
        indices.push(index);
    }
    indices
}

/// The chosen points, copied so that they lie side by side.
struct Chosen {
    rows: Vec<f32>,
    count: usize,
}

impl Chosen {
    fn push(&mut self, point: &[f32]) {
        self.rows.extend(point);
        self.count += 1;
    }
}

/// What is known of a point that may be chosen. Distances are squared.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    to_centre: f32,
    /// To the nearest of the first `seen` of the chosen.
    to_chosen: f32,
    seen: u32,
}

impl Candidate {
    fn score(&self) -> f64 {
        f64::from(self.to_centre) * f64::from(self.to_chosen)
    }

    /// Looks at the chosen that it has not seen, until none is left or the score is below `enough`.
    fn look(&mut self, point: &[f32], chosen: &Chosen, enough: f64) {
        let mut rows = &chosen.rows[self.seen as usize * point.len()..];
        while rows.len() >= TOGETHER * point.len() && self.score() >= enough {
            let (some, rest) = rows.split_at(TOGETHER * point.len());
            let distances = squared_to_each(point, split::<TOGETHER>(some, point.len()));
            self.to_chosen = distances.into_iter().fold(self.to_chosen, f32::min);
            self.seen += TOGETHER as u32;
            rows = rest;
        }
        while !rows.is_empty() && self.score() >= enough {
            let (row, rest) = rows.split_at(point.len());
            self.to_chosen = self.to_chosen.min(squared(point, row));
            self.seen += 1;
            rows = rest;
        }
    }
}

/// A candidate by its score, or by a bound on it: the greatest is the best, the first of equals.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    score: f64,
    index: u32,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> std::cmp::Ordering {
        self.score.total_cmp(&other.score).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// The points that are not chosen.
struct Remaining<'a> {
    points: Points<'a>,
    /// What is known of every point, also of the chosen.
    candidates: Vec<Candidate>,
    /// Those that are not chosen, by the last score that is known.
    ranking: BinaryHeap<Ranked>,
}

impl<'a> Remaining<'a> {
    /// All points but the first chosen.
    fn new(points: Points<'a>, first: &[usize], chosen: &Chosen, threads: usize) -> Remaining<'a> {
        let centre = points.mean(threads);
        let candidates = parallel::map(points.pieces(PIECE), threads, |piece| {
            let candidate = |point| Candidate {
                to_centre: squared(point, &centre),
                to_chosen: nearest(point, &chosen.rows).1,
                seen: chosen.count as u32,
            };
            piece.chunks_exact(centre.len()).map(candidate).collect::<Vec<_>>()
        });
        let candidates = candidates.concat();
        let first: BTreeSet<&usize> = first.iter().collect();
        let ranking = (candidates.iter().enumerate())
            .filter(|(index, _)| !first.contains(index))
            .map(|(index, candidate)| Ranked { score: candidate.score(), index: index as u32 })
            .collect();
        Remaining { points, candidates, ranking }
    }

    /// Takes out the best; there must be one.
    fn take_best(&mut self, chosen: &Chosen) -> usize {
        loop {
            // In the heap's list the second best is one of the two that follow the best.
            let enough = self.ranking.as_slice().iter().skip(1).take(2).max();
            let enough = enough.map_or(0.0, |second| second.score);
            let mut top = self.ranking.peek_mut().expect("there are fewer chosen than points");
            let candidate = &mut self.candidates[top.index as usize];
            if candidate.seen as usize == chosen.count {
                return PeekMut::pop(top).index as usize;
            }
            candidate.look(self.points.row(top.index as usize), chosen, enough);
            top.score = candidate.score();
        }
    }
}
