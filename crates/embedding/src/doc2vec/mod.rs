//! Paragraph vectors with distributed memory (PV-DM).
