//! A limit of requests a second by the address of the client.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::clients::Client;

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
    allowances: HashMap<Client, Allowance>,
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
            clients: Mutex::new(Clients { allowances: HashMap::new(), swept: Instant::now() }),
        }
    }

    /// Counts a request; returns false if the client has made too many.
    pub(crate) fn admit(&self, client: Client, now: Instant) -> bool {
        let mut clients = self.clients.lock().expect("no panic while it is locked");
        if now.saturating_duration_since(clients.swept) >= SWEEP_INTERVAL {
            clients.allowances.retain(|_, allowance| {
                self.refilled(*allowance, now).requests < self.requests_a_second
            });
            clients.swept = now;
        }
        let full = Allowance { requests: self.requests_a_second, at: now };
        let allowance = clients.allowances.entry(client).or_insert(full);
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
        Allowance { requests: requests.min(self.requests_a_second), at: now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::of([203, 0, 113, last].into())
    }

    #[test]
    fn a_client_has_a_second_of_requests_at_once_and_then_so_many_a_second() {
        let (limit, start) = (RateLimit::new(3), Instant::now());
        let one = client(7);
        let admitted = (0..10).filter(|_| limit.admit(one, start)).count();
        assert_eq!(admitted, 3);
        assert!(limit.admit(client(8), start));
        let later = start + Duration::from_millis(340);
        assert!(limit.admit(one, later));
        assert!(!limit.admit(one, later));
    }

    #[test]
    fn clients_that_have_left_are_forgotten() {
        let (limit, start) = (RateLimit::new(1), Instant::now());
        for number in 0..100_u8 {
            limit.admit(client(number), start);
        }
        limit.admit(client(200), start + Duration::from_secs(2));
        let clients = limit.clients.lock().expect("no panic");
        assert_eq!(clients.allowances.len(), 1);
    }
}
