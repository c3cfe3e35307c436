//! Look-up of tiers in a finished layer.

use hindsight_engine::Layer;

/// Finds the codes of a tier in a finished layer, by an open-addressing hash table that is at most
/// half full.
pub(super) struct TierLookup<'a> {
    layer: &'a Layer,
    tier_len: usize,
    /// One more than the index of a tier; 0 in an empty slot.
    slots: Vec<u32>,
    shift: u32,
}

impl<'a> TierLookup<'a> {
    /// Creates the lookup. Every tier of the layer must have `len` ranks.
    #[inline]
    pub(super) fn new(layer: &'a Layer, len: usize) -> Self {
        let bits = (2 * layer.tiers.len()).next_power_of_two().ilog2().max(1);
        let mut lookup = Self { layer, tier_len: len, slots: vec![0; 1 << bits], shift: 64 - bits };
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let mut slot = lookup.first_slot(tier);
            while lookup.slots[slot] != 0 {
                slot = (slot + 1) & (lookup.slots.len() - 1);
            }
            lookup.slots[slot] = u32::try_from(i + 1).expect("fewer than 2^32 tiers in memory");
        }
        lookup
    }

    #[inline]
    fn first_slot(&self, tier: u64) -> usize {
        (tier.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Returns the codes of a tier's positions with the given side to move.
    #[inline]
    pub(super) fn side_codes(&self, tier: u64, side: usize) -> Option<&'a [u8]> {
        let mut slot = self.first_slot(tier);
        loop {
            let i = self.slots[slot].checked_sub(1)? as usize;
            if self.layer.tiers[i] == tier {
                let half = self.tier_len / 2;
                let from = i * self.tier_len + side * half;
                return Some(&self.layer.codes[from..from + half]);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}
