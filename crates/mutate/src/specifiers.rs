//! The words that a declaration begins with: storage, qualifiers, the words of its type.

use crate::lexed::Lexed;

/// What stands before the first declarator. All numbers are those of tokens.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Specifiers {
    /// The first token.
    pub first: usize,
    /// The words of an integer type: `unsigned`, `long`, `int`.
    pub words: Vec<usize>,
    /// `const`, `volatile`, `restrict`, in any spelling.
    pub qualifiers: Vec<usize>,
    /// Is the type something else than these words say: a structure, a name, a `double`?
    pub is_other: bool,
    /// Storage: `static`, `extern`, `register`, `typedef`.
    pub storage: Vec<usize>,
    /// The first token that is no specifier.
    pub next: usize,
}

/// Which qualifier a word is, whatever its spelling.
pub(crate) fn qualifier(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"const" | b"__const" | b"__const__" => "const",
        b"volatile" | b"__volatile" | b"__volatile__" => "volatile",
        b"restrict" | b"__restrict" | b"__restrict__" => "restrict",
        _ => return None,
    })
}

/// Which modifier a word is, whatever its spelling.
pub(crate) fn modifier(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"unsigned" => "unsigned",
        b"signed" | b"__signed" | b"__signed__" => "signed",
        b"short" => "short",
        b"long" => "long",
        _ => return None,
    })
}

impl Specifiers {
    /// Reads those that begin at a token.
    pub fn read(lexed: &Lexed, first: usize) -> Specifiers {
        let mut found = Specifiers { first, ..Specifiers::default() };
        let mut at = first;
        loop {
            let word = lexed.word(at);
            let has_type = found.is_other || !found.words.is_empty();
            match word {
                b"static" | b"extern" | b"register" | b"auto" | b"typedef" => {
                    found.storage.push(at)
                }
                b"inline" | b"__inline" | b"__inline__" | b"_Thread_local" | b"__thread"
                | b"__extension__" | b"_Noreturn" | b"constexpr" => {}
                b"__attribute__" | b"__attribute" | b"_Alignas" | b"alignas" => {
                    at = lexed.partner(at + 1).unwrap_or(at);
                }
                b"int" | b"char" => found.words.push(at),
                b"struct" | b"union" | b"enum" => {
                    found.is_other = true;
                    while lexed.is_word(at + 1) || lexed.is(at + 1, "{") {
                        at += 1;
                        if matches!(lexed.word(at), b"__attribute__" | b"__attribute") {
                            at = lexed.partner(at + 1).unwrap_or(at);
                        } else if lexed.is(at, "{") {
                            at = lexed.partner(at).unwrap_or(at);
                            break;
                        } else {
                            if lexed.is(at + 1, "{") {
                                continue;
                            }
                            break;
                        }
                    }
                }
                b"typeof" | b"__typeof" | b"__typeof__" | b"_Atomic" | b"_BitInt"
                    if lexed.is(at + 1, "(") =>
                {
                    found.is_other = true;
                    at = lexed.partner(at + 1).unwrap_or(at);
                }
                b"_Atomic" => found.is_other = true,
                b"void" | b"float" | b"double" | b"_Bool" | b"bool" | b"__int128" | b"_Complex"
                | b"__complex__" | b"_Float16" | b"_Float32" | b"_Float64" | b"_Float128"
                | b"__float128" | b"__auto_type" => found.is_other = true,
                _ if qualifier(word).is_some() => found.qualifiers.push(at),
                _ if modifier(word).is_some() => found.words.push(at),
                _ if lexed.is_name(at) && !has_type => found.is_other = true,
                _ => break,
            }
            at += 1;
        }
        found.next = at;
        found
    }

    /// Is it an integer whose words can change?
    pub fn is_integer(&self) -> bool {
        !self.is_other && !self.words.is_empty()
    }

    /// Does the storage hold this word?
    pub fn stores(&self, lexed: &Lexed, word: &str) -> bool {
        self.storage.iter().any(|&at| lexed.is(at, word))
    }

    /// The words of the type that are this modifier.
    pub fn modifiers<'a>(
        &'a self,
        lexed: &'a Lexed,
        word: &'a str,
    ) -> impl Iterator<Item = usize> + 'a {
        self.words.iter().copied().filter(move |&at| modifier(lexed.word(at)) == Some(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_end_where_the_declarator_begins() {
        let check = |text: &str, next: &str, integer: bool| {
            let lexed = Lexed::new(text.as_bytes());
            let found = Specifiers::read(&lexed, 0);
            assert_eq!(String::from_utf8_lossy(lexed.word(found.next)), next, "{text}");
            assert_eq!(found.is_integer(), integer, "{text}");
        };
        check("unsigned long long int x = 1;", "x", true);
        check("static const volatile char *p;", "*", true);
        check("struct s { int a; } x;", "x", false);
        check("struct __attribute__((packed)) s { int a; } x;", "x", false);
        check("struct s x;", "x", false);
        check("word x;", "x", false);
        check("__attribute__((aligned(8))) short a[2];", "a", true);
        check("long double d;", "d", false);
        check("int (*f)(int);", "(", true);
        check("enum { A, B } e;", "e", false);
        check("typeof(x) y;", "y", false);
    }
}
