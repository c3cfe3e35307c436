//! Tiers solved one by one in two processes, in any order, have the values of a whole solve.

use hindsight_core::{Game, PackedGame, Subgames, Tiers};
use hindsight_engine::{Limits, MemoryStore, NoMonitor};
use hindsight_solve::pawn_pairs::{self, NO_EXIT, PairTierSolver, palette};
use hindsight_solve::tiered::TierPlan;
use hindsight_testkit::random_positions;

use crate::game;

/// The tiers of a layer that one process owns: those whose numbers have one parity.
#[derive(Default)]
struct Share {
    tiers: Vec<u64>,
    /// Exit codes of the tiers, later their codes by rank.
    codes: Vec<u8>,
}

impl Share {
    fn new(layer: &[u64], process: u64, ranks: usize) -> Self {
        let tiers: Vec<u64> = layer.iter().copied().filter(|t| t % 2 == process).collect();
        let codes = vec![NO_EXIT; tiers.len() * ranks];
        Self { tiers, codes }
    }

    fn offset(&self, tier: u64, ranks: usize) -> Option<usize> {
        self.tiers.binary_search(&tier).ok().map(|i| i * ranks)
    }
}

/// Two processes with a layer and the next one.
struct Processes<'g> {
    solvers: [PairTierSolver<'g>; 2],
    layer: [Share; 2],
    next: [Share; 2],
}

impl Processes<'_> {
    /// Goes on to the next layer, whose own next layer has the tiers `above`.
    fn advance(&mut self, above: &[u64]) {
        let ranks = self.solvers[0].tier_ranks();
        let above = [0, 1].map(|process| Share::new(above, process, ranks));
        self.layer = std::mem::replace(&mut self.next, above);
    }

    /// Solves all tiers of the layer, and sends each table to the processes that need it.
    fn solve_layer(&mut self) {
        for owner in 0..2 {
            let ranks = self.solvers[owner].tier_ranks();
            let mut order = self.layer[owner].tiers.clone();
            order.sort_by_key(|tier| tier.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            for tier in order {
                let offset = self.layer[owner].offset(tier, ranks).expect("an own tier");
                let table = &mut self.layer[owner].codes[offset..offset + ranks];
                self.solvers[owner].solve(tier, table).expect("few plies");
                let table = table.to_vec();
                let mut before = vec![u64::MAX];
                self.solvers[owner].tiers_before(tier, &mut before);
                assert!(before.windows(2).all(|pair| pair[0] < pair[1]));
                for process in 0..2 {
                    if before.iter().any(|tier| tier % 2 == process as u64) {
                        self.receive(process, tier, &table);
                    }
                }
            }
        }
    }

    fn receive(&mut self, process: usize, tier: u64, table: &[u8]) {
        let ranks = table.len();
        let Share { tiers, codes } = &mut self.next[process];
        let mut offset = |tier| tiers.binary_search(&tier).ok().map(|i| i * ranks);
        self.solvers[process].lower(tier, table, codes, &mut offset);
    }
}

/// Compares every rank of every layer. Returns the number of ranks.
fn agree(game: &PackedGame) -> u64 {
    let plan = TierPlan::new(game);
    let mut kept = MemoryStore::default();
    pawn_pairs::solve(game, &plan, &mut kept, Limits::default(), &mut NoMonitor)
        .expect("a solve without limits");
    let mut processes = Processes {
        solvers: [PairTierSolver::new(game), PairTierSolver::new(game)],
        layer: Default::default(),
        next: Default::default(),
    };
    let ranks = processes.solvers[0].tier_ranks();
    let own_palette = palette();
    let mut compared = 0;
    processes.advance(plan.tiers(0));
    for layer in &kept.0 {
        let is_last = layer.layer + 1 == game.layers();
        processes.advance(if is_last { &[] } else { plan.tiers(layer.layer + 1) });
        processes.solve_layer();
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let share = &processes.layer[(tier % 2) as usize];
            let offset = share.offset(tier, ranks).expect("every tier has an owner");
            let codes = &share.codes[offset..offset + ranks];
            for (rank, (&code, &expected)) in codes.iter().zip(layer.tier_codes(i)).enumerate() {
                let expected = layer.palette[usize::from(expected)];
                let found = own_palette[usize::from(code)];
                assert_eq!(found, expected, "rank {rank} of tier {tier}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, plan.ranks());
    compared
}

#[test]
fn boards_agree_in_every_rank() {
    for spec in [
        "quoridor:2x2:1:edge=open",
        "quoridor:2x5:2:start=point",
        "quoridor:3x3:1",
        "quoridor:3x3:2",
        "quoridor:3x3:2,1",
        "quoridor:3x3:0,2",
        "quoridor:3x3:1:edge=open",
        "quoridor:4x4:1",
        "quoridor:5x5:1",
    ] {
        assert!(agree(&game(spec)) > 0, "{spec}");
    }
}

#[test]
fn words_of_64_and_128_bits_agree_in_every_rank() {
    assert!(agree(&game("quoridor:6x6:1")) > 100_000);
    assert!(agree(&game("quoridor:9x9:1,0")) > 100_000);
}

#[test]
fn subgames_agree_in_every_rank() {
    let game = game("quoridor:4x4:2");
    let mut subgames = 0;
    for position in random_positions(&game, 200, 1) {
        if game.terminal(position).is_some() {
            continue;
        }
        if let Some(subgame) = game.subgame(position).filter(|game| game.layers() > 1) {
            agree(&subgame);
            subgames += 1;
        }
    }
    assert!(subgames > 10, "{subgames}");
}
