//! Which tiers the ranks of a block are of.

use crate::TableError;
use crate::bytes::{Cursor, put_varint};

/// Tiers of a block, with the number of its symbols before each.
pub(crate) type BlockTiers = Vec<(u64, u64)>;

/// Appends the tiers after the first: their number; how many symbols each but the last of all has, as
/// runs of equal numbers; their distances.
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

/// Reads what `put_tiers` writes. `first` is the first tier, `ranks` the symbols of the block.
pub(crate) fn take_tiers(
    cursor: &mut Cursor<'_>,
    first: u64,
    ranks: u64,
) -> Result<BlockTiers, TableError> {
    let further = cursor.count()?;
    if further as u64 >= ranks.max(1) {
        return Err(cursor.fail("more tiers than ranks"));
    }
    let mut tiers = Vec::with_capacity(further + 1);
    tiers.push((first, 0));
    let mut begin = 0_u64;
    while tiers.len() <= further {
        let (run, length) = (cursor.varint()?, cursor.varint()?);
        if run == 0 || run > (further + 1 - tiers.len()) as u64 || length == 0 {
            return Err(cursor.fail("tiers out of order"));
        }
        for _ in 0..run {
            begin = begin.saturating_add(length);
            tiers.push((0, begin));
        }
    }
    if begin >= ranks {
        return Err(cursor.fail("tiers out of order"));
    }
    for i in 1..=further {
        tiers[i].0 = match tiers[i - 1].0.checked_add(cursor.varint()?) {
            Some(tier) if tier > tiers[i - 1].0 => tier,
            _ => return Err(cursor.fail("tiers out of order")),
        };
    }
    Ok(tiers)
}
