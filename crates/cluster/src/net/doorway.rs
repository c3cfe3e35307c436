//! Callers at the door: connections that have not said a proper hello yet.

use std::collections::VecDeque;
use std::io::{self, Read as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

use super::hello::{HELLO_TIME, Heard, Hello, other_version};
use super::link::Greeted;
use super::resources::is_out_of_files;

/// Most connections without a hello; beyond them the oldest is hung up on.
const MOST_GUESTS: usize = 64;
/// Strange callers that are told of.
const MOST_TOLD: u32 = 16;

/// Listener and those who have called.
pub(super) struct Doorway {
    listener: TcpListener,
    guests: VecDeque<Guest>,
    told: u32,
}

/// Connection that has not said all of its hello.
struct Guest {
    stream: TcpStream,
    address: SocketAddr,
    since: Instant,
    /// Bytes of the hello until now.
    bytes: Vec<u8>,
    /// The hello, once it is answered; one more byte is wanted then.
    hello: Option<Hello>,
}

/// State of a guest.
enum Visit {
    Waits,
    Leaves,
    Enters(Hello),
    /// Leaves, and this is told.
    Strange(String),
}

/// Greeter of the guests.
pub(super) trait Greeter {
    /// Hello of this process.
    fn own(&self) -> Hello;

    /// Answers a hello. With a refusal in it, the guest is sent away.
    fn answer(&mut self, hello: &Hello) -> Hello;

    /// Hears of a strange guest.
    fn tell(&mut self, sentence: &str);
}

impl Doorway {
    /// Opens the door at a listener that does not block.
    pub(super) fn new(listener: TcpListener) -> Self {
        Self { listener, guests: VecDeque::new(), told: 0 }
    }

    /// Greets whoever has come, without waiting. Returns those who may enter.
    ///
    /// # Errors
    /// The listener fails, for example because too many files are open.
    pub(super) fn greet(&mut self, greeter: &mut dyn Greeter) -> io::Result<Vec<Greeted>> {
        self.take_in()?;
        let (mut entered, mut waiting) = (Vec::new(), VecDeque::new());
        for mut guest in std::mem::take(&mut self.guests) {
            match guest.visit(greeter) {
                Visit::Waits => waiting.push_back(guest),
                Visit::Leaves => {}
                Visit::Enters(hello) => {
                    let stream = guest.stream;
                    if stream.set_nonblocking(false).is_ok() {
                        entered.push(Greeted { hello, stream });
                    }
                }
                Visit::Strange(sentence) => {
                    guest.forget_rest();
                    self.told += 1;
                    if self.told <= MOST_TOLD {
                        greeter.tell(&sentence);
                    }
                    if self.told == MOST_TOLD {
                        greeter.tell("further strange callers are hung up on without a word");
                    }
                }
            }
        }
        self.guests = waiting;
        Ok(entered)
    }

    /// Accepts all connections that wait.
    fn take_in(&mut self) -> io::Result<()> {
        for _ in 0..MOST_GUESTS {
            let (stream, address) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if is_out_of_files(&error) => return Err(error),
                // The caller has hung up already.
                Err(_) => continue,
            };
            if stream.set_nonblocking(true).is_err() || stream.set_nodelay(true).is_err() {
                continue;
            }
            if self.guests.len() == MOST_GUESTS {
                self.guests.pop_front();
            }
            self.guests.push_back(Guest {
                stream,
                address,
                since: Instant::now(),
                bytes: Vec::new(),
                hello: None,
            });
        }
        Ok(())
    }
}

impl Guest {
    /// Hears what the guest says.
    fn visit(&mut self, greeter: &mut dyn Greeter) -> Visit {
        loop {
            let heard = match &self.hello {
                Some(_) => Heard::More(1),
                None => Heard::of(&self.bytes),
            };
            let address = self.address;
            let more = match heard {
                Heard::More(more) => more,
                Heard::Hello(hello) => {
                    let answer = greeter.answer(&hello);
                    if answer.write(&mut self.stream).is_err() {
                        return Visit::Leaves;
                    }
                    if !answer.refusal.is_empty() {
                        let refusal = &answer.refusal;
                        return Visit::Strange(format!("sent {address} away: {refusal}"));
                    }
                    self.hello = Some(*hello);
                    continue;
                }
                Heard::Strange(reason) => {
                    let text = format!("hung up on {address}, whose bytes are no hello: {reason}");
                    return Visit::Strange(text);
                }
                Heard::OtherVersion(version) => {
                    // The answer tells the other program as well.
                    let _ = greeter.own().write(&mut self.stream);
                    let text = other_version(&address.to_string(), version);
                    return Visit::Strange(format!("hung up on {address}: {text}"));
                }
            };
            let mut part = [0; 1 << 10];
            let part = &mut part[..more.min(1 << 10)];
            match self.stream.read(part) {
                Ok(0) => return Visit::Leaves,
                Ok(n) => match self.hello.take() {
                    Some(hello) => return Visit::Enters(hello),
                    None => self.bytes.extend_from_slice(&part[..n]),
                },
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    return if self.since.elapsed() > HELLO_TIME {
                        Visit::Strange(format!(
                            "hung up on {address}, which said no hello within {} seconds",
                            HELLO_TIME.as_secs()
                        ))
                    } else {
                        Visit::Waits
                    };
                }
                Err(_) => return Visit::Leaves,
            }
        }
    }

    /// Reads what was sent and not wanted: a connection with such bytes would be reset, and the
    /// answer lost.
    fn forget_rest(&mut self) {
        let mut rest = [0; 1 << 12];
        for _ in 0..16 {
            if !matches!(self.stream.read(&mut rest), Ok(n) if n > 0) {
                return;
            }
        }
    }
}
