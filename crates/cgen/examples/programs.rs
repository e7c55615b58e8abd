//! Writes the programs of seeds as one-file programs, with what they must print:
//! `programs FOLDER FIRST COUNT STD MODEL [BYTES] [NAME…]`, NAME being constructs to leave out, or
//! `+NAME` to require, or `bounded`, the mode of floating point.

use base::Seed;
use cgen::{Options, Size};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().unwrap_or_else(|| panic!("say {what}"));
    let folder = std::path::PathBuf::from(next("a folder"));
    let first: u64 = next("the first seed").parse().expect("a seed");
    let count: u64 = next("how many").parse().expect("a number");
    let standard = next("a standard").parse().expect("a standard");
    let model = next("a data model").parse().expect("a data model");
    let mut options = Options::new(standard, model, Size::Small);
    if let Some(bytes) = arguments.next() {
        options.limits.bytes_max = bytes.parse().expect("a number of bytes");
        options.limits.bytes_min = options.limits.bytes_max / 2;
    }
    for name in arguments {
        if let Ok(floats) = name.parse() {
            options.floats = floats;
            continue;
        }
        match name.strip_prefix('+') {
            Some(name) => options.require.insert(name.parse().expect("a construct")),
            None => options.exclude.insert(name.parse().expect("a construct")),
        };
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    for seed in first..first + count {
        options.single = true;
        let program = cgen::generate(Seed(seed), &options);
        let path = folder.join(format!("{seed}-{}", program.files[0].name));
        std::fs::write(path, &program.files[0].bytes).expect("room on the disk");
        std::fs::write(folder.join(format!("{seed}.expected")), program.output())
            .expect("room on the disk");
    }
}
