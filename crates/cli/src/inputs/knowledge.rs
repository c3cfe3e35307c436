//! Values of positions and moves as far as they are known, in words.

use hindsight_answers::KnownValue;
use hindsight_core::Answer;

use crate::shown::sizes::counted;

/// Returns what is known of a move in a few words.
pub(crate) fn knowledge_text(known: &KnownValue) -> String {
    let bound = known.bound.as_ref();
    match (known.answer(), bound, known.estimate) {
        (Answer::Wdl(wdl), Some(bound), _) => {
            format!("{wdl} in at most {}", counted(bound.plies, "ply"))
        }
        (Answer::Unknown, _, Some(estimate)) => format!("estimate {estimate:+.2}"),
        (answer, ..) => answer.to_string(),
    }
}
