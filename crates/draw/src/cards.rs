//! Cards with moves, as grids of five by five.

use hindsight_core::DrawnCard;

use crate::canvas::Canvas;
use crate::colors::{INK, LINE};
use crate::picture::{Anchor, Paint};
use crate::text_width::{fitting_size, text_width};

/// Width and height of a square of a card.
const SQUARE: f64 = 13.0;
/// Squares of a side.
const SIDE: i8 = 5;
pub(crate) const CARD_WIDTH: f64 = 13.0 * 5.0;
/// Size of the letters of a name that fits.
const NAME_SIZE: f64 = 12.0;
/// Least size of the letters of a name in one line, and most in two.
const LEAST_LINE_SIZE: f64 = 7.2;
/// Least size of letters: two lines of 16 letters of the widest fit.
const LEAST_SIZE: f64 = 4.7;
/// Distance from a card to the name in one line, to the first of two lines, and between these.
const NAME_PLACES: [f64; 3] = [13.0, 7.5, 7.0];
/// Width that a name may have beside its card, on both sides together.
const NAME_MARGIN: f64 = 11.0;
/// Height of a card with its name.
pub(crate) const CARD_HEIGHT: f64 = CARD_WIDTH + 17.0;

/// Draws a card below and to the right of the origin; `is_turned` for the player at the top.
pub(crate) fn draw_card(canvas: &mut Canvas, card: &DrawnCard, is_turned: bool) {
    let turn = if is_turned { -1 } else { 1 };
    for row in 0..SIDE {
        for column in 0..SIDE {
            let step = (turn * (column - 2), turn * (2 - row));
            let fill = match (step, card.steps.contains(&step)) {
                ((0, 0), _) => INK,
                (_, true) => "#6f8f5b",
                (_, false) => "#ffffff",
            };
            let [x, y] = [column, row].map(|n| SQUARE * f64::from(n));
            canvas.rect([x, y, SQUARE, SQUARE], 0.0, Paint::new(fill, LINE, 0.8));
            if step != (0, 0) && card.steps.contains(&step) {
                let [x, y] = [x, y].map(|n| n + SQUARE / 2.0);
                canvas.circle(x, y, 3.0, Paint::new("#ffffff", INK, 1.0));
            }
        }
    }
    canvas.rect([0.0, 0.0, CARD_WIDTH, CARD_WIDTH], 2.0, Paint::new("none", INK, 1.4));
    let lines = name_lines(&card.name);
    let (size, [one, first, step]) = (size_of(&lines), NAME_PLACES);
    let begin = CARD_WIDTH + [one, first][lines.len() - 1];
    for (i, line) in lines.iter().enumerate() {
        let y = begin + step * i as f64;
        canvas.text(CARD_WIDTH / 2.0, y, size, Anchor::Middle, line);
    }
}

/// Returns the name of a card as a line, or as two where the letters of one would be too small:
/// after a hyphen, unless they would still be.
fn name_lines(name: &str) -> Vec<&str> {
    let whole = vec![name];
    if size_of(&whole) >= LEAST_LINE_SIZE {
        return whole;
    }
    let places = (1..name.len()).filter(|&place| name.is_char_boundary(place));
    let halves = places.map(|place| vec![&name[..place], &name[place..]]);
    let quality = |lines: &[&str]| {
        let is_at_word = lines[0].ends_with('-');
        (size_of(lines), is_at_word, -greatest_width(lines))
    };
    let best = halves.max_by(|a, b| quality(a).partial_cmp(&quality(b)).expect("numbers"));
    best.unwrap_or(whole)
}

/// Returns the size of the letters in the lines of a name.
fn size_of(lines: &[&str]) -> f64 {
    let most = [NAME_SIZE, LEAST_LINE_SIZE][lines.len() - 1];
    let fitting = fitting_size(greatest_width(lines), CARD_WIDTH + NAME_MARGIN);
    fitting.clamp(LEAST_SIZE, most)
}

fn greatest_width(lines: &[&str]) -> f64 {
    let widths = lines.iter().map(|line| text_width(line));
    widths.fold(0.0, f64::max)
}
