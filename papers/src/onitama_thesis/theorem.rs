//! Theorem 1 compared with the state graph.

use hindsight_core::{Notation, PackedGame};
use hindsight_solve::graph::GraphSolution;

/// Returns the boards that Theorem 1 counts, for a width `n` and a height `m` of at least 3. A
/// board is its rows in position notation.
///
/// For even `m`:
///
/// - Blue's pieces are all at home, except that the student of the corner a1 is missing.
/// - Red's `n` pieces lie in the upper `m - 1` rows. The top left corner is empty, the master is on
///   its arch or off the top row, and no student is on the arch.
///
/// For odd `m` the colours are exchanged and the board is turned by a half turn.
pub(super) fn boards_of_theorem(n: usize, m: usize) -> Vec<String> {
    let arch = n.div_ceil(2) - 1;
    let blue_arch = n / 2;
    let inner: Vec<usize> = (n..n * (m - 1)).collect();
    let top: Vec<usize> = (1..n).filter(|&square| square != arch).collect();
    let mut boards = Vec::new();
    for master in std::iter::once(arch).chain(inner.iter().copied()) {
        let free: Vec<usize> =
            top.iter().chain(&inner).copied().filter(|&square| square != master).collect();
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
                rows_text(&squares, n)
            } else {
                rows_text(&turned_with_colours_swapped(&squares), n)
            });
        }
    }
    boards
}

/// Returns all subsets of `squares` with `k` squares.
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

fn turned_with_colours_swapped(squares: &[char]) -> Vec<char> {
    let other = |sign: &char| match sign {
        'R' => 'B',
        'r' => 'b',
        'B' => 'R',
        'b' => 'r',
        empty => *empty,
    };
    squares.iter().rev().map(other).collect()
}

fn rows_text(squares: &[char], n: usize) -> String {
    let row = |row: &[char]| {
        let mut text = String::new();
        for run in row.chunk_by(|a, b| a == b && *a == '.') {
            if run[0] == '.' { text.push_str(&run.len().to_string()) } else { text.extend(run) }
        }
        text
    };
    squares.chunks(n).map(row).collect::<Vec<_>>().join("/")
}

/// Returns "reached of counted" for the boards of Theorem 1 in the state graph of a game with five
/// boar cards on a board of `n` files and `m` ranks.
///
/// A board is reached if it is reached with at least one of the sides to move. `None` on boards
/// with a side below 3, which the theorem does not cover.
pub(super) fn boards_reached(
    game: &PackedGame,
    solved: &GraphSolution,
    [n, m]: [usize; 2],
) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::boards_of_theorem;

    #[test]
    fn as_many_boards_as_formula_3_counts() {
        for (n, m) in [(3, 3), (3, 4), (4, 3), (4, 4), (5, 3), (3, 6)] {
            let boards = boards_of_theorem(n, m).len() as u128;
            assert_eq!(Some(boards), crate::bounds::lower(n as u64, m as u64), "{n}x{m}");
        }
    }
}
