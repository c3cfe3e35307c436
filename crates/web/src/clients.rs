//! Clients, which share the server: who asks is known wherever a request is answered.

use std::net::IpAddr;

tokio::task_local! {
    static CURRENT: Client;
}

/// Client of the server: an address of IPv4, or the first 64 bits of one of IPv6, which one client
/// has all to itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client(IpAddr);

impl Client {
    pub(crate) fn of(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                IpAddr::from([a, b, c, d, 0, 0, 0, 0])
            }
            address => address,
        })
    }

    /// Returns the client whose request the current task answers; `None` for work of the server.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(|client| *client).ok()
    }

    /// Answers a request of the client.
    pub(crate) async fn answer<T>(self, answer: impl Future<Output = T>) -> T {
        CURRENT.scope(self, answer).await
    }
}

#[cfg(test)]
mod tests {
    use super::Client;

    fn client(address: &str) -> Client {
        Client::of(address.parse().expect("an address"))
    }

    #[test]
    fn clients_of_ipv6_are_networks_and_mapped_addresses_are_those_of_ipv4() {
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff::9"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:203.0.113.7"), client("203.0.113.7"));
        assert_ne!(client("203.0.113.7"), client("203.0.113.8"));
    }

    #[tokio::test]
    async fn who_asks_is_known_while_a_request_is_answered() {
        let asking = client("203.0.113.7");
        assert_eq!(Client::current(), None);
        assert_eq!(asking.answer(async { Client::current() }).await, Some(asking));
    }
}
