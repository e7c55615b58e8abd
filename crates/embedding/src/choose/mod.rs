//! Few points that stand for many: the selection scheme of CTOS (section 3.4, algorithm 3).
//!
//! The first are the central points of the clusters, so that no cluster is left out. Then, one at a time,
//! the point is taken for which the distance to the centre of all points times the distance to the
//! nearest chosen one is largest: far out, and unlike what is there.

mod greedy;

use crate::points::Points;
use crate::xmeans::{self, XMeansSettings};
use base::Seed;
use std::collections::BTreeSet;

/// The indices of `count` points that stand for all, in the order in which they are chosen; all if there
/// are no more.
///
/// The same for a seed, whatever the number of threads.
#[must_use]
pub fn representatives(
    points: Points<'_>,
    count: usize,
    settings: &XMeansSettings,
    seed: Seed,
    threads: usize,
) -> Vec<usize> {
    if count == 0 || points.is_empty() {
        return Vec::new();
    }
    // Each cluster gives one.
    let settings = XMeansSettings { maximum: settings.maximum.min(count), ..*settings };
    let clusters = xmeans::clusters(points, &settings, seed, threads);
    diverse(points, &clusters.central(points), count, threads)
}

/// `first`, and after them the points that are farthest out and least like those before them, until there
/// are `count`; all if there are no more.
///
/// Of equals the first is taken. Deviation: the paper's algorithm takes nothing whose score is 0, and then
/// never ends; here copies of chosen points are taken in their order when nothing else is left.
///
/// ```
/// use embedding::{choose::diverse, points::Points};
///
/// let values = [0.0, 1.0, 2.0, 3.0, 9.0, 9.5];
/// let points = Points::new(&values, 1)?;
/// // The centre is 4.08: 9.5 is farthest from it and from 3. Then 0, as 9 is too like 9.5.
/// assert_eq!(diverse(points, &[3], 3, 1), [3, 5, 0]);
/// # Ok::<(), embedding::points::PointsError>(())
/// ```
///
/// # Panics
///
/// If `first` is empty although there are points, or names one that there is not, or one twice.
#[must_use]
pub fn diverse(points: Points<'_>, first: &[usize], count: usize, threads: usize) -> Vec<usize> {
    if points.is_empty() {
        return Vec::new();
    }
    assert!(!first.is_empty(), "the least like those before needs one before");
    assert!(first.iter().all(|index| *index < points.len()), "there is no such point");
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len(), "a point is named twice");
    let count = count.min(points.len());
    let first = &first[..first.len().min(count)];
    greedy::choose(points, first, count, threads)
}

#[cfg(test)]
mod tests;
