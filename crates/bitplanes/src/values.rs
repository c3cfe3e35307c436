//! Values of passes.

use hindsight_core::Value;
use hindsight_engine::{Error, Histogram, StrongSolution, Summary};

/// Value that pass `pass` decides, in `pass` plies: odd passes wins of side 0, even ones losses of
/// side 1.
pub(crate) fn value_of_pass(pass: usize) -> Value {
    match pass % 2 {
        1 => Value::Win(pass as u16),
        _ => Value::Loss(pass as u16),
    }
}

/// Counts of a solve. Positions that no pass decided are draws.
///
/// `found[i]` are the positions that pass `i + 1` decided, `start` is the pass that decided the
/// start.
///
/// # Errors
/// [`counted_twice`] if passes have decided more than `positions`.
pub(crate) fn solution_of_passes(
    positions: u64,
    found: &[u64],
    start: Option<u16>,
) -> Result<StrongSolution, Error> {
    let mut histogram = Histogram::default();
    let mut drawn = positions;
    for (i, &found) in found.iter().enumerate() {
        histogram.add(value_of_pass(i + 1), found);
        drawn = drawn.checked_sub(found).ok_or_else(counted_twice)?;
    }
    if drawn > 0 {
        histogram.add(Value::Draw, drawn);
    }
    Ok(StrongSolution {
        start: start.map_or(Value::Draw, |pass| value_of_pass(usize::from(pass))),
        summary: Summary::of(&histogram),
        histogram,
    })
}

/// Error of a checkpoint whose planes are not those of its passes: positions are decided again.
pub(crate) fn counted_twice() -> Error {
    Error::damaged("its planes do not have what their passes found")
}
