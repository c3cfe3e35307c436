//! Pieces, drawn around the origin.

use hindsight_core::PieceShape;

use crate::canvas::Canvas;
use crate::colors::PlayerColors;
use crate::picture::{Anchor, Paint};

pub(crate) fn draw_piece(canvas: &mut Canvas, shape: PieceShape, colors: PlayerColors) {
    let paint = colors.paint();
    let lines = |width| Paint::line(colors.outline, width);
    match shape {
        PieceShape::Pawn => {
            canvas.path("M -14 19 C -13 8 -6 7 -5 -1 H 5 C 6 7 13 8 14 19 Z", paint);
            canvas.circle(0.0, -8.0, 8.5, paint);
        }
        PieceShape::Leader => {
            canvas.path("M -16 19 C -15 8 -8 7 -7 -2 H 7 C 8 7 15 8 16 19 Z", paint);
            canvas.path("M -12 -1 L -16 -17 L -7 -10 L 0 -21 L 7 -10 L 16 -17 L 12 -1 Z", paint);
            canvas.path("M -13 12 H 13", Paint::line(colors.on_fill, 2.2));
        }
        PieceShape::Block => {
            canvas.rect([-20.0, -20.0, 40.0, 40.0], 6.0, paint);
            let inner = Paint::line(colors.on_fill, 1.2);
            canvas.rect([-14.0, -14.0, 28.0, 28.0], 4.0, inner);
        }
        PieceShape::Cross => {
            canvas.path("M -15 -15 L 15 15 M 15 -15 L -15 15", lines(7.0));
        }
        PieceShape::Ring => canvas.circle(0.0, 0.0, 16.0, lines(7.0)),
        PieceShape::Arrow(right, up) => {
            canvas.circle(0.0, 0.0, 19.0, paint);
            let [x, y] = [f64::from(right) * 11.0, f64::from(up) * -11.0];
            let [side_x, side_y] = [y * 0.7, -x * 0.7];
            let [left, other] = [[side_x, side_y], [-side_x, -side_y]];
            let arrow = format!(
                "M {} {} L {x} {y} M {} {} L {x} {y} L {} {}",
                -x, -y, left[0], left[1], other[0], other[1]
            );
            canvas.path(&arrow, Paint::line(colors.on_fill, 4.0));
        }
        PieceShape::Sign(sign) => {
            canvas.circle(0.0, 0.0, 19.0, paint);
            let inner = Paint::new("#ffffff", colors.outline, 0.0);
            canvas.circle(0.0, 0.0, 13.0, inner);
            canvas.text(0.0, 7.0, 20.0, Anchor::Middle, &sign.to_string());
        }
    }
}
