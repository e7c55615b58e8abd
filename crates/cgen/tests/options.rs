//! Options that cannot be met, and options that leave things out.

use base::Seed;
use cgen::{
    Construct, ConstructSet, DataModel, Floats, Limits, Options, Policies, Size, Standard, generate,
};

fn check_refused(change: impl FnOnce(&mut Options), words: &str) {
    let mut options = Options::default();
    change(&mut options);
    let message = options.check().expect_err(words).to_string();
    assert!(message.contains(words), "`{message}` does not say `{words}`");
}

#[test]
fn impossible_options_are_refused_with_the_reason() {
    check_refused(|o| o.limits.functions = 0, "`functions` is 0");
    check_refused(|o| o.limits.expression_depth = 0, "`expression_depth` is 0");
    check_refused(|o| o.limits.expression_depth = 40, "the most is 12");
    check_refused(|o| o.limits.scope_min = 100, "`scope_min` (100) is above `scope_max` (6)");
    check_refused(|o| o.limits.mixed_variables_max = 1, "mixed_variables_min");
    check_refused(|o| o.limits.const_percent = 101, "`const_percent` is 101");
    check_refused(|o| o.require.extend([Construct::Containers]), "c99 has no containers");
    check_refused(|o| o.require.extend([Construct::StaticMembers]), "c99 has no static-members");
    check_refused(
        |o| {
            o.require.insert(Construct::If);
            o.exclude.insert(Construct::If);
        },
        "`if` is both required and excluded",
    );
}

#[test]
fn every_size_and_standard_is_possible() {
    for standard in Standard::ALL {
        for size in Size::ALL {
            Options::new(standard, DataModel::Lp64, size).check().expect("defaults are possible");
        }
        assert_eq!(standard.name().parse(), Ok(standard));
    }
    let error = "c++19".parse::<Standard>().expect_err("no such standard").to_string();
    assert!(error.contains("c++11") && error.contains("did you mean"), "{error}");
}

#[test]
fn tiny_limits_still_make_a_program() {
    let mut options = Options::default();
    for name in Limits::NAMES {
        let least = u32::from(!name.ends_with("_depth") || *name == "expression_depth");
        *options.limits.by_name(name).expect("a name of the table") = least;
    }
    options.check().expect("ones are possible");
    for seed in 0..50 {
        let program = generate(Seed(seed), &options);
        assert!(program.statements >= 1);
    }
}

/// The text of programs of several seeds with a construct excluded.
fn texts_without(construct: Construct, standard: Standard) -> Vec<String> {
    let mut options = Options::new(standard, DataModel::Lp64, Size::Small);
    options.exclude.insert(construct);
    if construct.is_in_paper() {
        options.constructs = ConstructSet::Paper;
    }
    let text = |seed| {
        let files = generate(Seed(seed), &options).files;
        let text = |file: &cgen::GeneratedFile| {
            let text = String::from_utf8(file.bytes.clone()).expect("programs are ASCII");
            text.lines().skip(1).collect::<Vec<_>>().join("\n")
        };
        files.iter().map(text).collect::<Vec<_>>().join("\n")
    };
    (0..40).map(text).collect()
}

#[test]
fn excluded_constructs_are_absent_and_others_present() {
    let spellings: [(Construct, &[&str]); 14] = [
        (Construct::Bool, &["bool"]),
        (Construct::Structs, &["struct "]),
        (Construct::BitFields, &["signed f0:", "unsigned:"]),
        (Construct::StaticMembers, &["::f"]),
        (Construct::Arrays, &["]", "std::"]),
        (Construct::Containers, &["std::", ".at("]),
        (Construct::Pointers, &["*p", "=&"]),
        (Construct::Const, &["const int", "const short", "const long"]),
        (Construct::Locals, &[" v0="]),
        (Construct::If, &["if("]),
        (Construct::Else, &["else"]),
        (Construct::Unary, &["!(", "~("]),
        (Construct::Ternary, &["?"]),
        (Construct::Casts, &["(int)", "(short)", "(long)"]),
    ];
    let all = texts_without(Construct::Else, Standard::Cxx17)
        .into_iter()
        .chain(texts_without(Construct::If, Standard::Cxx17))
        .collect::<String>();
    assert!(all.contains("if("));
    for (construct, spellings) in spellings {
        let without = texts_without(construct, Standard::Cxx17).concat();
        // Casts of wide bit-fields and `!` of conditions belong to other constructs.
        let exception = matches!(construct, Construct::Casts | Construct::Unary);
        for spelling in spellings {
            assert!(exception || !without.contains(spelling), "{construct}: {spelling}");
            if construct != Construct::Else {
                assert!(all.contains(spelling), "{spelling} is never made");
            }
        }
    }
}

#[test]
fn excluded_constructs_beyond_the_paper_are_absent_and_others_present() {
    // The name of the construct's row in the statistics.
    let rows = [
        (Construct::Loops, "loop"),
        (Construct::Reductions, "reduction"),
        (Construct::Continue, "continue"),
        (Construct::Goto, "goto"),
        (Construct::Compound, "compound"),
        (Construct::Increments, "increment"),
        (Construct::Recurrences, "recurrence"),
        (Construct::Switch, "switch"),
        (Construct::Overflow, "overflow"),
        (Construct::Assumptions, "assumption"),
        (Construct::BlockMemory, "block memory"),
        (Construct::Builtins, "builtin"),
        (Construct::Calls, "call"),
        (Construct::Outlined, "outlined"),
        (Construct::Vectors, "vectors"),
        (Construct::Reals, "reals"),
        (Construct::Enums, "enum"),
        (Construct::BoolTricks, "bool trick"),
        (Construct::Unions, "union"),
        (Construct::Int128, "int128"),
        (Construct::SideEffects, "side effect"),
    ];
    let count = |name: &str, exclude: Option<Construct>| -> u64 {
        let mut options = Options::new(Standard::Cxx17, DataModel::Lp64, Size::Small);
        options.exclude.extend(exclude);
        let counts = (0..30).flat_map(|seed| {
            generate(Seed(seed), &options).statistics.constructs().collect::<Vec<_>>()
        });
        counts.filter(|(row, _)| *row == name).map(|(_, count)| count).sum()
    };
    for (construct, name) in rows {
        assert!(count(name, None) > 0, "{name}");
        assert_eq!(count(name, Some(construct)), 0, "{name}");
    }
    for (construct, spelling) in [
        (Construct::Break, ")break;"),
        (Construct::Pragmas, "#pragma"),
        (Construct::Goto, "goto l"),
        (Construct::PointerArithmetic, "*(b0+"),
        (Construct::Volatile, "volatile int u"),
        (Construct::Restrict, "restrict b"),
        (Construct::Enums, "enum E"),
        (Construct::Enums, "case c"),
        (Construct::BoolTricks, "_Bool f0:1"),
        (Construct::BoolTricks, "(p0==&"),
        (Construct::Unions, "x.f1["),
        (Construct::MovingPointers, "=*j"),
        (Construct::MovingPointers, ",j0++)"),
        (Construct::Reals, "/2.0"),
    ] {
        let without = texts_without(construct, Standard::C11).concat();
        assert!(!without.contains(spelling), "{spelling}");
        let with = texts_without(Construct::Increments, Standard::C11).concat();
        assert!(with.contains(spelling), "{spelling}");
    }
}

#[test]
fn what_few_compilers_know_is_made_only_where_it_is_asked_for() {
    let has = |options: &Options| {
        options.check().expect("possible");
        let bytes = (0..20).flat_map(|seed| generate(Seed(seed), options).files[1].bytes.clone());
        String::from_utf8(bytes.collect()).expect("ASCII").contains("_BitInt(")
    };
    let mut options = Options::default();
    assert!(!has(&options));
    options.include.insert(Construct::BitInt);
    assert!(has(&options));
    assert!(options.arguments().contains("--include bit-int"));
    options.exclude.insert(Construct::BitInt);
    assert!(!has(&options));
    check_refused(
        |o| {
            o.standard = Standard::Cxx17;
            o.require.insert(Construct::BitInt);
        },
        "c++17 has no bit-int",
    );
}

#[test]
fn wide_integers_need_a_machine_of_64_bits() {
    let mut options = Options::new(Standard::C99, DataModel::Ilp32, Size::Small);
    options.require.insert(Construct::Int128);
    for seed in 0..10 {
        let program = generate(Seed(seed), &options);
        let mut files = program.files.iter().map(|file| String::from_utf8_lossy(&file.bytes));
        assert!(files.all(|text| !text.contains("__int128 ")), "seed {seed}");
    }
}

#[test]
fn bounded_floating_point_is_printed_apart_and_stays_between_a_half_and_one() {
    let mut options = Options { floats: Floats::Bounded, ..Options::default() };
    options.require.insert(Construct::Reals);
    assert!(options.arguments().contains("--floats bounded"));
    let mut changed = 0;
    for seed in 0..20 {
        let program = generate(Seed(seed), &options);
        assert!(!program.about.is_empty());
        assert!(program.about.iter().all(|number| (0.5..=1.0).contains(number)), "seed {seed}");
        assert_eq!(program.output().lines().count(), 1 + program.about.len());
        // Initial values are multiples of 1/512.
        changed += program.about.iter().filter(|number| (*number * 512.0).fract() != 0.0).count();
    }
    assert!(changed > 100, "{changed}");
    assert!(generate(Seed(1), &Options::default()).about.is_empty());
}

#[test]
fn the_papers_constructs_are_a_set_of_their_own() {
    let mut options = Options { constructs: ConstructSet::Paper, ..Options::default() };
    for seed in 0..20 {
        let program = generate(Seed(seed), &options);
        let beyond: u64 = program.statistics.statements[3..].iter().sum();
        assert_eq!(beyond, 0);
    }
    options.require.insert(Construct::Loops);
    let message = options.check().expect_err("not in the paper").to_string();
    assert!(message.contains("--constructs all"), "{message}");
}

#[test]
fn casts_and_unary_operators_are_absent_from_expressions() {
    let mut options = Options::default();
    options.exclude.extend([Construct::Casts, Construct::Unary, Construct::Ternary]);
    for seed in 0..20 {
        let statistics = generate(Seed(seed), &options).statistics;
        let counts: Vec<_> = statistics.constructs().collect();
        for name in ["unary", "cast", "conditional"] {
            assert!(counts.contains(&(name, 0)), "{counts:?}");
        }
    }
}

#[test]
fn each_policy_can_be_switched_off() {
    let total = |policies: Policies| {
        let mut options = Options { policies, policy_free_in: 0, ..Options::default() };
        options.size = Size::Small;
        let mut sums = [0; 3];
        for seed in 0..40 {
            let statistics = generate(Seed(seed), &options).statistics;
            sums[0] += statistics.regions;
            sums[1] += statistics.reused_constants;
            sums[2] += statistics.expressions[5];
        }
        sums
    };
    let all = total(Policies::ALL);
    assert!(all.iter().all(|count| *count > 0), "{all:?}");
    assert_eq!(total(Policies { constants: false, ..Policies::ALL })[1], 0);
    assert_eq!(total(Policies { cse: false, ..Policies::ALL })[2], 0);
    assert_eq!(total(Policies { contexts: false, constants: false, ..Policies::ALL })[0], 0);
    let without_overlap = total(Policies { overlap: false, ..Policies::ALL })[0];
    assert!(without_overlap > 0 && without_overlap < all[0], "{without_overlap} of {}", all[0]);
    assert_eq!(total(Policies::NONE), [0, 0, 0]);
}
