use std::collections::BTreeMap;

use crate::matches::GameRecord;

/// Result of a match of two agents, numbered 0 and 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchScore {
    /// Games won by each agent.
    pub wins: [u64; 2],
    /// Games that nobody won: draws and games that were cut off.
    pub ties: u64,
    /// Games won by the agent that moved first, and by the other.
    pub wins_by_order: [u64; 2],
    /// Games that each agent lost by a fault, by their ending.
    pub faults: [BTreeMap<String, u64>; 2],
    /// First fault of each agent, by the number of the game.
    pub first_faults: [Option<FirstFault>; 2],
    /// Number of games by ending.
    pub endings: BTreeMap<String, u64>,
    /// Number of games by length in plies.
    pub lengths: BTreeMap<usize, u64>,
    /// Moves made by each agent.
    pub moves: [u64; 2],
    /// Playouts made, or positions searched, by each agent.
    pub work: [u64; 2],
    /// Thinking time of each agent in seconds.
    pub seconds: [f64; 2],
}

/// First game of a match that an agent lost by a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstFault {
    /// Number of the game, from 0.
    pub game: u64,
    /// Ending of the game.
    pub ending: String,
    /// Description of the fault.
    pub text: String,
}

/// 0.975 quantile of the normal distribution: 95 % lie within this many standard deviations.
pub const NORMAL_QUANTILE_95: f64 = 1.959_963_985;

impl MatchScore {
    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        match game.winner {
            Some(agent) => {
                self.wins[agent & 1] += 1;
                self.wins_by_order[(agent ^ game.first) & 1] += 1;
            }
            None => self.ties += 1,
        }
        self.add_fault(game);
        *self.endings.entry(game.ending.clone()).or_default() += 1;
        *self.lengths.entry(game.moves.len()).or_default() += 1;
        let plies = game.moves.len() as u64;
        self.moves[game.first & 1] += plies.div_ceil(2);
        self.moves[game.first & 1 ^ 1] += plies / 2;
        for agent in 0..2 {
            self.work[agent] += game.work[agent];
            self.seconds[agent] += game.seconds[agent];
        }
    }

    /// Counts the fault by which the loser lost, if there is one.
    fn add_fault(&mut self, game: &GameRecord) {
        let (Some(text), Some(winner)) = (&game.fault, game.winner) else {
            return;
        };
        let loser = winner & 1 ^ 1;
        *self.faults[loser].entry(game.ending.clone()).or_default() += 1;
        let first = &mut self.first_faults[loser];
        if first.as_ref().is_none_or(|first| game.number < first.game) {
            *first = Some(FirstFault {
                game: game.number,
                ending: game.ending.clone(),
                text: text.clone(),
            });
        }
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.ties
    }

    /// Mean length in plies; 0 without games.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        let sum: u64 = self.lengths.iter().map(|(&plies, n)| plies as u64 * n).sum();
        sum as f64 / self.games().max(1) as f64
    }

    /// Median length in plies; 0 without games.
    ///
    /// For an even number of games the mean of the two middle lengths.
    #[must_use]
    pub fn median_plies(&self) -> f64 {
        let last = self.games().saturating_sub(1);
        (self.nth_plies(last / 2) + self.nth_plies(last.div_ceil(2))) as f64 / 2.0
    }

    /// Returns the length of game `n`, from 0, in the order of lengths.
    fn nth_plies(&self, n: u64) -> usize {
        let mut games = 0;
        let mut lengths = self.lengths.iter();
        let found = lengths.find(|(_, count)| {
            games += **count;
            games > n
        });
        found.map_or(0, |(&plies, _)| plies)
    }

    /// Mean points of agent 0 a game: 1 for a win, 1/2 for a tie; 1/2 without games.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.games() == 0 {
            return 0.5;
        }
        (self.wins[0] as f64 + self.ties as f64 / 2.0) / self.games() as f64
    }

    /// 95 % confidence interval of [`MatchScore::share`], by [`wilson_interval`].
    ///
    /// Wilson's interval assumes games without ties; with ties it is wider than needed.
    #[must_use]
    pub fn share_interval(&self) -> [f64; 2] {
        wilson_interval(self.share(), self.games())
    }

    /// Elo difference of agent 0 over agent 1; `None` if one of them has all points.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        elo(self.share())
    }

    /// 95 % confidence interval of [`MatchScore::elo`].
    #[must_use]
    pub fn elo_interval(&self) -> [Option<f64>; 2] {
        self.share_interval().map(elo)
    }
}

/// Returns the 95 % confidence interval of a share measured in `n` trials; `[0, 1]` without trials.
///
/// Source: E. B. Wilson, 1927.
#[must_use]
pub fn wilson_interval(share: f64, n: u64) -> [f64; 2] {
    if n == 0 {
        return [0.0, 1.0];
    }
    let (n, z2) = (n as f64, NORMAL_QUANTILE_95 * NORMAL_QUANTILE_95);
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let spread = (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let half_width = NORMAL_QUANTILE_95 * spread / (1.0 + z2 / n);
    [(middle - half_width).max(0.0), (middle + half_width).min(1.0)]
}

/// Returns the Elo difference for a share of the points; `None` for 0 and 1.
fn elo(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| 400.0 * (share / (1.0 - share)).log10())
}

#[cfg(test)]
mod tests {
    use super::{FirstFault, MatchScore, wilson_interval};
    use crate::matches::GameRecord;

    #[test]
    fn median_lengths() {
        let median = |lengths: &[usize]| {
            let mut score = MatchScore::default();
            for &plies in lengths {
                *score.lengths.entry(plies).or_default() += 1;
                score.ties += 1;
            }
            score.median_plies()
        };
        for (lengths, plies) in [
            (&[][..], 0.0),
            (&[7], 7.0),
            (&[9, 5], 7.0),
            (&[100, 3, 4], 4.0),
            (&[8, 5, 5, 8], 6.5),
            (&[5, 5, 5, 8], 5.0),
            (&[8, 1, 8, 8, 100], 8.0),
        ] {
            assert_eq!(median(lengths), plies, "{lengths:?}");
        }
    }

    fn game(number: u64, winner: Option<usize>, fault: Option<&str>) -> GameRecord {
        GameRecord {
            game: String::from("tic-tac-toe"),
            start: None,
            number,
            agents: [String::from("random"), String::from("cmd:bot")],
            first: (number % 2) as usize,
            moves: Vec::new(),
            winner,
            ending: String::from(if fault.is_some() { "crashed" } else { "win" }),
            fault: fault.map(String::from),
            work: [0; 2],
            seconds: [0.0; 2],
            pruned: Vec::new(),
        }
    }

    #[test]
    fn games_are_counted_by_order_and_by_fault() {
        let mut score = MatchScore::default();
        // Games of several threads end in any order.
        for (number, winner, fault) in [
            (3, Some(0), Some("later")),
            (0, Some(0), None),
            (1, Some(0), Some("first")),
            (2, Some(1), None),
            (5, Some(1), None),
            (4, None, None),
        ] {
            score.add(&game(number, winner, fault));
        }
        assert_eq!((score.wins, score.ties), ([3, 2], 1));
        assert_eq!(score.wins_by_order, [2, 3], "first: games 0 and 5");
        assert!(score.faults[0].is_empty());
        assert_eq!(Vec::from_iter(&score.faults[1]), [(&"crashed".into(), &2)]);
        let first =
            FirstFault { game: 1, ending: String::from("crashed"), text: String::from("first") };
        assert_eq!(score.first_faults, [None, Some(first)]);
    }

    #[test]
    fn elo_of_known_shares() {
        let score = |wins, ties| MatchScore { wins, ties, ..MatchScore::default() };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 0.01, "{a} {b}");
        near(score([50, 30], 20).share(), 0.6);
        // Ten wins to one: 400 log10(10).
        near(score([10, 1], 0).elo().unwrap(), 400.0);
        near(score([1, 1], 7).elo().unwrap(), 0.0);
        assert_eq!(score([5, 0], 0).elo(), None);
        assert_eq!(score([0, 5], 0).elo_interval()[0], None);
        assert!(score([5, 0], 0).elo_interval()[0].unwrap() > 0.0);
        // Wilson's interval of 15 in 20: 0.531 to 0.888.
        let [low, high] = wilson_interval(0.75, 20);
        near(low, 0.531);
        near(high, 0.888);
    }
}
