//! The vectors that were learned.

/// One vector for each sequence, in one list.
#[derive(Clone, PartialEq, Debug)]
pub struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
}

impl Vectors {
    pub(super) fn new(dimensions: usize, values: Vec<f32>) -> Vectors {
        Vectors { dimensions, values }
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.dimensions
    }

    /// Whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The vector of the sequence `index`.
    ///
    /// # Panics
    /// When there are not that many vectors.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimensions..][..self.dimensions]
    }

    /// The numbers of all vectors, one vector behind the other.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The numbers of all vectors, without a copy.
    #[must_use]
    pub fn into_values(self) -> Vec<f32> {
        self.values
    }
}
