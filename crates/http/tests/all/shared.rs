//! A file, a server of it, and options that do not wait long.

use std::time::Duration;

use hindsight_http::{HttpError, HttpFile, HttpOptions};
use hindsight_tablebase::ReadAt;
use hindsight_testkit::{FileReply, FileRequest, FileServer};

/// Bytes that differ from place to place.
pub(crate) fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * i / 7 + i) as u8).collect()
}

/// Server of a file, whose answers may be changed.
pub(crate) fn server(
    length: usize,
    change: impl Fn(&FileRequest, FileReply) -> FileReply + Send + Sync + 'static,
) -> FileServer {
    let file = bytes(length);
    FileServer::start(move |request| change(request, FileReply::of_file(request, &file)))
}

/// Options whose times are short.
pub(crate) fn options() -> HttpOptions {
    HttpOptions {
        answer: Duration::from_millis(400),
        pause: Duration::from_millis(1),
        ..HttpOptions::default()
    }
}

pub(crate) fn open(server: &FileServer) -> Result<HttpFile, HttpError> {
    HttpFile::open(&server.address("q.table"), &options())
}

pub(crate) fn read(file: &HttpFile, offset: u64, length: usize) -> Result<Vec<u8>, String> {
    let mut found = vec![0; length];
    let read = file.read_at(offset, &mut found);
    read.map(|()| found).map_err(|error| error.to_string())
}
