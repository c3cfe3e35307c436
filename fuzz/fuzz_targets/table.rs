//! Tables: any bytes are a table or an error; opening, probing, decoding and verifying end.
//!
//! Each input is tried as it comes, and again with the checksum of its header mended. Without that
//! the checksum would refuse nearly all inputs.
#![no_main]

#[path = "../../crates/tablebase/tests/all/table/graph/mod.rs"]
mod graph;

use std::sync::LazyLock;

use graph::Graph;
use hindsight_core::{Game, Packed, PackedGame, Probe, States, Symmetry};
use hindsight_rules::{Setup, by_name};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_solve::distance::{self, DistanceReader, NearestDistances};
use hindsight_tablebase::{
    DistanceSearch, Recompute, Table, TableError, verify, verify_memory,
};
use libfuzzer_sys::fuzz_target;

/// A small game in which moves may be forbidden.
static OSTLE: LazyLock<PackedGame> = LazyLock::new(|| {
    let setup = Setup { symmetry: Symmetry::All, ..Setup::default() };
    by_name("ostle:3x3:1:0", &setup).expect("a game")
});

/// Reads the bytes in all ways as a table of positions.
fn read_positions(bytes: &[u8], graph: &Graph) {
    let Ok(table) = Table::open(bytes) else {
        return;
    };
    let game = &graph.packed();
    let reader = table.with(game);
    for position in 0..graph.successors.len() as u32 {
        if graph.successors[position as usize].is_some() {
            let _ = reader.value(Packed::new([position]));
        }
    }
    for layer in 0..4 {
        let _ = table.decode_layer(game, layer);
    }
    let _ = verify_memory(&table, game);
    let _ = verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor);
}

/// Reads the bytes in all ways as a table of states, and as one of distances.
fn read_states(bytes: &[u8], game: &PackedGame) {
    let Ok(table) = Table::open(bytes) else {
        return;
    };
    let reader = table.with_states(game);
    let mut states = vec![game.start()];
    game.successors(game.start(), &mut states);
    for &state in &states {
        let _ = reader.probe(state);
        let _ = reader.probe(game.encode(game.decode(state).0, None));
    }
    let _ = table.decode_states(game, 0);
    let _ = verify_memory(&table, game);
    let _ = verify(&table, game, Recompute::Successors, Limits::default(), &mut NoMonitor);
    let distances = table.with_distances(game);
    let probe = |tier, rank| {
        let values = distances.value_and_exception(tier, rank)?;
        Ok::<_, TableError>(values.and_then(NearestDistances::of_values))
    };
    let reader = DistanceReader::new(game, &probe);
    for &state in &states[..2] {
        let _ = reader.shortest_line(state);
    }
    let search = DistanceSearch {
        bytes: 0,
        run: &|limits, monitor| distance::solve_layers(game, limits, monitor),
    };
    let _ = verify(&table, game, Recompute::Search(search), Limits::default(), &mut NoMonitor);
}

/// Corrects the checksum of the header.
fn mend_header(bytes: &mut [u8]) {
    let Some(length) = bytes.get(12..20).and_then(|b| <[u8; 8]>::try_from(b).ok()) else {
        return;
    };
    let Ok(end) = usize::try_from(u64::from_le_bytes(length).saturating_add(20)) else {
        return;
    };
    if let Some(sum) = bytes.get(..end).map(crc32fast::hash) {
        if let Some(place) = end.checked_add(4).and_then(|after| bytes.get_mut(end..after)) {
            place.copy_from_slice(&sum.to_le_bytes());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let game = Graph::random(&[vec![30, 2], vec![], vec![5, 1, 25]], 3);
    read_positions(bytes, &game);
    read_states(bytes, &OSTLE);
    let mut mended = bytes.to_vec();
    mend_header(&mut mended);
    read_positions(&mended, &game);
    read_states(&mended, &OSTLE);
});
