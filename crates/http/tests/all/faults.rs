//! Servers with faults: refused with a sentence, or asked again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use hindsight_http::{HttpFile, HttpOptions};
use hindsight_testkit::{FileReply, FileRequest, FileServer};

use crate::shared::{bytes, open, options, read, server};

const LENGTH: usize = 300_000;

/// Text of the error with which a file is refused.
fn refusal(
    change: impl Fn(&FileRequest, FileReply) -> FileReply + Send + Sync + 'static,
) -> String {
    let server = server(LENGTH, change);
    open(&server).expect_err("a refusal").to_string()
}

/// Text of the error with which an address is refused.
fn address_error(address: &str) -> String {
    let opened = HttpFile::open(address, &options());
    opened.expect_err("a refusal").to_string()
}

#[test]
fn an_answer_that_is_no_part_is_refused() {
    let of_status = |status: u16| refusal(move |_, _| FileReply::of_status(status));
    assert_eq!(of_status(404), "the server has no such file (status 404)");
    assert_eq!(of_status(403), "the server does not hand out the file (status 403)");
    assert_eq!(of_status(416), "the file on the server is empty");
    let other = "the server answers with status 501, not with a part of the file (206)";
    assert_eq!(of_status(501), other);
    let whole = refusal(|_, reply| FileReply { status: 200, ..reply });
    assert_eq!(
        whole,
        "the server sends the whole file instead of a part (status 200): a table is read from \
         servers that answer range requests; download the file instead"
    );
    let compressed = refusal(|_, reply| reply.with_header("Content-Encoding", "gzip"));
    assert_eq!(
        compressed,
        "the server compresses the file (Content-Encoding: gzip), so that its parts cannot be read"
    );
}

#[test]
fn a_part_of_other_bytes_is_refused() {
    let other = "the server sends other bytes than those asked for ";
    let of_range =
        |range: &'static str| refusal(move |_, reply| reply.with_header("Content-Range", range));
    let late = of_range("bytes 1-65536/300000");
    assert_eq!(late, format!("{other}(bytes 1 to 65536, not 0 to 65535)"));
    let unknown = of_range("bytes 0-65535/*");
    assert_eq!(unknown, format!("{other}(Content-Range: bytes 0-65535/*)"));
    let without = refusal(|_, reply| FileReply { headers: Vec::new(), ..reply });
    assert_eq!(without, format!("{other}(without Content-Range)"));
    let short = refusal(|_, mut reply| {
        reply.body.pop();
        reply
    });
    assert_eq!(short, format!("{other}(65535 bytes, not 65536)"));
}

#[test]
fn a_lost_connection_and_a_busy_server_are_tried_again() {
    let faults = [
        |reply| FileReply { cut: Some(0), ..reply },
        |reply| FileReply { cut: Some(30), ..reply },
        |reply| FileReply { cut: Some(5000), ..reply },
        |_| FileReply::of_status(503),
        |_| FileReply::of_status(429).with_header("Retry-After", "0"),
    ];
    for fault in faults {
        // Two of three requests fail.
        let server = server(LENGTH, move |request, reply| match request.number % 3 {
            2 => reply,
            _ => fault(reply),
        });
        let file = open(&server).expect("a file");
        let found = read(&file, 200_000, 10).expect("bytes");
        assert_eq!(found, bytes(LENGTH)[200_000..200_010]);
        assert_eq!(server.requests().len(), 6);
    }
}

#[test]
fn a_server_that_stays_out_of_order_is_refused_after_four_tries() {
    let lost = server(LENGTH, |_, reply| FileReply { cut: Some(5000), ..reply });
    let error = open(&lost).expect_err("a refusal").to_string();
    assert_eq!(error, "the connection to the server was lost");
    assert_eq!(lost.requests().len(), 4);
    let busy = refusal(|_, _| FileReply::of_status(503));
    assert_eq!(busy, "the server is busy or out of order (status 503)");
}

#[test]
fn a_slow_server_is_waited_for_no_longer_than_allowed() {
    let slow = server(LENGTH, |_, reply| FileReply { pause: Duration::from_secs(3), ..reply });
    let options = HttpOptions { attempts: 2, ..options() };
    let begin = Instant::now();
    let error = HttpFile::open(&slow.address("q.table"), &options).expect_err("a refusal");
    assert_eq!(error.to_string(), "the server takes too long to answer");
    assert!(begin.elapsed() < Duration::from_millis(2500));
}

#[test]
fn a_file_that_changes_is_noticed() {
    let changes: [fn(FileReply) -> FileReply; 3] = [
        |reply| reply.with_header("ETag", "\"second\""),
        |reply| reply.with_header("Content-Range", "bytes 196608-212991/300001"),
        |_| FileReply::of_status(416),
    ];
    for change in changes {
        let server = server(LENGTH, move |request, reply| match request.number {
            0 => reply,
            _ => change(reply),
        });
        let file = open(&server).expect("a file");
        assert!(!file.has_changed());
        let error = read(&file, 200_000, 10).expect_err("another file");
        assert!(file.has_changed() && read(&file, 0, 10).is_ok());
        assert_eq!(error, "the file on the server has changed since it was opened");
    }
}

#[test]
fn without_a_tag_the_time_of_the_last_change_tells() {
    let times = ["Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"];
    let server = server(LENGTH, move |request, mut reply| {
        reply.headers.retain(|header| header.0 != "ETag");
        reply.with_header("Last-Modified", times[request.number / 2])
    });
    let file = open(&server).expect("a file");
    assert!(read(&file, 200_000, 10).is_ok());
    assert!(read(&file, 100_000, 10).is_err());
}

#[test]
fn redirects_are_followed_once_and_again_when_their_target_expires() {
    let file = bytes(LENGTH);
    let has_expired = Arc::new(AtomicBool::new(false));
    let expired = Arc::clone(&has_expired);
    let server = FileServer::start(move |request| match request.path.as_str() {
        "/q.table" => {
            let is_late = expired.load(Ordering::Relaxed);
            let target = if is_late { "/signed?key=2" } else { "/signed?key=1" };
            FileReply::of_status(302).with_header("Location", target)
        }
        "/signed?key=1" if expired.load(Ordering::Relaxed) => FileReply::of_status(403),
        _ => FileReply::of_file(request, &file),
    });
    let file = open(&server).expect("a file");
    assert!(read(&file, 200_000, 10).is_ok());
    has_expired.store(true, Ordering::Relaxed);
    assert_eq!(read(&file, 100_000, 10), Ok(bytes(LENGTH)[100_000..100_010].to_vec()));
    let paths: Vec<String> = server.requests().into_iter().map(|request| request.path).collect();
    let signed = ["/signed?key=1", "/signed?key=2"];
    let expected = ["/q.table", signed[0], signed[0], signed[0], "/q.table", signed[1]];
    assert_eq!(paths, expected);
}

#[test]
fn redirects_without_end_are_refused() {
    let error = refusal(|_, _| FileReply::of_status(302).with_header("Location", "/q.table"));
    assert_eq!(error, "the server redirects too often");
}

#[test]
fn an_address_that_leads_nowhere_is_refused() {
    let scheme = "an address begins with http:// or https://";
    assert_eq!(address_error("ftp://example.org/q.table"), scheme);
    assert_eq!(address_error("q.table"), scheme);
    let credentials = "an address with a name or a password is not supported";
    assert_eq!(address_error("http://me:secret@127.0.0.1/q.table"), credentials);
    let address = address_error("http://127.0.0.1:99999/q.table");
    assert!(address.starts_with("the address cannot be used: "), "{address}");
    let space = address_error("http://127.0.0.1/q table");
    assert!(space.starts_with("the address cannot be used: "), "{space}");
    let closed = server(1, |_, reply| reply).address("q.table");
    let refused = address_error(&closed);
    assert!(refused.starts_with("no connection to the server: "), "{refused}");
}
