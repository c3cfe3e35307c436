use std::collections::BTreeMap;

use hindsight_games::{FirstFault, MatchScore};
use serde::Serialize;

/// Games between agents: what is played, and how.
#[derive(Clone, Debug, Serialize)]
pub struct GamesDescription {
    /// Spec of the game; random cards stay random.
    pub game: String,
    /// Plies after which a game is a tie.
    pub max_turns: u32,
    /// Plies drawn at random before a game.
    pub opening: u32,
    /// Seed of the deals and of every random choice.
    pub seed: u64,
    /// Time of the games that were played now, in seconds.
    pub seconds: f64,
}

/// Result of a match of two agents.
#[derive(Clone, Debug, Serialize)]
pub struct MatchAnswer {
    /// Games that were played.
    #[serde(flatten)]
    pub described: GamesDescription,
    /// The agents.
    pub agents: [String; 2],
    /// Number of games.
    pub games: u64,
    /// Games won by each agent.
    pub wins: [u64; 2],
    /// Games that nobody won.
    pub ties: u64,
    /// The same games, counted by who moved first.
    pub first_mover: FirstMoverScore,
    /// Games that each agent lost by a fault, by their ending.
    pub faults: [BTreeMap<String, u64>; 2],
    /// First fault of each agent.
    pub first_faults: [Option<FirstFaultAnswer>; 2],
    /// Elo difference of the first agent over the second; null if one of them has all points.
    pub elo: Option<f64>,
    /// Bounds of its 95 % confidence interval.
    pub elo_interval: [Option<f64>; 2],
    /// Mean length in plies.
    pub mean_plies: f64,
    /// Median length in plies.
    pub median_plies: f64,
    /// Number of games by their length in plies.
    pub lengths: BTreeMap<usize, u64>,
    /// Number of games by ending.
    pub endings: BTreeMap<String, u64>,
    /// Mean thinking time of each agent in seconds.
    pub seconds_a_move: [f64; 2],
}

/// Games of a match for the agent that moved first, whichever it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FirstMoverScore {
    /// Games won.
    pub wins: u64,
    /// Games that nobody won.
    pub ties: u64,
    /// Games lost.
    pub losses: u64,
}

/// First game that an agent lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct FirstFaultAnswer {
    /// Number of the game, from 0.
    pub game: u64,
    /// Ending of the game.
    pub ending: String,
    /// Description of the fault.
    pub text: String,
}

impl FirstFaultAnswer {
    pub(crate) fn new(fault: &FirstFault) -> Self {
        Self { game: fault.game, ending: fault.ending.clone(), text: fault.text.clone() }
    }
}

impl MatchAnswer {
    /// Returns the result of a match as an answer.
    #[must_use]
    pub fn new(described: GamesDescription, agents: [String; 2], score: &MatchScore) -> Self {
        let rounded = |elo: Option<f64>| elo.map(|elo| (elo * 10.0).round() / 10.0);
        Self {
            described,
            agents,
            games: score.games(),
            wins: score.wins,
            ties: score.ties,
            first_mover: FirstMoverScore {
                wins: score.wins_by_order[0],
                ties: score.ties,
                losses: score.wins_by_order[1],
            },
            faults: score.faults.clone(),
            first_faults: [0, 1].map(|agent| {
                let fault = score.first_faults[agent].as_ref();
                fault.map(FirstFaultAnswer::new)
            }),
            elo: rounded(score.elo()),
            elo_interval: score.elo_interval().map(rounded),
            mean_plies: score.mean_plies(),
            median_plies: score.median_plies(),
            lengths: score.lengths.clone(),
            endings: score.endings.clone(),
            seconds_a_move: [0, 1].map(|i| score.seconds[i] / score.moves[i].max(1) as f64),
        }
    }
}
