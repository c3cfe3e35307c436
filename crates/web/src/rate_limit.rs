//! A limit of requests a second by the address of the client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time after which allowances that are full again are forgotten.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Allowances of clients. They grow with time, up to the requests of one second.
#[derive(Debug)]
pub(crate) struct RateLimit {
    requests_a_second: f64,
    clients: Mutex<Clients>,
}

#[derive(Debug)]
struct Clients {
    allowances: HashMap<IpAddr, Allowance>,
    swept: Instant,
}

/// Requests that a client may make at once, at an instant.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    requests: f64,
    at: Instant,
}

impl RateLimit {
    pub(crate) fn new(requests_a_second: u32) -> Self {
        Self {
            requests_a_second: f64::from(requests_a_second.max(1)),
            clients: Mutex::new(Clients {
                allowances: HashMap::new(),
                swept: Instant::now(),
            }),
        }
    }

    /// Counts a request; returns false if the client has made too many.
    pub(crate) fn admit(&self, client: IpAddr, now: Instant) -> bool {
        let mut clients = self.clients.lock().expect("no panic while it is locked");
        if now.saturating_duration_since(clients.swept) >= SWEEP_INTERVAL {
            clients.allowances.retain(|_, allowance| {
                self.refilled(*allowance, now).requests < self.requests_a_second
            });
            clients.swept = now;
        }
        let full = Allowance {
            requests: self.requests_a_second,
            at: now,
        };
        let allowance = clients.allowances.entry(network(client)).or_insert(full);
        *allowance = self.refilled(*allowance, now);
        let is_admitted = allowance.requests >= 1.0;
        if is_admitted {
            allowance.requests -= 1.0;
        }
        is_admitted
    }

    fn refilled(&self, allowance: Allowance, now: Instant) -> Allowance {
        let seconds = now.saturating_duration_since(allowance.at).as_secs_f64();
        let requests = allowance.requests + seconds * self.requests_a_second;
        Allowance {
            requests: requests.min(self.requests_a_second),
            at: now,
        }
    }
}

/// Returns the address that stands for a client: of IPv6 the first 64 bits, which one client has
/// all to itself.
fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn a_client_has_a_second_of_requests_at_once_and_then_so_many_a_second() {
        let (limit, start) = (RateLimit::new(3), Instant::now());
        let client = address("203.0.113.7");
        let admitted = (0..10).filter(|_| limit.admit(client, start)).count();
        assert_eq!(admitted, 3);
        assert!(limit.admit(address("203.0.113.8"), start));
        let later = start + Duration::from_millis(340);
        assert!(limit.admit(client, later));
        assert!(!limit.admit(client, later));
    }

    #[test]
    fn clients_of_ipv6_are_networks_and_mapped_addresses_are_those_of_ipv4() {
        let (limit, now) = (RateLimit::new(1), Instant::now());
        assert!(limit.admit(address("2001:db8:1:2::1"), now));
        assert!(!limit.admit(address("2001:db8:1:2:ffff::9"), now));
        assert!(limit.admit(address("2001:db8:1:3::1"), now));
        assert!(limit.admit(address("::ffff:203.0.113.7"), now));
        assert!(!limit.admit(address("203.0.113.7"), now));
    }

    #[test]
    fn clients_that_have_left_are_forgotten() {
        let (limit, start) = (RateLimit::new(1), Instant::now());
        for number in 0..100_u8 {
            limit.admit(IpAddr::from([10, 0, 0, number]), start);
        }
        limit.admit(address("10.0.1.0"), start + Duration::from_secs(2));
        let clients = limit.clients.lock().expect("no panic");
        assert_eq!(clients.allowances.len(), 1);
    }
}
