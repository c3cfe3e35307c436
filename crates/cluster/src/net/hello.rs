//! First message of a connection, by which processes see that they belong together.

use std::io::{self, Read, Write};

use hindsight_checkpoint::Damage;
use hindsight_checkpoint::bytes::{Cursor, put_text, put_varint};

/// First bytes of a connection; the last byte is the version of the protocol.
const MAGIC: [u8; 8] = *b"HSMESH\r\x01";

/// Longest hello after its length, in bytes.
const MAX_HELLO: usize = 1 << 16;

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
    /// Version of the program.
    pub(crate) version: String,
    /// Number of the process.
    pub(crate) process: usize,
    /// Number of all processes.
    pub(crate) processes: usize,
    /// Threads that solve, in each process.
    pub(crate) threads: usize,
    /// Game, in its normal form.
    pub(crate) spec: String,
    /// Everything else that must be the same, in words.
    pub(crate) settings: String,
    pub(crate) role: Role,
}

impl Hello {
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
            return Some(format!(
                "{own} solves {}, {their} solves {}",
                self.spec, other.spec
            ));
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

    /// Writes the hello.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut body = Vec::new();
        for number in [self.process, self.processes, self.threads] {
            put_varint(&mut body, number as u64);
        }
        body.push(u8::from(self.role == Role::Data));
        for text in [&self.version, &self.spec, &self.settings] {
            put_text(&mut body, text);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&(body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&body);
        out.write_all(&bytes)
    }

    /// Reads a hello. `None` if the bytes are those of another program, or of another version of
    /// the protocol.
    ///
    /// # Errors
    /// As [`Read::read_exact`].
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        let mut head = [0; 12];
        from.read_exact(&mut head)?;
        let [.., a, b, c, d] = head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        if head[..8] != MAGIC || length > MAX_HELLO {
            return Ok(None);
        }
        let mut body = vec![0; length];
        from.read_exact(&mut body)?;
        Ok(Self::decode(&body).ok())
    }

    fn decode(body: &[u8]) -> Result<Self, Damage> {
        let mut cursor = Cursor::new(body, "a hello");
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
            version: cursor.text()?,
            spec: cursor.text()?,
            settings: cursor.text()?,
        };
        cursor.end()?;
        Ok(hello)
    }
}

#[cfg(test)]
mod tests {
    use super::{Hello, Role};

    fn hello() -> Hello {
        Hello {
            version: "0.1.0".into(),
            process: 2,
            processes: 5,
            threads: 4,
            spec: "onitama:3x3:boar".into(),
            settings: "writes no table".into(),
            role: Role::Data,
        }
    }

    #[test]
    fn a_hello_is_read_back() {
        let mut bytes = Vec::new();
        hello().write(&mut bytes).expect("memory");
        assert_eq!(Hello::read(&mut &bytes[..]).expect("bytes"), Some(hello()));
        assert!(Hello::read(&mut &bytes[..bytes.len() - 1]).is_err());
        for i in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x81;
            let _ = Hello::read(&mut &damaged[..]);
        }
        assert_eq!(
            Hello::read(&mut &b"GET / HTTP/1.1\r\n"[..]).expect("bytes"),
            None
        );
    }

    #[test]
    fn a_difference_is_named() {
        let own = hello();
        assert_eq!(own.difference(&own, ["a", "b"]), None);
        let other = Hello {
            spec: "onitama:3x3:ox".into(),
            ..hello()
        };
        let found = own.difference(&other, ["this process", "process 1"]);
        assert_eq!(
            found.as_deref(),
            Some("this process solves onitama:3x3:boar, process 1 solves onitama:3x3:ox")
        );
        let others = [
            Hello {
                processes: 4,
                ..hello()
            },
            Hello {
                version: "0.2.0".into(),
                ..hello()
            },
            Hello {
                threads: 1,
                ..hello()
            },
            Hello {
                settings: "writes a table".into(),
                ..hello()
            },
        ];
        assert!(
            others
                .iter()
                .all(|other| own.difference(other, ["a", "b"]).is_some())
        );
    }
}
