//! Any C or C++ file as a typed, byte-exact tree.
