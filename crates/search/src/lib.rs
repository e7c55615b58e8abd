//! Strategies that choose the next move of a search, by ask and tell.
//!
//! In: how many arms there are to choose from, a random stream, and what became of each move. Out:
//! the arm to pull next, and what a new member adds to the quality of a set. This crate does not know
//! what a move is: it has never heard of programs, of C or of compilers, so a toy problem tests it.
//!
//! ```
//! use search::{Metropolis, Outcome, Strategy};
//!
//! let mut strategy = Metropolis::new(3, base::Seed(1).stream("choose", 0));
//! for _ in 0..10 {
//!     let arm = strategy.ask();
//!     let outcome = if arm == 2 {
//!         Outcome::Accepted { diversity: 0.5, gain: 0.4 }
//!     } else {
//!         Outcome::Rejected
//!     };
//!     strategy.tell(arm, &outcome);
//! }
//! ```

mod a2c;
mod adam;
mod genetic;
mod metropolis;
mod network;
mod quality;
mod random;
mod reward;
mod softmax;
mod strategy;

pub use a2c::{A2c, A2cSettings};
pub use genetic::{Genes, Genetic, GeneticSettings};
pub use metropolis::{Metropolis, positions};
pub use quality::Quality;
pub use random::RandomChoice;
pub use reward::{MeanGains, discounted};
pub use strategy::{Outcome, Strategy};
