//! Work that is cut into pieces and shared by threads.

use std::sync::{Mutex, PoisonError};

/// How many points make a piece. Sums are made piece by piece and then added in the order of the pieces,
/// so it must not depend on the number of threads.
pub(crate) const PIECE: usize = 1024;

/// What `work` makes of each of `pieces`, in their order. Each thread takes the next piece when it has done
/// one.
pub(crate) fn map<Piece, Done: Send>(
    pieces: impl ExactSizeIterator<Item = Piece> + Send,
    threads: usize,
    work: impl Fn(Piece) -> Done + Sync,
) -> Vec<Done> {
    let threads = threads.clamp(1, pieces.len().max(1));
    let queue = Mutex::new(pieces.enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut done = Vec::new();
        while let Some((index, piece)) = next() {
            done.push((index, work(piece)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, done)| done).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn results_are_in_the_order_of_the_pieces() {
        for threads in [0, 1, 2, 7, 200] {
            let squares = map((0..100).map(|n| n + 1), threads, |n| n * n);
            assert_eq!(squares, (1..=100).map(|n| n * n).collect::<Vec<i32>>(), "{threads}");
        }
        assert_eq!(map(0..0, 4, |n: i32| n), []);
    }

    #[test]
    fn results_are_in_order_when_each_thread_does_an_early_and_a_late_piece() {
        let meet = Barrier::new(2);
        let work = |n: usize| {
            if [0, 1, 98, 99].contains(&n) {
                meet.wait();
            }
            n
        };
        assert_eq!(map(0..100, 2, work), (0..100).collect::<Vec<_>>());
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_is_passed_on() {
        map(0..20, 3, |n| assert!(n != 7, "seven"));
    }
}
