//! Proxy between two processes, which damages what goes through it once.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::Duration;

/// Connection of a pair of processes, in the order in which they are made.
pub(crate) const CONTROL: usize = 0;
pub(crate) const DATA: usize = 1;

/// What happens to the bytes.
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
    /// Number of the connection.
    pub(crate) connection: usize,
    /// True for bytes to the process that listens.
    pub(crate) inward: bool,
    /// Number of the byte.
    pub(crate) at: u64,
    pub(crate) damage: Damage,
}

/// Number of bytes that went through, for each connection, outward and inward.
pub(crate) type ByteCounts = [[AtomicU64; 2]; 2];

/// Proxy before a port of this machine. Its threads end with the connections, or with the test.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    pub(crate) bytes: Arc<ByteCounts>,
}

impl Proxy {
    /// Starts to pass connections on to a port.
    pub(crate) fn start(target: u16, spot: Spot) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let bytes = Arc::new(ByteCounts::default());
        let counts = bytes.clone();
        thread::spawn(move || {
            let number = AtomicUsize::new(0);
            for caller in listener.incoming().map_while(Result::ok) {
                // Whoever calls too early is hung up on, and calls again.
                let Ok(callee) = TcpStream::connect(("127.0.0.1", target)) else {
                    continue;
                };
                let connection = number.fetch_add(1, Ordering::Relaxed);
                join(&caller, &callee, connection, spot, &counts);
            }
        });
        Self { port, bytes }
    }
}

/// Passes the bytes of a connection on, in both directions.
fn join(
    caller: &TcpStream,
    callee: &TcpStream,
    connection: usize,
    spot: Spot,
    counts: &Arc<ByteCounts>,
) {
    let ends = [callee, caller];
    for inward in [false, true] {
        let [from, to] = [usize::from(inward), usize::from(!inward)];
        let [from, to] = [from, to].map(|end| ends[end].try_clone().expect("a socket"));
        let damage = match spot.connection == connection && spot.inward == inward {
            true => spot.damage,
            false => Damage::None,
        };
        let counts = counts.clone();
        thread::spawn(move || {
            let count = counts
                .get(connection)
                .map(|counts| &counts[usize::from(inward)]);
            let _ = pump(&from, &to, Spot { damage, ..spot }, count);
            let _ = to.shutdown(Shutdown::Write);
        });
    }
}

/// Passes the bytes of one direction on.
fn pump(
    mut from: &TcpStream,
    mut to: &TcpStream,
    spot: Spot,
    count: Option<&AtomicU64>,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    let (mut passed, mut is_done) = (0, false);
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        let mut bytes = buffer[..read].to_vec();
        let next = passed + read as u64;
        if !is_done && next > spot.at {
            is_done = true;
            let at = (spot.at.max(passed) - passed) as usize;
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
                    bytes[at..at + left.min(2 * n)].rotate_left(n.min(left) % left.min(2 * n))
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
        passed = next;
    }
}

/// Connections that stay open to the end of the tests.
static STALLED: Mutex<Vec<TcpStream>> = Mutex::new(Vec::new());
