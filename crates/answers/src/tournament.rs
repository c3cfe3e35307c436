use std::collections::BTreeMap;

use hindsight_games::{MatchScore, PairResult, Rating, ratings};
use serde::Serialize;

use crate::{FirstFaultAnswer, GamesDescription};

/// Result of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentAnswer {
    /// Games that were played.
    #[serde(flatten)]
    pub described: GamesDescription,
    /// True if only the first agent met the others.
    pub gauntlet: bool,
    /// Agent whose rating is 0; null for the mean of all.
    pub anchor: Option<String>,
    /// Number of games.
    pub games: u64,
    /// The agents, the strongest first; those without games last.
    pub agents: Vec<RatedAgent>,
    /// Pairs of agents, in the order in which the agents were named.
    pub pairs: Vec<TournamentPair>,
    /// Games wanted of each pair.
    pub games_a_pair: u64,
}

/// Agent of a tournament.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RatedAgent {
    /// The agent.
    pub agent: String,
    /// Its strength in Elo over the anchor; null without games.
    pub rating: Option<f64>,
    /// Bounds of the 95 % confidence interval of the rating; null without games.
    pub interval: Option<[f64; 2]>,
    /// Number of games.
    pub games: u64,
    /// Points: 1 for a win, 1/2 for a tie.
    pub points: f64,
    /// Games won.
    pub wins: u64,
    /// Games that nobody won.
    pub ties: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a fault, by their ending.
    pub faults: BTreeMap<String, u64>,
    /// First fault, in the first pair with one.
    pub first_fault: Option<FirstFaultAnswer>,
    /// Opponent in the game of that fault.
    pub first_fault_against: Option<String>,
    /// Mean thinking time in seconds.
    pub seconds_a_move: f64,
}

/// Games of two agents of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct TournamentPair {
    /// The agents.
    pub agents: [String; 2],
    /// Number of games.
    pub games: u64,
    /// Games won by each agent.
    pub wins: [u64; 2],
    /// Games that nobody won.
    pub ties: u64,
}

/// Games of two agents, by their numbers.
#[derive(Clone, Debug)]
pub struct ScoredPair {
    /// The agents.
    pub agents: [usize; 2],
    /// Result of their games.
    pub score: MatchScore,
}

/// Description of a tournament, beside its result.
#[derive(Clone, Debug)]
pub struct TournamentDescription {
    /// Its games.
    pub games: GamesDescription,
    /// True if only the first agent meets the others.
    pub gauntlet: bool,
    /// The agents.
    pub agents: Vec<String>,
    /// Number of the agent whose rating is 0; `None` for the mean of all.
    pub anchor: Option<usize>,
    /// Games wanted of each pair.
    pub games_a_pair: u64,
}

impl TournamentAnswer {
    /// Returns the result of a tournament as an answer.
    #[must_use]
    pub fn new(described: TournamentDescription, pairs: &[ScoredPair]) -> Self {
        let result = |pair: &ScoredPair| PairResult {
            agents: pair.agents,
            games: pair.score.games(),
            points: pair.score.wins[0] as f64 + pair.score.ties as f64 / 2.0,
        };
        let results: Vec<PairResult> = pairs.iter().map(result).collect();
        let names = &described.agents;
        let rated = ratings(names.len(), &results, described.anchor);
        let agent = |(number, rating)| rated_agent(number, rating, names, pairs);
        let mut agents: Vec<RatedAgent> = rated.into_iter().enumerate().map(agent).collect();
        // The order of the arguments decides between equal ratings.
        let strength = |agent: &RatedAgent| agent.rating.unwrap_or(f64::NEG_INFINITY);
        agents.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let pair = |pair: &ScoredPair| TournamentPair {
            agents: pair.agents.map(|agent| names[agent].clone()),
            games: pair.score.games(),
            wins: pair.score.wins,
            ties: pair.score.ties,
        };
        Self {
            described: described.games,
            gauntlet: described.gauntlet,
            anchor: described.anchor.map(|anchor| names[anchor].clone()),
            games: pairs.iter().map(|pair| pair.score.games()).sum(),
            agents,
            pairs: pairs.iter().map(pair).collect(),
            games_a_pair: described.games_a_pair,
        }
    }
}

/// Returns the games of an agent against all others.
fn rated_agent(
    number: usize,
    rating: Option<Rating>,
    names: &[String],
    pairs: &[ScoredPair],
) -> RatedAgent {
    // Adding 0 makes -0 a plain 0.
    let rounded = |elo: f64| (elo * 10.0).round() / 10.0 + 0.0;
    let mut rated = RatedAgent {
        agent: names[number].clone(),
        rating: rating.map(|rating| rounded(rating.elo)),
        interval: rating.map(|rating| rating.interval.map(rounded)),
        ..RatedAgent::default()
    };
    let (mut seconds, mut moves) = (0.0, 0);
    for ScoredPair { agents, score } in pairs {
        let Some(seat) = agents.iter().position(|&agent| agent == number) else {
            continue;
        };
        rated.games += score.games();
        rated.wins += score.wins[seat];
        rated.ties += score.ties;
        rated.losses += score.wins[seat ^ 1];
        for (ending, games) in &score.faults[seat] {
            *rated.faults.entry(ending.clone()).or_default() += games;
        }
        if let (Some(fault), None) = (&score.first_faults[seat], &rated.first_fault) {
            rated.first_fault = Some(FirstFaultAnswer::new(fault));
            rated.first_fault_against = Some(names[agents[seat ^ 1]].clone());
        }
        seconds += score.seconds[seat];
        moves += score.moves[seat];
    }
    rated.points = rated.wins as f64 + rated.ties as f64 / 2.0;
    rated.seconds_a_move = seconds / moves.max(1) as f64;
    rated
}
