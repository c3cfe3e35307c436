//! Exit values of layer 1 after layer 0 was streamed.

use std::sync::Mutex;

use super::code::HOLE;
use super::images::ExitBefore;
use super::order::lower_codes;

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

    /// Lowers the exit codes of the tier and side of an exit to `codes`, where those are less.
    pub(super) fn lower(&self, exit: ExitBefore, codes: &[u8]) {
        let Ok(i) = self.tiers.binary_search(&exit.tier) else {
            // The tier has no position.
            return;
        };
        let mut least = self.exit_codes[i][usize::from(exit.side)]
            .lock()
            .expect("no thread panics with the lock");
        if least.is_empty() {
            least.extend_from_slice(codes);
        } else {
            lower_codes(&mut least, codes);
        }
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
