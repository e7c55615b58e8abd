//! The name of a thing is the hash of its bytes.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, str::FromStr};

/// BLAKE3 of some bytes: the same bytes have the same id on every machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId([u8; 32]);

impl ContentId {
    /// The id of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> ContentId {
        ContentId(*blake3::hash(bytes).as_bytes())
    }

    /// The id of all that `reader` gives, without holding it in memory.
    ///
    /// # Errors
    /// When reading fails.
    pub fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<ContentId> {
        let mut hasher = blake3::Hasher::new();
        std::io::copy(&mut reader, &mut hasher)?;
        Ok(ContentId(*hasher.finalize().as_bytes()))
    }

    /// The first twelve hex digits: enough for people.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentId {
    type Err = String;

    fn from_str(text: &str) -> Result<ContentId, String> {
        let wrong = || format!("'{text}' is not a content id (64 hex digits)");
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(ContentId(bytes))
    }
}

impl Serialize for ContentId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ContentId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_and_parsing_are_inverse() {
        let id = ContentId::of(b"int main(void) {}");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(ContentId::of_reader(&b"int main(void) {}"[..]).unwrap(), id);
        assert!("xyz".parse::<ContentId>().is_err());
    }
}
