//! Measures X-means and the choice: `choose [POINTS] [DIMENSIONS] [COUNT] [THREADS] [DATA]`.
//!
//! DATA is `cloud` (one cloud, longer in some directions), `clusters` (twenty clouds of different sizes),
//! `sheet` (three dimensions, bent into all), or a file of `f32`, least byte first. Peak memory is that of
//! the whole process, the points included.

use base::{Random, Seed};
use embedding::choose::diverse;
use embedding::points::Points;
use embedding::xmeans::{XMeansSettings, clusters};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default: usize| {
        arguments.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (count, dimensions) = (number(0, 300_000), number(1, 100));
    let (wanted, threads) = (number(2, 3_000), number(3, 2));
    let data = arguments.get(4).map_or("cloud", String::as_str);
    let mut random = Seed(1).stream("points", 0);
    let begun = Instant::now();
    let values = match data {
        "cloud" => cloud(count, dimensions, &mut random),
        "clusters" => clouds(count, dimensions, &mut random),
        "sheet" => sheet(count, dimensions, &mut random),
        path => read(path, count * dimensions),
    };
    let points = Points::new(&values, dimensions).expect("points that can be measured");
    println!(
        "{} points of {dimensions} dimensions ({data}) in {:.2?}",
        points.len(),
        begun.elapsed()
    );

    let begun = Instant::now();
    let clusters = clusters(points, &XMeansSettings::default(), Seed(1), threads);
    println!("{} clusters in {:.2?}", clusters.len(), begun.elapsed());

    let begun = Instant::now();
    let chosen = diverse(points, &clusters.central(points), wanted, threads);
    println!("{} chosen in {:.2?}", chosen.len(), begun.elapsed());
    let digest = chosen.iter().fold(0u64, |sum, index| sum.wrapping_mul(31) + *index as u64);
    println!("last {:?}, digest {digest:x}, {}", chosen.last(), peak());
}

/// A value about 0, nearly normal.
fn bell(random: &mut Random) -> f32 {
    ((0..6).map(|_| random.unit()).sum::<f64>() - 3.0) as f32 * 1.4
}

fn cloud(count: usize, dimensions: usize, random: &mut Random) -> Vec<f32> {
    let width = |at: usize| 0.4 / (1.0 + at as f32 / 25.0);
    (0..count * dimensions).map(|at| width(at % dimensions) * bell(random)).collect()
}

fn clouds(count: usize, dimensions: usize, random: &mut Random) -> Vec<f32> {
    let centres: Vec<f32> = (0..20 * dimensions).map(|_| bell(random)).collect();
    let mut values = Vec::with_capacity(count * dimensions);
    for _ in 0..count {
        let cluster = random.index(20).min(random.index(20));
        let centre = &centres[cluster * dimensions..(cluster + 1) * dimensions];
        let width = 0.1 + cluster as f32 / 40.0;
        values.extend(centre.iter().map(|value| value + width * bell(random)));
    }
    values
}

fn sheet(count: usize, dimensions: usize, random: &mut Random) -> Vec<f32> {
    let bends: Vec<[f32; 3]> =
        (0..dimensions).map(|_| std::array::from_fn(|_| bell(random))).collect();
    let mut values = Vec::with_capacity(count * dimensions);
    for _ in 0..count {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|_| bell(random));
        values.extend(bends.iter().map(|[a, b, c]| (a * x + b * y + c * z).sin()));
    }
    values
}

fn read(path: &str, values: usize) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("a file of points");
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().take(values).map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// The most memory this process had, as Linux says.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.unwrap_or("VmHWM: ?").split_whitespace().collect::<Vec<_>>().join(" ")
}
