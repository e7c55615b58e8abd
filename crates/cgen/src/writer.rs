//! The text of a file, with its tokens counted while they are written.

/// A file that grows.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
    tokens: u64,
}

impl Writer {
    /// An empty file that will have about `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Writer {
        Writer { bytes: Vec::with_capacity(capacity), tokens: 0 }
    }

    /// Text that is `tokens` tokens.
    #[inline]
    pub fn text(&mut self, text: &[u8], tokens: u64) {
        self.bytes.extend_from_slice(text);
        self.tokens += tokens;
    }

    /// One token that is safe after any other: punctuation.
    #[inline]
    pub fn mark(&mut self, byte: u8) {
        self.bytes.push(byte);
        self.tokens += 1;
    }

    /// A one-byte operator before its operand. `- -a` must not become `--a`, nor `b/ *p` a
    /// comment.
    #[inline]
    pub fn prefix(&mut self, byte: u8) {
        self.keep_apart(byte);
        self.mark(byte);
    }

    /// A space where the token that starts with `next` would melt into what stands before.
    #[inline]
    pub fn keep_apart(&mut self, next: u8) {
        let last = self.bytes.last().copied();
        let melts = match next {
            b'+' | b'-' | b'&' => last == Some(next),
            b'*' => last == Some(b'/'),
            _ => false,
        };
        if melts {
            self.bytes.push(b' ');
        }
    }

    /// White space.
    #[inline]
    pub fn space(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// The digits of a number, which are part of a token.
    #[inline]
    pub fn digits(&mut self, number: u64) {
        push_digits(&mut self.bytes, number);
    }

    /// What another writer holds.
    pub fn append(&mut self, other: &Writer) {
        self.keep_apart(other.bytes.first().copied().unwrap_or(b' '));
        self.bytes.extend_from_slice(&other.bytes);
        self.tokens += other.tokens;
    }

    /// Bytes so far.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Tokens so far.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The text.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Appends `number` in decimal.
#[inline]
pub(crate) fn push_digits(bytes: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    bytes.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_melting_operators_come_out_right() {
        let mut writer = Writer::default();
        for number in [0, 7, 10, u64::MAX] {
            writer.digits(number);
            writer.mark(b'-');
            writer.prefix(b'-');
        }
        writer.mark(b'/');
        writer.prefix(b'*');
        assert_eq!(writer.tokens(), 10);
        let text = String::from_utf8(writer.into_bytes()).expect("ASCII");
        assert_eq!(text, "0- -7- -10- -18446744073709551615- -/ *");
    }
}
