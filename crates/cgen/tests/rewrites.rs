//! Table 1 at the widths of real programs; the exhaustive test at 4 bits is beside the table.

use cgen::BinaryOp::{self, Add, Div, Mul, Rem, Shl, Shr, Sub};
use cgen::rewrite::{MAX_STEPS, Operation, ROWS, Replacement, Shape, negation_is_unsafe};
use proptest::prelude::*;

/// The range of a type, in wide arithmetic.
fn range(shape: Shape) -> (i128, i128) {
    if shape.signed {
        (-(1 << (shape.width - 1)), (1 << (shape.width - 1)) - 1)
    } else {
        (0, (1 << shape.width) - 1)
    }
}

/// The number that bits stand for.
fn number(bits: i64, shape: Shape) -> i128 {
    if shape.signed { i128::from(bits) } else { i128::from(bits as u64) }
}

/// The result in exact arithmetic, if the standard defines it.
fn exact(o: &Operation) -> Option<i128> {
    let (a, b) = (number(o.a, o.left), number(o.b, o.right));
    let (low, high) = range(o.left);
    let in_width = b >= 0 && b < i128::from(o.left.width);
    let result = match o.op {
        Add => a + b,
        Sub => a - b,
        Mul if o.left.signed => a * b,
        Mul => return Some((a as u128).wrapping_mul(b as u128) as i128 & high),
        Div | Rem if b == 0 => return None,
        // The remainder of an overflowing quotient is undefined as well.
        Div | Rem if a / b > high => return None,
        Div => a / b,
        Rem => a % b,
        Shl | Shr if !in_width || (a < 0 && !o.negative_shifts) => return None,
        Shl if o.negative_shifts && o.left.signed => {
            let bits = (a << b) & ((1 << o.left.width) - 1);
            if bits > high { bits - (1 << o.left.width) } else { bits }
        }
        Shl => a << b,
        Shr => a >> b,
        _ => unreachable!("only operators of the table are drawn"),
    };
    if o.left.signed {
        (low..=high).contains(&result).then_some(result)
    } else {
        Some(result & high)
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    (prop_oneof![Just(32), Just(64)], any::<bool>())
        .prop_map(|(width, signed)| Shape { width, signed })
}

/// Values of a type: half at and near its limits, zero and the widths.
fn value(shape: Shape) -> impl Strategy<Value = i64> {
    let (low, high) = range(shape);
    let near = prop_oneof![Just(low), Just(high), Just(0), Just(32), Just(64), Just(-1)];
    let near = (near, -3i128..=3).prop_map(|(value, off)| value + off);
    let any = any::<i64>().prop_map(i128::from);
    let small = -70i128..70;
    prop_oneof![near, any, small].prop_map(move |value| {
        let bits = value as i64;
        let shift = 64 - shape.width;
        if shape.signed { bits << shift >> shift } else { ((bits as u64) << shift >> shift) as i64 }
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    let op = prop::sample::select(vec![Add, Sub, Mul, Div, Rem, Shl, Shr]);
    (op, shape(), shape(), any::<bool>()).prop_flat_map(|(op, left, right, negative_shifts)| {
        let right = if matches!(op, Shl | Shr) { right } else { left };
        (value(left), value(right)).prop_map(move |(a, b)| Operation {
            op,
            a,
            b,
            left,
            right,
            negative_shifts,
        })
    })
}

/// Applies the table as the generator does, with the amount that `pick` draws.
fn repaired(mut o: Operation, pick: u64) -> Result<Option<Operation>, TestCaseError> {
    for _ in 0..=MAX_STEPS {
        prop_assert_eq!(o.is_unsafe(), exact(&o).is_none(), "{:?}", o);
        if !o.is_unsafe() {
            return Ok(Some(o));
        }
        let apply = |op: BinaryOp, a, b, shape| {
            let step = Operation { op, a, b, left: shape, right: shape, ..o };
            prop_assert!(!step.is_unsafe(), "{step:?} while repairing {o:?}");
            Ok(step.result())
        };
        match o.replacement().expect("every unsafe operation has a row") {
            Replacement::Operator(op) => o = Operation { op, ..o },
            Replacement::Left | Replacement::Right => return Ok(None),
            Replacement::RaiseLeft => {
                let max = range(o.left).1 as i64;
                o.a = apply(Add, o.a, max, o.left)?;
            }
            by @ (Replacement::RaiseRight | Replacement::LowerRight) => {
                let (low, high) = o.amounts();
                let span = (high.wrapping_sub(low) as u64) + 1;
                prop_assert!((1..=64).contains(&span), "{span} amounts for {o:?}");
                let amount = low.wrapping_add((pick % span) as i64);
                let op = if by == Replacement::RaiseRight { Add } else { Sub };
                o.b = apply(op, o.b, amount, o.right)?;
            }
        }
    }
    Err(TestCaseError::fail(format!("no end: {o:?}")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repaired_operations_are_defined_and_have_the_exact_result(o in operation(), pick: u64) {
        if let Some(safe) = repaired(o, pick)? {
            let exact = exact(&safe).expect("it is safe");
            prop_assert_eq!(number(safe.result(), safe.left), exact, "{:?}", safe);
        }
    }

    #[test]
    fn negation_is_unsafe_only_for_the_least_value(
        (a, shape) in shape().prop_flat_map(|s| (value(s), Just(s)))
    ) {
        let overflows = shape.signed && -number(a, shape) > range(shape).1;
        prop_assert_eq!(negation_is_unsafe(a, shape), overflows);
    }
}

#[test]
fn the_proof_script_reads_every_row() {
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(manifest.join("src/rewrite.rs")).expect("the table");
    for row in &ROWS {
        // The script matches `name: "...", op: ..., applies: Operation::...` on one or more lines.
        let name = format!("name: \"{}\"", row.name);
        assert_eq!(source.matches(&name).count(), 1, "{name}");
    }
    let rows = source.matches("applies: Operation::").count();
    assert_eq!(rows, ROWS.len(), "conditions of rows must be named functions");
}
