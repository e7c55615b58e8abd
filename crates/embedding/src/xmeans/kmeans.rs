//! Lloyd's k-means on some of the points.

use super::XMeansSettings;
use crate::distance::{nearest, squared};
use crate::parallel::{self, PIECE};
use crate::points::Points;

/// What k-means needs to know besides members and centres.
pub(super) struct KMeans<'a> {
    pub points: Points<'a>,
    pub settings: &'a XMeansSettings,
    pub threads: usize,
}

/// What k-means makes of some points, its members.
pub(super) struct Partition {
    /// The means of the clusters, one after the other.
    pub centres: Vec<f32>,
    /// Which cluster each member is in.
    pub cluster_of: Vec<u32>,
    /// How many members each cluster has; none is empty.
    pub sizes: Vec<usize>,
}

impl Partition {
    /// The centres one by one.
    pub fn rows(&self, dimensions: usize) -> impl Iterator<Item = &[f32]> {
        self.centres.chunks_exact(dimensions)
    }
}

/// Sums of the members of each cluster.
struct Sums {
    sums: Vec<f64>,
    sizes: Vec<usize>,
}

impl Sums {
    fn new(clusters: usize, dimensions: usize) -> Sums {
        Sums { sums: vec![0.0; clusters * dimensions], sizes: vec![0; clusters] }
    }

    fn add_point(&mut self, cluster: usize, point: &[f32]) {
        self.sizes[cluster] += 1;
        let sums = &mut self.sums[cluster * point.len()..(cluster + 1) * point.len()];
        sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += f64::from(*value));
    }

    fn add(mut self, other: Sums) -> Sums {
        self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        self.sizes.iter_mut().zip(other.sizes).for_each(|(size, more)| *size += more);
        self
    }

    fn means(&self, dimensions: usize) -> Vec<f32> {
        let sums = self.sums.chunks_exact(dimensions).zip(&self.sizes);
        sums.flat_map(|(sums, size)| sums.iter().map(|sum| (sum / *size as f64) as f32)).collect()
    }
}

impl KMeans<'_> {
    /// Moves `centres` until they rest. Clusters that become empty are dropped.
    pub fn partition(&self, members: &[u32], mut centres: Vec<f32>) -> Partition {
        let dimensions = self.points.dimensions();
        let mut cluster_of = vec![0; members.len()];
        let mut step = 0;
        loop {
            step += 1;
            let mut sums = self.assign(members, &centres, &mut cluster_of);
            if sums.sizes.contains(&0) {
                drop_empty(&mut sums, &mut cluster_of, dimensions);
            }
            let moved = std::mem::replace(&mut centres, sums.means(dimensions));
            let rest = moved.len() == centres.len()
                && (moved.chunks_exact(dimensions).zip(centres.chunks_exact(dimensions)))
                    .all(|(old, new)| f64::from(squared(old, new)) <= self.settings.tolerance);
            if rest || step >= self.settings.steps {
                return Partition { centres, cluster_of, sizes: sums.sizes };
            }
        }
    }

    /// Puts each member into the cluster of the nearest centre.
    fn assign(&self, members: &[u32], centres: &[f32], cluster_of: &mut [u32]) -> Sums {
        let dimensions = self.points.dimensions();
        let clusters = centres.len() / dimensions;
        let pieces = members.chunks(PIECE).zip(cluster_of.chunks_mut(PIECE));
        let sums = parallel::map(pieces, self.threads, |(members, cluster_of)| {
            let mut sums = Sums::new(clusters, dimensions);
            for (member, cluster_of) in members.iter().zip(cluster_of) {
                let point = self.points.row(*member as usize);
                let cluster = nearest(point, centres).0;
                *cluster_of = cluster as u32;
                sums.add_point(cluster, point);
            }
            sums
        });
        sums.into_iter().fold(Sums::new(clusters, dimensions), Sums::add)
    }

    /// The sum of the squares of the distances to the centres.
    pub fn error(&self, members: &[u32], centres: &[f32], cluster_of: &[u32]) -> f64 {
        let dimensions = self.points.dimensions();
        let pieces = members.chunks(PIECE).zip(cluster_of.chunks(PIECE));
        let errors = parallel::map(pieces, self.threads, |(members, cluster_of)| {
            let distance = |(member, cluster): (&u32, &u32)| {
                let centre = &centres[*cluster as usize * dimensions..][..dimensions];
                f64::from(squared(self.points.row(*member as usize), centre))
            };
            members.iter().zip(cluster_of).map(distance).sum::<f64>()
        });
        errors.iter().sum()
    }

    /// The square of the distance from each member to one point.
    pub fn distances(&self, members: &[u32], to: &[f32]) -> Vec<f32> {
        let distances = parallel::map(members.chunks(PIECE), self.threads, |members| {
            let distance = |member: &u32| squared(self.points.row(*member as usize), to);
            members.iter().map(distance).collect::<Vec<_>>()
        });
        distances.concat()
    }
}

fn drop_empty(sums: &mut Sums, cluster_of: &mut [u32], dimensions: usize) {
    let mut kept = 0;
    let renamed: Vec<u32> = (sums.sizes.iter())
        .map(|size| {
            let name = kept;
            kept += u32::from(*size > 0);
            name
        })
        .collect();
    cluster_of.iter_mut().for_each(|cluster| *cluster = renamed[*cluster as usize]);
    let rows = sums.sums.chunks_exact(dimensions).zip(&sums.sizes);
    sums.sums = rows.filter(|(_, size)| **size > 0).flat_map(|(row, _)| row.to_vec()).collect();
    sums.sizes.retain(|size| *size > 0);
}
