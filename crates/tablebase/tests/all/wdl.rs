//! Tables of the layout wdl answer as tables of the layout full, and play by them wins in time.

use hindsight_core::{Game, Notation, Packed, PackedGame, Ranked, Tiers, Value, Wdl};
use hindsight_engine::{Layer, Limits, MemoryStore, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::tiered::{self, TierPlan};
use hindsight_tablebase::{CheckpointDir, Layout, Table, TableReader};

/// Ratio of the wins of a layer to those that are played to the end.
const PLAYED: usize = 97;

/// Solves a game, and asserts that its table answers exactly and wins in time.
fn assert_exact(spec: &str) {
    let game = &by_name(spec, &Setup::default()).expect("a spec");
    let mut solved = MemoryStore::default();
    let plan = TierPlan::new(game);
    tiered::solve(game, &plan, &mut solved, Limits::default(), &mut NoMonitor)
        .expect("a solve without limits");
    let table = Table::open(write(game, spec, &solved.0)).expect("a table");
    let reader = table.with(game);
    let mut played = 0;
    for layer in &solved.0 {
        let mut wins = 0;
        for (position, value) in values(game, layer) {
            let probed = reader.value(position).expect("a sound table");
            assert_eq!(probed, Some(value), "{spec}: {}", game.format(position));
            wins += usize::from(value.wdl() == Wdl::Win);
            if value.wdl() == Wdl::Win && wins % PLAYED == 1 {
                played += usize::from(wins_in_time(game, &reader, position, value));
            }
        }
        let decoded = table.decode_layer(game, layer.layer).expect("a layer");
        assert!(values(game, &decoded).eq(values(game, layer)));
    }
    assert!(played > 0, "{spec}: no win was played");
}

/// Positions of a layer, with their values.
fn values(game: &PackedGame, layer: &Layer) -> impl Iterator<Item = (Packed, Value)> {
    let tiers = layer.tiers.iter().copied();
    let ranks = tiers.flat_map(|tier| (0..game.tier_len(tier)).map(move |rank| (tier, rank)));
    ranks.filter_map(|(tier, rank)| Some((game.unrank(tier, rank)?, layer.value(tier, rank)?)))
}

/// Plays from a win to the end: the winner by the table, the loser by other moves each time.
/// Returns true if the winner has won after at most the plies of the value.
fn wins_in_time(
    game: &PackedGame,
    reader: &TableReader<'_, Vec<u8>>,
    mut position: Packed,
    value: Value,
) -> bool {
    let plies = value.remoteness().expect("a win has a length");
    let probe = |position| {
        let value = reader.value(position).expect("a sound table");
        value.expect("a value")
    };
    for ply in 0..=plies {
        let is_winner = ply % 2 == 0;
        if let Some(wdl) = game.terminal(position) {
            assert_eq!(wdl == Wdl::Win, is_winner, "the loser has won");
            return true;
        }
        let next = moves(game, position);
        position = if is_winner {
            *next.iter().min_by_key(|&&next| probe(next)).expect("a move")
        } else {
            next[(usize::from(ply) * 7 + usize::from(plies)) % next.len()]
        };
    }
    panic!("a win in {plies} plies was not won in time");
}

fn moves(game: &PackedGame, position: Packed) -> Vec<Packed> {
    let mut next = Vec::new();
    game.successors(position, &mut next);
    next
}

fn write(game: &PackedGame, spec: &str, layers: &[Layer]) -> Vec<u8> {
    let dir = tempfile::tempdir().expect("a folder");
    let checkpoint = CheckpointDir::create(dir.path(), spec, Layout::Wdl).expect("a checkpoint");
    for layer in layers {
        let put = checkpoint.layer_store(game).put(layer, &mut || Ok(()));
        put.expect("a layer is kept");
    }
    let mut bytes = Vec::new();
    checkpoint.finish(&mut bytes).expect("a table");
    bytes
}

#[test]
fn every_answer_is_exact_and_wins_are_won_in_time() {
    for spec in [
        "tic-tac-toe",
        "dodgem:3x3",
        "l-game",
        "quixo:3x3",
        "onitama:3x3:boar,ox,horse,crab,elephant",
        "quoridor:3x3:2",
    ] {
        assert_exact(spec);
    }
}
