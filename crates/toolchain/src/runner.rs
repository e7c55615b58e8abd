//! What runs the programs of a cross compiler.

use crate::compiler::{DataModel, in_path};
use std::path::Path;

/// QEMU's name for a machine, by the first part of the target's name.
const QEMU: [(&str, &str); 9] = [
    ("aarch64", "qemu-aarch64"),
    ("arm", "qemu-arm"),
    ("riscv64", "qemu-riscv64"),
    ("powerpc64le", "qemu-ppc64le"),
    ("powerpc64", "qemu-ppc64"),
    ("s390x", "qemu-s390x"),
    ("mips64el", "qemu-mips64el"),
    ("mipsel", "qemu-mipsel"),
    ("sparc64", "qemu-sparc64"),
];

fn machine(target: &str) -> &str {
    target.split('-').next().unwrap_or_default()
}

/// Does `target` name the machine that we run on?
#[must_use]
pub fn is_host(target: &str) -> bool {
    machine(target) == std::env::consts::ARCH && !target.contains("mingw")
}

/// The command that runs programs for `target` here: nothing for the host, QEMU's user mode with
/// Debian's cross libraries for others where they are installed.
#[must_use]
pub fn for_target(target: &str) -> Vec<String> {
    if is_host(target) {
        return Vec::new();
    }
    let sysroot = format!("/usr/{target}");
    let qemu = QEMU.iter().find(|(prefix, _)| machine(target) == *prefix).map(|(_, qemu)| qemu);
    match qemu.and_then(|qemu| in_path(qemu)) {
        Some(qemu) if Path::new(&sysroot).is_dir() => {
            vec![qemu.to_string_lossy().into_owned(), "-L".to_owned(), sysroot]
        }
        Some(qemu) => vec![qemu.to_string_lossy().into_owned()],
        None => Vec::new(),
    }
}

/// The data model that Linux has on `target`.
#[must_use]
pub fn data_model_of(target: &str) -> DataModel {
    match machine(target) {
        "arm" | "i386" | "i486" | "i586" | "i686" | "mipsel" | "mips" | "riscv32" | "powerpc" => {
            DataModel::Ilp32
        }
        _ if target.contains("ilp32") || target.ends_with("x32") => DataModel::Ilp32,
        _ => DataModel::Lp64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_models_follow_the_target() {
        assert_eq!(data_model_of("x86_64-linux-gnu"), DataModel::Lp64);
        assert_eq!(data_model_of("arm-linux-gnueabihf"), DataModel::Ilp32);
        assert_eq!(data_model_of("x86_64-linux-gnux32"), DataModel::Ilp32);
        assert!(for_target("unknown-machine").is_empty());
    }
}
