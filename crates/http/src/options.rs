//! Limits and certificates of a client.

use std::env;
use std::path::PathBuf;
use std::time::Duration;

/// Limits and certificates for [`HttpFile::open`](crate::HttpFile::open).
///
/// The proxy is that of the variable `http_proxy` for addresses `http://`, of `https_proxy` for
/// `https://`, else of `all_proxy`, in small or capital letters; `no_proxy` has exceptions. None is
/// asked for addresses of this machine. A proxy is asked by `GET` for `http://`, by `CONNECT` for
/// `https://`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpOptions {
    /// Longest time to look up the name of the server, and to connect.
    pub connect: Duration,
    /// Longest time until an answer begins.
    pub answer: Duration,
    /// Fewest bytes a second, by which the time for a long answer is longer.
    pub bytes_a_second: u32,
    /// Times that a read is tried, the first included.
    pub attempts: u32,
    /// Time before a read is repeated; before each further time it is four times as long.
    pub pause: Duration,
    /// File of certificates in PEM that are trusted, instead of those of Mozilla's list.
    pub certificates: Option<PathBuf>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            bytes_a_second: 1 << 15,
            attempts: 4,
            pause: Duration::from_millis(200),
            certificates: None,
        }
    }
}

impl HttpOptions {
    /// Returns the default options, with the certificates that the variable `SSL_CERT_FILE` names.
    #[must_use]
    pub fn from_env() -> Self {
        Self { certificates: env::var_os("SSL_CERT_FILE").map(PathBuf::from), ..Self::default() }
    }

    /// Longest time for the body of an answer.
    pub(crate) fn body_time(&self, bytes: usize) -> Duration {
        let rate = f64::from(self.bytes_a_second.max(1));
        self.answer + Duration::from_secs_f64(bytes as f64 / rate)
    }
}
