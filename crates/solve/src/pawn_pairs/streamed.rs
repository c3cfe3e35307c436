//! Exit values of layer 1 after layer 0 was streamed.

use std::sync::Mutex;

use super::code::HOLE;
use super::order::PairOrder;

/// Exit values of the tiers of layer 1, without the tiers they lead to: the least code per pair,
/// for each tier and side. An empty list stands for no exit.
pub(super) struct StreamedLayer {
    tiers: Vec<u64>,
    exit_codes: Vec<[Mutex<Vec<u8>>; 2]>,
}

impl StreamedLayer {
    pub(super) fn new(tiers: &[u64]) -> Self {
        Self {
            tiers: tiers.to_vec(),
            exit_codes: tiers.iter().map(|_| Default::default()).collect(),
        }
    }

    /// Takes, pair by pair, the minimum of the exit codes of a tier and side and of a `table`
    /// permuted by `order`.
    pub(super) fn lower(&self, tier: u64, side: usize, order: &PairOrder, table: &[u8]) {
        let Ok(i) = self.tiers.binary_search(&tier) else {
            // The tier has no position.
            return;
        };
        let mut least = self.exit_codes[i][side]
            .lock()
            .expect("no thread panics with the lock");
        if least.is_empty() {
            least.resize(table.len(), HOLE);
        }
        order.lower(&mut least, table);
    }

    /// Writes the exit codes of a tier and side.
    pub(super) fn read_exit_codes(&self, tier: u64, side: usize, out: &mut [u8]) {
        let i = self.tiers.binary_search(&tier);
        let least = i.ok().map(|i| {
            let least = self.exit_codes[i][side].lock();
            least.expect("no thread panics with the lock")
        });
        match least {
            Some(least) if !least.is_empty() => out.copy_from_slice(&least),
            _ => out.fill(HOLE),
        }
    }
}
