//! Reading a pipeline.

use super::{Element, Pipeline};

/// Why a text is no pipeline.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseError {
    /// Nothing stands where a pass must.
    #[error("a pass is missing at byte {at} of the pipeline")]
    Empty {
        /// Where.
        at: usize,
    },
    /// A bracket is not closed.
    #[error("the '{bracket}' at byte {at} of the pipeline is never closed")]
    Unclosed {
        /// Which bracket.
        bracket: char,
        /// Where.
        at: usize,
    },
    /// A bracket is closed that was not opened.
    #[error("nothing opens the '{bracket}' at byte {at} of the pipeline")]
    Unopened {
        /// Which bracket.
        bracket: char,
        /// Where.
        at: usize,
    },
    /// Something follows a pass that is no comma.
    #[error("a ',' is missing at byte {at} of the pipeline")]
    Joined {
        /// Where.
        at: usize,
    },
}

/// Reads a pipeline. Whether its passes exist is not asked.
///
/// # Errors
/// When brackets don't match or a pass is missing, with the place.
pub fn parse(text: &str) -> Result<Pipeline, ParseError> {
    let mut parser = Parser { text, at: 0 };
    let pipeline = parser.pipeline()?;
    match parser.peek() {
        None => Ok(pipeline),
        Some(bracket @ (')' | '>')) => Err(ParseError::Unopened { bracket, at: parser.at }),
        Some(_) => Err(ParseError::Joined { at: parser.at }),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn pipeline(&mut self) -> Result<Pipeline, ParseError> {
        let mut elements = vec![self.element()?];
        while self.peek() == Some(',') {
            self.at += 1;
            elements.push(self.element()?);
        }
        Ok(Pipeline { elements })
    }

    fn element(&mut self) -> Result<Element, ParseError> {
        let start = self.at;
        let rest = &self.text[start..];
        self.at += rest.find([',', '(', ')', '<', '>']).unwrap_or(rest.len());
        if self.at == start {
            return Err(ParseError::Empty { at: start });
        }
        let name = self.text[start..self.at].to_owned();
        let list = if self.peek() == Some('<') { Some(self.list()?) } else { None };
        let inner = if self.peek() == Some('(') { Some(self.group()?) } else { None };
        Ok(Element { name, list, inner, range: start..self.at })
    }

    /// What stands between angle brackets, with those that it holds itself.
    fn list(&mut self) -> Result<String, ParseError> {
        let (open, mut depth) = (self.at, 0usize);
        for (offset, letter) in self.text[open..].char_indices() {
            match letter {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.at = open + offset + 1;
                return Ok(self.text[open + 1..open + offset].to_owned());
            }
        }
        Err(ParseError::Unclosed { bracket: '<', at: open })
    }

    fn group(&mut self) -> Result<Pipeline, ParseError> {
        let open = self.at;
        self.at += 1;
        if self.at == self.text.len() {
            return Err(ParseError::Unclosed { bracket: '(', at: open });
        }
        let inner = self.pipeline()?;
        match self.peek() {
            Some(')') => {
                self.at += 1;
                Ok(inner)
            }
            Some(bracket @ '>') => Err(ParseError::Unopened { bracket, at: self.at }),
            Some(_) => Err(ParseError::Joined { at: self.at }),
            None => Err(ParseError::Unclosed { bracket: '(', at: open }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let check = |text: &str, expect: ParseError| assert_eq!(parse(text), Err(expect), "{text}");
        check("", ParseError::Empty { at: 0 });
        check("a,,b", ParseError::Empty { at: 2 });
        check("a,", ParseError::Empty { at: 2 });
        check("function()", ParseError::Empty { at: 9 });
        check("function(a,b", ParseError::Unclosed { bracket: '(', at: 8 });
        check("function(", ParseError::Unclosed { bracket: '(', at: 8 });
        check("licm<a;b<c>", ParseError::Unclosed { bracket: '<', at: 4 });
        check("a),b", ParseError::Unopened { bracket: ')', at: 1 });
        check("a>,b", ParseError::Unopened { bracket: '>', at: 1 });
        check("f(a>)", ParseError::Unopened { bracket: '>', at: 3 });
        check("f(a)b", ParseError::Joined { at: 4 });
        check("f<a>b", ParseError::Joined { at: 4 });
    }

    #[test]
    fn what_llvm_prints_is_read() {
        for text in [
            "function(loop-mssa(licm<allowspeculation>),gvn)",
            "simplifycfg<switch-range-to-icmp;bonus-inst-threshold=1>",
            "cgscc(devirt<4>(inline,function<eager-inv;no-rerun>(sroa<modify-cfg>)))",
            "repeat<2>(instcombine<max-iterations=1;no-verify-fixpoint>)",
            "require<opt-remark-emit>,a<b<c;d>;e>,licm<>",
        ] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        let nested = parse("a<b<c;d>;e>").unwrap();
        assert_eq!(nested.elements[0].parameters(), ["b<c;d>", "e"]);
    }

    fn pipelines() -> impl Strategy<Value = String> {
        let list = "[a-z0-9=-]{0,4}(;[a-z<]{0,2}>?){0,2}"
            .prop_filter("brackets match", |list| parse(&format!("x<{list}>")).is_ok());
        let leaf = ("[a-z][a-z0-9-]{0,5}", proptest::option::of(list)).prop_map(|(name, list)| {
            name + &list.map_or(String::new(), |list| format!("<{list}>"))
        });
        leaf.prop_recursive(4, 24, 4, |inner| {
            let group = proptest::collection::vec(inner, 1..4).prop_map(|inner| inner.join(","));
            ("[a-z]{1,6}", group).prop_map(|(name, group)| format!("{name}({group}),x"))
        })
    }

    proptest! {
        #[test]
        fn printing_what_was_read_gives_the_text_again(text in pipelines()) {
            let pipeline = parse(&text).unwrap();
            prop_assert_eq!(pipeline.to_string(), text.clone());
            // Every element knows its own bytes.
            fn known(pipeline: &Pipeline, text: &str) -> bool {
                pipeline.elements.iter().all(|element| {
                    element.to_string() == text[element.range.clone()]
                        && element.inner.as_ref().is_none_or(|inner| known(inner, text))
                })
            }
            prop_assert!(known(&pipeline, &text));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[a-c,()<>;]{0,24}") {
            if let Ok(pipeline) = parse(&text) {
                prop_assert_eq!(pipeline.to_string(), text);
            }
        }
    }
}
