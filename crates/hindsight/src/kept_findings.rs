//! Proofs of earlier analyses: in memory for each game, and in the cache.

use std::any::Any;
use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hindsight_analysis::KeptFindings;
use hindsight_checkpoint::Blobs;
use hindsight_checkpoint::bytes::fnv_hash;
use hindsight_core::Notation;

/// Most positions of a game whose proofs are kept in memory: some MB of them.
const MAX_POSITIONS: usize = 512;
/// Most bytes of the proofs of a position in the cache that are read.
const MAX_TEXT_BYTES: u64 = 1 << 22;
/// Time of an analysis beyond which its proofs are kept in the cache.
pub(crate) const TIME_WORTH_KEEPING: Duration = Duration::from_millis(300);

/// Proofs of the positions of a game that were analysed last, by their texts in canonical form.
#[derive(Default)]
pub(crate) struct KeptPositions(Mutex<LastAnalysed>);

#[derive(Default)]
struct LastAnalysed {
    /// [`KeptFindings`] with the number of their last use.
    positions: HashMap<String, (Box<dyn Any + Send>, u64)>,
    uses: u64,
}

impl KeptPositions {
    fn lock(&self) -> MutexGuard<'_, LastAnalysed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the findings of a position.
    pub(crate) fn get<P: Clone + 'static>(&self, position: &str) -> Option<KeptFindings<P>> {
        let mut last = self.lock();
        last.uses += 1;
        let uses = last.uses;
        let (findings, used) = last.positions.get_mut(position)?;
        *used = uses;
        findings.downcast_ref().cloned()
    }

    /// Keeps the findings of a position. Those used longest ago make room.
    pub(crate) fn put<P: Send + 'static>(&self, position: String, findings: KeptFindings<P>) {
        let mut last = self.lock();
        last.uses += 1;
        let uses = last.uses;
        last.positions.insert(position, (Box::new(findings), uses));
        if last.positions.len() > MAX_POSITIONS {
            let oldest = last.positions.iter().min_by_key(|(_, (_, used))| *used);
            if let Some(oldest) = oldest.map(|(oldest, _)| oldest.clone()) {
                last.positions.remove(&oldest);
            }
        }
    }
}

/// Key of the proofs of a position in the cache.
fn key<G: Notation>(game: &G, position: G::Position) -> String {
    let [rules, position] = [game.rules_spec(), game.format(position)];
    let [rules, position] = [rules, position].map(|text| fnv_hash(text.as_bytes()));
    format!("findings-{rules:016x}-{position:016x}")
}

/// Reads the proofs of a position in its canonical form. What is damaged is not used.
pub(crate) fn read_findings<G: Notation>(
    game: &G,
    position: G::Position,
    cache: &dyn Blobs,
) -> Option<KeptFindings<G::Position>> {
    let blob = cache.get(&key(game, position)).ok()??;
    let mut text = String::new();
    blob.take(MAX_TEXT_BYTES).read_to_string(&mut text).ok()?;
    KeptFindings::of_text(game, position, &text)
}

/// Writes the proofs of a position in its canonical form.
pub(crate) fn write_findings<G: Notation>(
    game: &G,
    position: G::Position,
    findings: &KeptFindings<G::Position>,
    cache: &dyn Blobs,
) {
    let text = findings.text(game);
    // Ignored: without them the next analysis proves the same again.
    let _ = cache.put(&key(game, position), &mut |out| {
        out.write_all(text.as_bytes())
    });
}
