//! A layer whose solve was stopped, and its bytes in a checkpoint.

use hindsight_core::Value;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError, Damage};

use super::layer_blob::layer_blob;
use crate::value_bytes::{put_value, take_value};

pub(super) const KEY: &str = "stopped";

/// Values that have a code, at most: 256 less the codes of a hole and a draw.
const MAX_VALUES: usize = 254;

/// A layer of one tier, stopped in the middle of its solve.
pub(super) struct UnfinishedLayer {
    pub(super) layer: u32,
    /// Pass over all ranks. Pass 0 counts the moves of every position. Pass `n + 1` propagates the
    /// values that are final at ply `n`. The last pass turns undecided positions into draws.
    pub(super) pass: u32,
    /// Ranks `0..done` are finished in this pass.
    pub(super) done: u64,
    /// `meaning[c - 2]` is the value of code `c`, and true if the code is settled. Settled values
    /// are not propagated.
    pub(super) meaning: Vec<(Value, bool)>,
    /// A code per rank, for the best value known so far. Code 0 is a hole or a rank not visited
    /// yet. Code 1 is a draw, or no known value.
    pub(super) codes: Vec<u8>,
    /// For each rank, the number of moves inside the tier that are not known to lose. Starts at 255
    /// if a move out of the tier does not lose, so that it never reaches 0.
    pub(super) counts: Vec<u8>,
}

impl UnfinishedLayer {
    pub(super) fn put(&self, blobs: &dyn Blobs) -> Result<(), CheckpointError> {
        let mut fields = Vec::new();
        put_varint(&mut fields, self.layer.into());
        put_varint(&mut fields, self.pass.into());
        put_varint(&mut fields, self.done);
        put_varint(&mut fields, self.codes.len() as u64);
        put_varint(&mut fields, self.meaning.len() as u64);
        for &(value, settled) in &self.meaning {
            put_value(&mut fields, value);
            fields.push(u8::from(settled));
        }
        let parts = [&self.codes[..], &self.counts];
        packed::put(blobs, KEY, &fields, PackedArray::Bytes(&parts))
    }

    /// Reads a stored layer. `None` if there is none, or if it is an earlier one, which is removed.
    /// `ranks` is the number of ranks of `layer`.
    pub(super) fn get(
        blobs: &dyn Blobs,
        layer: u32,
        ranks: u64,
    ) -> Result<Option<Self>, CheckpointError> {
        let Some((blob, mut unfinished)) =
            layer_blob(blobs, KEY, [layer.into(), ranks], take_fields)?
        else {
            return Ok(None);
        };
        unfinished.codes = vec![0; ranks as usize];
        unfinished.counts = vec![0; ranks as usize];
        blob.read_bytes(&mut [&mut unfinished.codes, &mut unfinished.counts])?;
        Ok(Some(unfinished))
    }
}

/// Reads the numbers of a layer and of its ranks, and the layer without its codes and counts.
fn take_fields(fields: &[u8], name: &str) -> Result<([u64; 2], UnfinishedLayer), Damage> {
    let mut cursor = Cursor::new(fields, name);
    let number = |cursor: &mut Cursor<'_>| {
        let number = cursor.varint()?;
        u32::try_from(number).map_err(|_| cursor.fail("too many layers or passes"))
    };
    let (layer, pass) = (number(&mut cursor)?, number(&mut cursor)?);
    let (done, ranks) = (cursor.varint()?, cursor.varint()?);
    let count = cursor.count()?;
    if count > MAX_VALUES {
        return Err(cursor.fail("too many values"));
    }
    let meaning = (0..count).map(|_| take_code_meaning(&mut cursor));
    let meaning = meaning.collect::<Result<_, _>>()?;
    cursor.end()?;
    let unfinished =
        UnfinishedLayer { layer, pass, done, meaning, codes: Vec::new(), counts: Vec::new() };
    Ok(([layer.into(), ranks], unfinished))
}

fn take_code_meaning(cursor: &mut Cursor<'_>) -> Result<(Value, bool), Damage> {
    let value = take_value(cursor)?;
    match cursor.byte()? {
        0 => Ok((value, false)),
        1 => Ok((value, true)),
        _ => Err(cursor.fail("neither settled nor open")),
    }
}
