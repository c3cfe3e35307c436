//! Theorem 1 against the state graph.

use hindsight_core::{Game, Notation};
use hindsight_solve::graph::GraphSolution;

/// The boards that Theorem 1 counts, each as its rows in position notation, for a width n and a height
/// m of at least 3.
///
/// For even m, Blue has all its pieces at home but the student in the corner a1, and Red's n pieces lie
/// in the upper m - 1 rows: the top left corner is empty, the master is on its arch or off the top
/// row, and no student on the arch. For odd m the same with colours exchanged and the board turned.
pub(super) fn boards_of_theorem(n: usize, m: usize) -> Vec<String> {
    let arch = n.div_ceil(2) - 1;
    let blue_arch = n / 2;
    let inner: Vec<usize> = (n..n * (m - 1)).collect();
    let top: Vec<usize> = (1..n).filter(|&square| square != arch).collect();
    let mut boards = Vec::new();
    for master in std::iter::once(arch).chain(inner.iter().copied()) {
        let free: Vec<usize> = top
            .iter()
            .chain(&inner)
            .copied()
            .filter(|&square| square != master)
            .collect();
        for students in subsets(&free, n - 1) {
            let mut squares = vec!['.'; n * m];
            for column in 1..n {
                squares[n * (m - 1) + column] = if column == blue_arch { 'B' } else { 'b' };
            }
            squares[master] = 'R';
            for student in students {
                squares[student] = 'r';
            }
            boards.push(if m.is_multiple_of(2) {
                rows(&squares, n)
            } else {
                rows(&turned(&squares), n)
            });
        }
    }
    boards
}

/// All sets of `k` of the given squares.
fn subsets(squares: &[usize], k: usize) -> Vec<Vec<usize>> {
    match (k, squares) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, rest @ ..]) => {
            let mut with = subsets(rest, k - 1);
            with.iter_mut().for_each(|set| set.push(*first));
            with.extend(subsets(rest, k));
            with
        }
    }
}

fn turned(squares: &[char]) -> Vec<char> {
    let other = |sign: &char| match sign {
        'R' => 'B',
        'r' => 'b',
        'B' => 'R',
        'b' => 'r',
        empty => *empty,
    };
    squares.iter().rev().map(other).collect()
}

fn rows(squares: &[char], n: usize) -> String {
    let row = |row: &[char]| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a == b && *a == '.') {
            if run[0] == '.' {
                text.push_str(&run.len().to_string())
            } else {
                text.extend(run)
            }
        }
        text
    };
    squares.chunks(n).map(row).collect::<Vec<_>>().join("/")
}

/// "reached of counted" for the boards of Theorem 1 in a state graph of a game with five boar cards;
/// `None` on boards it does not speak of. Whose turn it is does not matter.
pub(super) fn boards_reached<G: Game + Notation>(
    game: &G,
    solved: &GraphSolution<G>,
) -> Option<String> {
    let (n, m) = size(&game.spec())?;
    if n < 3 || m < 3 {
        return None;
    }
    let boards = boards_of_theorem(n, m);
    let reached = boards.iter().filter(|board| {
        ["red", "blue"].iter().any(|turn| {
            let position = game.parse(&format!("{board} boar,boar boar,boar boar {turn}"));
            position.is_ok_and(|position| solved.number(game, position).is_some())
        })
    });
    Some(format!("{} of {}", reached.count(), boards.len()))
}

fn size(spec: &str) -> Option<(usize, usize)> {
    let (n, m) = spec.split(':').nth(1)?.split_once('x')?;
    Some((n.parse().ok()?, m.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::boards_of_theorem;

    #[test]
    fn as_many_boards_as_formula_3_counts() {
        for (n, m) in [(3, 3), (3, 4), (4, 3), (4, 4), (5, 3), (3, 6)] {
            let boards = boards_of_theorem(n, m).len() as u128;
            assert_eq!(
                Some(boards),
                crate::bounds::lower(n as u64, m as u64),
                "{n}x{m}"
            );
        }
    }
}
