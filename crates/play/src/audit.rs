//! How well an agent plays, move by move, where values are known.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Instant;

use hindsight_core::{Answer, Game, Value, Wdl};

use crate::agent::{Agent, AgentError, legal_moves};
use crate::perfect::BatchProbe;
use crate::seeded_random::SeededRandom;

/// A choice among at least two moves, and what it was worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveVerdict {
    /// The value of the position.
    pub value: Value,
    /// What the chosen move leaves of it, for the same side.
    pub value_after_move: Value,
    /// Legal moves.
    pub legal_moves: usize,
    /// Moves that keep the result: a win stays one, a draw does not become a loss.
    pub keeping_moves: usize,
    /// Where the position belongs, by [`Ground::layer`].
    pub layer: u32,
    /// Seconds of thought.
    pub seconds: f64,
}

impl MoveVerdict {
    /// Whether some move gives away the result: only there can one blunder.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        self.keeping_moves < self.legal_moves
    }

    /// Whether the chosen move did.
    #[must_use]
    pub fn is_blunder(&self) -> bool {
        self.value_after_move.wdl() < self.value.wdl()
    }

    /// The chance that a move drawn at random does.
    #[must_use]
    pub fn blunder_chance(&self) -> f64 {
        (self.legal_moves - self.keeping_moves) as f64 / self.legal_moves as f64
    }
}

/// Sums over some choices.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AuditTally {
    /// Choices.
    pub choices: u64,
    /// Those of them where some move gives away the result.
    pub critical: u64,
    /// Results given away.
    pub blunders: u64,
    /// Results that moves drawn at random would have given away, on average.
    pub expected_blunders: f64,
    /// Moves that were as good as any, plies counted.
    pub best_moves: u64,
    /// Wins that stayed wins.
    pub wins_kept: u64,
    /// Plies by which these became longer than they need be.
    pub plies_lost_in_wins: u64,
    /// Positions that were lost.
    pub losses: u64,
    /// Plies by which these became shorter than they need be.
    pub plies_lost_in_losses: u64,
    /// Seconds of thought.
    pub seconds: f64,
}

impl AuditTally {
    /// Adds a choice.
    pub fn add(&mut self, verdict: &MoveVerdict) {
        self.choices += 1;
        self.critical += u64::from(verdict.is_critical());
        self.blunders += u64::from(verdict.is_blunder());
        self.expected_blunders += verdict.blunder_chance();
        self.best_moves += u64::from(verdict.value_after_move == verdict.value);
        self.seconds += verdict.seconds;
        match (verdict.value, verdict.value_after_move) {
            (Value::Win(quick), Value::Win(slow)) => {
                self.wins_kept += 1;
                self.plies_lost_in_wins += u64::from(slow - quick);
            }
            (Value::Loss(slow), Value::Loss(quick)) => {
                self.losses += 1;
                self.plies_lost_in_losses += u64::from(slow - quick);
            }
            _ => {}
        }
    }

    /// Adds sums over other choices.
    pub fn merge(&mut self, other: &Self) {
        self.choices += other.choices;
        self.critical += other.critical;
        self.blunders += other.blunders;
        self.expected_blunders += other.expected_blunders;
        self.best_moves += other.best_moves;
        self.wins_kept += other.wins_kept;
        self.plies_lost_in_wins += other.plies_lost_in_wins;
        self.losses += other.losses;
        self.plies_lost_in_losses += other.plies_lost_in_losses;
        self.seconds += other.seconds;
    }
}

/// How well an agent chose: in all, by the value of the position, and by its layer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayQuality {
    /// All choices.
    pub all: AuditTally,
    /// Those in positions of a value, the worst first.
    pub by_value: BTreeMap<Value, AuditTally>,
    /// Those in positions of a layer.
    pub by_layer: BTreeMap<u32, AuditTally>,
}

/// Positions of one result, and of so many plies to it; a draw has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueClass {
    /// Win, draw or loss for the side to move.
    pub result: Wdl,
    /// From 1 to 2, 3 to 4, 5 to 8, 9 to 16, and so on.
    pub plies: Option<RangeInclusive<u32>>,
}

impl ValueClass {
    /// The class of a value that is not that of a finished game.
    #[must_use]
    pub fn of(value: Value) -> Self {
        let plies = value.remoteness().map(|plies| {
            let most = u32::from(plies).next_power_of_two().max(2);
            let least = if most == 2 { 1 } else { most / 2 + 1 };
            least..=most
        });
        Self {
            result: value.wdl(),
            plies,
        }
    }
}

impl PlayQuality {
    /// Adds a choice.
    pub fn add(&mut self, verdict: &MoveVerdict) {
        self.all.add(verdict);
        self.by_value.entry(verdict.value).or_default().add(verdict);
        self.by_layer.entry(verdict.layer).or_default().add(verdict);
    }

    /// [`Quality::by_value`] in classes: wins, then draws, then losses, each from the fewest plies up.
    #[must_use]
    pub fn by_class(&self) -> Vec<(ValueClass, AuditTally)> {
        let mut classes: Vec<(ValueClass, AuditTally)> = Vec::new();
        for (&value, tally) in &self.by_value {
            let class = ValueClass::of(value);
            match classes.iter_mut().find(|(known, _)| *known == class) {
                Some((_, sum)) => sum.merge(tally),
                None => classes.push((class, *tally)),
            }
        }
        classes.sort_by_key(|(class, _)| {
            let plies = class.plies.as_ref().map(|plies| *plies.start());
            (std::cmp::Reverse(class.result), plies)
        });
        classes
    }
}

/// Where agents are judged: a game with the values of its positions.
pub struct AuditSetup<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// What is known; with remoteness, of every position that is met.
    pub probe: BatchProbe<'a, G::Position>,
    /// The number of the part of the game that a position belongs to, such as its layer in a table.
    pub layer: &'a (dyn Fn(G::Position) -> u32 + Sync),
}

impl<G: Game> std::fmt::Debug for AuditSetup<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ground").finish_non_exhaustive()
    }
}

/// Games of an agent against itself. The first plies are drawn, so that games differ.
#[derive(Clone, Copy)]
pub struct SelfPlayOptions<'a> {
    /// Plies drawn at random, which are not judged.
    pub opening_plies: u32,
    /// Plies after which a game is cut off, those drawn included.
    pub max_plies: u32,
    /// Choices after which it is.
    pub max_choices: usize,
    /// Decides all that is random.
    pub seed: u64,
    /// Asked before every choice.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for SelfPlayOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlay")
            .field("opening", &self.opening_plies)
            .field("most_plies", &self.max_plies)
            .field("most_choices", &self.max_choices)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl<G: Game> AuditSetup<'_, G> {
    /// Has an agent choose in a position; none where there is no choice: of a single move, or when the game is
    /// over.
    ///
    /// # Errors
    /// When the agent cannot answer, or a value is not known.
    pub fn judge(
        &self,
        agent: &mut dyn Agent<G>,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<Option<MoveVerdict>, AgentError> {
        let moves = legal_moves(self.game, position);
        if moves.len() < 2 {
            return Ok(None);
        }
        let (_, verdict) = self.judged_choice(agent, position, &moves, random)?;
        Ok(Some(verdict))
    }

    /// Plays a game of an agent against itself, one of `agents` for each side, and judges every choice. Games
    /// of a number begin with the same plies whatever the agents are.
    ///
    /// # Errors
    /// As [`Ground::judge`]; or the game was stopped.
    pub fn self_play(
        &self,
        agents: [&mut dyn Agent<G>; 2],
        number: u64,
        terms: SelfPlayOptions<'_>,
    ) -> Result<Vec<MoveVerdict>, AgentError> {
        let [mut opening, first, second] =
            [0, 1, 2].map(|part| SeededRandom::new(&[terms.seed, number, part]));
        let mut random = [first, second];
        let drawn = terms.opening_plies.min(terms.max_plies);
        let start = self.game.start();
        let (mut position, mut plies) = self.game.playout(start, drawn, &mut opening);
        let mut verdicts = Vec::new();
        while plies < terms.max_plies && verdicts.len() < terms.max_choices {
            let mover = plies as usize % 2;
            let moves = legal_moves(self.game, position);
            let mv = match *moves {
                [] => break,
                [only] => only,
                _ => {
                    if !(terms.keep_going)() {
                        return Err(AgentError::Stopped);
                    }
                    let (agent, random) = (&mut *agents[mover], &mut random[mover]);
                    let (mv, verdict) = self.judged_choice(agent, position, &moves, random)?;
                    verdicts.push(verdict);
                    mv
                }
            };
            position = self.game.play(position, mv);
            plies += 1;
        }
        Ok(verdicts)
    }

    /// The move that an agent chooses, and what it is worth.
    fn judged_choice(
        &self,
        agent: &mut dyn Agent<G>,
        position: G::Position,
        moves: &[G::Move],
        random: &mut SeededRandom,
    ) -> Result<(G::Move, MoveVerdict), AgentError> {
        let begin = Instant::now();
        let mv = agent.choose(self.game, position, random)?.mv;
        let seconds = begin.elapsed().as_secs_f64();
        let worth = self.values_after_moves(position, moves)?;
        let best = worth.iter().copied().max();
        let value = best.expect("a position with a choice has a move");
        let chosen = moves.iter().position(|&legal| legal == mv);
        let verdict = MoveVerdict {
            value,
            value_after_move: worth[chosen.expect("agents choose legal moves")],
            legal_moves: moves.len(),
            keeping_moves: worth.iter().filter(|of| of.wdl() == value.wdl()).count(),
            layer: (self.layer)(position),
            seconds,
        };
        Ok((mv, verdict))
    }

    /// What moves of a position are worth to the one who makes them.
    fn values_after_moves(
        &self,
        position: G::Position,
        moves: &[G::Move],
    ) -> Result<Vec<Value>, AgentError> {
        let play = |&mv: &G::Move| self.game.play(position, mv);
        let next: Vec<G::Position> = moves.iter().map(play).collect();
        let answers = (self.probe)(&next).map_err(AgentError::Probe)?;
        let worth = answers.into_iter().zip(&next).map(|(answer, next)| {
            let value = Answer::exact(answer).map(Value::before);
            value.ok_or_else(|| AgentError::Unknown(format!("{next:?}")))
        });
        worth.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ValueClass;
    use hindsight_core::Value;

    #[test]
    fn classes_double() {
        let class = |plies| ValueClass::of(Value::Win(plies)).plies.unwrap();
        for (plies, least, most) in [
            (1, 1, 2),
            (2, 1, 2),
            (3, 3, 4),
            (4, 3, 4),
            (5, 5, 8),
            (8, 5, 8),
            (9, 9, 16),
            (33, 33, 64),
            (u16::MAX, 32_769, 65_536),
        ] {
            assert_eq!(class(plies), least..=most, "{plies}");
        }
        assert_eq!(ValueClass::of(Value::Draw).plies, None);
    }
}
