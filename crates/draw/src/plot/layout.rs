//! Sizes and places of what plots have in common, and their legends.

use super::words::{greatest_width, wrapped};
use crate::canvas::Canvas;
use crate::picture::Anchor;

/// Sizes of letters: of titles, of words, and of the numbers and names at an axis.
pub(super) const TITLE_SIZE: f64 = 18.0;
pub(super) const WORD_SIZE: f64 = 14.0;
pub(super) const TICK_SIZE: f64 = 13.0;

/// Part of a picture in which something is drawn.
#[derive(Clone, Copy)]
pub(super) struct PlotPlace {
    pub(super) top: f64,
    pub(super) width: f64,
    /// Height of the part between the axes, unless its content has another.
    pub(super) height: f64,
}

/// Draws a legend in lines that fit a width, and returns the place below it. `draw_sample` draws a
/// sample of an ink around a point.
pub(super) fn draw_legend<I: Copy>(
    canvas: &mut Canvas,
    entries: &[(&str, I)],
    place: PlotPlace,
    draw_sample: impl Fn(&mut Canvas, I, [f64; 2]),
) -> f64 {
    const SAMPLE: f64 = 44.0;
    let PlotPlace { mut top, width, .. } = place;
    let mut x = 0.0;
    for &(name, ink) in entries {
        let lines = wrapped(name, WORD_SIZE, width - SAMPLE);
        let length = SAMPLE + WORD_SIZE * greatest_width(&lines) + 18.0;
        if x == 0.0 || x + length - 18.0 > width {
            (x, top) = (0.0, top + 20.0);
        }
        draw_sample(canvas, ink, [x + 18.0, top - 4.5]);
        canvas.text(x + SAMPLE, top, WORD_SIZE, Anchor::Start, &lines[0]);
        for line in &lines[1..] {
            top += 17.0;
            canvas.text(x + SAMPLE, top, WORD_SIZE, Anchor::Start, line);
        }
        x += length;
    }
    top
}

/// Rounds a coordinate to hundredths.
pub(super) fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0
}
