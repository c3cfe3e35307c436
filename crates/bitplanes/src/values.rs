use hindsight_core::Value;
use hindsight_run::{Error, Histogram, StrongSolution, Summary};

/// What a pass decides: side 0 wins, side 1 loses.
pub(crate) fn value_of_pass(pass: usize) -> Value {
    match pass % 2 {
        1 => Value::Win(pass as u16),
        _ => Value::Loss(pass as u16),
    }
}

/// What passes found in sum; what none of so many positions was found in is drawn. `start` is the pass that found the start.
///
/// # Errors
/// When more was found than there is: each is found once, unless what an earlier run kept was not what it had found.
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

/// The error of positions that are found again.
pub(crate) fn counted_twice() -> Error {
    Error::damaged("its planes do not have what their passes found")
}
