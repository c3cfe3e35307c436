use super::node_arena::NodeStats;

/// Values that the processor computes at once.
const LANES: usize = 4;

/// Most exploration terms that are kept.
const MAX_TERMS: usize = 1 << 12;

/// Selection of children by formula (1).
pub(super) struct Selection {
    /// Exploration parameter `c`.
    exploration: f32,
    /// `terms[n] = c * sqrt(ln(n))`, for the first numbers of visits.
    terms: Vec<f32>,
    /// Values of the children, and negative infinity up to a multiple of [`LANES`].
    values: Vec<f32>,
}

impl Selection {
    pub(super) fn new(exploration: f64) -> Self {
        Self { exploration: exploration as f32, terms: vec![0.0], values: Vec::new() }
    }

    /// Keeps one more exploration term, up to [`MAX_TERMS`].
    pub(super) fn add_term(&mut self) {
        let visits = self.terms.len();
        if visits < MAX_TERMS {
            self.terms.push(self.compute_term(visits as f32));
        }
    }

    fn compute_term(&self, visits: f32) -> f32 {
        self.exploration * visits.ln().sqrt()
    }

    /// Returns the index of the child with the greatest value, the first of equals.
    ///
    /// `visits` is the number of visits of the parent. All children were visited.
    pub(super) fn best_child(&mut self, stats: &[NodeStats], visits: f32) -> usize {
        let term = match self.terms.get(visits as usize) {
            Some(&term) => term,
            None => self.compute_term(visits),
        };
        self.values.clear();
        let value = |stats: &NodeStats| stats.points / stats.visits + term / stats.visits.sqrt();
        self.values.extend(stats.iter().map(value));
        let padded = stats.len().next_multiple_of(LANES);
        self.values.resize(padded, f32::NEG_INFINITY);
        let greatest = greatest(&self.values);
        let best = self.values.iter().position(|&value| value == greatest);
        best.unwrap_or(0)
    }
}

/// The greatest of some values; their number is a multiple of [`LANES`].
fn greatest(values: &[f32]) -> f32 {
    let greater = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, _) = values.as_chunks::<LANES>();
    let mut lanes = [f32::NEG_INFINITY; LANES];
    for chunk in chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = greater(*lane, value);
        }
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, greater)
}

#[cfg(test)]
mod tests {
    use super::{MAX_TERMS, Selection};
    use crate::mcts::node_arena::NodeStats;

    /// The first of the greatest values is selected, whatever their number, with kept terms and
    /// without.
    #[test]
    fn the_first_best_child_is_selected() {
        let mut selection = Selection::new(0.4);
        for count in 1..70_usize {
            let child = |i: usize| NodeStats {
                visits: (1 + i * 7 % 5) as f32,
                points: if i % 9 == 3 { f32::NEG_INFINITY } else { (i * 5 % 11) as f32 / 3.0 },
            };
            let stats: Vec<NodeStats> = (0..count).map(child).collect();
            for visits in [1.0, 2.0, 60.0, (MAX_TERMS + 3) as f32] {
                let term = 0.4 * f32::ln(visits).sqrt();
                let value =
                    |i: usize| stats[i].points / stats[i].visits + term / stats[i].visits.sqrt();
                let better = |best: usize, i: usize| if value(i) > value(best) { i } else { best };
                let expected = (0..count).fold(0, better);
                assert_eq!(selection.best_child(&stats, visits), expected, "{count} {visits}");
            }
            selection.add_term();
        }
        let excluded = NodeStats { visits: 1.0, points: f32::NEG_INFINITY };
        assert_eq!(selection.best_child(&[excluded; 5], 9.0), 0);
    }
}
