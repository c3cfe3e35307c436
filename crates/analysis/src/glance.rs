//! Analysis at a glance: what the rules alone tell, and an estimate.

use std::time::Duration;

use hindsight_core::{Game, Packed, PackedGame, Value, Wdl};
use hindsight_engine::Error;

use crate::analysis::Analysis;
use crate::estimate::estimate_moves;
use crate::findings::Findings;
use crate::known::Known;

/// Time and memory of the estimates of a [`glance`].
#[derive(Clone, Copy, Debug)]
pub struct EstimateLimits {
    /// Time; each move is tried once, however short it is.
    pub time: Duration,
    /// Bytes of memory.
    pub memory: u64,
}

/// Analyses a position by the rules alone: games that are over, wins in one ply, losses in two.
/// Moves are estimated within `estimate` if the value is not proved by then.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started.
pub fn glance(
    game: &PackedGame,
    position: Packed,
    estimate: Option<EstimateLimits>,
) -> Result<Analysis, Error> {
    let mut findings = Findings::new(game, position);
    if !findings.is_proved() {
        findings.note_successors(|to| within_one_ply(game, to));
    }
    if let Some(EstimateLimits { time, memory }) = estimate.filter(|_| !findings.is_proved()) {
        estimate_moves(&mut findings, time, memory)?;
    }
    Ok(findings.analysis())
}

/// Returns what the rules tell of a position by its moves that end the game.
fn within_one_ply(game: &PackedGame, position: Packed) -> Known {
    if let Some(over) = game.terminal(position) {
        return Known::exact(Value::terminal(over));
    }
    let (mut successors, mut best, mut is_open) = (Vec::new(), None, false);
    game.successors(position, &mut successors);
    for successor in successors {
        let Some(over) = game.terminal(successor) else {
            is_open = true;
            continue;
        };
        let value = Value::terminal(over).before();
        best = best.max(Some(value));
        if value.wdl() == Wdl::Win {
            is_open = false;
            break;
        }
    }
    best.filter(|_| !is_open).map_or(Known::NOTHING, Known::exact)
}

impl<P, M: PartialEq> Analysis<P, M> {
    /// Adds what another analysis of the same position has found: what it has proved, and its
    /// estimates where this one has none.
    pub fn add(&mut self, other: &Self) {
        for index in 0..self.moves.len() {
            let mut moves = other.moves.iter();
            let Some(same) = moves.find(|same| same.mv == self.moves[index].mv) else {
                continue;
            };
            self.note_move(index, same.known());
            let analysed = &mut self.moves[index];
            let is_open = analysed.known() == Known::NOTHING;
            analysed.estimate = analysed.estimate.or(same.estimate).filter(|_| is_open);
        }
        self.note_position(other.known());
        let is_open = self.known() == Known::NOTHING;
        self.estimate = self.estimate.or(other.estimate).filter(|_| is_open);
        self.sort_moves();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hindsight_core::{Answer, Game, Notation, Value};
    use hindsight_rules::{Setup, by_name};

    use super::{EstimateLimits, glance};

    const ESTIMATE: Option<EstimateLimits> =
        Some(EstimateLimits { time: Duration::ZERO, memory: 1 << 24 });

    #[test]
    fn the_rules_tell_the_last_two_plies() {
        let game = by_name("tic-tac-toe", &Setup::default()).expect("a spec");
        for (text, value) in [
            ("xxx/oo./...", Value::Loss(0)),
            ("xx./oo./...", Value::Win(1)),
            ("xox/oxx/..o", Value::Draw),
            ("x.x/.o./x.o", Value::Loss(2)),
        ] {
            let position = game.parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            let found = glance(&game, position, ESTIMATE).expect("a glance");
            assert_eq!(found.answer, Answer::Exact(value), "{text}");
            assert_eq!(found.estimate, None, "{text}");
        }
    }

    #[test]
    fn what_is_not_proved_is_estimated_however_short_the_time_is() {
        let game = by_name("tic-tac-toe", &Setup::default()).expect("a spec");
        let by_rules = glance(&game, game.start(), None).expect("a glance");
        assert_eq!((by_rules.answer, by_rules.estimate), (Answer::Unknown, None));
        let found = glance(&game, game.start(), ESTIMATE).expect("a glance");
        assert!(found.estimate.is_some() && found.moves.iter().all(|mv| mv.estimate.is_some()));
        let mut added = by_rules;
        added.add(&found);
        assert_eq!(added.estimate, found.estimate);
    }
}
