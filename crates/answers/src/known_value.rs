use hindsight_core::{Answer, Value, Wdl};
use serde::Serialize;

/// Knowledge of the value of a position or a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KnownValue {
    /// Proved value; null if none is proved.
    pub value: Option<&'static str>,
    /// Plies to the end; null for draws, and if it is not known.
    pub remoteness: Option<u16>,
    /// Most plies that a proved win or loss takes; null if nothing is known of them.
    pub bound: Option<BoundAnswer>,
    /// Estimate from -1 to 1; null if the value is proved.
    pub estimate: Option<f64>,
    #[serde(skip)]
    answer: Answer,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ValueAnswer {
    /// The value.
    pub value: &'static str,
    /// Plies to the end; null for draws.
    pub remoteness: Option<u16>,
}

/// Proved value with the most plies that it takes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoundAnswer {
    /// The value.
    pub value: &'static str,
    /// Most plies to the end.
    pub plies: u16,
}

impl KnownValue {
    /// Returns the parts of an answer with its bound and its estimate.
    #[must_use]
    pub fn new(answer: Answer, bound: Option<u16>, estimate: Option<f64>) -> Self {
        Self {
            value: answer.wdl().map(wdl_word),
            remoteness: answer.exact().and_then(Value::remoteness),
            bound: BoundAnswer::new(answer, bound),
            estimate: estimate.map(rounded_estimate),
            answer,
        }
    }

    /// Returns the answer itself.
    #[must_use]
    pub fn answer(&self) -> Answer {
        self.answer
    }
}

impl BoundAnswer {
    /// Returns the bound on the plies of a win or a loss.
    #[must_use]
    pub fn new(answer: Answer, bound: Option<u16>) -> Option<Self> {
        match answer {
            Answer::Wdl(wdl) if wdl != Wdl::Draw => {
                bound.map(|plies| Self { value: wdl_word(wdl), plies })
            }
            _ => None,
        }
    }
}

impl From<Value> for ValueAnswer {
    fn from(value: Value) -> Self {
        Self { value: wdl_word(value.wdl()), remoteness: value.remoteness() }
    }
}

/// Returns the word for a value: `win`, `draw` or `loss`.
#[must_use]
pub fn wdl_word(wdl: Wdl) -> &'static str {
    match wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    }
}

/// Rounds an estimate to three digits, all that it can mean.
#[must_use]
pub(crate) fn rounded_estimate(estimate: f64) -> f64 {
    (estimate * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::KnownValue;
    use hindsight_core::{Answer, Value, Wdl};

    #[test]
    fn a_bound_goes_with_a_decided_value_of_unknown_plies() {
        let json = |known: KnownValue| serde_json::to_string(&known).expect("JSON");
        let exact = KnownValue::new(Answer::Exact(Value::Loss(4)), None, None);
        assert_eq!(json(exact), r#"{"value":"loss","remoteness":4,"bound":null,"estimate":null}"#);
        let bounded = KnownValue::new(Answer::Wdl(Wdl::Win), Some(9), None);
        assert_eq!(
            json(bounded),
            r#"{"value":"win","remoteness":null,"bound":{"value":"win","plies":9},"estimate":null}"#
        );
        let estimated = KnownValue::new(Answer::Unknown, None, Some(0.12345));
        assert_eq!(
            json(estimated),
            r#"{"value":null,"remoteness":null,"bound":null,"estimate":0.123}"#
        );
    }
}
