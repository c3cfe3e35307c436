//! Requests of parts of one file.

use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hindsight_tablebase::stop_check;
use ureq::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, RANGE, RETRY_AFTER};
use ureq::http::uri::Scheme;
use ureq::http::{HeaderMap, Response, StatusCode, Uri};
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    ConnectProxyConnector, Connector as _, RustlsConnector, TcpConnector,
};
use ureq::{Agent, Body, Proxy, ResponseExt};

use crate::error::HttpError;
use crate::file_version::{ContentRange, FileVersion};
use crate::options::HttpOptions;
use crate::patience::{self, patiently};
use crate::proxy::{PlainProxyConnector, proxy_for};
use crate::tls::tls_config;

/// Longest pause that a server may ask for before a request is repeated.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(10);
/// Connections that are kept alive.
const MAX_IDLE_CONNECTIONS: usize = 16;
/// Name and version of this program.
const USER_AGENT: &str = concat!("hindsight/", env!("CARGO_PKG_VERSION"));

/// Client for the parts of one file.
pub(crate) struct RangeClient {
    agent: Agent,
    address: Uri,
    has_proxy: bool,
    options: HttpOptions,
    /// Address to which the server redirected last.
    target: Mutex<Uri>,
}

/// Part of a file.
pub(crate) struct FilePart {
    pub(crate) bytes: Vec<u8>,
    pub(crate) version: FileVersion,
}

impl RangeClient {
    pub(crate) fn new(address: &str, options: &HttpOptions) -> Result<Self, HttpError> {
        let address = parse_address(address)?;
        let is_secure = address.scheme_str() == Some("https");
        let proxy = proxy_for(&address)?;
        let has_proxy = proxy.is_some();
        let tls = tls_config(options.certificates.as_deref())?;
        let config = |proxy: Option<Proxy>| {
            Agent::config_builder()
                .http_status_as_error(false)
                .https_only(is_secure)
                .tls_config(tls.clone())
                .proxy(proxy)
                .user_agent(USER_AGENT)
                .max_idle_connections(MAX_IDLE_CONNECTIONS)
                .max_idle_connections_per_host(MAX_IDLE_CONNECTIONS)
                .timeout_resolve(Some(options.connect))
                .timeout_connect(Some(options.connect))
                .timeout_recv_response(Some(options.answer))
                .build()
        };
        let connector = PlainProxyConnector::new(config(None))
            .chain(ConnectProxyConnector::default())
            .chain(TcpConnector::default())
            .chain(RustlsConnector::default());
        Ok(Self {
            agent: Agent::with_parts(config(proxy), connector, DefaultResolver::default()),
            target: Mutex::new(address.clone()),
            has_proxy,
            address,
            options: options.clone(),
        })
    }

    /// Reads `length` bytes from `begin` on, or those up to the end of the file if it ends before.
    ///
    /// The wait ends when the [`stop_check`] of the thread says so.
    pub(crate) fn read(self: &Arc<Self>, begin: u64, length: usize) -> Result<FilePart, HttpError> {
        let check = stop_check();
        let mut pause = self.options.pause;
        let mut tries = 1;
        loop {
            let client = Arc::clone(self);
            match patiently(check.as_ref(), move || client.try_read(begin, length)) {
                Err(error) if error.is_passing() && tries < self.options.attempts => {
                    let wished = match error {
                        HttpError::Expired => Duration::ZERO,
                        HttpError::Busy { retry_after, .. } => {
                            pause.max(retry_after.unwrap_or_default().min(MAX_RETRY_AFTER))
                        }
                        _ => pause,
                    };
                    patience::pause(check.as_ref(), wished)?;
                }
                result => return result,
            }
            tries += 1;
            pause *= 4;
        }
    }

    /// As [`RangeClient::read`] of the first bytes, with an error that tells servers that want
    /// encryption.
    pub(crate) fn read_head(self: &Arc<Self>, length: usize) -> Result<FilePart, HttpError> {
        let error = match self.read(0, length) {
            Err(error @ (HttpError::Lost | HttpError::Protocol(_) | HttpError::Status(400))) => {
                error
            }
            result => return result,
        };
        let client = Arc::clone(self);
        let wants = move || Ok(client.wants_encryption());
        if patiently(stop_check().as_ref(), wants)? {
            Err(HttpError::WantsEncryption)
        } else {
            Err(error)
        }
    }

    fn try_read(&self, begin: u64, length: usize) -> Result<FilePart, HttpError> {
        let last = begin.saturating_add(length as u64 - 1);
        let target = self.target().clone();
        let request = self
            .agent
            .get(target.clone())
            .header(RANGE, format!("bytes={begin}-{last}"))
            // A part of compressed bytes is of no use.
            .header(ACCEPT_ENCODING, "identity")
            .config()
            .timeout_recv_body(Some(self.options.body_time(length)))
            .build();
        let response = request.call().map_err(|error| self.failure(error.into()))?;
        if response.status() != StatusCode::PARTIAL_CONTENT {
            return Err(match (self.refusal(&target, &response), begin) {
                (HttpError::Empty, 1..) => HttpError::Changed,
                (error, _) => error,
            });
        }
        *self.target() = response.get_uri().clone();
        let range = asked_range(response.headers(), begin, length)?;
        let version = FileVersion::new(range.length, response.headers());
        let bytes = read_body(response, (range.end - range.begin) as usize)?;
        Ok(FilePart { bytes, version })
    }

    /// Error of a request without an answer. Where there is a proxy, the connection is one to it.
    fn failure(&self, error: HttpError) -> HttpError {
        match error {
            HttpError::Unreachable(fault) if self.has_proxy => HttpError::Proxy(fault),
            other => other,
        }
    }

    /// Returns true if the server of an address without encryption answers with encryption.
    fn wants_encryption(&self) -> bool {
        let mut parts = self.address.clone().into_parts();
        if self.has_proxy || parts.scheme != Some(Scheme::HTTP) {
            return false;
        }
        parts.scheme = Some(Scheme::HTTPS);
        let Ok(address) = Uri::from_parts(parts) else {
            return false;
        };
        let answer = self.agent.get(address).call().map_err(HttpError::from);
        matches!(answer, Ok(_) | Err(HttpError::Insecure(_)))
    }

    /// Error of an answer that is no part of the file.
    fn refusal(&self, target: &Uri, response: &Response<Body>) -> HttpError {
        let status = response.status();
        let may_expire = matches!(status.as_u16(), 400 | 401 | 403 | 404 | 410);
        if may_expire && *target != self.address {
            *self.target() = self.address.clone();
            return HttpError::Expired;
        }
        let header = response.headers().get(RETRY_AFTER);
        let seconds = header.and_then(|value| value.to_str().ok()?.parse().ok());
        HttpError::of_status(status.as_u16(), seconds.map(Duration::from_secs))
    }

    fn target(&self) -> MutexGuard<'_, Uri> {
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads an address of a file on a server.
fn parse_address(text: &str) -> Result<Uri, HttpError> {
    let address: Uri = text
        .parse()
        .map_err(|error: ureq::http::uri::InvalidUri| HttpError::Address(error.to_string()))?;
    if !matches!(address.scheme_str(), Some("http" | "https")) {
        return Err(HttpError::Scheme);
    }
    let Some(authority) = address.authority() else {
        return Err(HttpError::Address("it names no server".into()));
    };
    if authority.as_str().contains('@') {
        return Err(HttpError::Credentials);
    }
    // A number that is no port would be taken for none.
    if authority.as_str().len() > authority.host().len() && authority.port_u16().is_none() {
        Err(HttpError::Address("its port is no number up to 65535".into()))
    } else {
        Ok(address)
    }
}

/// Returns the range of an answer, if it is the one that was asked for.
fn asked_range(headers: &HeaderMap, begin: u64, length: usize) -> Result<ContentRange, HttpError> {
    let encoding = headers.get(CONTENT_ENCODING);
    let encoding = encoding.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    if let Some(encoding) = encoding.filter(|encoding| encoding != "identity") {
        return Err(HttpError::Compressed(encoding));
    }
    let range = ContentRange::of(headers)?;
    let end = begin.saturating_add(length as u64).min(range.length);
    if (range.begin, range.end) == (begin, end) {
        Ok(range)
    } else {
        Err(HttpError::OtherPart(format!(
            "bytes {} to {}, not {begin} to {}",
            range.begin,
            range.end - 1,
            end.saturating_sub(1)
        )))
    }
}

/// Reads a body of `length` bytes to its end, so that its connection is kept.
fn read_body(response: Response<Body>, length: usize) -> Result<Vec<u8>, HttpError> {
    let body = response.into_body();
    if let Some(other) = body.content_length().filter(|&other| other != length as u64) {
        let fault = format!("{other} bytes, not {length}");
        return Err(HttpError::OtherPart(fault));
    }
    let mut bytes = Vec::with_capacity(length);
    let mut reader = body.into_reader().take(length as u64 + 1);
    reader.read_to_end(&mut bytes)?;
    match bytes.len() {
        found if found < length => Err(HttpError::Lost),
        found if found > length => Err(HttpError::OtherPart(format!("more than {length} bytes"))),
        _ => Ok(bytes),
    }
}
