//! Log of a ply: the lists that a worker applied, kept in place of its whole part.

use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// Lists that were applied in a ply.
#[derive(Debug)]
pub(crate) struct Journal {
    bytes: Vec<u8>,
    /// Bytes beyond which the part itself is kept.
    limit: usize,
    is_full: bool,
}

impl Journal {
    /// Creates the log of a part of some places. It takes at most a quarter of a byte for each.
    pub(crate) fn new(places: u64) -> Self {
        Self { bytes: Vec::new(), limit: Self::bytes(places) as usize, is_full: false }
    }

    /// Bytes that a log takes, at most.
    pub(crate) fn bytes(places: u64) -> u64 {
        places / 4
    }

    /// Adds a list.
    pub(crate) fn add(&mut self, kind: u32, body: &[u8]) {
        if self.is_full || self.bytes.len() + body.len() + 6 > self.limit {
            self.is_full = true;
            self.bytes.clear();
            return;
        }
        if self.bytes.capacity() == 0 {
            self.bytes.reserve_exact(self.limit + 16);
        }
        self.bytes.push(kind as u8);
        put_varint(&mut self.bytes, body.len() as u64);
        self.bytes.extend_from_slice(body);
    }

    /// Starts the log of the next ply.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.is_full = false;
    }

    /// Bytes of the log; `None` if it was too long.
    pub(crate) fn log(&self) -> Option<&[u8]> {
        (!self.is_full).then_some(&self.bytes)
    }
}

/// Calls `apply` with the kind and the body of each list of a log.
///
/// # Errors
/// [`Damage`] if the bytes are no log, and any error of `apply`.
pub(crate) fn replay<E: From<Damage>>(
    log: &[u8],
    mut apply: impl FnMut(u32, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor = Cursor::new(log, "the log of a ply");
    while cursor.remaining() > 0 {
        let kind = cursor.byte()?;
        let length = cursor.count()?;
        apply(kind.into(), cursor.take(length)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hindsight_engine::checkpoint::Damage;

    use super::{Journal, replay};

    #[test]
    fn lists_are_replayed_in_order_until_they_are_too_long() {
        let mut journal = Journal::new(100);
        journal.add(2, b"one");
        journal.add(3, b"");
        let log = journal.log().expect("short").to_vec();
        let mut found = Vec::new();
        let replayed: Result<(), Damage> = replay(&log, |kind, body| {
            found.push((kind, body.to_vec()));
            Ok(())
        });
        replayed.expect("a log of ours");
        assert_eq!(found, [(2, b"one".to_vec()), (3, Vec::new())]);
        journal.add(2, &[0; 26]);
        assert!(journal.log().is_none());
        journal.clear();
        assert_eq!(journal.log(), Some(&[][..]));
        let cut: Result<(), Damage> = replay(&log[..log.len() - 3], |_, _| Ok(()));
        assert!(cut.is_err());
    }
}
