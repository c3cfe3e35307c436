//! Solves subgames of Quoridor from positions of random games:
//! `subgames quoridor:9x9:10 FENCES_IN_HAND POSITIONS MOST_RANKS`. Prints tiers, memory and seconds
//! of each.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use hindsight_core::{Game, Notation, Packed, PackedGame, Probe, Tiers};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::pawn_pairs::SubgamePlan;
use hindsight_testkit::random_positions;

/// One position of each random game, the first with a number of fences in hand.
fn late_positions(game: &PackedGame, in_hand: u8, count: usize) -> Vec<Packed> {
    let is_late = |position: Packed| {
        fences_in_hand(&game.format(position)) == in_hand && game.terminal(position).is_none()
    };
    let positions = random_positions(game, 1_000_000, 7);
    let pairs = positions.windows(2);
    let late = pairs.filter(|pair| !is_late(pair[0]) && is_late(pair[1]));
    late.map(|pair| pair[1]).take(count).collect()
}

/// Number of fences in hand, from the text of a position such as `c2 c4 1,1 a1h,b3v white`.
fn fences_in_hand(position: &str) -> u8 {
    let hands = position.split(' ').nth(2).expect("hands").split(',');
    hands.map(|hand| hand.parse::<u8>().expect("a number of fences")).sum()
}

fn solve(game: &PackedGame, position: Packed, most_ranks: u64) {
    let begin = Instant::now();
    let Some(plan) = SubgamePlan::new(game, position, most_ranks) else {
        let seconds = begin.elapsed().as_secs_f64();
        println!("more than {most_ranks} ranks, planned in {seconds:.4} s");
        return;
    };
    let planned = begin.elapsed().as_secs_f64();
    let (ranks, bytes) = (plan.ranks(), plan.peak());
    let solved = match plan.solve(Limits::default(), &mut NoMonitor) {
        Ok(solved) => solved,
        Err(error) => return println!("{error}"),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let Ok(answer) = solved.probe(position);
    println!(
        "{ranks} ranks, {} tiers, at least {} MB, planned in {planned:.4} s, \
         solved in {seconds:.3} s, {:.1e} ranks/s  {}: {answer}",
        ranks / solved.subgame().tier_len(0),
        bytes >> 20,
        ranks as f64 / seconds,
        game.format(position)
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [spec, in_hand, count, most_ranks] = &args[..] else {
        return Err("usage: subgames SPEC FENCES_IN_HAND POSITIONS MOST_RANKS".into());
    };
    let game = by_name(spec, &Setup::default())?;
    for position in late_positions(&game, in_hand.parse()?, count.parse()?) {
        solve(&game, position, most_ranks.parse()?);
    }
    Ok(())
}
