use std::collections::BTreeMap;

use crate::golden_file::golden;
use hindsight_core::Value;

/// Returns the numbers of positions by value in a golden file. Rows begin with the fields of
/// `scope` or are left out; a value, its remoteness and the number of positions follow.
///
/// # Panics
/// If the file is no golden file, or a field is no such number.
#[must_use]
pub fn golden_histogram(text: &str, scope: &[&str]) -> BTreeMap<Value, u64> {
    let rows = golden(text).expect("a golden file");
    let of_scope = rows.iter().filter_map(|row| row.strip_prefix(scope));
    let count = |fields: &[&str]| {
        let positions = fields[2].parse().expect("a number of positions");
        (golden_value(fields[0], fields[1]), positions)
    };
    of_scope.map(count).collect()
}

/// Returns the value that a golden file names, `win`, `loss` or another word for a draw, with its
/// remoteness.
///
/// # Panics
/// If the remoteness of a win or a loss is no number.
#[must_use]
pub fn golden_value(name: &str, remoteness: &str) -> Value {
    let plies = || remoteness.parse().expect("a remoteness");
    match name {
        "win" => Value::Win(plies()),
        "loss" => Value::Loss(plies()),
        _ => Value::Draw,
    }
}
