//! Bars with names, which lie below each other.

use super::ink::PlotColor;
use super::layout::{PlotPlace, TICK_SIZE, WORD_SIZE, draw_legend, rounded};
use super::scale::Scale;
use super::words::{greatest_width, wrapped};
use crate::canvas::Canvas;
use crate::colors::INK;
use crate::picture::{Anchor, Paint};
use crate::text_width::text_width;

/// Most room for names, of the width.
const NAMES: f64 = 0.42;
/// Height of a line of a name.
const LINE: f64 = 14.0;
/// Room between bars.
const GAP: f64 = 4.0;
/// Most height of all bars. Bars that would take more are thinner, and some have no name.
const MOST_HEIGHT: f64 = 1600.0;

/// Bars, the first on top.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotBars {
    /// Name of what the bars stand for; empty for none.
    pub names_label: String,
    /// Name of the numbers, with their unit.
    pub label: String,
    /// Names of the numbers and of the other numbers in the legend, which a plot with others has.
    pub legend: [String; 2],
    /// The bars.
    pub bars: Vec<PlotBar>,
}

/// A number with a name, and another number to compare it with.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlotBar {
    /// Name of the bar.
    pub name: String,
    /// Length of the bar.
    pub number: f64,
    /// Lower and upper bound of the number; `None` if it has none.
    pub bounds: Option<[f64; 2]>,
    /// Another number, as a hollow bar; `None` if there is none.
    pub other: Option<f64>,
}

impl PlotBars {
    /// Returns true if some bar has another number beside it.
    pub(super) fn has_others(&self) -> bool {
        self.bars.iter().any(|bar| bar.other.is_some())
    }

    pub(super) fn greatest(&self) -> f64 {
        let numbers = self.bars.iter().flat_map(|bar| {
            let high = bar.bounds.map(|bounds| bounds[1]);
            [Some(bar.number), high, bar.other].into_iter().flatten()
        });
        numbers.fold(0.0, f64::max)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, place: PlotPlace) -> f64 {
        let PlotPlace { mut top, width, .. } = place;
        let paints = [
            Paint::new(PlotColor::Blue.hex(), PlotColor::Blue.hex(), 1.4),
            Paint::new("#ffffff", PlotColor::Grey.hex(), 1.4),
        ];
        let has_others = self.has_others();
        if has_others {
            let entries = [0, 1].map(|index| (&*self.legend[index], paints[index]));
            top = draw_legend(canvas, &entries, place, |canvas, paint, [x, y]| {
                canvas.rect([x - 12.0, y - 5.0, 24.0, 10.0], 0.0, paint);
            });
        }
        if !self.names_label.is_empty() {
            top += 20.0;
            canvas.text(0.0, top, WORD_SIZE, Anchor::Start, &self.names_label);
        }
        top += 12.0;
        let names: Vec<Vec<String>> =
            self.bars.iter().map(|bar| wrapped(&bar.name, TICK_SIZE, NAMES * width)).collect();
        let widths = names.iter().map(|lines| TICK_SIZE * greatest_width(lines));
        let left = rounded(widths.fold(0.0, f64::max) + 10.0);
        let scale = Scale::new(false, false, &[0.0, self.greatest()], 6);
        let last = scale.ticks.last();
        let room = width - left - last.map_or(0.0, |tick| TICK_SIZE * text_width(&tick.1) / 2.0);
        let across =
            |number| rounded(left + room * scale.place(number).unwrap_or(0.0).clamp(0.0, 1.0));
        let least: f64 = if has_others { 28.0 } else { LINE };
        let wished: Vec<f64> =
            names.iter().map(|lines| least.max(LINE * lines.len() as f64) + GAP).collect();
        let thinner = (MOST_HEIGHT / wished.iter().sum::<f64>()).min(1.0);
        let heights: Vec<f64> = wished.iter().map(|height| thinner * height).collect();
        let bottom = top + heights.iter().sum::<f64>() + GAP;
        for (number, text) in &scale.ticks {
            let x = across(*number);
            canvas.path(&format!("M {x} {top} V {bottom}"), Paint::line("#dcdcdc", 1.0));
            canvas.text(x, bottom + 18.0, TICK_SIZE, Anchor::Middle, text);
        }
        let mut y = top + GAP;
        let mut named_to = f64::NEG_INFINITY;
        for ((bar, lines), height) in self.bars.iter().zip(&names).zip(&heights) {
            let thick = height - thinner * GAP;
            let (middle, half) = (y + thick / 2.0, LINE * lines.len() as f64 / 2.0);
            if middle - half >= named_to {
                named_to = middle + half;
                for (line, text) in lines.iter().enumerate() {
                    let y = middle - half + LINE * (line as f64 + 0.5) + 0.35 * TICK_SIZE;
                    canvas.text(left - 7.0, rounded(y), TICK_SIZE, Anchor::End, text);
                }
            }
            let thin = if has_others { thick / 2.0 } else { thick };
            let stroke = rounded(1.4_f64.min(thin / 4.0));
            let lengths = [Some(bar.number), bar.other].into_iter().flatten();
            for (index, number) in lengths.enumerate() {
                let place = [left, y + thin * index as f64, across(number) - left, thin];
                let paint = Paint { width: stroke, ..paints[index] };
                canvas.rect(place.map(rounded), 0.0, paint);
            }
            if let Some(bounds) = bar.bounds {
                let [low, high] = bounds.map(across);
                let [up, middle, down] = [0.2, 0.5, 0.8].map(|part| rounded(y + part * thin));
                let lines = format!(
                    "M {low} {up} V {down} M {low} {middle} H {high} M {high} {up} V {down}"
                );
                canvas.path(&lines, Paint::line(INK, stroke));
            }
            y += height;
        }
        canvas.path(
            &format!("M {left} {top} V {bottom} H {}", rounded(left + room)),
            Paint::line(INK, 1.4),
        );
        let middle = rounded(left + room / 2.0);
        canvas.text(middle, bottom + 40.0, WORD_SIZE, Anchor::Middle, &self.label);
        bottom + 46.0
    }
}
