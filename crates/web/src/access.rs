//! Who may look.

use crate::http::{Answer, Request};
use std::net::IpAddr;

/// Whom pages are shown to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    address: IpAddr,
    token: Option<String>,
}

/// Why nobody would be let in, or too many.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Others could look.
    #[error(
        "{0} can be reached by others: give --token-file FILE with a secret of at least 16 characters, \
         such as that of `openssl rand -hex 16`"
    )]
    NoToken(IpAddr),
    /// A secret that can be guessed, or that no address may hold.
    #[error("a token has at least 16 letters and digits, and nothing else")]
    BadToken,
}

/// The name of the cookie that keeps the token.
const COOKIE: &str = "whodunit-token";

/// The shortest token.
const SHORTEST: usize = 16;

impl Access {
    /// Pages on an address of this machine; one that others can reach needs a token.
    ///
    /// # Errors
    /// When the token is missing or can be guessed.
    pub fn new(address: IpAddr, token: Option<&str>) -> Result<Access, AccessError> {
        let token = token.map(str::trim);
        if let Some(token) = token {
            let is_plain = token.chars().all(|c| c.is_ascii_alphanumeric());
            if token.len() < SHORTEST || !is_plain {
                return Err(AccessError::BadToken);
            }
        } else if !address.is_loopback() {
            return Err(AccessError::NoToken(address));
        }
        Ok(Access { address, token: token.map(str::to_owned) })
    }

    /// Where pages are.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }

    /// The address to type in.
    #[must_use]
    pub fn link(&self, port: u16) -> String {
        let host = match self.address {
            IpAddr::V6(address) => format!("[{address}]"),
            IpAddr::V4(address) => address.to_string(),
        };
        match &self.token {
            Some(_) => format!("http://{host}:{port}/?token=… (once, with the token of the file)"),
            None => format!("http://{host}:{port}/"),
        }
    }

    /// Nothing if the request may be answered; otherwise what to say instead.
    pub(crate) fn refuse(&self, request: &Request, port: u16) -> Option<Answer> {
        let Some(token) = &self.token else {
            // A page of elsewhere whose name was made to point here has another host.
            let host = request.header("host").unwrap_or_default();
            let ours = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
            let is_ours = ours.iter().any(|name| host.eq_ignore_ascii_case(name))
                || host == format!("{}:{port}", self.address);
            return (!is_ours).then(|| Answer::refusal(403, "this host is not known here"));
        };
        if request.cookie(COOKIE).is_some_and(|given| is_same(given, token)) {
            return None;
        }
        match request.query.get("token") {
            // The token leaves the address line, where it would be seen.
            Some(given) if is_same(given, token) => {
                let mut answer = Answer::elsewhere(&request.path);
                let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
                answer.headers.push(("Set-Cookie", cookie));
                Some(answer)
            }
            _ => Some(Answer::refusal(403, "say ?token=… with the token of the server, once")),
        }
    }
}

/// Compares without telling by the time it takes how much is right.
fn is_same(given: &str, token: &str) -> bool {
    let differences =
        given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    const TOKEN: &str = "0123456789abcdef";

    fn request(host: &str, query: Option<&str>, cookie: &str) -> Request {
        let mut request = Request { path: "/bugs".to_owned(), ..Request::default() };
        request.headers.insert("host".to_owned(), host.to_owned());
        request.headers.insert("cookie".to_owned(), cookie.to_owned());
        request.query.extend(query.map(|token| ("token".to_owned(), token.to_owned())));
        request
    }

    #[test]
    fn only_our_names_are_known_without_a_token() {
        let access = Access::new(IpAddr::V4(Ipv4Addr::LOCALHOST), None).unwrap();
        for host in ["127.0.0.1:80", "localhost:80", "LOCALHOST:80", "[::1]:80"] {
            assert_eq!(access.refuse(&request(host, None, ""), 80), None, "{host}");
        }
        for host in ["evil.example:80", "localhost", "localhost:81", "127.0.0.1:80.evil", ""] {
            let answer = access.refuse(&request(host, None, ""), 80).unwrap();
            assert_eq!(answer.status, 403, "{host}");
        }
    }

    #[test]
    fn others_need_a_token_which_becomes_a_cookie() {
        let others = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        assert!(matches!(Access::new(others, None), Err(AccessError::NoToken(_))));
        for bad in ["short", "0123456789abcde;", "0123456789 abcdef"] {
            assert!(matches!(Access::new(others, Some(bad)), Err(AccessError::BadToken)), "{bad}");
        }
        let access = Access::new(others, Some("0123456789abcdef\n")).unwrap();
        assert_eq!(access.refuse(&request("a", None, ""), 80).unwrap().status, 403);
        assert_eq!(
            access.refuse(&request("a", Some("0123456789abcdeF"), ""), 80).unwrap().status,
            403
        );
        let first = access.refuse(&request("a", Some(TOKEN), ""), 80).unwrap();
        assert_eq!((first.status, &first.headers[0]), (303, &("Location", "/bugs".to_owned())));
        assert!(first.headers[1].1.contains("HttpOnly; SameSite=Strict"));
        let cookie = format!("a=b; whodunit-token={TOKEN}");
        assert_eq!(access.refuse(&request("a", None, &cookie), 80), None);
    }
}
