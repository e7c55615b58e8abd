//! An order as bytes.

use super::super::cage::Cage;
use super::super::order::Order;
use super::super::seccomp::OverMemory;
use std::ffi::CString;

impl Order {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4096);
        let (is_namespace, user, proc) = match self.cage {
            Cage::Namespace { user, proc } => (true, user, proc),
            Cage::Subreaper => (false, false, false),
        };
        let tells = self.over_memory == OverMemory::Tell;
        let flags = [is_namespace, user, proc, tells, self.fixed_addresses, self.filter.is_some()];
        bytes.extend(flags.map(u8::from));
        for (resource, limit) in &self.rlimits {
            put(&mut bytes, u64::from(*resource));
            put(&mut bytes, limit.rlim_cur);
            put(&mut bytes, limit.rlim_max);
        }
        put_all(&mut bytes, [&self.user_map.0, &self.user_map.1].map(String::as_bytes));
        let filter = self.filter.as_deref().unwrap_or_default();
        put(&mut bytes, filter.len() as u64);
        for line in filter {
            bytes.extend(line.code.to_ne_bytes());
            bytes.extend([line.jt, line.jf]);
            bytes.extend(line.k.to_ne_bytes());
        }
        put_all(&mut bytes, self.argv.iter().map(|string| string.as_bytes()));
        put_all(&mut bytes, self.envp.iter().map(|string| string.as_bytes()));
        bytes
    }

    /// None where the bytes are not those of an order.
    pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Order> {
        let bytes = &mut bytes;
        let [is_namespace, user, proc, tells, fixed_addresses, has_filter] =
            take(bytes, 6)?.iter().map(|flag| *flag != 0).collect::<Vec<_>>().try_into().ok()?;
        let limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        let mut rlimits = [(0, limit); 5];
        for (resource, limit) in &mut rlimits {
            *resource = number(bytes)?.try_into().ok()?;
            (limit.rlim_cur, limit.rlim_max) = (number(bytes)?, number(bytes)?);
        }
        let maps: Vec<Vec<u8>> = all(bytes)?;
        let mut maps = maps.into_iter().map(String::from_utf8);
        let user_map = (maps.next()?.ok()?, maps.next()?.ok()?);
        let lines = number(bytes)?;
        let line = |_| {
            let line: [u8; 8] = take(bytes, 8)?.try_into().ok()?;
            let [c0, c1, jt, jf, k @ ..] = line;
            let (code, k) = (u16::from_ne_bytes([c0, c1]), u32::from_ne_bytes(k));
            Some(libc::sock_filter { code, jt, jf, k })
        };
        let filter = (0..lines).map(line).collect::<Option<Vec<_>>>()?;
        let mut strings = || -> Option<Vec<CString>> {
            all(bytes)?.into_iter().map(|string| CString::new(string).ok()).collect()
        };
        Some(Order {
            cage: if is_namespace { Cage::Namespace { user, proc } } else { Cage::Subreaper },
            argv: strings()?,
            envp: strings()?,
            filter: has_filter.then_some(filter),
            over_memory: if tells { OverMemory::Tell } else { OverMemory::Kill },
            fixed_addresses,
            rlimits,
            user_map,
        })
    }
}

fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_ne_bytes());
}

fn put_all<'a>(bytes: &mut Vec<u8>, strings: impl IntoIterator<Item = &'a [u8]>) {
    let at = bytes.len();
    put(bytes, 0);
    let mut count = 0_u64;
    for string in strings {
        put(bytes, string.len() as u64);
        bytes.extend(string);
        count += 1;
    }
    bytes[at..at + 8].copy_from_slice(&count.to_ne_bytes());
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes, 8)?.try_into().ok().map(u64::from_ne_bytes)
}

fn all(bytes: &mut &[u8]) -> Option<Vec<Vec<u8>>> {
    let count = number(bytes)?;
    let one = |_| {
        let length = number(bytes)?;
        Some(take(bytes, length.try_into().ok()?)?.to_vec())
    };
    (0..count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Job;

    #[test]
    fn an_order_survives_the_socket() {
        let job = Job::new("/bin/true", "/").args(["", "a b", "\u{fc}"]).env("K", "v");
        for cage in [Cage::Subreaper, Cage::Namespace { user: true, proc: false }] {
            let (order, _, _) = Order::new(&job, cage).unwrap();
            let bytes = order.to_bytes();
            let back = Order::from_bytes(&bytes).unwrap();
            assert_eq!(back.to_bytes(), bytes);
            assert_eq!((back.cage, &back.argv, &back.envp), (cage, &order.argv, &order.envp));
            assert!((0..bytes.len()).all(|end| Order::from_bytes(&bytes[..end]).is_none()));
        }
    }
}
