//! Where k-means begins when it makes two clusters of one.
//!
//! k-means++ (Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007): the
//! first centre is any point, the second is drawn by the square of the distance to it. As PyClustering
//! does, several are drawn and the farthest is taken.

use super::kmeans::KMeans;
use base::Random;

/// How many are drawn for the second centre; 5 (PyClustering).
const DRAWS: usize = 5;

/// Two members as centres, one after the other; `None` if all members are equal.
pub(super) fn two_of(
    kmeans: &KMeans<'_>,
    members: &[u32],
    random: &mut Random,
) -> Option<Vec<f32>> {
    let first = kmeans.points.row(*random.pick(members) as usize);
    let distances = kmeans.distances(members, first);
    let total: f64 = distances.iter().copied().map(f64::from).sum();
    if total <= 0.0 {
        return None;
    }
    let draws: Vec<usize> = (0..DRAWS).map(|_| drawn(&distances, random.unit() * total)).collect();
    let farthest = draws.into_iter().max_by(|a, b| distances[*a].total_cmp(&distances[*b]))?;
    let second = kmeans.points.row(members[farthest] as usize);
    Some([first, second].concat())
}

/// The index at which the sum of the weights passes `target`, which is below their sum.
fn drawn(weights: &[f32], target: f64) -> usize {
    let mut sum = 0.0;
    let passes = weights.iter().position(|weight| {
        sum += f64::from(*weight);
        sum > target
    });
    passes.expect("a share of the sum is passed before its end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_by_weight_and_never_of_weight_0() {
        let weights = [0.0, 1.0, 0.0, 2.0, 0.0];
        let at = [0.0, 0.99, 1.0, 2.99];
        assert_eq!(at.map(|target| drawn(&weights, target)), [1, 1, 3, 3]);
    }
}
