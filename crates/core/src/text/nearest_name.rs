use alloc::vec::Vec;

/// Letters of a name that are compared; the rest is ignored.
const COMPARED_LETTERS: usize = 64;

/// Returns the name of a list that another name was probably meant to be.
///
/// The fewest edits decide, then the order of the list. An edit inserts, removes or changes a
/// letter, or exchanges it with the next one. A name of n letters may have n / 3 edits, rounded
/// down, and at most three.
///
/// # Examples
/// ```
/// use hindsight_core::nearest_name;
/// let commands = ["serve", "solve", "help"];
/// assert_eq!(nearest_name("slove", commands), Some("solve"));
/// assert_eq!(nearest_name("elo", commands), None);
/// ```
#[must_use]
pub fn nearest_name<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (name.chars().count() / 3).min(3);
    let with_edits = names.into_iter().map(|other| (edits(name, other), other));
    let (edits, nearest) = with_edits.min_by_key(|&(edits, _)| edits)?;
    (edits <= most).then_some(nearest)
}

/// Returns the fewest edits between two names, no letter edited twice (optimal string alignment).
fn edits(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.chars().take(COMPARED_LETTERS).collect();
    let other: Vec<char> = other.chars().take(COMPARED_LETTERS).collect();
    // Rows of the table for one letter fewer, and for two fewer.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut above = row.clone();
    for i in 0..one.len() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for j in 0..other.len() {
            let changed = row[j] + usize::from(one[i] != other[j]);
            let mut fewest = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && one[i] == other[j - 1] && one[i - 1] == other[j] {
                fewest = fewest.min(above[j - 1] + 1);
            }
            next.push(fewest);
        }
        above = core::mem::replace(&mut row, next);
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count() {
        assert_eq!(edits("tigre", "tiger"), 1);
        assert_eq!(edits("", "ox"), 2);
        assert_eq!(edits("boar", "boar"), 0);
        assert_eq!(edits("ca", "abc"), 3);
        assert_eq!(edits("monkey", "donkeys"), 2);
    }

    #[test]
    fn short_names_are_no_typos() {
        assert_eq!(nearest_name("ax", ["ox"]), None);
        assert_eq!(nearest_name("bor", ["boar"]), Some("boar"));
        assert_eq!(nearest_name("bear", ["crab", "boar"]), Some("boar"));
        assert_eq!(nearest_name("bird", ["crab", "boar"]), None);
        assert_eq!(nearest_name("x", []), None);
    }
}
