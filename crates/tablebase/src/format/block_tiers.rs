//! Tiers of the ranks of a block.

use crate::error::TableError;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// Tiers of a block in ascending order: `(tier, offset)`. `offset` is the number of the block's
/// ranks in earlier tiers.
pub(crate) type BlockTiers = Vec<(u64, u64)>;

/// Appends the tiers of a block without the number of the first tier.
///
/// The parts are: count of further tiers; ranks of each tier but the last, run-length encoded;
/// differences of the tier numbers.
pub(crate) fn put_tiers(out: &mut Vec<u8>, tiers: &BlockTiers) {
    put_varint(out, tiers.len() as u64 - 1);
    let lengths: Vec<u64> = tiers.windows(2).map(|two| two[1].1 - two[0].1).collect();
    for run in lengths.chunk_by(|a, b| a == b) {
        put_varint(out, run.len() as u64);
        put_varint(out, run[0]);
    }
    for two in tiers.windows(2) {
        put_varint(out, two[1].0 - two[0].0);
    }
}

/// Reads the bytes of [`put_tiers`]. `first` is the number of the first tier, `ranks` the number of
/// ranks in the block.
pub(super) fn take_tiers(
    cursor: &mut Cursor<'_>,
    first: u64,
    ranks: u64,
) -> Result<BlockTiers, TableError> {
    let further = cursor.count()?;
    if further as u64 >= ranks.max(1) {
        return Err(cursor.fail("more tiers than ranks").into());
    }
    let mut tiers = Vec::with_capacity(further + 1);
    tiers.push((first, 0));
    let mut begin = 0_u64;
    while tiers.len() <= further {
        let (run, length) = (cursor.varint()?, cursor.varint()?);
        if run == 0 || run > (further + 1 - tiers.len()) as u64 || length == 0 {
            return Err(cursor.fail("tiers out of order").into());
        }
        for _ in 0..run {
            begin = begin.saturating_add(length);
            tiers.push((0, begin));
        }
    }
    if begin >= ranks {
        return Err(cursor.fail("tiers out of order").into());
    }
    for i in 1..=further {
        tiers[i].0 = match tiers[i - 1].0.checked_add(cursor.varint()?) {
            Some(tier) if tier > tiers[i - 1].0 => tier,
            _ => return Err(cursor.fail("tiers out of order").into()),
        };
    }
    Ok(tiers)
}
