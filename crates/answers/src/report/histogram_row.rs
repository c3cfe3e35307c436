use hindsight_games::Histogram;
use serde::Serialize;

/// Positions with one value, as reports show them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HistogramRow {
    /// Result for the side to move: `win`, `draw` or `loss`.
    pub value: String,
    /// Plies to the end; `None` for draws.
    pub remoteness: Option<u16>,
    /// Number of positions.
    pub positions: u64,
}

/// Returns the rows of a histogram in the order of [`Histogram::rows`].
#[must_use]
pub fn histogram_rows(histogram: &Histogram) -> Vec<HistogramRow> {
    let rows = histogram.rows().into_iter();
    rows.map(|(value, positions)| HistogramRow {
        value: value.wdl().to_string(),
        remoteness: value.remoteness(),
        positions,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use hindsight_core::Value;

    use super::*;

    #[test]
    fn rows_are_by_remoteness_with_draws_last() {
        let counts = [
            (Value::Draw, 4),
            (Value::Win(1), 3),
            (Value::Loss(1), 2),
            (Value::Loss(0), 1),
            (Value::Win(1), u64::from(u32::MAX)),
        ];
        let rows = histogram_rows(&counts.into_iter().collect());
        let json = serde_json::to_string(&rows).expect("rows have a JSON form");
        let expected = [
            r#"{"value":"loss","remoteness":0,"positions":1}"#,
            r#"{"value":"loss","remoteness":1,"positions":2}"#,
            r#"{"value":"win","remoteness":1,"positions":4294967298}"#,
            r#"{"value":"draw","remoteness":null,"positions":4}"#,
        ];
        assert_eq!(json, format!("[{}]", expected.join(",")));
        assert!(histogram_rows(&Histogram::default()).is_empty());
    }
}
