//! The choice against the plain algorithm of the paper, which compares everything with everything.

use super::*;
use crate::distance::squared;

/// Algorithm 3, line by line. Distances are squared, as in `greedy`.
fn plain(points: Points<'_>, first: &[usize], count: usize) -> Vec<usize> {
    let centre = points.mean(1);
    let mut chosen = first.to_vec();
    while chosen.len() < count {
        let mut best = None;
        for index in (0..points.len()).filter(|index| !chosen.contains(index)) {
            let point = points.row(index);
            let distances = chosen.iter().map(|other| squared(point, points.row(*other)));
            let nearest = distances.fold(f32::INFINITY, f32::min);
            let score = f64::from(squared(point, &centre)) * f64::from(nearest);
            if best.is_none_or(|(_, most)| score > most) {
                best = Some((index, score));
            }
        }
        chosen.push(best.unwrap().0);
    }
    chosen
}

fn check(values: &[f32], dimensions: usize, first: &[usize], count: usize) {
    let points = Points::new(values, dimensions).unwrap();
    let expected = plain(points, first, count);
    for threads in [0, 1, 2, 3, 8] {
        assert_eq!(diverse(points, first, count, threads), expected, "{threads} threads");
    }
}

fn random_values(count: usize, seed: u64, value: impl Fn(f64) -> f32) -> Vec<f32> {
    let mut random = Seed(seed).stream("values", 0);
    (0..count).map(|_| value(random.unit())).collect()
}

#[test]
fn the_choice_is_that_of_the_plain_algorithm() {
    for (seed, dimensions) in [(1, 1), (2, 2), (3, 3), (4, 7), (5, 30)] {
        let values = random_values(400 * dimensions, seed, |unit| unit as f32 - 0.3);
        check(&values, dimensions, &[17, 250], 120);
    }
    // Some far out, most near: where bounds fall far at once.
    let values = random_values(600 * 3, 6, |unit| 1.0 / (unit as f32 + 0.01));
    check(&values, 3, &[5], 200);
}

#[test]
fn of_equals_the_first_is_chosen() {
    for dimensions in [1, 2, 3, 5] {
        let values = random_values(300 * dimensions, 7, |unit| (unit * 4.0).floor() as f32);
        check(&values, dimensions, &[3], 300);
    }
}

#[test]
fn distances_count_as_in_the_paper_not_their_squares() {
    let values = random_values(500 * 4, 8, |unit| unit as f32);
    let points = Points::new(&values, 4).unwrap();
    let mean: Vec<f64> = (0..4)
        .map(|at| (0..500).map(|index| f64::from(points.row(index)[at])).sum::<f64>() / 500.0)
        .collect();
    let distance = |index: usize, to: &dyn Fn(usize) -> f64| {
        let squares = (0..4).map(|at| (f64::from(points.row(index)[at]) - to(at)).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let mut chosen = vec![0];
    while chosen.len() < 100 {
        let score = |index: usize| {
            let to = |other: &usize| distance(index, &|at| f64::from(points.row(*other)[at]));
            let nearest = chosen.iter().map(to).fold(f64::INFINITY, f64::min);
            nearest * distance(index, &|at| mean[at])
        };
        let best = (0..500).max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap();
        chosen.push(best);
    }
    assert_eq!(diverse(points, &[0], 100, 1), chosen);
}

#[test]
fn a_longer_choice_begins_as_a_shorter_one() {
    let values = random_values(200 * 3, 9, |unit| unit as f32);
    let points = Points::new(&values, 3).unwrap();
    let all = diverse(points, &[1, 2], 200, 2);
    assert_eq!(diverse(points, &[1, 2], 50, 2), all[..50]);
    assert_eq!(diverse(points, &[1, 2], 1, 2), [1]);
    assert_eq!(diverse(points, &[1, 2], 0, 2), []);
    assert_eq!(diverse(points, &[1, 2], 999, 2), all);
    let mut sorted = all.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..200).collect::<Vec<_>>());
}

#[test]
fn copies_are_taken_in_their_order_when_nothing_else_is_left() {
    let points = Points::new(&[2.0; 10], 2).unwrap();
    assert_eq!(diverse(points, &[2], 5, 2), [2, 0, 1, 3, 4]);
}

#[test]
fn representatives_begin_with_one_of_each_cluster() {
    let noise = random_values(900 * 2, 10, |unit| unit as f32);
    let groups = [[0.0, 0.0], [30.0, 0.0], [0.0, 30.0]];
    let values: Vec<f32> =
        noise.iter().enumerate().map(|(at, noise)| groups[at / 2 % 3][at % 2] + noise).collect();
    let points = Points::new(&values, 2).unwrap();
    let chosen = representatives(points, 60, &XMeansSettings::default(), Seed(1), 2);
    let mut groups: Vec<usize> = chosen[..3].iter().map(|index| index % 3).collect();
    groups.sort_unstable();
    assert_eq!(groups, [0, 1, 2]);
    assert_eq!(chosen.iter().collect::<BTreeSet<_>>().len(), 60);
    for threads in [1, 3] {
        let again = representatives(points, 60, &XMeansSettings::default(), Seed(1), threads);
        assert_eq!(again, chosen);
    }
}

#[test]
fn fewer_representatives_than_clusters_are_enough() {
    let values = random_values(300, 11, |unit| (unit * 5.0).floor() as f32 * 100.0);
    let points = Points::new(&values, 1).unwrap();
    let chosen =
        |count| representatives(points, count, &XMeansSettings::default(), Seed(1), 1).len();
    assert_eq!([0, 1, 2, 5, 300, 400].map(chosen), [0, 1, 2, 5, 300, 300]);
    let none = Points::new(&[], 4).unwrap();
    assert_eq!(representatives(none, 5, &XMeansSettings::default(), Seed(1), 1), []);
}

#[test]
#[should_panic(expected = "a point is named twice")]
fn a_first_choice_that_names_a_point_twice_is_refused() {
    let _ = diverse(Points::new(&[1.0, 2.0, 3.0], 1).unwrap(), &[1, 1], 3, 1);
}
