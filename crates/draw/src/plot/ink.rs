//! Colours, dashes and marks, which tell curves apart also without colours.

use super::layout::rounded;
use crate::canvas::Canvas;
use crate::picture::Paint;

/// Distance of the edge of a mark from its middle.
const REACH: f64 = 4.0;

/// Colour of a plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "they say all")]
pub enum PlotColor {
    Blue,
    Red,
    Green,
    Purple,
    Orange,
    Cyan,
    Brown,
    Pink,
    Grey,
}

/// Mark at the points of a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlotMark {
    /// No mark.
    None,
    /// Filled circle.
    Disc,
    /// Hollow circle.
    Ring,
    /// Filled square.
    Square,
    /// Hollow diamond.
    Diamond,
    /// Filled triangle.
    Triangle,
    /// Upright cross.
    Plus,
    /// Diagonal cross.
    Cross,
}

/// Look of a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlotInk {
    /// Colour of line and marks.
    pub color: PlotColor,
    /// Dashes of the line: 0 for none; 1, 2 and 3 differ.
    pub dash: usize,
    /// Marks, unless the points are too near to each other.
    pub mark: PlotMark,
}

impl PlotColor {
    const ALL: [Self; 8] = [
        Self::Blue,
        Self::Red,
        Self::Green,
        Self::Purple,
        Self::Orange,
        Self::Cyan,
        Self::Brown,
        Self::Pink,
    ];

    /// Returns the colour in a picture, and its code among the 256 of a terminal.
    fn codes(self) -> [&'static str; 2] {
        match self {
            Self::Blue => ["#2f6fc4", "38;5;33"],
            Self::Red => ["#cf3f33", "38;5;160"],
            Self::Green => ["#2f8a4e", "38;5;28"],
            Self::Purple => ["#8a4fb0", "38;5;97"],
            Self::Orange => ["#c98a1b", "38;5;136"],
            Self::Cyan => ["#14869a", "38;5;31"],
            Self::Brown => ["#7d4a3d", "38;5;95"],
            Self::Pink => ["#cc5fa8", "38;5;169"],
            Self::Grey => ["#7a7f85", "38;5;244"],
        }
    }

    pub(super) fn hex(self) -> &'static str {
        self.codes()[0]
    }

    pub(super) fn terminal_code(self) -> &'static str {
        self.codes()[1]
    }
}

impl PlotMark {
    const ALL: [Self; 7] = [
        Self::Disc,
        Self::Square,
        Self::Triangle,
        Self::Diamond,
        Self::Ring,
        Self::Plus,
        Self::Cross,
    ];

    pub(super) fn sign(self) -> Option<char> {
        Some(match self {
            Self::None => return None,
            Self::Disc => '●',
            Self::Ring => '○',
            Self::Square => '■',
            Self::Diamond => '◇',
            Self::Triangle => '▲',
            Self::Plus => '+',
            Self::Cross => '×',
        })
    }

    pub(super) fn draw(self, canvas: &mut Canvas, color: PlotColor, [x, y]: [f64; 2]) {
        let color = color.hex();
        let (full, hollow) = (Paint::new(color, "none", 0.0), Paint::new("#ffffff", color, 1.8));
        let (lines, far) = (Paint::line(color, 2.2), REACH + 1.0);
        let [left, right, top, bottom] = [x - far, x + far, y - far, y + far];
        let [left, right, top, bottom] = [left, right, top, bottom].map(rounded);
        match self {
            Self::None => {}
            Self::Disc => canvas.circle(x, y, REACH, full),
            Self::Ring => canvas.circle(x, y, REACH, hollow),
            Self::Square => {
                let side = 2.0 * REACH - 0.5;
                canvas.rect([x - side / 2.0, y - side / 2.0, side, side], 0.0, full);
            }
            Self::Diamond => canvas
                .path(&format!("M {x} {top} L {right} {y} L {x} {bottom} L {left} {y} Z"), hollow),
            Self::Triangle => {
                canvas.path(&format!("M {x} {top} L {right} {bottom} L {left} {bottom} Z"), full)
            }
            Self::Plus => {
                canvas.path(&format!("M {left} {y} H {right} M {x} {top} V {bottom}"), lines);
            }
            Self::Cross => canvas.path(
                &format!("M {left} {top} L {right} {bottom} M {right} {top} L {left} {bottom}"),
                lines,
            ),
        }
    }
}

impl PlotInk {
    /// Returns the ink of the curve of some index: each of the first 28 is another one.
    #[must_use]
    pub fn numbered(index: usize) -> Self {
        Self {
            color: PlotColor::ALL[index % PlotColor::ALL.len()],
            dash: index % 4,
            mark: PlotMark::ALL[index % PlotMark::ALL.len()],
        }
    }

    pub(super) fn line(self) -> Paint {
        const DASHES: [&[f32]; 4] = [&[], &[9.0, 5.0], &[2.0, 5.0], &[10.0, 5.0, 2.0, 5.0]];
        Paint { dash: DASHES[self.dash % DASHES.len()], ..Paint::line(self.color.hex(), 2.0) }
    }
}
