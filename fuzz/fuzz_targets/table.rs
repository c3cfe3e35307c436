//! Bytes are a table or an error: whatever they are, opening, probing, decoding and checking end with an
//! answer. The checksums are mended, so that the search comes past them.
#![no_main]

#[path = "../../crates/table/tests/graph/mod.rs"]
mod graph;

use std::sync::LazyLock;

use hindsight_core::{Game, Probe, Restricting, Symmetry};
use hindsight_rules::ostle::{OstleMove, Ostle, OstleSetup};
use graph::Graph;
use libfuzzer_sys::fuzz_target;
use hindsight_solve::reach::Reached;
use hindsight_solve::{Limits, Silent};
use hindsight_tablebase::{Table, verify, verify_distances, verify_states};

/// A small game in which a move may be forbidden.
static OSTLE: LazyLock<Ostle> =
    LazyLock::new(|| Ostle::new(OstleSetup::new(3, 1, 0), Symmetry::All));

fn try_all(bytes: &[u8], game: &Graph) {
    let Ok(table) = Table::open(bytes) else { return };
    let reader = table.with(game);
    for position in 0..game.successors.len() as u32 {
        if game.successors[position as usize].is_some() {
            let _ = reader.value(position);
        }
    }
    for layer in 0..4 {
        let _ = table.decode_layer(game, layer);
    }
    let _ = hindsight_tablebase::memory_needed(&table, game);
    let _ = verify(&table, game, Limits::default(), &mut Silent);
}

/// The same for a table of states.
fn try_states(bytes: &[u8], game: &Ostle) {
    let Ok(table) = Table::open(bytes) else { return };
    let reader = table.with_states(game);
    let mut states = vec![game.start()];
    game.successors(game.start(), &mut states);
    for state in states {
        let _ = reader.probe(state);
        let _ = reader.probe(game.join(state.base, None));
    }
    let _ = table.decode_states(game, 0);
    let _ = hindsight_tablebase::states_memory_needed(&table, game);
    let _ = verify_states(&table, game, Limits::default(), &mut Silent);
    let distances = table.with_distances(game);
    let reached = Reached::new(game, &distances);
    for state in [game.start(), game.play(game.start(), OstleMove::from_code(0))] {
        let _ = reached.line(state);
    }
    let _ = verify_distances(&table, game, Limits::default(), &mut Silent);
}

/// Makes the checksum of the header right.
fn mend(bytes: &mut [u8]) {
    let Some(length) = bytes.get(12..20).and_then(|b| <[u8; 8]>::try_from(b).ok()) else { return };
    let Ok(end) = usize::try_from(u64::from_le_bytes(length).saturating_add(20)) else { return };
    if let Some(sum) = bytes.get(..end).map(crc32fast::hash) {
        if let Some(place) = end.checked_add(4).and_then(|after| bytes.get_mut(end..after)) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let game = Graph::random(&[vec![30, 2], vec![], vec![5, 1, 25]], 3);
    try_all(bytes, &game);
    try_states(bytes, &OSTLE);
    let mut bytes = bytes.to_vec();
    mend(&mut bytes);
    try_all(&bytes, &game);
    try_states(&bytes, &OSTLE);
});
