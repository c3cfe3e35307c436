//! Frequencies of a context, made from the counts of its symbols.

use super::log2::log2;
use super::model::{FREQUENCY_BITS, FREQUENCY_TOTAL};

/// Number of times that each of some symbols was seen.
pub(super) type SymbolCounts = [(u8, u32)];

/// Frequencies of symbols, in descending order.
pub(super) struct FrequencyList(pub(crate) Vec<(u8, u32)>);

/// Ratio of the symbols in a layer to those counted.
#[derive(Clone, Copy)]
pub(super) struct LayerScale {
    pub(crate) layer_symbols: u64,
    pub(crate) counted: u64,
}

impl LayerScale {
    /// Expected number in the layer of what was counted `n` times.
    fn in_layer(self, n: u64) -> u64 {
        let scaled = u128::from(n) * u128::from(self.layer_symbols);
        (scaled / u128::from(self.counted.max(1))).try_into().unwrap_or(u64::MAX)
    }
}

impl FrequencyList {
    /// Frequencies about proportional to counts. They leave one slot for the escape.
    ///
    /// A frequency of a rare symbol is rounded: `n` symbols do not repay more than half as many
    /// bits as `n` has.
    pub(super) fn of_counts(counts: &SymbolCounts, scale: LayerScale) -> Self {
        let sum: u64 = counts.iter().map(|&(_, n)| u64::from(n)).sum();
        let total = FREQUENCY_TOTAL - 1;
        let frequency = |&(symbol, n): &(u8, u32)| {
            let share = u64::from(n) * u64::from(total) / sum;
            let bits = scale.in_layer(n.into()).max(1).ilog2() / 2 + EXTRA_BITS;
            (symbol, rounded(share.max(1) as u32, bits))
        };
        let mut list: Vec<(u8, u32)> = counts.iter().map(frequency).collect();
        list.sort_unstable_by_key(|&(symbol, freq)| (std::cmp::Reverse(freq), symbol));
        let used: u32 = list.iter().map(|pair| pair.1).sum();
        if let Some(first) = list.first_mut() {
            first.1 += total.saturating_sub(used);
        }
        // Many symbols that are too rare for a slot each take slots of the others.
        let mut excess = used.saturating_sub(total);
        for (_, freq) in &mut list {
            let taken = excess.min(*freq - 1);
            *freq -= taken;
            excess -= taken;
        }
        list.sort_unstable_by_key(|&(symbol, freq)| (std::cmp::Reverse(freq), symbol));
        Self(list)
    }

    /// Bits that encode the counted symbols, in 1/256. A symbol that is not listed counts as one of
    /// frequency 1 that was escaped.
    pub(super) fn bits(&self, counts: &SymbolCounts) -> u64 {
        let listed: u32 = self.0.iter().map(|pair| pair.1).sum();
        let escape = symbol_cost(FREQUENCY_TOTAL - listed) + (8 << 8);
        let bits = |&(symbol, n): &(u8, u32)| {
            let found = self.0.iter().find(|listed| listed.0 == symbol);
            let cost = match found {
                Some(&(_, freq)) => symbol_cost(freq),
                None => escape,
            };
            u64::from(n) * cost
        };
        counts.iter().map(bits).sum()
    }

    /// Estimated bits that store the list, in 1/256.
    pub(super) fn stored_bits(&self) -> u64 {
        const LENGTH_BITS: u64 = 4 << 8;
        const LISTED_BITS: u64 = 11 << 8;
        LENGTH_BITS + LISTED_BITS * self.0.len() as u64
    }

    /// Returns true if a context with these counts is encoded so much better by this list than by
    /// the list `all` of all contexts that it is worth its bytes.
    pub(super) fn pays(&self, all: &Self, counts: &SymbolCounts, scale: LayerScale) -> bool {
        let saved = all.bits(counts).saturating_sub(self.bits(counts));
        scale.in_layer(saved) > self.stored_bits()
    }
}

/// Bits of a rounded frequency besides those that its count pays for.
const EXTRA_BITS: u32 = 1;

/// Keeps the first `bits` bits of a number.
fn rounded(n: u32, bits: u32) -> u32 {
    let dropped = (n.ilog2() + 1).saturating_sub(bits);
    n >> dropped << dropped
}

/// Cost of a symbol of frequency `freq`, in 1/256 bit.
fn symbol_cost(freq: u32) -> u64 {
    u64::from(FREQUENCY_BITS) * 256 - log2(freq.into())
}

#[cfg(test)]
mod tests {
    use super::{FREQUENCY_TOTAL, FrequencyList, LayerScale};

    #[test]
    fn frequencies_leave_a_slot_and_no_symbol_without_one() {
        let equal: Vec<(u8, u32)> = (0..=255).map(|symbol| (symbol, 1)).collect();
        let mut steep = equal.clone();
        steep[7].1 = u32::MAX;
        for counts in [vec![(3, 1)], vec![(3, 9), (1, 9), (2, 1)], equal, steep] {
            for layer_symbols in [1, 1000, u64::MAX] {
                let scale = LayerScale { layer_symbols, counted: 1000 };
                let list = FrequencyList::of_counts(&counts, scale).0;
                assert_eq!(list.len(), counts.len());
                assert!(list.iter().all(|&(_, freq)| freq > 0));
                assert!(list.is_sorted_by_key(|&(_, freq)| std::cmp::Reverse(freq)));
                let sum: u32 = list.iter().map(|pair| pair.1).sum();
                assert_eq!(sum, FREQUENCY_TOTAL - 1);
            }
        }
    }
}
