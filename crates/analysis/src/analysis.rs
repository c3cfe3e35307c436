//! Results of an analysis.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use hindsight_core::{Answer, Packed, PackedMove, Value, Wdl};

use crate::known::Known;

/// Knowledge of a position and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<P = Packed, M = PackedMove> {
    /// The position.
    pub position: P,
    /// Its value for the side to move, as far as it is proved.
    pub answer: Answer,
    /// Most plies of a proved win or loss whose exact number is not known.
    pub bound: Option<u16>,
    /// Estimate for the side to move, from -1 to 1; `None` if the value is proved or there is no
    /// estimate.
    pub estimate: Option<f64>,
    /// Moves, best first.
    pub moves: Vec<AnalysedMove<P, M>>,
    /// Sources that told something.
    pub sources: Vec<AnalysisSource>,
    /// Positions looked at and playouts made.
    pub work: u64,
    /// Time so far.
    pub elapsed: Duration,
}

/// Knowledge of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysedMove<P = Packed, M = PackedMove> {
    /// The move.
    pub mv: M,
    /// Position after it.
    pub to: P,
    /// Value for the side that makes the move, as far as it is proved.
    pub answer: Answer,
    /// Most plies of a proved win or loss whose exact number is not known.
    pub bound: Option<u16>,
    /// Estimate for the side that makes the move, from -1 to 1; `None` if the value is proved or
    /// there is no estimate.
    pub estimate: Option<f64>,
    /// Best play from the move on as far as it is known, the move included.
    pub line: Vec<M>,
}

/// Rank of a move among others, the greater the better.
#[derive(PartialEq, PartialOrd)]
enum MoveRank {
    Lost(f64),
    Open(f64),
    Won(f64),
}

impl<P, M> AnalysedMove<P, M> {
    /// Returns what is proved of the move, for the side that makes it.
    pub(crate) fn known(&self) -> Known {
        Known::new(self.answer, self.bound)
    }

    fn set_known(&mut self, known: Known) {
        (self.answer, self.bound) = (known.answer, known.bound);
        if known != Known::NOTHING {
            self.estimate = None;
        }
    }

    /// Returns the rank. A proved draw is an open move of estimate 0, ahead of worse estimates.
    fn rank(&self) -> MoveRank {
        let plies = match self.answer {
            Answer::Exact(value) => value.remoteness(),
            _ => self.bound,
        };
        let plies = f64::from(plies.unwrap_or(u16::MAX));
        match self.answer.wdl() {
            Some(Wdl::Win) => MoveRank::Won(-plies),
            Some(Wdl::Loss) => MoveRank::Lost(plies),
            Some(Wdl::Draw) => MoveRank::Open(0.0),
            None => MoveRank::Open(self.estimate.unwrap_or(-1.0)),
        }
    }
}

impl<P, M> Analysis<P, M> {
    /// Returns true if the value is proved, with its plies where it has any.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.answer.exact().is_some() || self.answer == Answer::Wdl(Wdl::Draw)
    }

    /// Puts the moves in order, and concludes from them: the position is won if one of them wins.
    /// The estimate is that of the best.
    pub fn conclude_from_moves(&mut self) {
        self.sort_moves();
        let Some(best) = self.moves.first() else {
            return;
        };
        match best.answer.wdl() {
            Some(Wdl::Win) => {
                let plies = best.answer.exact().and_then(Value::remoteness);
                self.answer = Answer::Wdl(Wdl::Win);
                self.bound = plies.or(best.bound);
            }
            Some(Wdl::Draw) => self.estimate = Some(0.0),
            Some(Wdl::Loss) => self.estimate = Some(-1.0),
            None => self.estimate = best.estimate,
        }
    }

    /// Adds what is proved of the position.
    pub(crate) fn note_position(&mut self, known: Known) {
        self.set_known(self.known().with(known));
        self.conclude_all();
    }

    /// Adds what is proved of a move, for the side that makes it.
    pub(crate) fn note_move(&mut self, index: usize, known: Known) {
        let analysed = &mut self.moves[index];
        analysed.set_known(analysed.known().with(known));
        self.conclude_all();
    }

    /// Returns what is proved of the position.
    pub(crate) fn known(&self) -> Known {
        Known::new(self.answer, self.bound)
    }

    /// Draws conclusions from the moves for the position, and from the position for the moves.
    fn conclude_all(&mut self) {
        let mut moves: Vec<Known> = self.moves.iter().map(AnalysedMove::known).collect();
        self.set_known(self.known().concluded(&mut moves));
        for (analysed, known) in self.moves.iter_mut().zip(moves) {
            analysed.set_known(known);
        }
    }

    fn set_known(&mut self, known: Known) {
        (self.answer, self.bound) = (known.answer, known.bound);
        if known != Known::NOTHING {
            self.estimate = None;
        }
    }

    /// Puts the moves in order, best first: wins by the fewest plies, losses by the most. In a
    /// drawn position no move is better than a draw, whatever its estimate.
    pub(crate) fn sort_moves(&mut self) {
        let is_drawn = self.answer.wdl() == Some(Wdl::Draw);
        let keeps_draw = |found: &AnalysedMove<P, M>| is_drawn && found.answer == self.answer;
        let key = |found: &AnalysedMove<P, M>| Reverse((keeps_draw(found), found.rank()));
        self.moves.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    }
}

/// Source of values or estimates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnalysisSource {
    /// The rules: the game is over.
    Rules,
    /// An earlier analysis of the position.
    Kept,
    /// A proof that ships with the program, of the start of a game.
    ProvedStart,
    /// A table of values.
    Table,
    /// A search for short wins, complete up to a number of plies.
    ShortWins {
        /// Plies up to which all wins were found.
        plies: u16,
    },
    /// The graph of all reachable positions.
    Graph {
        /// Their number.
        positions: u64,
    },
    /// Every position with few followers, in planes.
    Planes {
        /// Most followers of a side.
        followers: u32,
        /// Number of positions.
        positions: u64,
        /// True if they came from a cache.
        were_kept: bool,
    },
    /// Every position of the game.
    EveryPosition {
        /// Their number.
        positions: u64,
    },
    /// All positions that may follow.
    Subgame {
        /// Number of their ranks.
        ranks: u64,
    },
    /// Proof-number search.
    Proof {
        /// Positions looked at.
        positions: u64,
    },
    /// Null-window search.
    Search {
        /// Positions looked at.
        positions: u64,
    },
    /// Estimates by alpha-beta search.
    AlphaBeta {
        /// Positions looked at.
        positions: u64,
    },
    /// Estimates by Monte Carlo tree search.
    Playouts {
        /// Number of playouts.
        playouts: u64,
    },
}

impl AnalysisSource {
    /// Returns this source and a later one of its kind as one.
    pub(crate) fn joined(self, later: Self) -> Self {
        match (self, later) {
            (Self::ShortWins { plies }, Self::ShortWins { plies: more }) => {
                Self::ShortWins { plies: plies.max(more) }
            }
            (Self::Proof { positions }, Self::Proof { positions: more }) => {
                Self::Proof { positions: positions + more }
            }
            (Self::Search { positions }, Self::Search { positions: more }) => {
                Self::Search { positions: positions + more }
            }
            _ => later,
        }
    }
}

impl fmt::Display for AnalysisSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = |positions: &u64| match positions {
            1 => "position",
            _ => "positions",
        };
        match self {
            Self::Rules => f.write_str("rules"),
            Self::Kept => f.write_str("an earlier analysis"),
            Self::ProvedStart => f.write_str("the list of proved deals"),
            Self::Table => f.write_str("table"),
            Self::ShortWins { plies: 1 } => f.write_str("short wins up to 1 ply"),
            Self::ShortWins { plies } => write!(f, "short wins up to {plies} plies"),
            Self::Graph { positions } => write!(f, "graph of {positions} {}", noun(positions)),
            Self::Planes { followers, positions, were_kept } => {
                let origin = if *were_kept { "kept" } else { "solved" };
                let noun = if *followers == 1 { "follower" } else { "followers" };
                write!(
                    f,
                    "planes of up to {followers} {noun} a side, {positions} positions, {origin}"
                )
            }
            Self::EveryPosition { positions } => write!(f, "all {positions} positions"),
            Self::Subgame { ranks } => write!(f, "all that may follow, {ranks} ranks"),
            Self::Proof { positions } => {
                write!(f, "proof-number search of {positions} {}", noun(positions))
            }
            Self::Search { positions } => {
                write!(f, "null-window search of {positions} {}", noun(positions))
            }
            Self::AlphaBeta { positions } => {
                write!(f, "alpha-beta of {positions} {}", noun(positions))
            }
            Self::Playouts { playouts: 1 } => f.write_str("1 playout"),
            Self::Playouts { playouts } => write!(f, "{playouts} playouts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hindsight_core::{Answer, Value};

    use super::{AnalysedMove, Analysis, AnalysisSource};

    #[test]
    fn a_proved_draw_comes_first_in_a_drawn_position_alone() {
        let found = |mv: u8, answer, estimate| AnalysedMove {
            mv,
            to: (),
            answer,
            bound: None,
            estimate,
            line: vec![mv],
        };
        let order = |answer| {
            let mut analysis = Analysis {
                position: (),
                answer,
                bound: None,
                estimate: None,
                moves: vec![
                    found(0, Answer::Exact(Value::Loss(4)), None),
                    found(1, Answer::Exact(Value::Draw), None),
                    found(2, Answer::Unknown, Some(0.5)),
                ],
                sources: Vec::new(),
                work: 0,
                elapsed: Duration::ZERO,
            };
            analysis.sort_moves();
            let moves: Vec<u8> = analysis.moves.iter().map(|found| found.mv).collect();
            moves
        };
        assert_eq!(order(Answer::Exact(Value::Draw)), [1, 2, 0]);
        assert_eq!(order(Answer::Unknown), [2, 1, 0]);
    }

    #[test]
    fn nouns_of_sources_agree_with_their_numbers() {
        let of_one = [
            AnalysisSource::ShortWins { plies: 1 },
            AnalysisSource::Graph { positions: 1 },
            AnalysisSource::Proof { positions: 1 },
            AnalysisSource::AlphaBeta { positions: 1 },
            AnalysisSource::Playouts { playouts: 1 },
        ];
        let texts = of_one.map(|source| source.to_string());
        assert_eq!(
            texts,
            [
                "short wins up to 1 ply",
                "graph of 1 position",
                "proof-number search of 1 position",
                "alpha-beta of 1 position",
                "1 playout",
            ]
        );
        let several = AnalysisSource::Graph { positions: 20 };
        assert_eq!(several.to_string(), "graph of 20 positions");
    }
}
