//! Values of positions and moves as far as they are known, for reports.

use hindsight_core::{Answer, Wdl};
use serde::Serialize;

use crate::sizes::counted;

/// Proved value with the most plies that it takes.
#[derive(Serialize)]
pub(crate) struct BoundReport {
    value: String,
    pub(crate) plies: u16,
}

/// Returns the bound on the plies of a win or a loss.
pub(crate) fn bound_report(answer: Answer, bound: Option<u16>) -> Option<BoundReport> {
    match answer {
        Answer::Wdl(wdl) if wdl != Wdl::Draw => bound.map(|plies| BoundReport {
            value: wdl.to_string(),
            plies,
        }),
        _ => None,
    }
}

/// Returns what is known of a move in a few words.
pub(crate) fn knowledge_text(answer: Answer, bound: Option<u16>, estimate: Option<f64>) -> String {
    match (answer, bound, estimate) {
        (Answer::Wdl(wdl), Some(plies), _) => {
            format!("{wdl} in at most {}", counted(plies, "ply"))
        }
        (Answer::Unknown, _, Some(estimate)) => format!("estimate {:+.2}", rounded(estimate)),
        (answer, ..) => answer.to_string(),
    }
}

/// Rounds an estimate to three digits, all that it can mean.
pub(crate) fn rounded(estimate: f64) -> f64 {
    (estimate * 1000.0).round() / 1000.0
}
