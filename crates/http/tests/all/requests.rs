//! The bytes that are right, and the requests that they take.

use std::io::ErrorKind;
use std::thread;

use hindsight_tablebase::ReadAt;

use crate::shared::{bytes, open, read, server};

const LENGTH: usize = 3_000_000;

#[test]
fn every_read_returns_the_bytes_of_the_file() {
    let (server, all) = (server(LENGTH, |_, reply| reply), bytes(LENGTH));
    let file = open(&server).expect("a file");
    assert_eq!(file.len().expect("a length"), LENGTH as u64);
    let mut offset = 1;
    while offset < LENGTH {
        for length in [0, 1, 20_000, 1_100_000, LENGTH - offset] {
            let length = length.min(LENGTH - offset);
            let found = read(&file, offset as u64, length).expect("bytes");
            assert!(found == all[offset..offset + length], "{length} at {offset}");
        }
        offset = offset * 3 + 12_345;
    }
    let past = file.read_at(LENGTH as u64 - 1, &mut [0; 2]).expect_err("two bytes");
    assert_eq!(past.kind(), ErrorKind::UnexpectedEof);
    let far = file.read_at(u64::MAX, &mut [0; 2]).expect_err("no bytes");
    assert_eq!(far.kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn a_short_file_is_one_request() {
    let (server, all) = (server(1000, |_, reply| reply), bytes(1000));
    let file = open(&server).expect("a file");
    assert_eq!(read(&file, 0, 1000), Ok(all));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_long_read_takes_few_requests_on_one_connection() {
    let server = server(LENGTH, |_, reply| reply);
    let file = open(&server).expect("a file");
    for offset in (0..LENGTH as u64 - 1000).step_by(1000) {
        read(&file, offset, 1000).expect("bytes");
    }
    let requests = server.requests();
    // 64 KiB, 256 KiB, and 1 MiB three times.
    assert_eq!(requests.len(), 5);
    assert!(requests.iter().all(|request| request.connection == 0));
}

#[test]
fn threads_read_at_once() {
    let (server, all) = (server(LENGTH, |_, reply| reply), bytes(LENGTH));
    let file = open(&server).expect("a file");
    thread::scope(|scope| {
        for thread in 0..8 {
            let (file, all) = (&file, &all);
            scope.spawn(move || {
                for i in 0..200 {
                    let offset = (i * 104_729 + thread * 7919) % (LENGTH - 5000);
                    let found = read(file, offset as u64, 5000).expect("bytes");
                    assert!(found == all[offset..offset + 5000]);
                }
            });
        }
    });
    let connections = server.requests().into_iter().map(|request| request.connection);
    assert!(connections.max().expect("requests") < 9);
}
