//! X-means: k-means that finds the number of clusters itself.
//!
//! Pelleg and Moore, "X-means: extending k-means with efficient estimation of the number of clusters", ICML
//! 2000. All points begin as one cluster. In each round k-means moves the centres, then every cluster is
//! tried as two, and stays two where the Bayesian information criterion says so; until none does, or until
//! there are enough.
//!
//! CTOS (section 4.1) takes the X-means of PyClustering with its defaults, so where the two differ this
//! follows PyClustering: its criterion, its seeds for two clusters, and that the first clusters win when
//! there is not room for all to be split.
//!
//! The same clusters for a seed, whatever the number of threads.

mod criterion;
mod kmeans;
mod seeding;

use crate::distance::squared;
use crate::points::Points;
use base::Seed;
use criterion::{Fit, information_criterion};
use kmeans::{KMeans, Partition};

/// What can be set about X-means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct XMeansSettings {
    /// The most clusters; 20 (PyClustering).
    pub maximum: usize,
    /// k-means stops when no centre moves by more than this, squared; 0.001 (PyClustering 0.10.1). The
    /// releases of the paper's year had 0.025, at which the centres of sequences, whose vectors are about
    /// two long, hardly move at all.
    pub tolerance: f64,
    /// k-means stops after so many steps; 100 (PyClustering).
    pub steps: usize,
}

impl Default for XMeansSettings {
    fn default() -> XMeansSettings {
        XMeansSettings { maximum: 20, tolerance: 0.001, steps: 100 }
    }
}

/// Points in clusters, none of them empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Clusters {
    centres: Vec<f32>,
    cluster_of: Vec<u32>,
    dimensions: usize,
}

impl Clusters {
    /// How many clusters there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.centres.len() / self.dimensions
    }

    /// Whether there are none, for there were no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }

    /// The mean of a cluster's points.
    #[must_use]
    pub fn centre(&self, cluster: usize) -> &[f32] {
        &self.centres[cluster * self.dimensions..(cluster + 1) * self.dimensions]
    }

    /// Which cluster each point is in.
    #[must_use]
    pub fn cluster_of(&self) -> &[u32] {
        &self.cluster_of
    }

    /// The point of each cluster that is nearest to its centre; the first of equals.
    ///
    /// # Panics
    ///
    /// If these are not the clusters of `points`.
    #[must_use]
    pub fn central(&self, points: Points<'_>) -> Vec<usize> {
        assert_eq!(points.len(), self.cluster_of.len(), "clusters of other points");
        let mut nearest = vec![(f32::INFINITY, 0); self.len()];
        for (index, cluster) in self.cluster_of.iter().enumerate() {
            let distance = squared(points.row(index), self.centre(*cluster as usize));
            let nearest = &mut nearest[*cluster as usize];
            if distance < nearest.0 {
                *nearest = (distance, index);
            }
        }
        nearest.into_iter().map(|(_, index)| index).collect()
    }
}

/// The clusters of `points`; none if there are none.
///
/// # Panics
///
/// If there may be no clusters.
#[must_use]
pub fn clusters(
    points: Points<'_>,
    settings: &XMeansSettings,
    seed: Seed,
    threads: usize,
) -> Clusters {
    assert!(settings.maximum > 0, "points are in one cluster at least");
    let dimensions = points.dimensions();
    if points.is_empty() {
        return Clusters { centres: Vec::new(), cluster_of: Vec::new(), dimensions };
    }
    let everything: Vec<u32> = (0..points.len() as u32).collect();
    let kmeans = KMeans { points, settings, threads };
    let mut partition = kmeans.partition(&everything, vec![0.0; dimensions]);
    // A round adds a cluster or is the last one; k-means may lose one again, so rounds are counted.
    for round in 0..settings.maximum {
        let seed = seed.derive("x-means round", round as u64);
        match with_splits(&kmeans, &partition, seed) {
            Some(centres) => partition = kmeans.partition(&everything, centres),
            None => break,
        }
    }
    Clusters { centres: partition.centres, cluster_of: partition.cluster_of, dimensions }
}

/// The centres after every cluster that is better as two has become two, as far as there is room; `None` if
/// none has.
fn with_splits(kmeans: &KMeans<'_>, partition: &Partition, seed: Seed) -> Option<Vec<f32>> {
    let mut room = kmeans.settings.maximum - partition.sizes.len();
    let before = room;
    let mut centres = Vec::new();
    for (cluster, centre) in partition.rows(kmeans.points.dimensions()).enumerate() {
        let halves = (room > 0)
            .then(|| members_of(cluster, &partition.cluster_of))
            .and_then(|members| halves(kmeans, centre, &members, seed, cluster));
        match halves {
            Some(halves) => {
                centres.extend(halves);
                room -= 1;
            }
            None => centres.extend(centre),
        }
    }
    (room < before).then_some(centres)
}

/// The centres of a cluster's halves, if it is better as two.
fn halves(
    kmeans: &KMeans<'_>,
    centre: &[f32],
    members: &[u32],
    seed: Seed,
    cluster: usize,
) -> Option<Vec<f32>> {
    // Deviation: PyClustering splits any cluster of two, as nothing varies around its halves.
    if members.len() <= 2 {
        return None;
    }
    let mut random = seed.stream("x-means split", cluster as u64);
    let seeds = seeding::two_of(kmeans, members, &mut random)?;
    let halves = kmeans.partition(members, seeds);
    if halves.sizes.len() < 2 {
        return None;
    }
    let as_one = vec![0; members.len()];
    let dimensions = kmeans.points.dimensions();
    let whole = Fit { sizes: &[members.len()], error: kmeans.error(members, centre, &as_one) };
    let split = Fit {
        sizes: &halves.sizes,
        error: kmeans.error(members, &halves.centres, &halves.cluster_of),
    };
    let better =
        information_criterion(&split, dimensions) > information_criterion(&whole, dimensions);
    better.then_some(halves.centres)
}

/// The indices at which `cluster_of` says `cluster`.
fn members_of(cluster: usize, cluster_of: &[u32]) -> Vec<u32> {
    let indices = (0u32..).zip(cluster_of).filter(|(_, other)| **other as usize == cluster);
    indices.map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests;
