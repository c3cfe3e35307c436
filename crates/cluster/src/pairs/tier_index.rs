//! Index of each tier in its layer.

/// Open-addressing hash table that is at most half full: 24 to 48 bytes a tier.
#[derive(Debug, Default)]
pub(crate) struct TierIndex {
    /// Tiers, at the slots of `indices`.
    tiers: Vec<u64>,
    /// One more than the index of a tier; 0 in an empty slot.
    indices: Vec<u32>,
    shift: u32,
}

impl TierIndex {
    pub(super) fn new(tiers: &[u64]) -> Self {
        let bits = (2 * tiers.len()).next_power_of_two().ilog2().max(1);
        let mut index =
            Self { tiers: vec![0; 1 << bits], indices: vec![0; 1 << bits], shift: 64 - bits };
        for (number, &tier) in (1..).zip(tiers) {
            let mut slot = index.first_slot(tier);
            while index.indices[slot] != 0 {
                slot = (slot + 1) & (index.indices.len() - 1);
            }
            index.indices[slot] = number;
            index.tiers[slot] = tier;
        }
        index
    }

    #[inline]
    fn first_slot(&self, tier: u64) -> usize {
        (tier.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Index of a tier; `None` if the layer does not have it.
    #[inline]
    pub(super) fn get(&self, tier: u64) -> Option<u64> {
        if self.indices.is_empty() {
            return None;
        }
        let mut slot = self.first_slot(tier);
        loop {
            let index = self.indices[slot].checked_sub(1)?;
            if self.tiers[slot] == tier {
                return Some(index.into());
            }
            slot = (slot + 1) & (self.indices.len() - 1);
        }
    }

    /// Bytes that the index of some tiers takes.
    pub(crate) fn bytes(tiers: u64) -> u64 {
        12 * (2 * tiers).next_power_of_two()
    }
}

#[cfg(test)]
mod tests {
    use super::TierIndex;

    #[test]
    fn every_tier_is_found() {
        let tiers: Vec<u64> = (0..1000).map(|i| i * i * 977).collect();
        let index = TierIndex::new(&tiers);
        for (i, &tier) in (0..).zip(&tiers) {
            assert_eq!(index.get(tier), Some(i));
        }
        assert_eq!(index.get(976), None);
        assert_eq!(TierIndex::default().get(0), None);
        assert_eq!(TierIndex::new(&[]).get(0), None);
    }
}
