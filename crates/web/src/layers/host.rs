//! The names under which a local server answers. A page of another site that takes the address of
//! this machine for its own name reads nothing.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::Request;
use axum::http::Version;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::{Problem, ProblemKind};

/// Refuses a request unless it names this machine as such.
pub(super) async fn check_host(request: Request, next: Next) -> Response {
    let named = request.uri().authority();
    if header_is_local(&request) && named.is_none_or(is_local) {
        return next.run(request).await;
    }
    let detail = "this server is for its own machine alone: localhost, 127.0.0.1 or [::1]";
    Problem::new(ProblemKind::Host, detail).into_response()
}

fn header_is_local(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(HOST).iter();
    // Programs that speak HTTP/1.0 need not send it; browsers always do.
    if request.version() == Version::HTTP_10 && !request.headers().contains_key(HOST) {
        return true;
    }
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let authority = Authority::try_from(host.as_bytes());
    authority.is_ok_and(|authority| is_local(&authority))
}

fn is_local(authority: &Authority) -> bool {
    if authority.as_str().contains('@') {
        return false;
    }
    let host = authority.host();
    let ipv6 = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    if let Some(ipv6) = ipv6 {
        return ipv6.parse() == Ok(Ipv6Addr::LOCALHOST);
    }
    let ipv4 = host.parse::<Ipv4Addr>();
    host.eq_ignore_ascii_case("localhost") || ipv4.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_are_local_with_any_port_and_no_other_names_are() {
        let local = "localhost LocalHost:8017 127.0.0.1 127.9.9.9:1 [::1] [::1]:80";
        let foreign = "example.org localhost.example.org 127.0.0.1.example.org 10.0.0.1 0.0.0.0 \
                       [::2] a@localhost 127.1 2130706433 localhost. [::ffff:7f00:1]";
        let answers = |hosts: &str| {
            let hosts = hosts.split(' ');
            let hosts = hosts.map(|host| host.parse::<Authority>().is_ok_and(|a| is_local(&a)));
            hosts.collect::<Vec<_>>()
        };
        assert_eq!(answers(local), [true; 6]);
        assert_eq!(answers(foreign), [false; 11]);
    }
}
