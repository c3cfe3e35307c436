//! Cards with moves, as grids of five by five.

use hindsight_core::DrawnCard;

use crate::canvas::{Canvas, Paint};
use crate::colors::{INK, LINE};
use crate::text_width::fitting_size;

/// Width and height of a square of a card.
const SQUARE: f64 = 13.0;
/// Squares of a side.
const SIDE: i8 = 5;
/// Width of a card.
pub(crate) const CARD_WIDTH: f64 = 13.0 * 5.0;
/// Size of the letters of a name that fits.
const NAME_SIZE: f64 = 12.0;
/// Least size of letters: 32 letters of the widest fit.
const LEAST_SIZE: f64 = 2.3;
/// Width that a name may have beside its card, on both sides together.
const NAME_MARGIN: f64 = 11.0;
/// Height of a card with its name.
pub(crate) const CARD_HEIGHT: f64 = CARD_WIDTH + 17.0;

/// Draws a card below and to the right of the origin; `is_turned` for the player at the top.
pub(crate) fn draw_card(canvas: &mut Canvas, card: &DrawnCard, is_turned: bool) {
    let paint = |fill, stroke, width| Paint {
        fill,
        stroke,
        width,
    };
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
            canvas.rect([x, y, SQUARE, SQUARE], 0.0, paint(fill, LINE, 0.8));
            if step != (0, 0) && card.steps.contains(&step) {
                let [x, y] = [x, y].map(|n| n + SQUARE / 2.0);
                canvas.circle(x, y, 3.0, paint("#ffffff", INK, 1.0));
            }
        }
    }
    canvas.rect(
        [0.0, 0.0, CARD_WIDTH, CARD_WIDTH],
        2.0,
        paint("none", INK, 1.4),
    );
    canvas.text(
        CARD_WIDTH / 2.0,
        CARD_WIDTH + 13.0,
        fitting_size(
            &card.name,
            CARD_WIDTH + NAME_MARGIN,
            [LEAST_SIZE, NAME_SIZE],
        ),
        "middle",
        &card.name,
    );
}
