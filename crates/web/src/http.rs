//! As much of HTTP/1.1 as pages need: requests without a body, answers that end the connection.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

/// The longest head of a request.
const LONGEST: usize = 16 << 10;

/// What somebody wants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Request {
    /// Is only the head of the answer wanted?
    pub is_head: bool,
    /// The path, decoded, from `/`.
    pub path: String,
    /// What stands behind `?`, decoded.
    pub query: BTreeMap<String, String>,
    /// Headers by their names in small letters.
    pub headers: BTreeMap<String, String>,
}

/// What is not a request that can be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// It is no HTTP, or it is too long.
    Malformed,
    /// It wants to change something.
    Method,
}

impl Request {
    /// Reads the head of a request; nothing if the other side says nothing.
    pub(crate) fn read(from: &mut dyn Read) -> io::Result<Option<Result<Request, Refused>>> {
        let mut head = Vec::new();
        let mut chunk = [0; 2048];
        loop {
            let read = from.read(&mut chunk)?;
            if read == 0 {
                return Ok((!head.is_empty()).then_some(Err(Refused::Malformed)));
            }
            head.extend_from_slice(&chunk[..read]);
            let end = head.windows(4).position(|four| four == b"\r\n\r\n");
            if let Some(end) = end.filter(|end| *end <= LONGEST) {
                return Ok(Some(Request::parse(&head[..end])));
            }
            if head.len() > LONGEST {
                return Ok(Some(Err(Refused::Malformed)));
            }
        }
    }

    fn parse(head: &[u8]) -> Result<Request, Refused> {
        let text = std::str::from_utf8(head).map_err(|_| Refused::Malformed)?;
        let mut lines = text.split("\r\n");
        let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, version] = words[..] else { return Err(Refused::Malformed) };
        if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return Err(Refused::Malformed);
        }
        let is_head = match method {
            "GET" => false,
            "HEAD" => true,
            _ => return Err(Refused::Method),
        };
        let mut headers = BTreeMap::new();
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(Refused::Malformed)?;
            let before = headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            // Two hosts: whoever checks one may be shown the other.
            if before.is_some() && name.eq_ignore_ascii_case("host") {
                return Err(Refused::Malformed);
            }
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut pairs = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decoded(name, true), decoded(value, true));
            pairs.insert(name.ok_or(Refused::Malformed)?, value.ok_or(Refused::Malformed)?);
        }
        let path = decoded(path, false).ok_or(Refused::Malformed)?;
        Ok(Request { is_head, path, query: pairs, headers })
    }

    /// A header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// A cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let mut cookies = self.header("cookie")?.split(';').filter_map(|one| one.split_once('='));
        cookies.find(|(other, _)| other.trim() == name).map(|(_, value)| value.trim())
    }
}

/// Text with `%41` as `A`.
fn decoded(text: &str, plus_is_space: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        bytes.push(match first {
            b'%' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                rest = &rest[2..];
                u8::from_str_radix(digits, 16).ok()?
            }
            b'+' if plus_is_space => b' ',
            other => *other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// What is answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub status: u16,
    /// `text/html`, `image/svg+xml`, …
    pub kind: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Answer {
    pub(crate) fn html(body: String) -> Answer {
        Answer { status: 200, kind: "text/html", headers: Vec::new(), body }
    }

    pub(crate) fn text(body: String) -> Answer {
        Answer { status: 200, kind: "text/plain", headers: Vec::new(), body }
    }

    pub(crate) fn of(kind: &'static str, body: &str) -> Answer {
        Answer { status: 200, kind, headers: Vec::new(), body: body.to_owned() }
    }

    pub(crate) fn refusal(status: u16, why: &str) -> Answer {
        let body = format!("{why}\n");
        Answer { status, kind: "text/plain", headers: Vec::new(), body }
    }

    pub(crate) fn elsewhere(to: &str) -> Answer {
        let headers = vec![("Location", to.to_owned())];
        Answer { status: 303, kind: "text/plain", headers, body: String::new() }
    }

    /// Writes it; without its body if only the head is wanted.
    pub(crate) fn write(&self, to: &mut dyn Write, is_head: bool) -> io::Result<()> {
        let mut head = self.head();
        head.push_str(&format!("Content-Length: {}\r\n\r\n", self.body.len()));
        to.write_all(head.as_bytes())?;
        if !is_head {
            to.write_all(self.body.as_bytes())?;
        }
        to.flush()
    }

    /// All lines before the length.
    pub(crate) fn head(&self) -> String {
        let reason = match self.status {
            200 => "OK",
            303 => "See Other",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        };
        let mut head = format!(
            "HTTP/1.1 {} {reason}\r\nContent-Type: {}; charset=utf-8\r\nConnection: close\r\n",
            self.status, self.kind
        );
        for (name, value) in SAFETY {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head
    }
}

/// Whatever a page shows, it can load nothing from elsewhere, run nothing but our script, and be shown in no other page.
const SAFETY: [(&str, &str); 6] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Result<Request, Refused>> {
        Request::read(&mut text.as_bytes()).expect("memory can be read")
    }

    #[test]
    fn a_request_is_taken_apart() {
        let text = "GET /bugs/17-0?page=2&a=%41+b HTTP/1.1\r\nHost: localhost:80\r\nCookie: x=1; token=abc\r\n\r\n";
        let request = read(text).unwrap().unwrap();
        assert_eq!((request.path.as_str(), request.is_head), ("/bugs/17-0", false));
        assert_eq!((request.query["page"].as_str(), request.query["a"].as_str()), ("2", "A b"));
        assert_eq!(
            (request.header("host"), request.cookie("token")),
            (Some("localhost:80"), Some("abc"))
        );
        assert!(read("HEAD / HTTP/1.0\r\n\r\n").unwrap().unwrap().is_head);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for text in [
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /%zz HTTP/1.1\r\n\r\n",
            "GET /%ff HTTP/1.1\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET /\r\n\r\n",
            "\u{0}\u{1}\r\n\r\n",
            "GET / HTTP/1.1\r\nno header\r\n\r\n",
            "GET / HTTP/1.1\r\n",
        ] {
            assert_eq!(read(text), Some(Err(Refused::Malformed)), "{text:?}");
        }
        let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(LONGEST));
        assert_eq!(read(&long), Some(Err(Refused::Malformed)));
        assert_eq!(read("POST / HTTP/1.1\r\n\r\n"), Some(Err(Refused::Method)));
        assert_eq!(read(""), None);
    }
}
