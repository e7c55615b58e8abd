//! A choice of vectors that are far from each other: Algorithm 3 of CTOS.
