//! A load on a server: clients that ask one request after the other, and the times of the answers.
//!
//! ```text
//! cargo run --release -p hindsight-web --example load -- 127.0.0.1:8017 64 10 /api/v1 /healthz
//! cargo run --release -p hindsight-web --example load -- 127.0.0.1:8017 64 10 /test=body.json
//! ```
//!
//! The arguments are the address, the number of clients, the seconds, and paths, which clients take
//! in turn. `PATH=FILE` posts the file as JSON.
#![allow(clippy::print_stdout, reason = "a program for measurements")]

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Stack of the thread of a client, in bytes.
const STACK: usize = 128 << 10;

/// Times of the answers that a client got.
#[derive(Default)]
struct Answers {
    times: Vec<Duration>,
    /// Answers with another status than 200.
    refused: usize,
    bytes: usize,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, clients, seconds, paths @ ..] = &arguments[..] else {
        return Err("give ADDRESS:PORT CLIENTS SECONDS PATH..".into());
    };
    let (clients, seconds): (usize, f64) = (clients.parse()?, seconds.parse()?);
    let address: SocketAddr = address.parse()?;
    let requests: Result<Vec<_>, io::Error> = paths.iter().map(|path| request(path)).collect();
    let requests = requests?;
    if requests.is_empty() {
        return Err("give a path, such as /api/v1".into());
    }
    let begin = Instant::now();
    let end = begin + Duration::from_secs_f64(seconds);
    let all = std::thread::scope(|scope| {
        let start = |client: usize| {
            let requests = requests.iter().cycle().skip(client % requests.len());
            let work = move || ask(address, requests, end);
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, work)
        };
        let threads: io::Result<Vec<_>> = (0..clients).map(start).collect();
        let answers = threads?.into_iter().map(|thread| thread.join());
        let answers = answers.map(|joined| joined.unwrap_or_else(|_| Ok(Answers::default())));
        answers.collect::<io::Result<Vec<Answers>>>()
    })?;
    print(&all, begin.elapsed());
    Ok(())
}

/// Returns the bytes of a request.
fn request(path: &str) -> io::Result<Vec<u8>> {
    let Some((path, file)) = path.split_once('=').filter(|pair| !pair.0.contains('?')) else {
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        return Ok(head.into_bytes());
    };
    let body = std::fs::read(file)?;
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    Ok([head.as_bytes(), &body].concat())
}

/// Sends requests one after the other until the end.
fn ask<'a>(
    address: SocketAddr,
    requests: impl Iterator<Item = &'a Vec<u8>>,
    end: Instant,
) -> io::Result<Answers> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let (mut answers, mut buffer) = (Answers::default(), Vec::new());
    for request in requests {
        let begin = Instant::now();
        if begin >= end {
            break;
        }
        reader.get_mut().write_all(request)?;
        let status = read_answer(&mut reader, &mut buffer)?;
        answers.times.push(begin.elapsed());
        answers.refused += usize::from(status != 200);
        answers.bytes += buffer.len();
    }
    Ok(answers)
}

/// Reads an answer with a length; its body is in the buffer. Returns the status.
fn read_answer(reader: &mut impl BufRead, buffer: &mut Vec<u8>) -> io::Result<u16> {
    let (mut line, mut status, mut length) = (String::new(), 0, 0);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let text = line.trim_end().to_ascii_lowercase();
        if let Some(rest) = text.strip_prefix("http/1.1 ") {
            status = rest[..3.min(rest.len())].parse().unwrap_or(0);
        }
        if let Some(rest) = text.strip_prefix("content-length: ") {
            length = rest.parse().unwrap_or(0);
        }
        if text.is_empty() {
            break;
        }
    }
    buffer.resize(length, 0);
    reader.read_exact(buffer)?;
    Ok(status)
}

fn print(all: &[Answers], time: Duration) {
    let mut times: Vec<Duration> = all.iter().flat_map(|one| one.times.clone()).collect();
    times.sort();
    let refused: usize = all.iter().map(|one| one.refused).sum();
    let bytes: usize = all.iter().map(|one| one.bytes).sum();
    let Some(max) = times.last() else {
        println!("no answers");
        return;
    };
    let part = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let seconds = time.as_secs_f64();
    println!(
        "{} clients, {} answers in {seconds:.1} s: {:.0} a second, {:.1} MB a second",
        all.len(),
        times.len(),
        times.len() as f64 / seconds,
        bytes as f64 / seconds / 1e6
    );
    println!("not 200: {refused}");
    println!("p50 {:?}, p99 {:?}, max {max:?}", part(0.5), part(0.99));
}
