//! Reads from servers that keep silent, which end when their thread is asked to stop.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use hindsight_http::{HttpFile, HttpOptions};
use hindsight_tablebase::set_stop_check;
use hindsight_testkit::{FileReply, FileServer};

/// Opens a file in a thread that is asked to stop at the third question; returns the error's text.
fn stopped(address: &str) -> String {
    let begin = Instant::now();
    let questions = Arc::new(AtomicU32::new(0));
    let asked = Arc::clone(&questions);
    let check = move || asked.fetch_add(1, Ordering::Relaxed) >= 2;
    assert!(set_stop_check(Some(Arc::new(check))).is_none());
    let opened = HttpFile::open(address, &HttpOptions::default());
    set_stop_check(None);
    assert!(begin.elapsed() < Duration::from_secs(5), "a wait that ends");
    opened.expect_err("an end").to_string()
}

#[test]
fn a_silent_server_is_left() {
    // The system accepts, and nothing is ever answered, be it a request or a handshake.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    for scheme in ["http", "https"] {
        let address = format!("{scheme}://127.0.0.1:{port}/q.table");
        assert_eq!(stopped(&address), "the read was stopped");
    }
}

#[test]
fn a_pause_that_a_server_asks_for_ends() {
    let server = FileServer::start(|_| FileReply::of_status(503).with_header("Retry-After", "10"));
    assert_eq!(stopped(&server.address("q.table")), "the read was stopped");
}

#[test]
fn a_file_is_read_by_a_thread_that_may_be_asked() {
    let server = crate::shared::server(100_000, |_, reply| reply);
    set_stop_check(Some(Arc::new(|| false)));
    let file = crate::shared::open(&server).expect("a file");
    assert_eq!(
        crate::shared::read(&file, 70_000, 50),
        Ok(crate::shared::bytes(100_000)[70_000..70_050].to_vec())
    );
    set_stop_check(None);
}
