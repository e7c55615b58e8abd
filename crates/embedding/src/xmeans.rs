//! k-means that finds the number of clusters itself.
