//! Audit of an agent: its moves compared with known values.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::time::Instant;

use hindsight_core::{Answer, Game, Packed, PackedGame, PackedMove, Value, Wdl};

use crate::agent::{Agent, AgentError, legal_moves};
use crate::given_away::GivenAway;
use crate::perfect::{BatchProbe, values_after_moves};
use crate::seeded_random::SeededRandom;

/// A choice among at least two moves, compared with the values of all of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveVerdict {
    /// Value of the position.
    pub value: Value,
    /// Value of the chosen move for the same side; equal to `value` if no move is better.
    pub value_after_move: Value,
    /// Number of legal moves, at least 2.
    pub legal_moves: usize,
    /// Number of moves that keep the result: win, draw or loss as `value`.
    pub keeping_moves: usize,
    /// Layer of the position, by [`AuditSetup::layer`].
    pub layer: u32,
    /// Thinking time in seconds.
    pub seconds: f64,
}

impl MoveVerdict {
    /// Returns true if some legal move is a blunder.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        self.keeping_moves < self.legal_moves
    }

    /// Returns what the chosen move gave away.
    #[must_use]
    pub fn given_away(&self) -> GivenAway {
        GivenAway::between(self.value, self.value_after_move)
    }

    /// Returns true if the chosen move is a blunder: it gives away a win or a draw.
    #[must_use]
    pub fn is_blunder(&self) -> bool {
        self.given_away().is_result()
    }

    /// Probability that a uniformly random move is a blunder.
    #[must_use]
    pub(crate) fn blunder_chance(&self) -> f64 {
        (self.legal_moves - self.keeping_moves) as f64 / self.legal_moves as f64
    }
}

/// Counts and sums over judged choices.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AuditTally {
    /// Number of choices.
    pub choices: u64,
    /// Choices where some legal move is a blunder.
    pub critical: u64,
    /// Choices that gave away a win or a draw.
    pub blunders: u64,
    /// Expected number of blunders of uniformly random moves.
    pub expected_blunders: f64,
    /// Choices of a best move, remoteness included.
    pub best_moves: u64,
    /// Choices that kept a win.
    pub wins_kept: u64,
    /// Plies added to the kept wins, summed.
    pub plies_lost_in_wins: u64,
    /// Choices in lost positions.
    pub losses: u64,
    /// Plies by which these losses became shorter, summed.
    pub plies_lost_in_losses: u64,
    /// Thinking time in seconds.
    pub seconds: f64,
}

impl AuditTally {
    /// Adds a choice.
    pub fn add(&mut self, verdict: &MoveVerdict) {
        let given_away = verdict.given_away();
        self.choices += 1;
        self.critical += u64::from(verdict.is_critical());
        self.blunders += u64::from(verdict.is_blunder());
        self.expected_blunders += verdict.blunder_chance();
        self.best_moves += u64::from(given_away == GivenAway::Nothing);
        self.seconds += verdict.seconds;
        match (verdict.value.wdl(), given_away.plies()) {
            (Wdl::Win, Some(plies)) => {
                self.wins_kept += 1;
                self.plies_lost_in_wins += u64::from(plies);
            }
            (Wdl::Loss, Some(plies)) => {
                self.losses += 1;
                self.plies_lost_in_losses += u64::from(plies);
            }
            _ => {}
        }
    }

    /// Adds the sums over other choices.
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

/// Tallies of the choices of an agent: of all choices, by value and by layer of the position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlayQuality {
    /// All choices.
    pub all: AuditTally,
    /// Choices by value of the position, worst value first.
    pub by_value: BTreeMap<Value, AuditTally>,
    /// Choices by layer of the position.
    pub by_layer: BTreeMap<u32, AuditTally>,
}

/// A result and a range of plies to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueClass {
    /// Win, draw or loss for the side to move.
    pub result: Wdl,
    /// Plies to the end: 1 to 2, 3 to 4, 5 to 8, 9 to 16, and so on; `None` for a draw.
    pub plies: Option<RangeInclusive<u32>>,
}

impl ValueClass {
    /// Returns the class of the value of a position that is not terminal.
    #[must_use]
    pub fn of_value(value: Value) -> Self {
        let plies = value.remoteness().map(|plies| {
            let last = u32::from(plies).next_power_of_two().max(2);
            let first = if last == 2 { 1 } else { last / 2 + 1 };
            first..=last
        });
        Self { result: value.wdl(), plies }
    }
}

impl PlayQuality {
    /// Adds a choice.
    pub fn add(&mut self, verdict: &MoveVerdict) {
        self.all.add(verdict);
        self.by_value.entry(verdict.value).or_default().add(verdict);
        self.by_layer.entry(verdict.layer).or_default().add(verdict);
    }

    /// Sums by class of value: wins, draws, losses; each with the fewest plies first.
    #[must_use]
    pub fn by_class(&self) -> Vec<(ValueClass, AuditTally)> {
        let mut classes: Vec<(ValueClass, AuditTally)> = Vec::new();
        for (&value, tally) in &self.by_value {
            let class = ValueClass::of_value(value);
            match classes.iter_mut().find(|(other, _)| *other == class) {
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

/// Game and values that agents are judged by.
pub struct AuditSetup<'a> {
    /// The game.
    pub game: &'a PackedGame,
    /// Source of the values; must know every position of the audit with its remoteness.
    pub probe: BatchProbe<'a>,
    /// Returns the number by which positions are grouped, such as their layer in a table.
    pub layer: &'a (dyn Fn(Packed) -> u32 + Sync),
}

impl std::fmt::Debug for AuditSetup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuditSetup").finish_non_exhaustive()
    }
}

/// Options of games of an agent against itself. Random opening plies make the games differ.
#[derive(Clone, Copy)]
pub struct SelfPlayOptions<'a> {
    /// Random plies at the start, which are not judged.
    pub opening_plies: u32,
    /// Plies after which a game is cut off, random ones included.
    pub max_plies: u32,
    /// Judged choices after which a game is cut off.
    pub max_choices: usize,
    /// Seed of every random number.
    pub seed: u64,
    /// Called before every choice; false stops the game.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for SelfPlayOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SelfPlayOptions")
            .field("opening_plies", &self.opening_plies)
            .field("max_plies", &self.max_plies)
            .field("max_choices", &self.max_choices)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

impl AuditSetup<'_> {
    /// Lets an agent choose in a position and judges the choice.
    ///
    /// Returns `None`, without asking the agent, if there are fewer than two legal moves.
    ///
    /// # Errors
    /// The agent cannot answer, or a value is not known.
    pub fn judge(
        &self,
        agent: &mut dyn Agent,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<Option<MoveVerdict>, AgentError> {
        let moves = legal_moves(self.game, position);
        if moves.len() < 2 {
            return Ok(None);
        }
        let (_, verdict) = self.judged_choice(agent, position, &moves, random)?;
        Ok(Some(verdict))
    }

    /// Plays a game of an agent against itself and judges every choice, in order.
    ///
    /// `agents` are two copies of the agent, one for each side. Games of equal `number` and seed
    /// share their opening plies, whatever the agents.
    ///
    /// # Errors
    /// As [`AuditSetup::judge`], or [`SelfPlayOptions::keep_going`] returned false.
    pub fn self_play(
        &self,
        agents: [&mut dyn Agent; 2],
        number: u64,
        options: SelfPlayOptions<'_>,
    ) -> Result<Vec<MoveVerdict>, AgentError> {
        let [mut opening, first, second] =
            [0, 1, 2].map(|stream| SeededRandom::new(&[options.seed, number, stream]));
        let mut random = [first, second];
        let drawn = options.opening_plies.min(options.max_plies);
        let start = self.game.start();
        let (mut position, mut plies) = self.game.random_playout(start, drawn, &mut opening);
        let mut verdicts = Vec::new();
        while plies < options.max_plies && verdicts.len() < options.max_choices {
            let mover = plies as usize % 2;
            let moves = legal_moves(self.game, position);
            let mv = match *moves {
                [] => break,
                [only] => only,
                _ => {
                    if !(options.keep_going)() {
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

    /// Returns the move that an agent chooses among `moves`, with its verdict.
    fn judged_choice(
        &self,
        agent: &mut dyn Agent,
        position: Packed,
        moves: &[PackedMove],
        random: &mut SeededRandom,
    ) -> Result<(PackedMove, MoveVerdict), AgentError> {
        let begin = Instant::now();
        let mv = agent.choose(self.game, position, random)?.mv;
        let seconds = begin.elapsed().as_secs_f64();
        let play = |&mv: &PackedMove| self.game.play(position, mv);
        let next: Vec<Packed> = moves.iter().map(play).collect();
        let values = values_after_moves(self.game, self.probe, &next, Answer::exact)?;
        let best = values.iter().copied().max();
        let value = best.expect("a position with a choice has a move");
        let chosen = moves.iter().position(|&legal| legal == mv);
        let verdict = MoveVerdict {
            value,
            value_after_move: values[chosen.expect("agents choose legal moves")],
            legal_moves: moves.len(),
            keeping_moves: values.iter().filter(|other| other.wdl() == value.wdl()).count(),
            layer: (self.layer)(position),
            seconds,
        };
        Ok((mv, verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::ValueClass;
    use hindsight_core::Value;

    #[test]
    fn classes_double() {
        let class = |plies| ValueClass::of_value(Value::Win(plies)).plies.unwrap();
        for (plies, first, last) in [
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
            assert_eq!(class(plies), first..=last, "{plies}");
        }
        assert_eq!(ValueClass::of_value(Value::Draw).plies, None);
    }
}
