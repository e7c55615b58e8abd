//! A job, ready to be forked: then nothing may be allocated.

use super::cage::Cage;
use super::order::{Descriptors, Order};
use std::cell::UnsafeCell;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::atomic::AtomicI32;

/// Enough for the few frames between fork and exec.
const STACK: usize = 64 << 10;
/// Processes that are found in one round of a hunt for descendants; the next round finds more.
const HUNTED: usize = 16 << 10;

/// An order with room for what its supervisor needs.
pub(super) struct Prepared {
    pub(super) order: Order,
    pub(super) descriptors: Descriptors,
    pub(super) argv: Pointers,
    pub(super) envp: Pointers,
    /// Where the job runs until it executes its program; it shares the supervisor's memory.
    pub(super) stack: UnsafeCell<Vec<u8>>,
    /// Descendants found by a supervisor that has to hunt for them.
    pub(super) hunted: UnsafeCell<Vec<i32>>,
    /// What the job leaves in the shared memory: the step that failed, why, and where to hear of
    /// requests for too much memory.
    pub(super) failed_step: AtomicI32,
    pub(super) failed_errno: AtomicI32,
    pub(super) listener: AtomicI32,
}

impl Prepared {
    pub(super) fn new(order: Order, descriptors: Descriptors) -> Prepared {
        let hunted = if order.cage == Cage::Subreaper { HUNTED } else { 0 };
        Prepared {
            argv: Pointers::to(&order.argv),
            envp: Pointers::to(&order.envp),
            order,
            descriptors,
            stack: UnsafeCell::new(Vec::with_capacity(STACK)),
            hunted: UnsafeCell::new(vec![0; hunted]),
            failed_step: AtomicI32::new(0),
            failed_errno: AtomicI32::new(0),
            listener: AtomicI32::new(0),
        }
    }
}

/// The array of pointers that `execve` wants. They stay valid when the strings are moved: they point to the heap.
pub(super) struct Pointers(Vec<*const c_char>);

impl Pointers {
    fn to(strings: &[CString]) -> Pointers {
        Pointers(strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect())
    }

    pub(super) fn as_ptr(&self) -> *const *const c_char {
        self.0.as_ptr()
    }
}
