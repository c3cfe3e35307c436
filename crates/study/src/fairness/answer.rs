use std::collections::BTreeMap;

use hindsight_core::{Value, Wdl};
use hindsight_games::AnyGame;
use hindsight_play::{MatchScore, wilson_interval};
use serde::Serialize;

use super::card_worth::{CardTally, different};
use super::deals::Deal;
use super::dealt_cards::DealtCards;
use super::decision::DecisionTally;
use super::options::FairnessOptions;
use super::perfect_play::{PerfectPlay, UnsolvedReason};
use super::played_deals::PlayedDeals;
use crate::onitama_starts::SolvedStarts;

/// Judgement of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Fairness {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Perfect play of all deals; null if the game was not solved.
    pub perfect: Option<PerfectFairness>,
    /// Reason why the game was not solved; null if it was.
    pub unsolved: Option<UnsolvedReason>,
    /// Games of the agent against itself.
    pub games: GamesFairness,
    /// The deals, one for a game without cards.
    pub deals: Vec<DealFairness>,
    /// The different cards, the one with the most points first; empty without cards.
    pub cards: Vec<CardWorth>,
}

/// Perfect play of all deals, each counted once.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PerfectFairness {
    /// Deals that the first player wins.
    pub won: u64,
    /// Deals that are drawn.
    pub drawn: u64,
    /// Deals that the first player loses.
    pub lost: u64,
    /// Mean points of the first player: 1 for a win, 0.5 for a draw.
    pub share: f64,
    /// Mean length of the deals that are not drawn, in plies; null if all are drawn.
    pub mean_plies: Option<f64>,
    /// Positions of the game, with all deals; null if the start alone was solved.
    pub positions: Option<u64>,
    /// Positions that are drawn; null if the start alone was solved.
    pub positions_drawn: Option<u64>,
    /// Longest win from any position, in plies; null if the start alone was solved.
    pub longest_win: Option<u16>,
}

/// Share of the points, with its bounds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PointShare {
    /// Mean points of a game: 1 for a win, 0.5 for a tie.
    pub share: f64,
    /// Bounds of its 95 % confidence interval, by E. B. Wilson.
    pub interval: [f64; 2],
}

/// Games of an agent against itself, all deals together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GamesFairness {
    /// The agent.
    pub agent: String,
    /// Number of games.
    pub games: u64,
    /// Games that the first player won.
    pub won: u64,
    /// Games that nobody won.
    pub tied: u64,
    /// Games that the first player lost.
    pub lost: u64,
    /// Points of the first player.
    #[serde(flatten)]
    pub points: PointShare,
    /// Share of the games that somebody won.
    pub decisive: f64,
    /// Mean length in plies.
    pub mean_plies: f64,
    /// Median length in plies.
    pub median_plies: f64,
    /// Number of games by length in plies.
    pub lengths: BTreeMap<usize, u64>,
    /// Number of games by ending.
    pub endings: BTreeMap<String, u64>,
    /// Mean plies after which the value never changed; null if values are not known.
    pub decided_plies: Option<f64>,
    /// Mean number of moves that changed the value; null if values are not known.
    pub value_changes: Option<f64>,
    /// Games by the tenth of their length in which they were decided; null if values are not
    /// known.
    pub decided_in_tenth: Option<Vec<u64>>,
    /// Plies after which a game is a tie.
    pub max_turns: u32,
    /// Seed of the games.
    pub seed: u64,
}

/// Result of a deal for the player who moves first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DealFairness {
    /// Spec of the game with this deal.
    pub game: String,
    /// Cards as dealt; null for a game without cards.
    pub cards: Option<DealtCards>,
    /// Value by perfect play, `win`, `draw` or `loss`; null if the game was not solved.
    pub value: Option<&'static str>,
    /// Plies to the end by perfect play; null for draws, and if the game was not solved.
    pub remoteness: Option<u16>,
    /// Number of games.
    pub games: u64,
    /// Points of the first player in the games.
    #[serde(flatten)]
    pub points: PointShare,
    /// Mean length of the games in plies.
    pub mean_plies: f64,
}

/// Worth of a card.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CardWorth {
    /// Name of the card, or its offsets.
    pub card: String,
    /// Mean points by perfect play of a player to whom the card is dealt, over all deals and both
    /// seats; null if the game was not solved.
    pub perfect_share: Option<f64>,
    /// Players to whom the card was dealt, over all games.
    pub dealt: u64,
    /// Points of these players.
    #[serde(flatten)]
    pub points: PointShare,
    /// Turns at which the mover held the card.
    pub turns: u64,
    /// Turns at which the mover used it.
    pub uses: u64,
    /// Share of the turns at which the mover held the card and used it.
    pub used: f64,
    /// Games that the card ended with a win.
    pub winning_moves: u64,
    /// Share of the won games that the card ended.
    pub won_with: f64,
}

impl PointShare {
    fn new(half_points: u64, games: u64) -> Self {
        let share = match games {
            0 => 0.5,
            _ => half_points as f64 / (2 * games) as f64,
        };
        Self { share, interval: wilson_interval(share, games) }
    }

    /// Returns the points of the player who moved first.
    fn of_first(score: &MatchScore) -> Self {
        Self::new(2 * score.wins_by_order[0] + score.ties, score.games())
    }
}

impl Fairness {
    pub(super) fn new(
        game: &AnyGame,
        options: &FairnessOptions,
        deals: &[Deal],
        perfect: &PerfectPlay,
        played: PlayedDeals,
    ) -> Self {
        let starts = perfect.starts();
        let values = starts.unwrap_or_default();
        let answers = deals.iter().zip(&played.deals).enumerate();
        let answers = answers.map(|(number, (deal, score))| {
            DealFairness::new(deal, values.get(number).copied(), score)
        });
        Self {
            game: game.spec().to_string(),
            perfect: starts.ok().map(|values| PerfectFairness::new(values, perfect.counts())),
            unsolved: starts.err().cloned(),
            deals: answers.collect(),
            cards: cards_by_worth(deals, values, &played),
            games: GamesFairness::new(options, &played),
        }
    }
}

impl PerfectFairness {
    fn new(values: &[Value], counts: Option<&SolvedStarts>) -> Self {
        let count = |wdl| values.iter().filter(|value| value.wdl() == wdl).count() as u64;
        let [won, drawn, lost] = [Wdl::Win, Wdl::Draw, Wdl::Loss].map(count);
        let plies = values.iter().filter_map(|value| value.remoteness());
        let sum: u64 = plies.map(u64::from).sum();
        Self {
            won,
            drawn,
            lost,
            share: PointShare::new(2 * won + drawn, won + drawn + lost).share,
            mean_plies: (won + lost > 0).then(|| sum as f64 / (won + lost) as f64),
            positions: counts.map(|counts| counts.summary.positions),
            positions_drawn: counts.map(|counts| counts.summary.draws),
            longest_win: counts.map(|counts| counts.longest_win),
        }
    }
}

impl GamesFairness {
    fn new(options: &FairnessOptions, played: &PlayedDeals) -> Self {
        let score = &played.all;
        let [won, lost] = score.wins_by_order;
        let decisions = played.decisions.as_ref().filter(|tally| tally.games > 0);
        let mean = |sum: u64, tally: &DecisionTally| sum as f64 / tally.games as f64;
        Self {
            agent: options.agent.to_string(),
            games: score.games(),
            won,
            tied: score.ties,
            lost,
            points: PointShare::of_first(score),
            decisive: (won + lost) as f64 / score.games().max(1) as f64,
            mean_plies: score.mean_plies(),
            median_plies: score.median_plies(),
            lengths: score.lengths.clone(),
            endings: score.endings.clone(),
            decided_plies: decisions.map(|tally| mean(tally.plies, tally)),
            value_changes: decisions.map(|tally| mean(tally.changes, tally)),
            decided_in_tenth: decisions.map(|tally| tally.by_share.to_vec()),
            max_turns: options.max_plies,
            seed: options.seed,
        }
    }
}

impl DealFairness {
    fn new(deal: &Deal, value: Option<Value>, score: &MatchScore) -> Self {
        let word = |value: Value| match value.wdl() {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        Self {
            game: deal.game.spec().to_string(),
            cards: deal.cards.clone(),
            value: value.map(word),
            remoteness: value.and_then(Value::remoteness),
            games: score.games(),
            points: PointShare::of_first(score),
            mean_plies: score.mean_plies(),
        }
    }
}

/// Returns the worth of every card, the one with the most points first: by perfect play where it
/// is known, else in the games.
fn cards_by_worth(deals: &[Deal], values: &[Value], played: &PlayedDeals) -> Vec<CardWorth> {
    let mut names: Vec<&String> = Vec::new();
    for cards in deals.iter().filter_map(|deal| deal.cards.as_ref()) {
        let all = [&cards.aside].into_iter().chain(&cards.first);
        for name in all.chain(&cards.second) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let won_games: u64 = played.all.wins.iter().sum();
    let worth = |name: &String| {
        let perfect = perfect_share(name, deals, values);
        CardWorth::new(name, perfect, played.cards.of(name), won_games)
    };
    let mut cards: Vec<CardWorth> = names.into_iter().map(worth).collect();
    cards.sort_by(|a, b| {
        let order = |card: &CardWorth| (card.perfect_share.unwrap_or(0.0), card.points.share);
        let (a, b) = (order(a), order(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    cards
}

/// Returns the mean points of a player to whom a card is dealt; `None` if values are not known or
/// nobody holds the card.
fn perfect_share(card: &str, deals: &[Deal], values: &[Value]) -> Option<f64> {
    let (mut half_points, mut players) = (0, 0);
    for (deal, value) in deals.iter().zip(values) {
        let Some(cards) = &deal.cards else { continue };
        let hands = [(&cards.first, value.wdl()), (&cards.second, value.wdl().before())];
        for (hand, wdl) in hands {
            if different(hand).any(|held| held == card) {
                players += 1;
                half_points += match wdl {
                    Wdl::Win => 2,
                    Wdl::Draw => 1,
                    Wdl::Loss => 0,
                };
            }
        }
    }
    (players > 0).then(|| PointShare::new(half_points, players).share)
}

impl CardWorth {
    fn new(name: &str, perfect: Option<f64>, tally: CardTally, won_games: u64) -> Self {
        let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        Self {
            card: name.to_string(),
            perfect_share: perfect,
            dealt: tally.dealt,
            points: PointShare::new(tally.half_points, tally.dealt),
            turns: tally.turns,
            uses: tally.uses,
            used: share(tally.uses, tally.turns),
            winning_moves: tally.winning_moves,
            won_with: share(tally.winning_moves, won_games),
        }
    }
}
