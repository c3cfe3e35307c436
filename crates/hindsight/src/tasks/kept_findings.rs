//! Proofs of earlier analyses: in memory for the last positions of each game, and in the cache as
//! texts.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hindsight_analysis::KeptFindings;
use hindsight_core::{Notation, Packed, PackedGame};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::checkpoint::bytes::fnv_hash;

/// Most bytes of the proofs of a game that are kept in memory, beside what a limit counts. The
/// position analysed last stays in any case: in Quoridor, its lines may take 125 KB.
const MAX_BYTES: usize = 1 << 23;
/// Most bytes of the proofs of a position in the cache that are read.
const MAX_TEXT_BYTES: u64 = 1 << 22;
/// Time of an analysis beyond which its proofs are kept in the cache.
pub(crate) const TIME_WORTH_KEEPING: Duration = Duration::from_millis(300);

/// Proofs of the positions of a game that were analysed last, by their texts in canonical form.
#[derive(Default)]
pub(crate) struct KeptPositions(Mutex<LastAnalysed>);

#[derive(Default)]
struct LastAnalysed {
    positions: HashMap<String, KeptPosition>,
    /// Bytes of all positions.
    bytes: usize,
    uses: u64,
}

/// Proofs of a position.
struct KeptPosition {
    findings: KeptFindings,
    bytes: usize,
    /// Number of the last use.
    used: u64,
}

impl KeptPositions {
    fn lock(&self) -> MutexGuard<'_, LastAnalysed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, position: &str) -> Option<KeptFindings> {
        let mut last = self.lock();
        last.uses += 1;
        let uses = last.uses;
        let kept = last.positions.get_mut(position)?;
        kept.used = uses;
        Some(kept.findings.clone())
    }

    /// Adds the findings of a position to those of other analyses that ended meanwhile, keeps all
    /// and returns them. Positions used longest ago make room.
    pub(crate) fn add(&self, position: String, mut findings: KeptFindings) -> KeptFindings {
        let mut last = self.lock();
        let earlier = last.positions.get(&position);
        if let Some(earlier) = earlier {
            findings.add(&earlier.findings);
        }
        last.uses += 1;
        let kept = KeptPosition {
            bytes: position.len() + findings.bytes(),
            findings: findings.clone(),
            used: last.uses,
        };
        last.bytes += kept.bytes;
        if let Some(replaced) = last.positions.insert(position, kept) {
            last.bytes -= replaced.bytes;
        }
        while last.bytes > MAX_BYTES && last.positions.len() > 1 {
            let oldest = last.positions.iter().min_by_key(|(_, kept)| kept.used);
            let oldest = oldest.map(|(oldest, _)| oldest.clone()).unwrap_or_default();
            let bytes = last.positions.remove(&oldest).map_or(0, |kept| kept.bytes);
            last.bytes -= bytes;
        }
        findings
    }
}

/// Key of the proofs of a position in the cache.
fn key(game: &PackedGame, position: Packed) -> String {
    let [rules, position] = [game.rules_spec(), game.format(position)];
    let [rules, position] = [rules, position].map(|text| fnv_hash(text.as_bytes()));
    format!("findings-{rules:016x}-{position:016x}")
}

/// Reads the proofs of a position in its canonical form. What is damaged is not used.
pub(crate) fn read_findings(
    game: &PackedGame,
    position: Packed,
    cache: &dyn Blobs,
) -> Option<KeptFindings> {
    let blob = cache.get(&key(game, position)).ok()??;
    let mut text = String::new();
    blob.take(MAX_TEXT_BYTES).read_to_string(&mut text).ok()?;
    KeptFindings::of_text(game, position, &text)
}

/// Writes the proofs of a position in its canonical form.
pub(crate) fn write_findings(
    game: &PackedGame,
    position: Packed,
    findings: &KeptFindings,
    cache: &dyn Blobs,
) {
    let text = findings.text(game);
    // Ignored: without them the next analysis proves the same again.
    let _ = cache.put(&key(game, position), &mut |out| out.write_all(text.as_bytes()));
}

#[cfg(test)]
mod tests {
    use hindsight_analysis::KeptFindings;
    use hindsight_core::{Game, Notation};
    use hindsight_engine::checkpoint::bytes::fnv_hash;
    use hindsight_rules::{Setup, by_name};

    use super::{KeptPositions, MAX_BYTES};

    /// Returns findings of a position with two moves: words for it and for each of them.
    fn findings([root, first, second]: [&str; 3]) -> KeptFindings {
        let game = by_name("tic-tac-toe", &Setup::default()).expect("a spec");
        let position = game.canonical(game.parse("xox/oxx/..o").expect("a position"));
        let mut moves = Vec::new();
        game.successors(position, &mut moves);
        let moves: Vec<String> =
            moves.into_iter().map(|to| game.format(game.canonical(to))).collect();
        let body = format!(
            "hindsight findings 1\n{}\t{}\n{root}\n{first}\t{}\n{second}\t{}\n",
            game.rules_spec(),
            game.format(position),
            moves[0],
            moves[1]
        );
        let text = format!("{body}{:016x}\n", fnv_hash(body.as_bytes()));
        KeptFindings::of_text(&game, position, &text).expect("findings")
    }

    #[test]
    fn analyses_at_the_same_time_keep_the_proofs_of_both() {
        let kept = KeptPositions::default();
        let add = |words| kept.add(String::from("p"), findings(words));
        assert_eq!(add(["-", "l8", "-"]), findings(["-", "l8", "-"]));
        let both = findings(["l8", "l8", "l6"]);
        assert_eq!(add(["-", "-", "l6"]), both);
        assert_eq!(kept.get("p"), Some(both));
    }

    #[test]
    fn the_proofs_of_a_game_take_limited_memory() {
        let kept = KeptPositions::default();
        let position = |number: usize| number.to_string().repeat(MAX_BYTES / 8);
        let has = |number| kept.get(&position(number)).is_some();
        for number in 0..8 {
            for _ in 0..2 {
                kept.add(position(number), findings(["-", "-", "-"]));
            }
            assert!(has(0) && has(number), "{number}");
        }
        assert!(!has(1) && kept.lock().bytes <= MAX_BYTES);
        let large = "x".repeat(2 * MAX_BYTES);
        kept.add(large.clone(), findings(["-", "-", "-"]));
        assert_eq!(kept.lock().positions.len(), 1);
        assert!(kept.get(&large).is_some());
    }
}
