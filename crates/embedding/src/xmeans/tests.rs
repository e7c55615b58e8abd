//! X-means on made-up points whose clusters are known. PyClustering 0.10.1, told to begin with one centre,
//! finds the same number in points made the same way.

use super::*;
use base::Random;

/// A value about 0, nearly normal.
fn bell(random: &mut Random) -> f32 {
    ((0..6).map(|_| random.unit()).sum::<f64>() - 3.0) as f32
}

/// `each` points around each of `centres`, by turns.
fn around(centres: &[Vec<f32>], each: usize, width: f32) -> Vec<f32> {
    let mut random = Seed(5).stream("around", 0);
    let mut points = Vec::new();
    for _ in 0..each {
        for centre in centres {
            points.extend(centre.iter().map(|value| value + width * bell(&mut random)));
        }
    }
    points
}

fn found(values: &[f32], dimensions: usize, seed: u64) -> Clusters {
    let points = Points::new(values, dimensions).unwrap();
    clusters(points, &XMeansSettings::default(), Seed(seed), 2)
}

fn sizes(clusters: &Clusters) -> Vec<usize> {
    let mut sizes = vec![0; clusters.len()];
    clusters.cluster_of().iter().for_each(|cluster| sizes[*cluster as usize] += 1);
    sizes
}

/// The clusters of points around `centres` are those around each.
fn check(centres: &[Vec<f32>], each: usize, width: f32) {
    let values = around(centres, each, width);
    let dimensions = centres[0].len();
    for seed in 1..=5 {
        let clusters = found(&values, dimensions, seed);
        assert_eq!(clusters.len(), centres.len(), "seed {seed}: {:?}", sizes(&clusters));
        for (index, cluster) in clusters.cluster_of().iter().enumerate() {
            assert_eq!(*cluster, clusters.cluster_of()[index % centres.len()], "seed {seed}");
        }
    }
}

#[test]
fn groups_that_stand_apart_are_found() {
    let kite = [[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [30.0, 30.0]].map(|at| at.to_vec());
    check(&kite, 50, 1.0);
    check(&[vec![0.0], vec![20.0], vec![50.0]], 30, 1.0);
    let corners: Vec<Vec<f32>> =
        (0..6).map(|at| (0..30).map(|i| if i % 6 == at { 5.0 } else { 0.0 }).collect()).collect();
    check(&corners, 40, 1.0);
}

#[test]
fn a_round_cloud_stays_one() {
    check(&[vec![3.0; 10]], 2000, 1.0);
}

/// A weakness of the criterion: two halves of a square explain it no better than the whole.
#[test]
fn a_square_of_groups_stays_one() {
    let square = [[0.0, 0.0], [0.0, 9.0], [9.0, 0.0], [9.0, 9.0]].map(|at| at.to_vec());
    assert_eq!(sizes(&found(&around(&square, 50, 1.0), 2, 1)), [200]);
}

#[test]
fn a_long_cloud_is_cut() {
    // CTOS's vectors have no groups, but spread further in some directions than in others.
    let mut values = around(&[vec![0.0; 10]], 2000, 1.0);
    values.iter_mut().step_by(10).for_each(|value| *value *= 5.0);
    assert!(found(&values, 10, 1).len() > 1);
}

#[test]
fn no_more_clusters_are_made_than_wanted() {
    let lines: Vec<Vec<f32>> = (0..40).map(|at| vec![at as f32 * 100.0, 0.0]).collect();
    let values = around(&lines, 10, 1.0);
    let points = Points::new(&values, 2).unwrap();
    for maximum in [1, 2, 3, 7, 20] {
        let settings = XMeansSettings { maximum, ..XMeansSettings::default() };
        assert_eq!(clusters(points, &settings, Seed(1), 2).len(), maximum);
    }
}

#[test]
fn what_cannot_be_split_is_one_cluster() {
    let check = |values: &[f32], dimensions, expected: &[usize]| {
        assert_eq!(sizes(&found(values, dimensions, 1)), expected, "{values:?}");
    };
    check(&[], 3, &[]);
    check(&[1.0, 2.0, 3.0], 3, &[1]);
    check(&[1.0, 2.0], 1, &[2]);
    check(&[7.0; 5000], 2, &[2500]);
    check(&[0.0; 9], 1, &[9]);
}

#[test]
fn copies_of_two_points_are_two_clusters() {
    let values: Vec<f32> = (0..60).map(|at| if at % 3 == 0 { 1.5 } else { -2.5 }).collect();
    let clusters = found(&values, 1, 1);
    let mut sizes = sizes(&clusters);
    sizes.sort_unstable();
    assert_eq!(sizes, [20, 40]);
}

#[test]
fn a_centre_is_the_mean_of_its_cluster_and_the_central_point_is_nearest_to_it() {
    let values = around(&[vec![0.0, 0.0, 1.0], vec![6.0, 6.0, 0.0]], 300, 1.0);
    let points = Points::new(&values, 3).unwrap();
    let clusters = found(&values, 3, 1);
    for (cluster, central) in clusters.central(points).into_iter().enumerate() {
        let members = members_of(cluster, clusters.cluster_of());
        for (at, centre) in clusters.centre(cluster).iter().enumerate() {
            let sum: f64 =
                members.iter().map(|member| f64::from(points.row(*member as usize)[at])).sum();
            assert!((sum / members.len() as f64 - f64::from(*centre)).abs() < 1e-6);
        }
        let distance = |index: usize| squared(points.row(index), clusters.centre(cluster));
        let least = members.iter().map(|member| distance(*member as usize)).fold(9.0, f32::min);
        assert!(members.contains(&(central as u32)));
        assert_eq!(distance(central), least);
    }
}

#[test]
fn of_two_that_are_equally_central_the_first_is_taken() {
    let points = Points::new(&[4.0, 2.0], 1).unwrap();
    let clusters = clusters(points, &XMeansSettings::default(), Seed(1), 1);
    assert_eq!(clusters.central(points), [0]);
}

#[test]
fn threads_have_no_say_and_the_seed_has() {
    // Without groups, so that much depends on where k-means begins; enough for several pieces.
    let mut values = around(&[vec![0.0; 8]], 6000, 1.0);
    values.iter_mut().step_by(4).for_each(|value| *value *= 3.0);
    let points = Points::new(&values, 8).unwrap();
    let with = |seed, threads| clusters(points, &XMeansSettings::default(), Seed(seed), threads);
    let one = with(1, 1);
    assert!(one.len() > 2);
    for threads in [0, 2, 3, 8] {
        assert_eq!(one, with(1, threads), "{threads} threads");
    }
    assert_ne!(one, with(2, 1));
}

/// Sums whose rounding is all that is left of them, so that every other order shows.
#[test]
fn sums_are_made_in_the_same_order_whatever_the_threads() {
    let mut random = Seed(3).stream("sums", 0);
    let mut values: Vec<f32> =
        (0..4000).map(|at| 10f32.powi(at % 15) * bell(&mut random)).collect();
    values.extend(values.clone().iter().map(|value| -value));
    random.shuffle(&mut values);
    let points = Points::new(&values, 1).unwrap();
    let members: Vec<u32> = (0..8000).collect();
    let settings = XMeansSettings::default();
    let sums = |threads| {
        let kmeans = KMeans { points, settings: &settings, threads };
        let partition = kmeans.partition(&members, vec![0.0]);
        let error = kmeans.error(&members, &partition.centres, &partition.cluster_of);
        (partition.centres, error, points.mean(threads))
    };
    assert_ne!(sums(1).0, [0.0]);
    for threads in [2, 3, 7] {
        assert_eq!(sums(threads), sums(1), "{threads} threads");
    }
}

#[test]
fn empty_clusters_are_dropped() {
    let values = [0.0, 1.0, 10.0, 11.0];
    let settings = XMeansSettings::default();
    let points = Points::new(&values, 1).unwrap();
    let kmeans = KMeans { points, settings: &settings, threads: 1 };
    let partition = kmeans.partition(&[0, 1, 2, 3], vec![-50.0, 0.0, 99.0, 10.0]);
    assert_eq!(partition.centres, [0.5, 10.5]);
    assert_eq!(partition.cluster_of, [0, 0, 1, 1]);
    assert_eq!(partition.sizes, [2, 2]);
}

#[test]
fn k_means_stops_after_its_steps_and_within_its_tolerance() {
    // From 0 and 1 the border moves to the right, one step after the other.
    let values = [0.0, 1.0, 2.0, 3.0, 20.0, 21.0];
    let points = Points::new(&values, 1).unwrap();
    let centres = |steps, tolerance| {
        let settings = XMeansSettings { steps, tolerance, ..XMeansSettings::default() };
        KMeans { points, settings: &settings, threads: 1 }
            .partition(&[0, 1, 2, 3, 4, 5], vec![0.0, 1.0])
            .centres
    };
    assert_eq!(centres(1, 0.0), [0.0, 9.4]);
    assert_eq!(centres(2, 0.0), [1.5, 20.5]);
    assert_eq!(centres(9, 0.0), [1.5, 20.5]);
    assert_eq!(centres(9, 100.0), [0.0, 9.4]);
}
