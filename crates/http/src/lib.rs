//! Files on web servers, read by range requests.
//!
//! [`HttpFile`] is a file of known length with random access ([`ReadAt`]), so that a table is read
//! from a server without being downloaded. The server must answer ranges (status 206, RFC 9110).
//!
//! Cost: three requests for the first probe of a layer, and at most 16 MiB of bytes that are kept.
//!
//! ```no_run
//! use hindsight_http::{HttpFile, HttpOptions};
//! use hindsight_tablebase::Table;
//!
//! let file = HttpFile::open("https://example.org/q.table", &HttpOptions::default())?;
//! let table = Table::open(file)?;
//! println!("{}", table.info().spec);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Requests
//!
//! The first request asks for 64 KiB, which is the header of nearly every table. A read in a place
//! of its own asks for the 16 KiB around it, and a read that goes on where bytes end that are known
//! asks for four times as much as the last one, up to 1 MiB. The bytes read last are kept, 16 MiB
//! at most. Connections are kept alive.
//!
//! A read is repeated if the connection is lost, the server is busy (status 429 or 500 to 504) or
//! its answer takes too long. A file that is another one than at first is an error: its length, its
//! `ETag` or, without one, its `Last-Modified` is different. Redirects are followed, and the
//! proxies of the environment are asked.
//!
//! [`ReadAt`]: hindsight_tablebase::ReadAt

mod client;
mod error;
mod file;
mod file_version;
mod options;
mod patience;
mod proxy;
mod recent_parts;
mod tls;

pub use error::HttpError;
pub use file::HttpFile;
pub use options::HttpOptions;
