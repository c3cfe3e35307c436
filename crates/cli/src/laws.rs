//! The command `laws`: checks the laws of a game in random games.

use std::time::Instant;

use anyhow::Result;
use hindsight_answers::{BrokenLawAnswer, LawsAnswer};
use hindsight_core::PackedGame;
use hindsight_foreign::{BrokenLaw, CheckedLaws, catch_faults, check_laws};
use hindsight_games::{Monitor, Progress, SolverError};
use hindsight_play::SeededRandom;

use crate::args::LawsArgs;
use crate::context::Context;
use crate::output::{print_json, print_text};
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;

/// Returns false if a law is broken.
pub(crate) fn run(args: &LawsArgs, context: &Context) -> Result<bool> {
    let game = hindsight_games::game_with_symmetry(&args.spec, hindsight_core::Symmetry::All)?;
    let begun = Instant::now();
    let mut checked = CheckedLaws::default();
    let (seed, positions, seconds) = (args.seed, args.positions, args.seconds);
    let mut display = ProgressDisplay::new(context.quiet).saving_nothing();
    let check = || check(game.rules(), seed, positions, seconds, &mut display, &mut checked);
    let broken = catch_faults(check).unwrap_or_else(|fault| {
        let law = "each question has a right answer";
        Some(BrokenLaw { law, met: fault.text, position: fault.position })
    });
    if stopped() {
        return Err(SolverError::Stopped.into());
    }
    let broken = broken.map(|BrokenLaw { law, met, position }| BrokenLawAnswer {
        law: law.to_string(),
        position,
        met,
    });
    let answer = LawsAnswer {
        game: game.spec().to_string(),
        games: checked.games,
        positions: checked.positions,
        moves: checked.moves,
        longest_game: checked.longest,
        broken,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if context.json {
        print_json(&answer)?
    } else {
        print_text(&text(&answer))?
    }
    Ok(answer.broken.is_none())
}

/// Checks the laws of a game in some positions, for some seconds at most, or until a signal.
/// Returns the first broken law; `checked` is what was looked at before.
pub(crate) fn check(
    game: &PackedGame,
    seed: u64,
    positions: u64,
    seconds: f64,
    monitor: &mut dyn Monitor,
    checked: &mut CheckedLaws,
) -> Option<BrokenLaw> {
    let begun = Instant::now();
    let mut goes_on = |so_far: &CheckedLaws| {
        *checked = *so_far;
        let progress =
            Progress { phase: "checking", done: so_far.positions, total: Some(positions) };
        let goes_on = monitor.report(progress) && !stopped();
        goes_on && so_far.positions < positions && begun.elapsed().as_secs_f64() < seconds
    };
    check_laws(game, &mut SeededRandom::new(&[seed]), &mut goes_on).err()
}

fn text(answer: &LawsAnswer) -> String {
    let extent = format!(
        "{} of {} in {}, of at most {}; {:.1} s",
        counted(answer.moves, "move"),
        counted(answer.positions, "position"),
        counted(answer.games, "random game"),
        counted(answer.longest_game, "ply"),
        answer.seconds
    );
    match &answer.broken {
        None => format!("{}: no law is broken by {extent}\n", answer.game),
        Some(BrokenLawAnswer { law, position, met }) => {
            let met = if met.is_empty() { String::new() } else { format!(": {met}") };
            let place = if position.is_empty() {
                String::new()
            } else {
                format!(" in the position\n  {position}")
            };
            format!("{}: {law}, but not{place}{met}\n", answer.game)
        }
    }
}
