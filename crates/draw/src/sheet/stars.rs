//! Stars that tell a difficulty: full ones in front of empty ones.

use std::fmt::Write;

use crate::canvas::Canvas;
use crate::colors::INK;
use crate::picture::Paint;

/// Width of a star with the room behind it, of its size.
const ADVANCE: f64 = 2.3;

/// Draws `stars` full stars of `most`. They end at `right`, with their middles at `y`; `size` is
/// the distance of the tips from the middle.
pub(super) fn draw_stars(canvas: &mut Canvas, right: f64, y: f64, size: f64, stars: [u8; 2]) {
    let [stars, most] = stars;
    for star in 0..most {
        let from_right = f64::from(most - star) - 0.5;
        let fill = if star < stars { INK } else { "none" };
        let paint = Paint::new(fill, INK, 0.6);
        let x = right - ADVANCE * size * from_right;
        canvas.path(&outline(x, y, size), paint);
    }
}

/// Returns the path of a star with five tips.
fn outline(x: f64, y: f64, size: f64) -> String {
    let mut path = String::new();
    for corner in 0..10_u8 {
        let angle = std::f64::consts::PI * (f64::from(corner) / 5.0 - 0.5);
        let reach = if corner % 2 == 0 { size } else { 0.42 * size };
        let command = if corner == 0 { 'M' } else { 'L' };
        let (x, y) = (x + reach * angle.cos(), y + reach * angle.sin());
        // Ignored: writing to a string does not fail.
        let _ = write!(path, "{command} {x:.2} {y:.2} ");
    }
    path + "Z"
}
