//! May one variable stand where another does?

use crate::usage::Usage;
use crate::variables::{Variable, is_const, unqualified};
use csyntax::{Class, Type};

/// Can `candidate` stand in for something of type `wanted` that is used so?
///
/// The same type always fits, and so does one number for another unless its address is taken; an
/// array needs the same elements and at least as many. What is written to or may be is not
/// constant. With `strict` (C++, which converts less) only the same type fits.
pub(crate) fn fits(candidate: &Variable, wanted: &Type, usage: Usage, strict: bool) -> bool {
    let ty = &candidate.ty;
    let changes = usage.written || usage.escapes || usage.pointee_written;
    if changes && is_const(ty) && !is_const(wanted) {
        return false;
    }
    if usage.written && is_const(ty) || usage.escapes && candidate.is_register {
        return false;
    }
    if unqualified(ty) == unqualified(wanted) {
        return !matches!(ty.class, Class::Array(_, None) | Class::Function(_) | Class::Other);
    }
    if let (Class::Array(element, Some(length)), Class::Array(other, Some(least))) =
        (&ty.class, &wanted.class)
    {
        return unqualified(element) == unqualified(other) && length >= least;
    }
    let real = |ty: &Type| ty.is_arithmetic() && ty.class != Class::Complex;
    real(ty)
        && real(wanted)
        && !strict
        && !usage.escapes
        && !usage.wants_same
        && (ty.is_integer() || !usage.wants_integer)
}
