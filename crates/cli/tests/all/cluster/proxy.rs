//! Proxy between two processes, which damages what goes through it once.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;

/// Connection of a pair of processes, in the order in which they are made.
pub(crate) const CONTROL: usize = 0;
pub(crate) const DATA: usize = 1;

/// Fate of the bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Damage {
    /// Nothing.
    None,
    /// A bit differs; the number is that of the bit in its byte.
    Flip(u8),
    /// So many bytes are missing, or as many as come at once.
    Drop(usize),
    /// So many bytes come twice.
    Double(usize),
    /// So many bytes change places with as many after them.
    Swap(usize),
    /// The connection ends.
    Cut,
    /// The bytes come later. This is no damage.
    Delay(Duration),
    /// Nothing more comes, and the connection stays.
    Stall,
}

/// Place of a damage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) connection: usize,
    /// True for bytes to the process that listens.
    pub(crate) inward: bool,
    /// Number of the byte.
    pub(crate) at: u64,
    pub(crate) damage: Damage,
}

/// Record of what went through a proxy.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    /// Bytes of each connection, outward and inward.
    bytes: [[AtomicU64; 2]; 2],
    has_hit: AtomicBool,
}

impl Passed {
    pub(crate) fn bytes(&self, connection: usize, inward: bool) -> u64 {
        self.bytes[connection][usize::from(inward)].load(Ordering::Relaxed)
    }

    /// True once the bytes were damaged.
    pub(crate) fn has_hit(&self) -> bool {
        self.has_hit.load(Ordering::Relaxed)
    }
}

/// Proxy before a port of this machine. Its threads end with the connections, or with the test.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    pub(crate) passed: Arc<Passed>,
}

impl Proxy {
    /// Starts to pass connections on to a port.
    pub(crate) fn start(target: u16, spot: Spot) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let passed = Arc::new(Passed::default());
        let record = passed.clone();
        thread::spawn(move || {
            let mut connection = 0;
            for caller in listener.incoming().map_while(Result::ok) {
                // Whoever calls too early is hung up on, and calls again.
                let Ok(callee) = TcpStream::connect(("127.0.0.1", target)) else {
                    continue;
                };
                for inward in [false, true] {
                    let clone = |stream: &TcpStream| stream.try_clone().expect("a socket");
                    let (from, to) = if inward {
                        (clone(&caller), clone(&callee))
                    } else {
                        (clone(&callee), clone(&caller))
                    };
                    let here = Spot { connection, inward, ..spot };
                    let is_hit = (connection, inward) == (spot.connection, spot.inward);
                    let damage = if is_hit { spot.damage } else { Damage::None };
                    let (here, passed) = (Spot { damage, ..here }, record.clone());
                    thread::spawn(move || {
                        let _ = pump(&from, &to, here, &passed);
                        let _ = to.shutdown(Shutdown::Write);
                    });
                }
                connection += 1;
            }
        });
        Self { port, passed }
    }
}

/// Passes the bytes of one direction of a connection on.
fn pump(
    mut from: &TcpStream,
    mut to: &TcpStream,
    spot: Spot,
    passed: &Passed,
) -> std::io::Result<()> {
    let counts = passed.bytes.get(spot.connection);
    let count = counts.map(|counts| &counts[usize::from(spot.inward)]);
    let mut next = 0;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        let mut bytes = buffer[..read].to_vec();
        let begin = next;
        next += read as u64;
        if (begin..next).contains(&spot.at) && !matches!(spot.damage, Damage::None) {
            passed.has_hit.store(true, Ordering::Relaxed);
            let at = (spot.at - begin) as usize;
            let left = bytes.len() - at;
            match spot.damage {
                Damage::None => {}
                Damage::Flip(bit) => bytes[at] ^= 1 << bit,
                Damage::Drop(n) => drop(bytes.drain(at..at + n.min(left))),
                Damage::Double(n) => {
                    let twice = bytes[at..at + n.min(left)].to_vec();
                    bytes.splice(at..at, twice);
                }
                Damage::Swap(n) => {
                    let n = n.min(left / 2);
                    let before = bytes.clone();
                    bytes[at..at + 2 * n].rotate_left(n);
                    // Equal bytes that change places are no damage.
                    bytes[at] ^= u8::from(bytes == before);
                }
                Damage::Cut => {
                    to.write_all(&bytes[..at])?;
                    from.shutdown(Shutdown::Both)?;
                    return to.shutdown(Shutdown::Both);
                }
                Damage::Delay(time) => sleep(time),
                Damage::Stall => {
                    to.write_all(&bytes[..at])?;
                    while from.read(&mut buffer)? > 0 {}
                    // The other side is not told of the end either.
                    STALLED.lock().expect("no panic").push(to.try_clone()?);
                    loop {
                        thread::park();
                    }
                }
            }
        }
        to.write_all(&bytes)?;
        if let Some(count) = count {
            count.fetch_add(read as u64, Ordering::Relaxed);
        }
    }
}

/// Connections that stay open to the end of the tests.
static STALLED: Mutex<Vec<TcpStream>> = Mutex::new(Vec::new());
