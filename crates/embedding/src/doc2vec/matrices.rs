//! What is known about words.

use super::lanes::{Lanes, groups, random_rows};
use super::places::TILE;
use super::settings::Settings;
use super::vocabulary::Vocabulary;
use base::Random;

/// For each word a row for where it stands in a context, and a row for where it is to be told from others.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrices {
    pub words: Vec<Lanes>,
    pub outputs: Vec<Lanes>,
    /// Of a row.
    pub groups: usize,
}

impl Matrices {
    /// What is known at the start: nothing, but random words.
    pub fn new(vocabulary: &Vocabulary, settings: &Settings, random: &mut Random) -> Matrices {
        let words = random_rows(vocabulary.len(), settings.dimensions, random);
        let outputs = vec![Lanes::ZERO; words.len()];
        Matrices { words, outputs, groups: groups(settings.dimensions) }
    }
}

/// The rows of a tile.
#[inline(always)]
pub(super) fn rows<'a>(
    matrix: &'a [Lanes],
    numbers: &[u32; TILE],
    groups: usize,
) -> [&'a [Lanes]; TILE] {
    let mut rows = [&matrix[..0]; TILE];
    for (row, &number) in rows.iter_mut().zip(numbers) {
        *row = &matrix[number as usize * groups..][..groups];
    }
    rows
}

/// Adds the rows, each as much as it is pulled.
#[inline(always)]
pub(super) fn add_scaled(sum: &mut [Lanes], rows: [&[Lanes]; TILE], pulls: &[f32; TILE]) {
    let sum = &mut sum[..rows[0].len()];
    for (group, sum) in sum.iter_mut().enumerate() {
        let mut next = *sum;
        for (row, &pull) in rows.iter().zip(pulls) {
            next = next.plus(&row[group].scaled(pull));
        }
        *sum = next;
    }
}

#[inline(always)]
pub(super) fn add(sum: &mut [Lanes], row: &[Lanes]) {
    sum.iter_mut().zip(row).for_each(|(sum, row)| *sum = sum.plus(row));
}
