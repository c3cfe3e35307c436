//! Pages of solutions: moves in two columns.

use unicode_width::UnicodeWidthStr;

use super::layout::{PageLayout, line_size};
use super::puzzle::NumberedPuzzle;
use crate::canvas::{Canvas, FIXED_WIDTH};
use crate::picture::Anchor;

/// Size of the letters of moves, unless they are many.
const SIZE: f64 = 7.5;
/// Least size of letters.
const LEAST_SIZE: f64 = 1.0;
/// Size of the next smaller letters, as a part.
const SMALLER: f64 = 0.95;
/// Height of a line, of its size.
const LEADING: f64 = 1.4;
/// Lines of a caption, of the note, and of the room below a solution.
const CAPTION_LINES: f64 = 1.9;
const NOTE_LINES: f64 = 1.2;
const LINES_BELOW: f64 = 1.6;

/// Draws the solutions of some puzzles, with letters that are small enough for all.
pub(super) fn draw_solutions(
    canvas: &mut Canvas,
    layout: &PageLayout,
    puzzles: &[NumberedPuzzle<'_>],
) {
    let [_, _, width, height] = layout.column(0);
    let mut size = SIZE;
    let mut columns = SolutionColumns::new(puzzles, width, size);
    while columns.height() > height && size > LEAST_SIZE {
        size *= SMALLER;
        columns = SolutionColumns::new(puzzles, width, size);
    }
    for (column, solutions) in columns.split().into_iter().enumerate() {
        let [x, mut y, width, _] = layout.column(column);
        for solution in solutions {
            canvas.within(x, y, |canvas| solution.draw(canvas, width, size));
            y += solution.height(size);
        }
    }
}

/// Solutions in two columns, the first of which is the higher or as high.
struct SolutionColumns<'a> {
    solutions: Vec<Solution<'a>>,
    size: f64,
    /// Number of solutions in the first column.
    first: usize,
}

impl<'a> SolutionColumns<'a> {
    fn new(puzzles: &[NumberedPuzzle<'a>], width: f64, size: f64) -> Self {
        let solutions = puzzles.iter();
        let solutions = solutions.map(|&numbered| Solution::new(numbered, width, size));
        let mut columns = Self { solutions: solutions.collect(), size, first: 0 };
        while columns.heights()[0] < columns.heights()[1] {
            columns.first += 1;
        }
        columns
    }

    fn split(&self) -> [&[Solution<'a>]; 2] {
        let (first, second) = self.solutions.split_at(self.first);
        [first, second]
    }

    fn heights(&self) -> [f64; 2] {
        self.split().map(|solutions| {
            let heights = solutions.iter();
            heights.map(|solution| solution.height(self.size)).sum()
        })
    }

    fn height(&self) -> f64 {
        let [first, second] = self.heights();
        first.max(second)
    }
}

/// A solution with its lines of moves.
struct Solution<'a> {
    numbered: NumberedPuzzle<'a>,
    lines: Vec<String>,
}

impl<'a> Solution<'a> {
    fn new(numbered: NumberedPuzzle<'a>, width: f64, size: f64) -> Self {
        let letters = (width / (FIXED_WIDTH * size)) as usize;
        Self { numbered, lines: move_lines(&numbered.puzzle.moves, letters) }
    }

    fn height(&self, size: f64) -> f64 {
        let lines = self.lines.len() as f64 + CAPTION_LINES + NOTE_LINES + LINES_BELOW;
        lines * LEADING * size
    }

    fn draw(&self, canvas: &mut Canvas, width: f64, size: f64) {
        let line = LEADING * size;
        self.numbered.draw_caption(canvas, width, line, size + 1.5);
        let first = (1.0 + CAPTION_LINES) * line;
        for (row, text) in self.lines.iter().enumerate() {
            canvas.fixed_text(0.0, first + line * row as f64, size, text);
        }
        let below = first + line * (self.lines.len() as f64 - 1.0 + NOTE_LINES);
        let note = &self.numbered.puzzle.note;
        let note_size = line_size(note, width, size + 0.5);
        canvas.text(0.0, below, note_size, Anchor::Start, note);
    }
}

/// Returns the moves in numbered pairs, as many in a line as `letters` letters have room for.
fn move_lines(moves: &[String], letters: usize) -> Vec<String> {
    let length = |text: &String| text.width();
    let [first, second] = [0, 1].map(|ply| {
        let plies = moves.iter().skip(ply).step_by(2);
        plies.map(length).max().unwrap_or(0)
    });
    let digits = moves.len().to_string().len();
    let pairs = moves.chunks(2).enumerate().map(|(i, pair)| {
        let (number, reply) = (2 * i + 1, pair.get(1).map_or("", String::as_str));
        let [mv, reply] = [(&*pair[0], first), (reply, second)].map(|(text, width)| {
            let spaces = width - text.width();
            format!("{text}{:spaces$}", "")
        });
        format!("{number:digits$}. {mv} {reply}")
    });
    let pairs: Vec<String> = pairs.collect();
    let width = pairs.first().map_or(1, length);
    let in_line = ((letters + 2) / (width + 2)).max(1);
    let lines = pairs.chunks(in_line);
    lines.map(|pairs| pairs.join("  ").trim_end().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::move_lines;

    #[test]
    fn moves_stand_below_each_other() {
        let moves = ["a1", "b2x", "c3", "d4", "e5"].map(String::from);
        let wide = ["1. a1 b2x  3. c3 d4", "5. e5"];
        assert_eq!(move_lines(&moves, 20), wide);
        let narrow = ["1. a1 b2x", "3. c3 d4", "5. e5"];
        assert_eq!(move_lines(&moves, 10), narrow);
        assert_eq!(move_lines(&[], 10), [""; 0]);
    }
}
