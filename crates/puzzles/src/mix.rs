//! Graded mixes of puzzles.

use crate::selection::{Candidate, ProfileOf};

/// Units of a doubling of the points, on the scale of a mix.
const UNITS_PER_DOUBLING: f64 = 1000.0;

/// Returns the place of a difficulty on the scale of a mix, which is logarithmic.
fn place_of(points: u32) -> f64 {
    // Whole units are the same on every machine.
    (UNITS_PER_DOUBLING * f64::from(points.max(1)).log2()).round()
}

/// Chooses at most `count` puzzles, no two alike, and returns them from easy to hard.
///
/// The range of difficulty is cut into equal steps. From the hardest step to the easiest, the
/// puzzle nearest to the step is chosen, of equally near ones the first candidate.
pub(crate) fn choose_mix(
    candidates: Vec<Candidate>,
    count: usize,
    profile_of: ProfileOf<'_>,
) -> Vec<Candidate> {
    let places = candidates.iter();
    let places = places.map(|candidate| place_of(candidate.puzzle.grade.points()));
    let mut left: Vec<(f64, Candidate)> =
        places.collect::<Vec<_>>().into_iter().zip(candidates).collect();
    let range = || left.iter().map(|&(place, _)| place);
    let (Some(least), Some(most)) = (range().reduce(f64::min), range().reduce(f64::max)) else {
        return Vec::new();
    };
    let mut chosen: Vec<Candidate> = Vec::new();
    let steps = count.saturating_sub(1).max(1) as f64;
    for step in (0..count).rev() {
        let wanted = if count == 1 { most } else { least + (most - least) * step as f64 / steps };
        while let Some(nearest) = nearest_to(wanted, &left) {
            let (_, mut candidate) = left.remove(nearest);
            if !candidate.is_like_any(&chosen, profile_of) {
                chosen.push(candidate);
                break;
            }
        }
    }
    chosen.sort_by_key(|candidate| (candidate.puzzle.grade.points(), candidate.puzzle.grade));
    chosen
}

/// Returns the index of the candidate nearest to a place, the first of equally near ones.
fn nearest_to(wanted: f64, candidates: &[(f64, Candidate)]) -> Option<usize> {
    let places = candidates.iter().enumerate();
    let distance = |place: f64| (place - wanted).abs();
    let nearest =
        places.min_by(|(_, one), (_, other)| distance(one.0).total_cmp(&distance(other.0)));
    nearest.map(|(index, _)| index)
}
