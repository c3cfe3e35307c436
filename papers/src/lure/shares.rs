use hindsight_play::{GameRecord, wilson_interval};

/// Games of a series by their result for the agent that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ShareOfGames {
    won: u64,
    pub(super) lost: u64,
    games: u64,
}

impl ShareOfGames {
    /// Counts a game; the agent that is measured is the first.
    pub(super) fn add(&mut self, record: &GameRecord) {
        self.won += u64::from(record.winner == Some(0));
        self.lost += u64::from(record.winner == Some(1));
        self.games += 1;
    }

    /// Number of games.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Share of the games that were won.
    pub(super) fn won(&self) -> f64 {
        self.won as f64 / self.games.max(1) as f64
    }

    /// 95 % confidence interval of [`ShareOfGames::won`].
    pub(super) fn interval(&self) -> [f64; 2] {
        wilson_interval(self.won(), self.games)
    }
}

/// Returns how much more of its games one agent won than another, and the 95 % confidence interval.
///
/// The interval is for independent games. Those of the two agents begin in the same positions,
/// which makes it wider than needed.
///
/// Source: R. G. Newcombe, 1998, method 10.
pub(super) fn difference(more: &ShareOfGames, less: &ShareOfGames) -> (f64, [f64; 2]) {
    let ([low, high], [less_low, less_high]) = (more.interval(), less.interval());
    let gain = more.won() - less.won();
    let below = (more.won() - low).hypot(less_high - less.won());
    let above = (high - more.won()).hypot(less.won() - less_low);
    (gain, [gain - below, gain + above])
}

#[cfg(test)]
mod tests {
    use super::{ShareOfGames, difference};

    /// Source: R. G. Newcombe, 1998, Table II, contrast (a), 56 of 70 and 48 of 80.
    #[test]
    fn the_interval_of_a_difference_is_that_of_the_source() {
        let share = |won, games| ShareOfGames { won, lost: 0, games };
        let (gain, [low, high]) = difference(&share(56, 70), &share(48, 80));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 0.0001, "{a} {b}");
        near(gain, 0.2);
        near(low, 0.0524);
        near(high, 0.3339);
        let none = difference(&share(5, 5), &share(5, 5));
        assert!(none.0 == 0.0 && none.1[0] < 0.0 && none.1[1] > 0.0);
    }
}
