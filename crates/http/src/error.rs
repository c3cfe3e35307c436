//! Errors of reading from a server.

use std::io;
use std::time::Duration;

use ureq::Error;

/// Reason why bytes of a file on a server cannot be read. Its text is a clause without the address.
///
/// ```
/// use hindsight_http::{HttpFile, HttpOptions};
///
/// let error = HttpFile::open("ftp://example.org/q.table", &HttpOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "an address begins with http:// or https://");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The text is no address.
    #[error("the address cannot be used: {0}")]
    Address(String),
    /// The address has another scheme.
    #[error("an address begins with http:// or https://")]
    Scheme,
    /// The address has a name or a password.
    #[error("an address with a name or a password is not supported")]
    Credentials,
    /// The certificates cannot be read.
    #[error("the certificates of SSL_CERT_FILE cannot be read: {0}")]
    Certificates(String),
    /// No connection to the server.
    #[error("no connection to the server: {0}")]
    Unreachable(String),
    /// The server is not the one that the address names, or encryption fails.
    #[error("no secure connection to the server: {0}")]
    Insecure(String),
    /// A redirect leads from https to http.
    #[error("the server redirects to an address without encryption")]
    Downgrade,
    /// The server is asked with encryption, but answers without.
    #[error(
        "the server does not answer with encryption (TLS); an address without it begins with \
         http://"
    )]
    NoEncryption,
    /// The server is asked without encryption, but answers with it.
    #[error("the server wants encryption: its address begins with https://")]
    WantsEncryption,
    /// The proxy of the environment cannot be used, or does not let the request through.
    #[error("the proxy cannot be used: {0}")]
    Proxy(String),
    /// Redirects do not end.
    #[error("the server redirects too often")]
    Redirects,
    /// The connection ended before the answer did.
    #[error("the connection to the server was lost")]
    Lost,
    /// The reading thread was asked to stop.
    #[error("the read was stopped")]
    Stopped,
    /// The answer took too long.
    #[error("the server takes too long to answer")]
    Slow,
    /// The server has too much to do, or a fault that may pass.
    #[error("the server is busy or out of order (status {status})")]
    Busy {
        /// Status of the answer.
        status: u16,
        /// Time after which the server wants to be asked again.
        retry_after: Option<Duration>,
    },
    /// The address to which the server had redirected is not valid any more.
    #[error("the address to which the server redirects is not valid any more")]
    Expired,
    /// There is no such file on the server.
    #[error("the server has no such file (status {0})")]
    NotFound(u16),
    /// The server does not hand out the file.
    #[error("the server does not hand out the file (status {0})")]
    Denied(u16),
    /// The server ignores ranges.
    #[error(
        "the server sends the whole file instead of a part (status 200): a table is read from \
         servers that answer range requests; download the file instead"
    )]
    NoRanges,
    /// The server compresses the file.
    #[error(
        "the server compresses the file (Content-Encoding: {0}), so that its parts cannot be read"
    )]
    Compressed(String),
    /// The file has no bytes.
    #[error("the file on the server is empty")]
    Empty,
    /// The answer has another status.
    #[error("the server answers with status {0}, not with a part of the file (206)")]
    Status(u16),
    /// The answer has other bytes than those that were asked for.
    #[error("the server sends other bytes than those asked for ({0})")]
    OtherPart(String),
    /// The file on the server is another one than at first.
    #[error("the file on the server has changed since it was opened")]
    Changed,
    /// Anything else.
    #[error("the server sends no proper answer: {0}")]
    Protocol(String),
}

impl HttpError {
    /// Returns true if a second try may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Lost | Self::Slow | Self::Busy { .. } | Self::Expired)
    }

    /// Error of encryption. What is no message of TLS comes from a server without it.
    fn of_encryption(error: &rustls::Error) -> Self {
        match error {
            rustls::Error::InvalidMessage(_) => Self::NoEncryption,
            other => Self::Insecure(other.to_string()),
        }
    }

    /// Error of a proxy that makes no connection; the text may end in a slash and a status.
    fn of_tunnel(fault: String) -> Self {
        match fault.rsplit('/').next().and_then(|status| status.parse::<u16>().ok()) {
            Some(407) => Self::of_status(407, None),
            Some(status) => Self::Proxy(format!("it makes no connection (status {status})")),
            None => Self::Proxy(fault),
        }
    }

    /// Error of an answer with a status that is no success.
    pub(crate) fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            200 => Self::NoRanges,
            404 | 410 => Self::NotFound(status),
            407 => Self::Proxy("it wants a name and a password (status 407)".into()),
            401 | 403 | 451 => Self::Denied(status),
            416 => Self::Empty,
            429 | 500 | 502..=504 => Self::Busy { status, retry_after },
            _ => Self::Status(status),
        }
    }
}

impl From<Error> for HttpError {
    fn from(error: Error) -> Self {
        use ureq::Timeout::{Connect, Resolve};

        match error {
            Error::Http(_) | Error::BadUri(_) => Self::Address(error.to_string()),
            Error::HostNotFound => Self::Unreachable("its name is not known".into()),
            Error::Timeout(Connect | Resolve) => {
                Self::Unreachable("it does not answer in time".into())
            }
            Error::Timeout(_) => Self::Slow,
            Error::Io(error) => Self::from(error),
            Error::Rustls(error) => Self::of_encryption(&error),
            Error::Tls(fault) => Self::Insecure(fault.into()),
            Error::RequireHttpsOnly(_) => Self::Downgrade,
            Error::TooManyRedirects | Error::RedirectFailed => Self::Redirects,
            Error::ConnectProxyFailed(fault) => Self::of_tunnel(fault),
            Error::ConnectionFailed | Error::InvalidProxyUrl => {
                Self::Unreachable(error.to_string())
            }
            other => Self::Protocol(other.to_string()),
        }
    }
}

impl From<io::Error> for HttpError {
    fn from(error: io::Error) -> Self {
        if error.get_ref().is_some_and(|cause| cause.is::<Error>()) {
            return Error::from(error).into();
        }
        let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
        if let Some(cause) = cause {
            return Self::of_encryption(cause);
        }
        match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Self::Lost,
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Slow,
            io::ErrorKind::InvalidData => Self::Insecure(error.to_string()),
            _ => Self::Unreachable(error.to_string()),
        }
    }
}

impl From<HttpError> for io::Error {
    /// Never `UnexpectedEof`, which would mean that the file is too short.
    fn from(error: HttpError) -> Self {
        let kind = match &error {
            HttpError::NotFound(_) => io::ErrorKind::NotFound,
            HttpError::Denied(_) => io::ErrorKind::PermissionDenied,
            HttpError::Slow => io::ErrorKind::TimedOut,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}
