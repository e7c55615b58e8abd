//! Properties of whole programs that need no compiler.

use base::Seed;
use cgen::{DataModel, Generated, Options, Size, Standard, VERSION, generate};

fn bytes(program: &Generated) -> usize {
    program.files.iter().map(|file| file.bytes.len()).sum()
}

fn text(program: &Generated) -> String {
    let all: Vec<u8> = program.files.iter().flat_map(|file| file.bytes.clone()).collect();
    String::from_utf8(all).expect("programs are ASCII")
}

#[test]
fn the_same_seed_gives_the_same_program_on_every_thread() {
    for standard in [Standard::C11, Standard::Cxx20] {
        let options = Options::new(standard, DataModel::Ilp32, Size::Small);
        let first: Vec<Generated> = (0..8).map(|seed| generate(Seed(seed), &options)).collect();
        let workers: Vec<_> = (0..8)
            .map(|seed| {
                let options = options.clone();
                std::thread::spawn(move || generate(Seed(seed), &options))
            })
            .collect();
        for (worker, first) in workers.into_iter().zip(first) {
            assert_eq!(worker.join().expect("no panic"), first);
        }
    }
}

#[test]
fn small_programs_have_20_to_50_kilobytes_in_nearly_all_cases() {
    let mut outside = 0;
    let count = 600;
    for seed in 0..count {
        let standard = Standard::ALL[seed as usize % 7];
        let options = Options::new(standard, DataModel::Lp64, Size::Small);
        let size = bytes(&generate(Seed(seed), &options));
        outside += u32::from(!(20_000..=50_000).contains(&size));
        assert!(size < 80_000, "seed {seed} has {size} bytes");
    }
    assert!(outside <= 6, "{outside} of {count} are outside");
}

#[test]
fn medium_and_paper_programs_have_their_sizes() {
    let check = |size, low, high, seeds: u64| {
        let options = Options::new(Standard::C99, DataModel::Lp64, size);
        let all: usize = (0..seeds).map(|seed| bytes(&generate(Seed(seed), &options))).sum();
        let mean = all / seeds as usize;
        assert!((low..high).contains(&mean), "{size}: {mean}");
    };
    check(Size::Medium, 200_000, 300_000, 12);
    check(Size::Paper, 1_400_000, 1_800_000, 6);
}

/// A lexer for what programs contain, to check the count that the generator keeps.
fn count_tokens(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut at, mut tokens) = (0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        assert!(!rest.starts_with("/*"), "a comment by accident: {}", &rest[..20.min(rest.len())]);
        tokens += 1;
        at += if is_word(&bytes[at]) {
            let number = bytes[at].is_ascii_digit();
            rest.bytes().take_while(|b| is_word(b) || number && *b == b'.').count()
        } else if bytes[at] == b'"' {
            rest[1..].find('"').expect("strings end") + 2
        } else if rest.starts_with("...") {
            3
        } else {
            const LONG: [&str; 21] = [
                "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "^=", "*=",
                "+=", "-=", "/=", "%=", "&=", "|=", "++", "--",
            ];
            LONG.iter().find(|long| rest.starts_with(**long)).map_or(1, |long| long.len())
        };
    }
    tokens
}

#[test]
fn tokens_are_counted_right_and_have_at_most_six_bytes_each() {
    let (mut all_bytes, mut all_tokens) = (0, 0);
    for seed in 0..140 {
        let mut options =
            Options::new(Standard::ALL[seed as usize % 7], DataModel::Lp64, Size::Small);
        options.single = seed % 5 == 0;
        let program = generate(Seed(seed), &options);
        assert_eq!(count_tokens(&text(&program)), program.tokens, "seed {seed}");
        all_bytes += bytes(&program) as u64;
        all_tokens += program.tokens;
    }
    assert!(all_bytes <= 6 * all_tokens, "{all_bytes} bytes, {all_tokens} tokens");
}

#[test]
fn the_first_line_of_every_file_tells_how_to_repeat_it() {
    let mut options = Options::new(Standard::Cxx14, DataModel::Ilp32, Size::Small);
    options.policies.cse = false;
    options.limits.functions = 2;
    options.exclude.insert(cgen::Construct::Bool);
    let program = generate(Seed(9), &options);
    let names: Vec<&str> = program.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["init.h", "func.cpp", "driver.cpp"]);
    for file in &program.files {
        let text = String::from_utf8(file.bytes.clone()).expect("ASCII");
        let expected = format!(
            "// whodunit gen --seed {VERSION}_9 --std c++14 --model ilp32 --size small \
             --no-policy cse --exclude bool --limit functions=2"
        );
        assert_eq!(text.lines().next(), Some(expected.as_str()));
    }
}

#[test]
fn one_file_says_the_same_and_hides_its_values() {
    for seed in 0..20 {
        for standard in [Standard::C99, Standard::Cxx17] {
            let apart = Options::new(standard, DataModel::Lp64, Size::Small);
            let single = Options { single: true, ..apart.clone() };
            let program = generate(Seed(seed), &single);
            assert_eq!(program.files.len(), 1);
            let text = text(&program);
            assert!(text.contains("volatile int w;"));
            // No global has an initial value that a compiler could see.
            let before_functions = text.split("void t0(").next().expect("some text");
            let mut data = before_functions.lines().filter(|line| !line.starts_with("enum E"));
            assert!(data.all(|line| !line.contains('=')), "seed {seed}");
        }
    }
}

#[test]
fn programs_do_something() {
    let mut executed = 0;
    let mut statements = 0;
    for seed in 0..100 {
        let program = generate(Seed(seed), &Options::default());
        assert!(program.statistics.executed > 10, "seed {seed}");
        executed += program.statistics.executed;
        statements += program.statements;
        let text = text(&program);
        let writes = |c: char| text.lines().any(|l| l.starts_with(c) && l.contains('='));
        assert!(writes('m') || writes('o') || writes('s') || writes('a'), "seed {seed}");
    }
    assert!(executed * 3 > statements, "{executed} of {statements}");
}

#[test]
fn the_steps_of_a_program_are_bounded_and_told_in_it() {
    let mut most = 0;
    for seed in 0..60 {
        let options = Options::default();
        let program = generate(Seed(seed), &options);
        let line = format!("// {} steps\n", program.steps);
        assert!(text(&program).contains(&line), "seed {seed}");
        // The last loop may go past the limit.
        assert!(program.steps < 3 * u64::from(options.limits.steps), "seed {seed}");
        assert!(program.steps > 0, "seed {seed}");
        most = most.max(program.steps);
    }
    assert!(most > 1000, "no program loops: {most}");
}

#[test]
fn every_form_of_loop_function_and_subscript_is_made() {
    let all: String =
        (0..60).map(|seed| text(&generate(Seed(seed), &Options::default()))).collect();
    let spellings = [
        "while(",
        "do{",
        ")goto l",
        ")break;",
        ")continue;",
        "switch(",
        "default:",
        "restrict b",
        "inline ",
        "return q",
        "vector_size(16)",
        "long double d",
        "volatile ",
        "%",
        "2*v",
        "__builtin_mul_overflow",
        "__builtin_memmove",
        "__builtin_unreachable",
        "#pragma GCC unroll",
    ];
    for spelling in spellings {
        assert!(all.contains(spelling), "{spelling} is never made");
    }
}
