//! First message of a connection, by which processes see that they belong together.
//!
//! | bytes | meaning |
//! |---|---|
//! | 7 | [`MAGIC`] |
//! | 1 | [`VERSION`] of the protocol |
//! | 4 | length of the body |
//! | .. | the body |
//! | 4 | CRC-32 of all bytes before |

use std::io::{self, Write};
use std::time::Duration;

use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{
    Cursor, push_checksum, put_text, put_varint, split_checksum,
};

/// Time in which a connection must say hello.
pub(super) const HELLO_TIME: Duration = Duration::from_secs(5);
/// First bytes of a connection.
const MAGIC: [u8; 7] = *b"HSMESH\r";
/// Version of the protocol. All versions begin with [`MAGIC`] and this byte.
const VERSION: u8 = 2;
/// Bytes before the body, and after it.
const HEAD: usize = 12;
const TAIL: usize = 4;
/// Longest body, in bytes.
const MAX_BODY: usize = 1 << 16;

/// Purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Frames: whether the other process lives.
    Control,
    /// Everything else.
    Data,
}

/// Description that a process gives of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Hello {
    pub(crate) version: String,
    pub(crate) process: usize,
    pub(crate) processes: usize,
    /// Threads that solve, in each process.
    pub(crate) threads: usize,
    /// Game, in its normal form.
    pub(crate) spec: String,
    /// Everything else that must be the same, in words.
    pub(crate) settings: String,
    pub(crate) role: Role,
    /// Random number of this run of the process, which tells two with the same number apart.
    pub(crate) run: u64,
    /// Reason why the caller is sent away, in an answer; else empty.
    pub(crate) refusal: String,
}

/// Meaning of the first bytes of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// So many bytes more are wanted.
    More(usize),
    Hello(Box<Hello>),
    /// Bytes that are no hello, for this reason.
    Strange(String),
    /// A hello of this other version of the protocol.
    OtherVersion(u8),
}

impl Heard {
    /// Reads the bytes that have come. Of a hello that goes on, no more than are wanted may come:
    /// what follows belongs to the frames.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let start = bytes.len().min(MAGIC.len());
        if bytes[..start] != MAGIC[..start] {
            return Self::Strange("they are of another program".into());
        }
        let &[.., version, a, b, c, d] = bytes.get(..HEAD).unwrap_or(&[]) else {
            return match bytes.get(MAGIC.len()) {
                Some(&version) if version != VERSION => Self::OtherVersion(version),
                _ => Self::More(HEAD - bytes.len()),
            };
        };
        if version != VERSION {
            return Self::OtherVersion(version);
        }
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if length > MAX_BODY {
            return Self::Strange("they were damaged on the way".into());
        }
        match (HEAD + length + TAIL).checked_sub(bytes.len()) {
            Some(more) if more > 0 => Self::More(more),
            _ => match Hello::decode(bytes) {
                Ok(hello) => Self::Hello(Box::new(hello)),
                Err(_) => Self::Strange("they were damaged on the way".into()),
            },
        }
    }
}

/// Sentence about a process of another version of the protocol.
pub(super) fn other_version(name: &str, version: u8) -> String {
    format!(
        "{name} speaks version {version} of the protocol, this process version {VERSION}; run the \
         same program everywhere"
    )
}

impl Hello {
    /// Number of the frames from this process to another over a connection, for both ends.
    pub(super) fn seed_to(&self, other: &Self, role: Role) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for run in [self.run, other.run] {
            sum.update(&run.to_le_bytes());
        }
        sum.update(&[role as u8]);
        sum.finalize()
    }

    /// Names the first difference that keeps two processes from working together. `own` and `other`
    /// are their names.
    pub(crate) fn difference(&self, other: &Self, names: [&str; 2]) -> Option<String> {
        let [own, their] = names;
        if self.processes != other.processes {
            return Some(format!(
                "{own} has {} processes in its hosts file, {their} has {}; give all the same file",
                self.processes, other.processes
            ));
        }
        if self.version != other.version {
            return Some(format!(
                "{own} is version {}, {their} is version {}; run the same program everywhere",
                self.version, other.version
            ));
        }
        if self.spec != other.spec {
            return Some(format!("{own} solves {}, {their} solves {}", self.spec, other.spec));
        }
        if self.threads != other.threads {
            return Some(format!(
                "{own} has --threads {}, {their} has {}; all need the same number",
                self.threads, other.threads
            ));
        }
        (self.settings != other.settings)
            .then(|| format!("{own} {}, {their} {}", self.settings, other.settings))
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = [&MAGIC[..], &[VERSION], &[0; 4]].concat();
        for number in [self.process, self.processes, self.threads] {
            put_varint(&mut bytes, number as u64);
        }
        bytes.push(self.role as u8);
        bytes.extend_from_slice(&self.run.to_le_bytes());
        for text in [&self.version, &self.spec, &self.settings, &self.refusal] {
            put_text(&mut bytes, text);
        }
        let length = (bytes.len() - HEAD) as u32;
        bytes[HEAD - 4..HEAD].copy_from_slice(&length.to_le_bytes());
        push_checksum(&mut bytes, 0);
        out.write_all(&bytes)
    }

    fn decode(bytes: &[u8]) -> Result<Self, Damage> {
        let bytes = split_checksum(bytes, "a hello")?;
        let mut cursor = Cursor::new(bytes.get(HEAD..).unwrap_or(&[]), "a hello");
        let mut number = || {
            let number = cursor.varint()?;
            let fits = usize::try_from(number).ok().filter(|&n| n < 1 << 20);
            fits.ok_or_else(|| cursor.fail("too many processes"))
        };
        let (process, processes, threads) = (number()?, number()?, number()?);
        let role = match cursor.byte()? {
            0 => Role::Control,
            1 => Role::Data,
            _ => return Err(cursor.fail("a connection of no known purpose")),
        };
        let hello = Self {
            process,
            processes,
            threads,
            role,
            run: cursor.u64()?,
            version: text(&mut cursor)?,
            spec: text(&mut cursor)?,
            settings: text(&mut cursor)?,
            refusal: text(&mut cursor)?,
        };
        cursor.end()?;
        Ok(hello)
    }
}

/// Reads a text that may be shown on a terminal.
fn text(cursor: &mut Cursor<'_>) -> Result<String, Damage> {
    Ok(cursor.text()?.replace(char::is_control, " "))
}

#[cfg(test)]
mod tests {
    use super::{Heard, Hello, Role};

    fn hello() -> Hello {
        Hello {
            version: "0.1.0".into(),
            process: 2,
            processes: 5,
            threads: 4,
            spec: "onitama:3x3:boar".into(),
            settings: "writes no table".into(),
            role: Role::Data,
            run: 1 << 60,
            refusal: String::new(),
        }
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        hello().write(&mut bytes).expect("memory");
        bytes
    }

    #[test]
    fn a_hello_is_read_back_in_pieces() {
        let bytes = bytes();
        let mut end = 0;
        while let Heard::More(more) = Heard::of(&bytes[..end]) {
            assert!(more > 0 && end + more <= bytes.len());
            end += more.div_ceil(2);
        }
        assert_eq!(end, bytes.len());
        assert_eq!(Heard::of(&bytes), Heard::Hello(Box::new(hello())));
    }

    #[test]
    fn damaged_and_strange_hellos_are_told_apart_from_good_ones() {
        let bytes = bytes();
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 1 << (i % 8);
            match Heard::of(&damaged) {
                Heard::Strange(_) => {}
                Heard::OtherVersion(_) => assert_eq!(i, 7),
                // A length that was damaged: the rest never comes.
                Heard::More(_) => assert!((8..12).contains(&i)),
                Heard::Hello(hello) => panic!("{hello:?}"),
            }
        }
        for strange in [&b"GET / HTTP/1.1\r\n"[..], b"\x16\x03\x01", b"SSH", &[0; 20]] {
            assert!(matches!(Heard::of(strange), Heard::Strange(_)));
        }
        assert_eq!(Heard::of(b"HSMESH\r\x01"), Heard::OtherVersion(1));
        assert_eq!(Heard::of(b""), Heard::More(12));
    }

    #[test]
    fn a_difference_is_named() {
        let own = hello();
        assert_eq!(own.difference(&own, ["a", "b"]), None);
        let other = Hello { spec: "onitama:3x3:ox".into(), ..hello() };
        let found = own.difference(&other, ["this process", "process 1"]);
        assert_eq!(
            found.as_deref(),
            Some("this process solves onitama:3x3:boar, process 1 solves onitama:3x3:ox")
        );
        let others = [
            Hello { processes: 4, ..hello() },
            Hello { version: "0.2.0".into(), ..hello() },
            Hello { threads: 1, ..hello() },
            Hello { settings: "writes a table".into(), ..hello() },
        ];
        assert!(others.iter().all(|other| own.difference(other, ["a", "b"]).is_some()));
    }
}
