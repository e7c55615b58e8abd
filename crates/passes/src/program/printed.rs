//! A module as LLVM prints it, line by line: its functions, their blocks, opcodes and targets.
//!
//! [`crate::ir`] reads any layout and every operand. For programs of Csmith that took half as long as
//! compiling them did; to look at first words and labels only takes less than a tenth.

use super::error::ReadError;
use super::vocabulary::{OPCODES, word};

/// The body of a function.
#[derive(Debug)]
pub(super) struct Body {
    pub name: String,
    pub blocks: Vec<Lines>,
}

/// What the lines of a block say.
#[derive(Debug)]
pub(super) struct Lines {
    /// Its name as opt prints it: `entry`, or `%2` if it has only a number.
    pub name: String,
    /// The opcodes of its instructions.
    pub words: Vec<u32>,
    /// The names of the blocks that its last instruction may go to, in order.
    pub targets: Vec<String>,
    end: End,
}

/// How far the last instruction of a block is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Missing,
    /// It is read, but for lines that go on with it. This many brackets are open.
    Read(usize),
}

/// Opcodes that end a block, and may name no other.
const RETURNS: [&str; 5] = ["ret", "resume", "unreachable", "cleanupret", "indirectbr"];

/// Opcodes that end a block and name others.
const JUMPS: [&str; 6] = ["br", "switch", "invoke", "callbr", "catchret", "catchswitch"];

/// First words of lines that go on with the instruction before.
const CONTINUATIONS: [&str; 5] = ["to", "unwind", "catch", "filter", "cleanup"];

/// Reads all functions that have a body.
pub(super) fn bodies(text: &str) -> Result<Vec<Body>, ReadError> {
    let mut bodies = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix("define ") {
            let wrong = || ReadError::Head { head: line.to_owned() };
            let mut reader = Reader::begin(head).ok_or_else(wrong)?;
            loop {
                let Some(line) = lines.next() else {
                    return Err(ReadError::Unclosed { function: reader.body.name });
                };
                let line = line.trim_start();
                if line.starts_with('}') {
                    break;
                }
                reader.line(line)?;
            }
            reader.check_end()?;
            bodies.push(reader.body);
        }
    }
    if bodies.is_empty() { Err(ReadError::NoFunction) } else { Ok(bodies) }
}

/// A function that is being read.
struct Reader {
    body: Body,
    /// The next number for something without a name.
    next: usize,
}

impl Reader {
    /// Reads what stands behind `define` in the head of a function.
    fn begin(head: &str) -> Option<Reader> {
        let (name, rest) = name(&head[unquoted(head, b'@').next()? + 1..])?;
        let parameters = parenthesised(rest)?;
        code(rest).ends_with('{').then_some(())?;
        let body = Body { name: plain(name), blocks: Vec::new() };
        let mut reader = Reader { body, next: 0 };
        for parameter in parameters.into_iter().filter(|it| !matches!(it.trim(), "" | "...")) {
            // Types may have names as well, but the parameter's own ends the text.
            let names = unquoted(parameter, b'%').filter_map(|at| self::name(&parameter[at + 1..]));
            match names.last() {
                Some((name, "")) => reader.count(name),
                _ => reader.next += 1,
            }
        }
        Some(reader)
    }

    /// Numbers go on behind the one of the last thing that has only a number.
    fn count(&mut self, name: &str) {
        if let Ok(number) = name.parse::<usize>() {
            self.next = number.saturating_add(1);
        }
    }

    fn line(&mut self, line: &str) -> Result<(), ReadError> {
        if let Some((label, rest)) = name(line)
            && let Some(rest) = rest.strip_prefix(':')
        {
            if !self.body.blocks.is_empty() {
                self.check_end()?;
            }
            self.count(label);
            self.open(spelled(label));
            return self.line(rest.trim_start());
        }
        let first = line.split(|letter: char| !is_opcode(letter)).next().unwrap_or_default();
        if line.is_empty() || line.starts_with([';', '#']) || first.starts_with("uselistorder") {
            return Ok(());
        }
        if let Some(block) = self.body.blocks.last_mut() {
            let goes_on = CONTINUATIONS.contains(&first);
            match block.end {
                End::Missing if goes_on => return Ok(()),
                End::Missing => return self.instruction(line),
                End::Read(open) if open > 0 || goes_on => {
                    block.targets(line);
                    return Ok(());
                }
                End::Read(_) => self.check_end()?,
            }
        }
        // The first block, or one without a label.
        self.open(format!("%{}", self.next));
        self.next += 1;
        self.instruction(line)
    }

    fn open(&mut self, name: String) {
        let (words, targets) = (Vec::new(), Vec::new());
        self.body.blocks.push(Lines { name, words, targets, end: End::Missing });
    }

    fn instruction(&mut self, line: &str) -> Result<(), ReadError> {
        let mut rest = line;
        if let Some((result, behind)) = line.strip_prefix('%').and_then(name)
            && let Some(behind) = behind.trim_start().strip_prefix('=')
        {
            self.count(result);
            rest = behind.trim_start();
        }
        for prefix in ["tail ", "musttail ", "notail "] {
            rest = rest.strip_prefix(prefix).unwrap_or(rest);
        }
        let end = rest.find(|letter| !is_opcode(letter)).unwrap_or(rest.len());
        let (opcode, operands) = rest.split_at(end);
        let Reader { body: Body { name, blocks }, .. } = self;
        let Some(block) = blocks.last_mut() else { return Ok(()) };
        let Some(word) = word(opcode) else {
            let opcode = rest.split(' ').next().unwrap_or(rest).to_owned();
            let (function, block) = (name.clone(), block.name.clone());
            return Err(ReadError::Opcode { function, block, opcode });
        };
        block.words.push(word);
        if JUMPS.contains(&opcode) || RETURNS.contains(&opcode) {
            block.end = End::Read(0);
            block.targets(operands);
        }
        Ok(())
    }

    /// There is a last block, and it is complete.
    fn check_end(&self) -> Result<(), ReadError> {
        let Some(block) = self.body.blocks.last() else {
            return Err(ReadError::NoBlocks { function: self.body.name.clone() });
        };
        let opcode = block.words.last().map_or("", |word| OPCODES[*word as usize]);
        match block.end {
            End::Read(0) if !block.targets.is_empty() || RETURNS.contains(&opcode) => Ok(()),
            End::Read(_) => Err(ReadError::targets(&self.body.name, &block.name, &block.words)),
            End::Missing => {
                let (function, block) = (self.body.name.clone(), block.name.clone());
                Err(ReadError::NoEnd { function, block })
            }
        }
    }
}

impl Lines {
    /// Adds the targets that a line of the last instruction names, and counts its brackets.
    fn targets(&mut self, line: &str) {
        const LABEL: &str = "label %";
        let End::Read(mut open) = self.end else { return };
        let mut rest = line;
        while let Some(at) = rest.find(['"', ';', '[', ']', 'l']) {
            let here = &rest[at..];
            rest = &here[1..];
            match here.as_bytes()[0] {
                b'"' => rest = rest.split_once('"').map_or("", |(_, behind)| behind),
                b';' => break,
                b'[' => open += 1,
                b']' => open = open.saturating_sub(1),
                _ => {
                    if let Some((name, behind)) = here.strip_prefix(LABEL).and_then(name) {
                        self.targets.push(spelled(name));
                        rest = behind;
                    }
                }
            }
        }
        self.end = End::Read(open);
    }
}

fn is_opcode(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter == '_'
}

/// The name that a text begins with, with its quotes, and what stands behind it.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = match text.strip_prefix('"') {
        Some(inner) => inner.find('"')? + 2,
        None => {
            let is_name = |byte: &u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
            };
            text.bytes().position(|byte| !is_name(&byte)).unwrap_or(text.len())
        }
    };
    (end > 0).then(|| text.split_at(end))
}

/// The places of a character outside quotes.
fn unquoted(text: &str, wanted: u8) -> impl Iterator<Item = usize> + '_ {
    let mut quoted = false;
    text.bytes().enumerate().filter_map(move |(at, byte)| {
        quoted ^= byte == b'"';
        (!quoted && byte == wanted).then_some(at)
    })
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line[..unquoted(line, b';').next().unwrap_or(line.len())].trim_end()
}

/// What commas part in the parentheses that a text begins with.
fn parenthesised(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut quoted, mut parts) = (0usize, 1, false, Vec::new());
    text.starts_with('(').then_some(())?;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.checked_sub(1)?,
            b',' if depth == 1 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            parts.push(&text[start..at]);
            return Some(parts);
        }
    }
    None
}

/// The name of a block as opt prints it.
fn spelled(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_digit()) { format!("%{name}") } else { plain(name) }
}

/// A name without its quotes and escapes: `\22` is a quote.
fn plain(name: &str) -> String {
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let mut rest = quoted.unwrap_or(name).as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some((first, behind)) = rest.split_first() {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, escaped) {
            (b'\\', Some(byte)) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks of a function as `name: opcodes > targets`.
    fn blocks(text: &str) -> Result<Vec<String>, ReadError> {
        let body = bodies(text)?.remove(0);
        let show = |block: &Lines| {
            let opcodes: Vec<&str> =
                block.words.iter().map(|word| OPCODES[*word as usize]).collect();
            format!("{}: {} > {}", block.name, opcodes.join(" "), block.targets.join(" "))
        };
        Ok(body.blocks.iter().map(show).collect())
    }

    fn check(text: &str, expect: &[&str]) {
        assert_eq!(blocks(text).unwrap(), expect);
    }

    #[test]
    fn instructions_and_their_targets_are_found() {
        check(
            "define i32 @f(i32 %0, { i8, i8 } %b) personality ptr @p !dbg !1 { ; a comment
  %2 = tail call i32 @g(i32 %0), !dbg !2
    #dbg_value(i32 %2, !1, !DIExpression(), !2)
  %r = invoke i32 @\"to label %x\"(i32 %2) [ \"bundle\"(i32 1) ]
          to label %a unwind label %b, !dbg !2

a:                                                ; preds = %1
  switch i32 %2, label %b [
    i32 1, label %3
    i32 -2, label %\"c \\22 d\"
  ], !prof !3 ; label %b

b:
  %l = landingpad { ptr, i32 }
          catch ptr null
          cleanup
  resume { ptr, i32 } %l

3:
  callbr void asm \"label %a [\", \"!i\"()
          to label %b [label %a]

\"c \\22 d\":
  %\"a b\" = va_arg ptr %b, i32
  indirectbr ptr %b, []
  uselistorder i32 %2, { 1, 0 }
}",
            &[
                "%1: call invoke > a b",
                "a: switch > b %3 c \" d",
                "b: landingpad resume > ",
                "%3: callbr > b a",
                "c \" d: va_arg indirectbr > ",
            ],
        );
    }

    #[test]
    fn blocks_without_a_label_are_numbered() {
        let check = |parameters: &str, first: usize| {
            let number = |more: usize| format!("%{}", first + more);
            let text = format!(
                "define void @\"f(\"({parameters}) #0 {{\n  ret void\n  {} = add i8 1, 1\n  ret void\n\
                 {}: unreachable\n  %x = add i8 1, 1\n  ret void\n}}\n",
                number(2),
                first + 3
            );
            let body = bodies(&text).unwrap().remove(0);
            let names: Vec<&str> = body.blocks.iter().map(|block| &*block.name).collect();
            assert_eq!(names, [0, 1, 3, 4].map(number), "{parameters}");
        };
        check("", 0);
        check("...", 0);
        check("i32 %a, ptr byval(%T) align 4 %\"b, c\"", 0);
        check("i32, ptr byval(%T) align 4, i8* (i8, i8)* %p, ...", 2);
        check("i32 %0, %T* noundef %1, <{ i8, %T }> %2", 3);
    }

    #[test]
    fn what_is_not_as_llvm_prints_it_is_refused() {
        let check = |text: &str, expect: &str| {
            let error = blocks(text).unwrap_err().to_string();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check(
            "define void @f() { ret void }\n",
            "head of a function: define void @f() { ret void }",
        );
        check("define void @f( {\n  ret void\n}\n", "head of a function");
        check("define void () {\n  ret void\n}\n", "head of a function");
        check("define void @f() {\n  ret void\n", "ends inside function f");
        check("define void @f() {\n  br i1 %x, !prof !0\n}\n", "where its 'br'");
        check("define void @f() {\n  switch i8 %x, label %a [\n}\n", "where its 'switch'");
        check("define void @f() {\na:\nb:\n  ret void\n}\n", "block a of function f has no");
        check(
            "define void @f() {\n  call void @g() ret void\n}\n",
            "block %0 of function f has no",
        );
        check("define void @f() {\n  %x, i32\n}\n", "'%x,' is no instruction");
        check("define void @f() {\n}\n", "function f has no blocks");
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(plain(r#""caf\C3\A9 \5C\2""#), "café \\\\2");
    }
}
