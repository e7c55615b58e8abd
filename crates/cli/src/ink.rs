//! Colours, where they are wanted: on terminals, and not if `NO_COLOR` is set (<https://no-color.org>).

use std::io::IsTerminal;
use std::sync::OnceLock;

/// How a word stands out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ink {
    /// A heading.
    Strong,
    /// What fails.
    Bad,
    /// What is less important.
    Quiet,
}

impl Ink {
    /// A text for standard output in this ink, or as it is.
    pub fn on(self, text: &str) -> String {
        static WANTED: OnceLock<bool> = OnceLock::new();
        let wanted = *WANTED.get_or_init(|| {
            is_wanted(
                std::io::stdout().is_terminal(),
                std::env::var("NO_COLOR").ok().as_deref(),
                std::env::var("TERM").ok().as_deref(),
            )
        });
        if wanted { self.always(text) } else { text.to_owned() }
    }

    fn always(self, text: &str) -> String {
        let code = match self {
            Ink::Strong => 1,
            Ink::Bad => 31,
            Ink::Quiet => 2,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

fn is_wanted(is_terminal: bool, no_color: Option<&str>, term: Option<&str>) -> bool {
    is_terminal && no_color.is_none_or(str::is_empty) && term != Some("dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_whose_owner_did_not_say_no() {
        assert!(is_wanted(true, None, Some("xterm")) && is_wanted(true, Some(""), None));
        assert!(!is_wanted(false, None, None) && !is_wanted(true, Some("1"), None));
        assert!(!is_wanted(true, None, Some("dumb")));
        assert_eq!(Ink::Bad.always("crash"), "\x1b[31mcrash\x1b[0m");
    }
}
