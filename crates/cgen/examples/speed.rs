//! Measures generation on one core, in CPU time: `speed [SECONDS_PER_ROW] [STD] [all|paper]`.
//!
//! Sizes are those of the options, policies all on (without the share of programs that go without
//! them) or all off.

use cgen::{ConstructSet, DataModel, Options, Policies, Size, Standard};

/// CPU time of this process in nanoseconds. The kernel counts it in `schedstat` more finely than
/// `stat`'s ticks of 10 ms, and reading it needs no unsafe code.
fn cpu_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux has schedstat");
    let first = text.split_whitespace().next().expect("schedstat has three numbers");
    first.parse().expect("schedstat's numbers are decimal")
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().map_or(2.0, |s| s.parse().expect("a number of seconds"));
    let standard: Standard =
        arguments.next().map_or(Standard::C99, |s| s.parse().expect("a standard, like c++17"));
    let constructs: ConstructSet =
        arguments.next().map_or(ConstructSet::All, |s| s.parse().expect("all or paper"));
    println!("standard {standard}, constructs {constructs}");
    println!("size    policy  programs  bytes/program   MB/CPU s  Mtokens/CPU s  bytes/token");
    for size in Size::ALL {
        for policies in [true, false] {
            let mut options = Options::new(standard, DataModel::Lp64, size);
            options.policies = if policies { Policies::ALL } else { Policies::NONE };
            options.policy_free_in = 0;
            options.constructs = constructs;
            let (mut programs, mut bytes, mut tokens) = (0u64, 0u64, 0u64);
            let start = cpu_nanoseconds();
            let spent = loop {
                let program = cgen::generate(base::Seed(programs), &options);
                programs += 1;
                bytes += program.files.iter().map(|f| f.bytes.len() as u64).sum::<u64>();
                tokens += program.tokens;
                let spent = (cpu_nanoseconds() - start) as f64 / 1e9;
                if spent >= seconds {
                    break spent;
                }
            };
            println!(
                "{:<7} {:<7} {programs:>8} {:>14} {:>10.1} {:>14.1} {:>12.2}",
                size.name(),
                if policies { "on" } else { "off" },
                bytes / programs,
                bytes as f64 / spent / 1e6,
                tokens as f64 / spent / 1e6,
                bytes as f64 / tokens as f64,
            );
        }
    }
}
