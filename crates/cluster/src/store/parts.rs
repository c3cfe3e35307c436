//! Blobs that one worker keeps of its part.

use hindsight_core::Value;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};
use hindsight_engine::{Palette, TierCodes};
use hindsight_solve::value_bytes::{put_palette, put_value, take_palette, take_value};

use super::folders::{Commit, SolvePoint};
use super::keys::{
    COMMIT, Owner, PartKind, array_key, finished_key, is_of_other_deal, part_key, points_kept,
};
use crate::error::ClusterError;
use crate::journal::{self, Journal};
use crate::tier::TierPart;

/// Longest fields of a blob, in bytes: 256 values.
const MAX_FIELDS: usize = 1 << 12;

/// Parts of a worker, in the folder of its process.
pub(crate) struct LayerParts<'a> {
    blobs: &'a dyn Blobs,
    owner: Owner,
    /// Commit whose point is set with each commit; its deal is that of this run.
    deal: Commit,
    journal: Journal,
    /// Point at which the part, or what has changed since, was kept last.
    last: Option<SolvePoint>,
}

impl<'a> LayerParts<'a> {
    pub(crate) fn new(blobs: &'a dyn Blobs, worker: usize, deal: Commit) -> Self {
        Self {
            blobs,
            owner: Owner { worker, workers: deal.workers() },
            deal,
            journal: Journal::new(0),
            last: None,
        }
    }

    /// Begins a layer of which the worker has some places.
    pub(crate) fn begin_layer(&mut self, places: u64) {
        self.journal = Journal::new(places);
        self.last = None;
    }

    /// Log of the ply in work.
    pub(crate) fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// Keeps what a pass has changed: its log if it is short, else the part.
    pub(crate) fn keep_pass(
        &mut self,
        part: &TierPart,
        point: SolvePoint,
    ) -> Result<(), ClusterError> {
        let last = self.last.filter(|last| last.layer == point.layer);
        match self.journal.log().zip(last) {
            Some((log, last)) => {
                let key = part_key(PartKind::Log, point, self.owner);
                let mut fields = Vec::new();
                put_varint(&mut fields, last.pass.into());
                put_varint(&mut fields, log.len() as u64);
                packed::put(self.blobs, &key, &fields, PackedArray::Bytes(&[log]))?;
            }
            None => {
                let key = part_key(PartKind::State, point, self.owner);
                put_state(self.blobs, &key, part)?;
            }
        }
        self.last = Some(point);
        self.journal.clear();
        Ok(())
    }

    /// Keeps arrays of which a solver knows the lengths.
    pub(crate) fn keep_arrays(
        &self,
        point: SolvePoint,
        arrays: &[&[u8]],
    ) -> Result<(), ClusterError> {
        for (number, array) in arrays.iter().enumerate() {
            let key = array_key(point, number, self.owner);
            let mut fields = Vec::new();
            put_varint(&mut fields, array.len() as u64);
            packed::put(self.blobs, &key, &fields, PackedArray::Bytes(&[array]))?;
        }
        Ok(())
    }

    /// Keeps the part of a finished layer.
    pub(crate) fn keep_finished(
        &self,
        layer: u32,
        codes: &[u8],
        palette: &Palette,
    ) -> Result<(), ClusterError> {
        let mut fields = Vec::new();
        put_varint(&mut fields, codes.len() as u64);
        put_palette(&mut fields, palette);
        let key = finished_key(layer, self.owner);
        Ok(packed::put(self.blobs, &key, &fields, PackedArray::Bytes(&[codes]))?)
    }

    /// Forgets the part of a finished layer that is not looked up any more.
    pub(crate) fn forget_finished(&self, layer: u32) -> Result<(), ClusterError> {
        Ok(self.blobs.remove(&finished_key(layer, self.owner))?)
    }

    /// Worker 0 commits that all parts can go on from a point.
    pub(crate) fn commit(&self, point: SolvePoint) -> Result<(), ClusterError> {
        Ok(Commit { point, ..self.deal }.put(self.blobs)?)
    }

    /// Removes what a committed point has made superfluous.
    pub(crate) fn forget_before(&self, point: SolvePoint) -> Result<(), ClusterError> {
        let states = points_kept(self.blobs, PartKind::State, self.owner)?;
        let is_needed = |state: &&SolvePoint| **state <= point && state.layer == point.layer;
        let Some(&newest) = states.iter().rev().find(is_needed).filter(|_| point.pass > 0) else {
            // No part of this layer is needed yet.
            return self.remove_where(|kept| kept < point);
        };
        self.remove_where(|kept| kept < newest)?;
        let log = part_key(PartKind::Log, newest, self.owner);
        Ok(self.blobs.remove(&log)?)
    }

    /// Removes the parts that were dealt to another number of workers.
    pub(crate) fn forget_other_deals(&self) -> Result<(), ClusterError> {
        for key in self.blobs.keys()? {
            if is_of_other_deal(&key, self.owner.workers) {
                self.blobs.remove(&key)?;
            }
        }
        Ok(())
    }

    fn remove_where(&self, is_old: impl Fn(SolvePoint) -> bool) -> Result<(), ClusterError> {
        for kind in [PartKind::State, PartKind::Log, PartKind::Array(0), PartKind::Array(1)] {
            for point in points_kept(self.blobs, kind, self.owner)? {
                if is_old(point) {
                    self.blobs.remove(&part_key(kind, point, self.owner))?;
                }
            }
        }
        Ok(())
    }
}

/// Stores a whole part.
fn put_state(blobs: &dyn Blobs, key: &str, part: &TierPart) -> Result<(), CheckpointError> {
    let mut fields = Vec::new();
    put_varint(&mut fields, part.codes.len() as u64);
    put_meanings(&mut fields, &part.values.assigned());
    packed::put(blobs, key, &fields, PackedArray::Bytes(&[&part.codes, &part.counts]))
}

/// Values of the codes of a part from 2 on, each with true if it is settled.
pub(crate) type Meanings = Vec<(Value, bool)>;

/// Appends the meanings of codes.
pub(crate) fn put_meanings(out: &mut Vec<u8>, meanings: &Meanings) {
    put_varint(out, meanings.len() as u64);
    for &(value, settled) in meanings {
        put_value(out, value);
        out.push(settled.into());
    }
}

/// Reads the bytes of [`put_meanings`].
pub(crate) fn take_meanings(cursor: &mut Cursor<'_>) -> Result<Meanings, Damage> {
    let count = cursor.count()?;
    if count > 254 {
        return Err(cursor.fail("too many codes"));
    }
    (0..count).map(|_| Ok((take_value(cursor)?, cursor.byte()? != 0))).collect()
}

/// Reads a part of `places` places that a worker kept, with the logs since; `apply` applies a list
/// of the log before a pass.
pub(crate) fn read_part(
    blobs: &dyn Blobs,
    owner: Owner,
    point: SolvePoint,
    places: u64,
    apply: &mut dyn FnMut(&mut TierPart, LogEntry<'_>) -> Result<(), ClusterError>,
) -> Result<TierPart, ClusterError> {
    let states = points_kept(blobs, PartKind::State, owner)?;
    let is_before = |state: &&SolvePoint| state.layer == point.layer && **state <= point;
    let newest = states.iter().rev().find(is_before);
    let lacks = || {
        let SolvePoint { layer, pass } = point;
        let worker = owner.worker;
        let fault = format!("it lacks the part of worker {worker}, layer {layer}, pass {pass}");
        CheckpointError::damaged(&blobs.name(COMMIT), &fault)
    };
    let mut last = *newest.ok_or_else(lacks)?;
    let mut part = read_state(blobs, &part_key(PartKind::State, last, owner), places)?;
    // A ply at which nothing is decided anywhere has no pass.
    for pass in last.pass + 1..=point.pass {
        let key = part_key(PartKind::Log, SolvePoint { pass, ..point }, owner);
        if let Some(kept) = read_log(blobs, &key, places)?.filter(|kept| kept.after == last.pass) {
            journal::replay(&kept.log, |kind, list| {
                apply(&mut part, LogEntry { pass, kind, list })
            })?;
            last.pass = pass;
        }
    }
    if last == point { Ok(part) } else { Err(lacks().into()) }
}

/// List in the log before a pass.
#[derive(Clone, Copy)]
pub(crate) struct LogEntry<'a> {
    pub(crate) pass: u32,
    pub(crate) kind: u32,
    pub(crate) list: &'a [u8],
}

fn read_state(blobs: &dyn Blobs, key: &str, places: u64) -> Result<TierPart, ClusterError> {
    let blob = packed::get(blobs, key, MAX_FIELDS)?;
    let blob = blob.ok_or_else(|| Damage(format!("{} is missing", blobs.name(key))))?;
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    if cursor.varint()? != places {
        return Err(cursor.fail("it has another number of ranks").into());
    }
    let meanings = take_meanings(&mut cursor)?;
    cursor.end()?;
    let mut codes = vec![0; places as usize];
    let mut counts = vec![0; places as usize];
    let name = blob.name.clone();
    blob.read_bytes(&mut [&mut codes, &mut counts])?;
    let values = TierCodes::new();
    values.restore(&meanings)?;
    if codes.iter().any(|&code| usize::from(code) >= meanings.len() + 2) {
        return Err(Damage(format!("{name}: a code has no value")).into());
    }
    Ok(TierPart::restored(values, codes, counts))
}

/// Log that was kept.
struct KeptLog {
    /// Pass after whose blob the log goes on.
    after: u32,
    log: Vec<u8>,
}

/// Reads the log of a part of `places` places.
fn read_log(blobs: &dyn Blobs, key: &str, places: u64) -> Result<Option<KeptLog>, ClusterError> {
    let Some(blob) = packed::get(blobs, key, MAX_FIELDS)? else {
        return Ok(None);
    };
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    let after = u32::try_from(cursor.varint()?).map_err(|_| cursor.fail("too many passes"))?;
    let length = cursor.varint()?;
    if length > Journal::bytes(places) {
        return Err(cursor.fail("it is longer than a log").into());
    }
    cursor.end()?;
    let mut log = vec![0; length as usize];
    blob.read_bytes(&mut [&mut log])?;
    Ok(Some(KeptLog { after, log }))
}

/// Reads an array of `places` bytes that a worker kept.
pub(crate) fn read_array(
    blobs: &dyn Blobs,
    owner: Owner,
    point: SolvePoint,
    number: usize,
    places: u64,
) -> Result<Vec<u8>, ClusterError> {
    let key = array_key(point, number, owner);
    let blob = packed::get(blobs, &key, MAX_FIELDS)?;
    let blob = blob.ok_or_else(|| Damage(format!("{} is missing", blobs.name(&key))))?;
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    if cursor.varint()? != places {
        return Err(cursor.fail("it has another number of ranks").into());
    }
    cursor.end()?;
    let mut array = vec![0; places as usize];
    blob.read_bytes(&mut [&mut array])?;
    Ok(array)
}

/// Part of a finished layer, as it was kept.
pub(crate) struct KeptLayer {
    pub(crate) codes: Vec<u8>,
    pub(crate) palette: Palette,
}

/// Reads a worker's part of a finished layer.
pub(crate) fn read_finished(
    blobs: &dyn Blobs,
    owner: Owner,
    layer: u32,
    places: u64,
) -> Result<KeptLayer, ClusterError> {
    let key = finished_key(layer, owner);
    let blob = packed::get(blobs, &key, MAX_FIELDS)?;
    let blob = blob.ok_or_else(|| Damage(format!("{} is missing", blobs.name(&key))))?;
    let mut cursor = Cursor::new(&blob.fields, &blob.name);
    if cursor.varint()? != places {
        return Err(cursor.fail("it has another number of ranks").into());
    }
    let palette = take_palette(&mut cursor)?;
    cursor.end()?;
    let mut codes = vec![0; places as usize];
    blob.read_bytes(&mut [&mut codes])?;
    Ok(KeptLayer { codes, palette })
}

#[cfg(test)]
mod tests {
    use hindsight_engine::checkpoint::BlobFolder;
    use hindsight_engine::checkpoint::bytes::put_varint;
    use hindsight_engine::checkpoint::packed::{self, PackedArray};

    use super::read_log;

    #[test]
    fn a_log_longer_than_its_part_allows_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = BlobFolder::create(folder.path(), "maze", "full").expect("a checkpoint");
        for (length, is_read) in [(25, true), (26, false), (1 << 60, false)] {
            let mut fields = Vec::new();
            put_varint(&mut fields, 2);
            put_varint(&mut fields, length);
            let array = PackedArray::Bytes(&[&[7; 25]]);
            packed::put(&blobs, "log", &fields, array).expect("room");
            let log = read_log(&blobs, "log", 100);
            if is_read {
                assert_eq!(log.expect("a log").expect("it is there").log, [7; 25]);
            } else {
                let error = log.err().expect("damage").to_string();
                assert!(error.contains("it is longer than a log"), "{error}");
            }
        }
    }
}
