//! Values of the start with every deal of the same cards.

use hindsight_bitplanes::{BitplanePlan, InMemoryOptions, Instructions, Planes};
use hindsight_core::{Notation, TwoSided, Value, Wdl};
use hindsight_engine::{Error, Limits, Monitor, Summary};
use hindsight_rules::onitama::{Bitboard, Onitama, OnitamaPlayer};

use crate::rules::game_of;

/// Solution of a game of Onitama: the start with each deal, and counts of all positions.
pub struct SolvedStarts {
    /// Value of the start with each deal for Red, who moves first. The order is that of the deals
    /// of the game.
    pub values: Vec<Value>,
    /// Positions by value, of all deals.
    pub summary: Summary,
    /// Plies of the longest win; 0 if there is none.
    pub longest_win: u16,
}

/// Solves the game with all its deals, in two bits of memory a position.
///
/// # Errors
/// Any [`Error`] of a limit, and [`Error::Stopped`] if the monitor stops the work.
pub fn solve_starts<W: Bitboard>(
    game: &Onitama<W>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<SolvedStarts, Error> {
    let start = |deal| game.placement(game.start_with_deal(deal, OnitamaPlayer::Red));
    let starts: Vec<_> = (0..game.deals()).map(start).collect();
    let mut values = vec![Value::Draw; starts.len()];
    let options =
        InMemoryOptions { instructions: Instructions::detect(), limits, monitor, checkpoint: None };
    // A start that is decided for the first time after this pass has the value of the pass.
    let mut after_pass = |planes: &Planes, value: Value| {
        for (known, start) in values.iter_mut().zip(&starts) {
            let decided = start.is_some_and(|start| planes.wdl(start) != Wdl::Draw);
            if *known == Value::Draw && decided {
                *known = value;
            }
        }
        Ok(())
    };
    let rules = game_of(&game.spec());
    let plan = BitplanePlan::new(&rules);
    let solved = hindsight_bitplanes::solve(&rules, plan, options, &mut after_pass)?;
    let rows = solved.histogram.rows().into_iter();
    let wins = rows.filter_map(|(value, _)| match value {
        Value::Win(plies) => Some(plies),
        _ => None,
    });
    Ok(SolvedStarts { values, summary: solved.summary, longest_win: wins.max().unwrap_or(0) })
}
