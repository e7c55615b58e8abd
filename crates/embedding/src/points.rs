//! Vectors as points between which there are distances.

use crate::parallel::{self, PIECE};
use std::fmt;

/// Points, one after the other in a list of coordinates; each a number that is not too large.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    values: &'a [f32],
    dimensions: usize,
}

/// The largest coordinate, either side of 0. The square of the distance between two points then fits an
/// `f32` up to ten million dimensions.
pub const LARGEST: f32 = 1e15;

/// The most points, so that their indices fit 32 bits.
pub const MOST: usize = u32::MAX as usize;

impl<'a> Points<'a> {
    /// The coordinates of one point after the other, of so many `dimensions`.
    ///
    /// # Errors
    ///
    /// If they can't be cut into points, or if there is one that can't be measured.
    pub fn new(values: &'a [f32], dimensions: usize) -> Result<Points<'a>, PointsError> {
        if dimensions == 0 {
            return Err(PointsError::NoDimensions);
        }
        if !values.len().is_multiple_of(dimensions) {
            return Err(PointsError::Ragged { values: values.len(), dimensions });
        }
        if values.len() / dimensions > MOST {
            return Err(PointsError::TooMany { points: values.len() / dimensions });
        }
        // NaN is not within any range, so this finds it too.
        match values.iter().position(|value| !(-LARGEST..=LARGEST).contains(value)) {
            Some(at) => Err(PointsError::Value {
                point: at / dimensions,
                dimension: at % dimensions,
                value: values[at],
            }),
            None => Ok(Points { values, dimensions }),
        }
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.dimensions
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many coordinates each point has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// The coordinates of one of them.
    #[inline]
    #[must_use]
    pub fn row(&self, index: usize) -> &'a [f32] {
        &self.values[index * self.dimensions..(index + 1) * self.dimensions]
    }

    /// Their mean; there must be one.
    pub(crate) fn mean(&self, threads: usize) -> Vec<f32> {
        let add = |mut sums: Vec<f64>, point: &[f32]| {
            sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += f64::from(*value));
            sums
        };
        let sums = parallel::map(self.pieces(PIECE), threads, |piece| {
            piece.chunks_exact(self.dimensions).fold(vec![0.0; self.dimensions], add)
        });
        let mut total = vec![0.0; self.dimensions];
        for sums in sums {
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        total.iter().map(|sum| (sum / self.len() as f64) as f32).collect()
    }

    /// So many of them at a time, one after the other; the last piece may be shorter.
    pub(crate) fn pieces(
        &self,
        points: usize,
    ) -> impl ExactSizeIterator<Item = &'a [f32]> + use<'a> {
        self.values.chunks(points * self.dimensions)
    }
}

/// Why numbers can't be taken as points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PointsError {
    /// Points without dimensions.
    NoDimensions,
    /// The last point lacks coordinates.
    Ragged {
        /// How many coordinates there are.
        values: usize,
        /// How many each point should have.
        dimensions: usize,
    },
    /// More points than [`MOST`].
    TooMany {
        /// How many there are.
        points: usize,
    },
    /// A coordinate that is not a number, infinite, or beyond [`LARGEST`].
    Value {
        /// The point it belongs to.
        point: usize,
        /// Which of its coordinates it is.
        dimension: usize,
        /// The coordinate.
        value: f32,
    },
}

impl fmt::Display for PointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointsError::NoDimensions => f.write_str("points need at least one dimension"),
            PointsError::Ragged { values, dimensions } => {
                write!(f, "{values} numbers can't be cut into points of {dimensions}")
            }
            PointsError::TooMany { points } => {
                write!(f, "{points} points are too many; at most {MOST} can be told apart")
            }
            PointsError::Value { point, dimension, value } => write!(
                f,
                "point {point} has {value} in dimension {dimension}: distances need numbers \
                 between -{LARGEST:e} and {LARGEST:e}"
            ),
        }
    }
}

impl std::error::Error for PointsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_cut_into_points() {
        let points = Points::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2).unwrap();
        assert_eq!((points.len(), points.dimensions()), (3, 2));
        assert_eq!(points.row(1), [3.0, 4.0]);
        assert!(Points::new(&[], 2).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_measured_is_refused_and_named() {
        let check = |values: &[f32], dimensions, message: &str| {
            let error = Points::new(values, dimensions).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        };
        check(&[1.0], 0, "at least one dimension");
        check(&[1.0, 2.0, 3.0], 2, "3 numbers can't be cut into points of 2");
        check(&[1.0, 2.0, 3.0, f32::NAN], 2, "point 1 has NaN in dimension 1");
        check(&[f32::NEG_INFINITY, 2.0], 2, "point 0 has -inf in dimension 0");
        check(&[1.0, 2e15], 1, "between -1e15 and 1e15");
    }
}
