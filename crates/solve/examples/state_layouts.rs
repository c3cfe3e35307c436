//! Two layouts for the values of all states: three numbers per position, or one number per state
//! behind a bit vector with rank. `state_layouts ostle:4x4:4:2 ..` prints bytes and the time of a
//! random look-up.

use std::time::Instant;

use hindsight_core::{ForbiddenMove, Notation, PackedGame, Structure};
use hindsight_engine::{Error, Limits, NoMonitor, StateSource};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forbidden_move::{self, SolvedStateTier, StateDictionary};

/// Cost of one layout.
#[derive(Default)]
struct LayoutCost {
    bytes: u64,
    nanoseconds: f64,
}

/// Totals of a solve.
struct Sizes {
    spec: String,
    positions: u64,
    states: u64,
    tiers: u32,
}

/// Timed look-ups per tier.
const LOOK_UPS: u64 = 2_000_000;

fn compare_layouts(game: &PackedGame) -> Result<(), Error> {
    if game.structure() != Structure::ForbiddenMove {
        return Err(Error::TooMany("positions"));
    }
    let (mut words, mut dictionary) = (LayoutCost::default(), LayoutCost::default());
    let (mut positions, mut states, mut tiers) = (0, 0, 0);
    forbidden_move::solve(game, Limits::default(), &mut NoMonitor, &mut |solved| {
        let all = StateDictionary::new(game, &solved);
        positions += solved.ranks();
        states += all.states();
        tiers += 1;
        words.bytes += 4 * solved.ranks();
        dictionary.bytes += all.bytes();
        let queries = random_states(game, &solved);
        words.nanoseconds +=
            time_queries(&queries, |rank, move_id| solved.state(rank, move_id).is_some());
        let look_up = |rank, move_id| all.state_value(game, rank, move_id).is_some();
        dictionary.nanoseconds += time_queries(&queries, look_up);
        let is_same = |&(rank, move_id): &(u64, u8)| {
            let kept = all.state_value(game, rank, move_id);
            kept.is_none() || kept == solved.state(rank, move_id)
        };
        assert!(queries.iter().all(is_same), "both say the same");
    })?;
    let sizes = Sizes { spec: game.spec(), positions, states, tiers };
    print(&sizes, "three numbers a position", &words);
    print(&sizes, "a number a state", &dictionary);
    Ok(())
}

/// Random states; some move leads to most of them.
fn random_states(game: &PackedGame, solved: &SolvedStateTier) -> Vec<(u64, u8)> {
    let mut move_ids = Vec::new();
    let mut seed = 1_u64;
    let pick = |_| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let rank = ((u128::from(seed) * u128::from(solved.ranks())) >> 64) as u64;
        move_ids.clear();
        move_ids.push(0);
        game.forbiddable_ids(solved.tier, rank, &mut move_ids);
        (rank, move_ids[(seed >> 7) as usize % move_ids.len()])
    };
    (0..LOOK_UPS).map(pick).collect()
}

/// Nanoseconds per look-up.
fn time_queries(queries: &[(u64, u8)], look_up: impl Fn(u64, u8) -> bool) -> f64 {
    let begin = Instant::now();
    let found = queries.iter().filter(|&&(rank, move_id)| look_up(rank, move_id)).count();
    std::hint::black_box(found);
    begin.elapsed().as_secs_f64() * 1e9 / queries.len() as f64
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn print(sizes: &Sizes, layout: &str, cost: &LayoutCost) {
    let Sizes { spec, positions, states, tiers } = sizes;
    println!(
        "{spec}  {positions} positions, {states} states  {layout}: {} bytes, \
         {:.2} a position, {:.2} a state; {:.0} ns a look-up",
        cost.bytes,
        cost.bytes as f64 / *positions as f64,
        cost.bytes as f64 / *states as f64,
        cost.nanoseconds / f64::from(*tiers)
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for spec in std::env::args().skip(1) {
        compare_layouts(&by_name(&spec, &Setup::default())?)?;
    }
    Ok(())
}
