use hindsight_core::{Answer, Value, Wdl};

/// Judgement of a move by the values before and after it for the player who made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GivenAway {
    /// Nothing: no move was better.
    Nothing,
    /// The result was kept, but a win takes this number of plies more, or a loss comes this number
    /// of plies sooner.
    Plies(u16),
    /// A drawn position became a lost one.
    Draw,
    /// A won position became a drawn or a lost one.
    Win,
}

impl GivenAway {
    /// Judges a move by exact values. The value after the move is at most that before it.
    ///
    /// ```
    /// use hindsight_core::Value;
    /// use hindsight_play::GivenAway;
    ///
    /// assert_eq!(GivenAway::between(Value::Win(3), Value::Win(7)), GivenAway::Plies(4));
    /// assert_eq!(GivenAway::between(Value::Loss(8), Value::Loss(2)), GivenAway::Plies(6));
    /// assert_eq!(GivenAway::between(Value::Win(3), Value::Draw), GivenAway::Win);
    /// ```
    #[must_use]
    pub fn between(before: Value, after: Value) -> Self {
        if after >= before {
            return Self::Nothing;
        }
        match (before, after) {
            (Value::Win(few), Value::Win(many)) => Self::Plies(many - few),
            (Value::Loss(many), Value::Loss(few)) => Self::Plies(many - few),
            (Value::Draw, _) => Self::Draw,
            _ => Self::Win,
        }
    }

    /// Judges a move by what is known of the values. `None` if that does not tell, as with two wins
    /// one of which has unknown plies.
    #[must_use]
    pub fn between_answers(before: Answer, after: Answer) -> Option<Self> {
        if let (Some(before), Some(after)) = (before.exact(), after.exact()) {
            return Some(Self::between(before, after));
        }
        match (before.wdl()?, after.wdl()?) {
            (Wdl::Draw, Wdl::Draw) => Some(Self::Nothing),
            (Wdl::Draw, Wdl::Loss) => Some(Self::Draw),
            (Wdl::Win, Wdl::Draw | Wdl::Loss) => Some(Self::Win),
            _ => None,
        }
    }

    /// Returns true if a result was given away: a win or a draw.
    #[must_use]
    pub fn is_result(self) -> bool {
        matches!(self, Self::Draw | Self::Win)
    }

    /// Returns the plies by which a win became longer or a loss shorter; 0 if the move was best.
    /// `None` if the result was given away.
    #[must_use]
    pub fn plies(self) -> Option<u16> {
        match self {
            Self::Nothing => Some(0),
            Self::Plies(plies) => Some(plies),
            Self::Draw | Self::Win => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GivenAway;
    use hindsight_core::{Answer, Value, Wdl};

    const VALUES: [Value; 7] = [
        Value::Win(1),
        Value::Win(9),
        Value::Draw,
        Value::Loss(8),
        Value::Loss(2),
        Value::Win(3),
        Value::Loss(0),
    ];

    #[test]
    fn exact_values_always_tell() {
        for before in VALUES {
            for after in VALUES.into_iter().filter(|&after| after <= before) {
                let given = GivenAway::between(before, after);
                assert_eq!(given == GivenAway::Nothing, after == before);
                assert_eq!(given.is_result(), after.wdl() < before.wdl());
                assert_eq!(given.plies().is_some(), after.wdl() == before.wdl());
                assert_eq!(given == GivenAway::Win, {
                    before.wdl() == Wdl::Win && after.wdl() != Wdl::Win
                });
            }
        }
    }

    #[test]
    fn less_than_exact_values_tell_results_only() {
        for before in VALUES {
            for after in VALUES.into_iter().filter(|&after| after <= before) {
                let exact = GivenAway::between(before, after);
                let [known, coarse] = [before, after].map(|value| Answer::Wdl(value.wdl()));
                let judged = GivenAway::between_answers(known, coarse);
                let is_told = exact.is_result() || before == Value::Draw;
                assert_eq!(judged, is_told.then_some(exact), "{before} {after}");
                let [before, after] = [before, after].map(Answer::Exact);
                assert_eq!(GivenAway::between_answers(before, after), Some(exact));
                assert_eq!(GivenAway::between_answers(before, Answer::Unknown), None);
                assert_eq!(GivenAway::between_answers(Answer::Unknown, after), None);
            }
        }
    }
}
