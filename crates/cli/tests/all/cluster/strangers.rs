//! `cluster`: strangers at the door, and too few threads or files.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use crate::cluster::harness::{SOLVE, Site};
use crate::running::wait_for;

const SPEC: &str = "onitama:3x3:boar";

/// Connects to a port of this machine once somebody listens there.
fn connect(port: u16) -> TcpStream {
    let mut stream = None;
    wait_for("listener", || {
        stream = TcpStream::connect(("127.0.0.1", port)).ok();
        stream.is_some()
    });
    stream.expect("a connection")
}

#[test]
fn strangers_do_no_harm() {
    const HELLO: &[u8] = b"HSMESH\r\x02";
    let sayings: [Vec<u8>; 7] = [
        Vec::new(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0; 1 << 16],
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"HSMESH\r\x01\x20\x00\x00\x00".to_vec(),
        [HELLO, &[255; 4]].concat(),
        [HELLO, &[3, 0, 0, 0, 9, 9, 9]].concat(),
    ];
    for (early, late) in [(0, 1), (1, 0)] {
        let site = Site::new(2);
        let table = site.table_of_one(SPEC);
        let call = format!("{SPEC} --threads 1 --quiet --out t");
        let mut early_process = site.start(early, &call);
        let strangers = sayings.iter().map(|saying| {
            let mut stranger = connect(site.ports[early]);
            // The process may hang up before it has read all.
            let _ = stranger.write_all(saying);
            stranger
        });
        let strangers: Vec<TcpStream> = strangers.collect();
        let mut late_process = site.start(late, &call);
        for process in [&mut early_process, &mut late_process] {
            process.check_done();
            assert_eq!(process.stderr(), "");
        }
        site.check_table(&table, SPEC);
        drop(strangers);
    }
}

#[test]
fn strangers_are_told_of() {
    let site = Site::new(2);
    let call = format!("{SPEC} --threads 1");
    let mut first = site.start(0, &call);
    let mut stranger = connect(site.ports[0]);
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("a caller");
    let address = stranger.local_addr().expect("an address");
    let told =
        format!("hung up on {address}, whose bytes are no hello: they are of another program");
    wait_for("word", || first.stderr().contains(&told));
    let mut older = connect(site.ports[0]);
    older.write_all(b"HSMESH\r\x01\x00\x00\x00\x00").expect("a caller");
    let mut answer = [0; 8];
    older.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HSMESH\r\x02");
    let told = "speaks version 1 of the protocol, this process version 2; run the same program";
    wait_for("word", || first.stderr().contains(told));
    let mut second = site.start(1, &call);
    first.check_done();
    second.check_done();
}

#[test]
fn an_older_program_that_is_called_is_named() {
    let site = Site::new(2);
    let older = TcpListener::bind(("127.0.0.1", site.ports[0])).expect("a port");
    let mut second = site.start(1, &format!("{SPEC} --threads 1 --quiet"));
    let (mut caller, _) = older.accept().expect("a caller");
    caller.write_all(b"HSMESH\r\x01\x00\x00\x00\x00").expect("a caller");
    let stderr = second.refusal(SOLVE);
    let fault = format!(
        "{} speaks version 1 of the protocol, this process version 2; run the same program \
         everywhere",
        site.name(0)
    );
    assert!(stderr.contains(&fault), "{stderr}");
}

#[test]
#[cfg(unix)]
fn many_connections_without_a_hello_do_no_harm() {
    let site = Site::new(2);
    // Less than there are strangers.
    let limited = |process| site.start_limited(process, "-n 150", &format!("{SPEC} --threads 1"));
    let mut first = limited(0);
    let strangers: Vec<TcpStream> = (0..300).map(|_| connect(site.ports[0])).collect();
    let mut second = limited(1);
    first.check_done();
    second.check_done();
    drop(strangers);
}

#[test]
#[cfg(unix)]
fn too_few_files_are_an_error_in_words() {
    let site = Site::new(2);
    for files in 4..16 {
        let call = format!("{SPEC} --threads 1 --quiet --connect-seconds 1");
        let mut first = site.start_limited(0, &format!("-n {files}"), &call);
        let stderr = first.refusal(SOLVE);
        let is_told = stderr.contains("Too many open files") || stderr.contains("did not come");
        assert!(is_told, "{files}: {stderr}");
    }
}

/// Hello of process 1, which a run of it says to a listener of ours.
fn hello_of_process_1(site: &Site) -> Vec<u8> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    site.write("hosts-1", &format!("127.0.0.1:{port}\n127.0.0.1:{}\n", site.ports[1]));
    let call = format!("{SPEC} --threads 1 --quiet");
    let _process = site.start_with_hosts(1, "hosts-1", &call);
    let (mut caller, _) = listener.accept().expect("a caller");
    read_hello(&mut caller)
}

fn read_hello(stream: &mut TcpStream) -> Vec<u8> {
    let mut hello = vec![0; 12];
    stream.read_exact(&mut hello).expect("a hello");
    let length = u32::from_le_bytes(hello[8..].try_into().expect("four bytes"));
    let mut rest = vec![0; length as usize + 4];
    stream.read_exact(&mut rest).expect("a hello");
    [hello, rest].concat()
}

#[test]
fn a_second_process_of_a_number_is_sent_away_and_the_run_goes_on() {
    let site = Site::new(2);
    let hellos = [(); 2].map(|()| hello_of_process_1(&site));
    let mut first = site.start(0, &format!("{SPEC} --threads 1"));
    let say = |hello: &[u8]| {
        let mut stream = connect(site.ports[0]);
        stream.write_all(hello).expect("a caller");
        let answer = read_hello(&mut stream);
        let is_refused = String::from_utf8_lossy(&answer)
            .contains("two processes say that they are process 1; each process needs its own");
        let _ = stream.write_all(&[0]);
        (stream, is_refused)
    };
    let (taken, is_refused) = say(&hellos[0]);
    assert!(!is_refused);
    wait_for("refusal", || say(&hellos[1]).1);
    wait_for("word", || first.stderr().contains("sent 127.0.0.1:"));
    // The one that had the number goes away, and the right one comes.
    drop(taken);
    let mut second = site.start(1, &format!("{SPEC} --threads 1"));
    first.check_done();
    second.check_done();
}

#[test]
fn a_process_of_other_hosts_is_sent_away_and_the_run_goes_on() {
    let site = Site::new(2);
    let [a, b] = [site.ports[0], site.ports[1]];
    site.write("three", &format!("127.0.0.1:{a}\n127.0.0.1:{b}\n127.0.0.1:1\n"));
    let mut first = site.start(0, &format!("{SPEC} --threads 1"));
    let mut stranger = site.start_with_hosts(1, "three", &format!("{SPEC} --threads 1 --quiet"));
    let stderr = stranger.refusal(Duration::from_secs(10));
    let fault = "process 0 has 2 processes in its hosts file, process 1 has 3; give all the same";
    assert!(stderr.contains(fault), "{stderr}");
    let mut second = site.start(1, &format!("{SPEC} --threads 1"));
    first.check_done();
    second.check_done();
}
