//! Proxies: those of the environment, and the requests that they are sent.
//!
//! A proxy of HTTP is asked for a file of a server without encryption by `GET` with the whole
//! address, as RFC 9112 (3.2.2) has it; many refuse `CONNECT` to other ports than that of https.

use std::{env, fmt};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::http::uri::{Authority, Scheme};
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};
use ureq::{Error, Proxy};

use crate::error::HttpError;

/// Servers for which no proxy is asked: this machine.
const LOCAL: [&str; 3] = ["localhost", "127.*", "[::1]"];

/// Returns the proxy that the environment names for an address. It says itself for which servers it
/// is not asked.
///
/// # Errors
/// If the variable names no proxy that can be used. Its text, which may have a password, is not
/// repeated.
pub(crate) fn proxy_for(address: &Uri) -> Result<Option<Proxy>, HttpError> {
    let names = if address.scheme() == Some(&Scheme::HTTPS) {
        ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    } else {
        ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
    };
    let named = names.into_iter().find_map(|name| Some((name, variable(name)?)));
    let Some((name, text)) = named else {
        return Ok(None);
    };
    let exceptions = variable("no_proxy").or_else(|| variable("NO_PROXY"));
    let proxy = usable_proxy(&text, &exceptions.unwrap_or_default());
    match proxy {
        Ok(proxy) => Ok(Some(proxy).filter(|proxy| !proxy.is_no_proxy(address))),
        Err(fault) => Err(HttpError::Proxy(format!("{name} {fault}"))),
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.trim().is_empty())
}

/// Reads a proxy, with the servers for which it is not asked.
fn usable_proxy(text: &str, exceptions: &str) -> Result<Proxy, &'static str> {
    let unreadable = "is no address of a proxy, such as http://proxy.example:3128";
    let named = Proxy::new(text.trim()).map_err(|_| unreadable)?;
    if named.protocol().to_string().starts_with("SOCKS") {
        return Err("names a proxy of SOCKS, but only those of HTTP are asked");
    }
    let mut proxy = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    if let Some(user) = named.username() {
        proxy = proxy.username(user);
    }
    if let Some(password) = named.password() {
        proxy = proxy.password(password);
    }
    for host in LOCAL {
        proxy = proxy.no_proxy(host);
    }
    for host in exceptions.split(',').map(str::trim) {
        proxy = proxy.no_proxy(host);
        // A name stands for all below it, as for other programs.
        if !host.is_empty() && !host.contains('*') && !host.starts_with('.') {
            proxy = proxy.no_proxy(&format!(".{host}"));
        }
    }
    proxy.build().map_err(|_| unreadable)
}

/// Connects to the proxy for a file of a server without encryption.
#[derive(Debug)]
pub(crate) struct PlainProxyConnector {
    /// Configuration without a proxy, for the connection to the proxy.
    direct: Config,
}

impl PlainProxyConnector {
    pub(crate) const fn new(direct: Config) -> Self {
        Self { direct }
    }
}

impl Connector<()> for PlainProxyConnector {
    type Out = Box<dyn Transport>;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<Self::Out>, Error> {
        let proxy = details.config.proxy().filter(|proxy| {
            let is_plain = details.uri.scheme() == Some(&Scheme::HTTP);
            is_plain && !proxy.is_no_proxy(details.uri)
        });
        let (Some(proxy), Some(server)) = (proxy, details.uri.authority()) else {
            return Ok(None);
        };
        let resolver = details.resolver;
        let to_proxy = ConnectionDetails {
            uri: proxy.uri(),
            addrs: resolver.resolve(proxy.uri(), &self.direct, details.timeout)?,
            config: &self.direct,
            request_level: details.request_level,
            resolver,
            now: details.now,
            timeout: details.timeout,
            current_time: details.current_time.clone(),
            run_connector: details.run_connector.clone(),
            register_shutdown: details.register_shutdown.clone(),
        };
        let transport = (details.run_connector)(&to_proxy)?;
        Ok(Some(Box::new(PlainProxyTransport {
            transport,
            server: server.clone(),
            authorization: authorization(proxy),
        })))
    }
}

/// Returns the header that names the user of a proxy.
fn authorization(proxy: &Proxy) -> String {
    let (user, password) = (proxy.username(), proxy.password());
    if user.is_none() && password.is_none() {
        return String::new();
    }
    let pair = format!("{}:{}", user.unwrap_or_default(), password.unwrap_or_default());
    format!("Proxy-Authorization: Basic {}\r\n", BASE64_STANDARD.encode(pair))
}

/// Connection to a proxy, whose requests have whole addresses.
struct PlainProxyTransport {
    transport: Box<dyn Transport>,
    server: Authority,
    authorization: String,
}

impl fmt::Debug for PlainProxyTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainProxyTransport").finish_non_exhaustive()
    }
}

impl Transport for PlainProxyTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.transport.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        let sent = &self.transport.buffers().output()[..amount];
        // Requests have no body, so that this is the beginning of one.
        let Some(head) = sent.strip_prefix(b"GET /") else {
            return self.transport.transmit_output(amount, timeout);
        };
        let line = head.windows(2).position(|pair| pair == b"\r\n");
        let (line, headers) = head.split_at(line.map_or(head.len(), |end| end + 2));
        let server = self.server.as_str();
        let begin = format!("GET http://{server}/");
        let head = [begin.as_bytes(), line, self.authorization.as_bytes(), headers].concat();
        let mut rest = head.as_slice();
        while !rest.is_empty() {
            let buffer = self.transport.buffers().output();
            let length = buffer.len().min(rest.len());
            buffer[..length].copy_from_slice(&rest[..length]);
            self.transport.transmit_output(length, timeout)?;
            rest = &rest[length..];
        }
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.transport.await_input(timeout)
    }

    fn is_open(&mut self) -> bool {
        self.transport.is_open()
    }
}

#[cfg(test)]
mod tests {
    use super::{authorization, usable_proxy};
    use ureq::http::Uri;

    #[test]
    fn a_proxy_is_asked_for_all_servers_but_the_exceptions_and_this_machine() {
        let proxy = usable_proxy(" proxy.example:3128 ", "a.example, .b.example,10.*,,[fd00::1]");
        let proxy = proxy.expect("a proxy");
        assert_eq!((proxy.host(), proxy.port()), ("proxy.example", 3128));
        let is_asked = |address: &str| {
            let address: Uri = address.parse().expect("an address");
            !proxy.is_no_proxy(&address)
        };
        for address in ["http://c.example/q", "https://example", "http://xa.example"] {
            assert!(is_asked(address), "{address}");
        }
        for address in [
            "http://a.example/q",
            "http://x.A.example",
            "http://y.b.example",
            "http://10.0.0.1",
            "http://localhost:8000/q",
            "http://127.0.0.9",
            "http://[::1]:9",
            "http://[fd00::1]/",
        ] {
            assert!(!is_asked(address), "{address}");
        }
    }

    #[test]
    fn a_user_is_named_to_the_proxy_and_never_in_a_message() {
        let proxy = usable_proxy("http://me:s%40cret@proxy.example", "").expect("a proxy");
        assert_eq!(authorization(&proxy), "Proxy-Authorization: Basic bWU6c0BjcmV0\r\n");
        assert!(!format!("{proxy:?}").contains("cret"));
        let plain = usable_proxy("http://proxy.example", "").expect("a proxy");
        assert_eq!(authorization(&plain), "");
        for wrong in ["socks5://me:secret@h:1", "http://", "ftp://me:secret@h", "a b"] {
            let fault = usable_proxy(wrong, "").expect_err("no proxy");
            assert!(fault.contains("prox") && !fault.contains("secret"), "{fault}");
        }
    }
}
