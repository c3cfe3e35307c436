//! Plots of numbers, as pictures and as text for a terminal.
//!
//! Whatever has a colour also has a form of its own: lines have dashes and marks, and a second row
//! of bars is hollow. Bars lie, so that their names can be read, and the name of the vertical axis
//! stands above it.

mod bars;
mod curves;
mod ink;
mod map;
mod scale;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::canvas::Canvas;
use crate::picture::{Anchor, Picture};
use crate::terminal::TerminalStyle;
use words::draw_lines;

pub use bars::{PlotBar, PlotBars};
pub use curves::{CurveForm, PlotAxis, PlotCurve, PlotCurves, PlotPoint};
pub use ink::{PlotColor, PlotInk, PlotMark};
pub use map::PlotMap;

/// Room around a picture, and between the plots of a page.
const MARGIN: f64 = 16.0;
const GAP: f64 = 40.0;
/// Width and height of what is drawn in a picture of one plot, and in one of many.
const SINGLE: [f64; 2] = [720.0, 380.0];
const PANEL: [f64; 2] = [520.0, 250.0];
/// Sizes of letters: of titles, of words, and of the numbers and names at an axis.
const TITLE_SIZE: f64 = 18.0;
const WORD_SIZE: f64 = 14.0;
const TICK_SIZE: f64 = 13.0;
/// Plots of a page that stand beside each other.
const COLUMNS: usize = 2;

/// A plot with its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// Title above the plot.
    pub title: String,
    /// Words below the title; empty for none.
    pub subtitle: String,
    /// What is drawn.
    pub content: PlotContent,
}

/// What a plot shows.
#[derive(Clone, PartialEq, Debug)]
pub enum PlotContent {
    /// Curves between two axes.
    Curves(PlotCurves),
    /// Bars with names.
    Bars(PlotBars),
    /// Shades of the squares of a board.
    Map(PlotMap),
}

/// Part of a picture in which something is drawn.
#[derive(Clone, Copy)]
struct PlotPlace {
    top: f64,
    width: f64,
    /// Height of the part between the axes, unless its content has another.
    height: f64,
}

impl Plot {
    /// Draws the plot.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let [width, height] = SINGLE;
        let mut canvas = Canvas::new(width + 2.0 * MARGIN, 0.0, &self.title);
        let mut bottom = 0.0;
        canvas.within(MARGIN, MARGIN, |canvas| {
            bottom = self.draw(canvas, width, height);
        });
        canvas.finish_below(bottom + 2.0 * MARGIN)
    }

    /// Draws plots in two columns below a title.
    #[must_use]
    pub fn page(title: &str, plots: &[Self]) -> Picture {
        let [width, height] = PANEL;
        let page = COLUMNS as f64 * (width + GAP) - GAP;
        let mut canvas = Canvas::new(page + 2.0 * MARGIN, 0.0, title);
        let middle = MARGIN + page / 2.0;
        let size = TITLE_SIZE + 2.0;
        let mut top = draw_lines(&mut canvas, title, size, [middle, MARGIN], page);
        for row in plots.chunks(COLUMNS) {
            top += MARGIN;
            let mut bottom = top;
            for (column, plot) in row.iter().enumerate() {
                let x = MARGIN + column as f64 * (width + GAP);
                canvas.within(x, top, |canvas| {
                    bottom = f64::max(bottom, top + plot.draw(canvas, width, height));
                });
            }
            top = bottom;
        }
        canvas.finish_below(top + MARGIN)
    }

    /// Draws the plot as text in several lines, without a line break at the end.
    #[must_use]
    pub fn text(&self, style: TerminalStyle) -> String {
        text::text_of(self, style)
    }

    /// Draws the plot below the origin, and returns its height.
    fn draw(&self, canvas: &mut Canvas, width: f64, height: f64) -> f64 {
        let middle = width / 2.0;
        let mut top = draw_lines(canvas, &self.title, TITLE_SIZE, [middle, 0.0], width);
        if !self.subtitle.is_empty() {
            top = draw_lines(canvas, &self.subtitle, WORD_SIZE, [middle, top], width);
        }
        let place = PlotPlace {
            top: top + 8.0,
            width,
            height,
        };
        match &self.content {
            PlotContent::Curves(curves) => curves.draw(canvas, place),
            PlotContent::Bars(bars) => bars.draw(canvas, place),
            PlotContent::Map(map) => map.draw(canvas, place),
        }
    }
}

/// Draws a legend in lines that fit a width, and returns the place below it. `draw_sample` draws a
/// sample of an ink around a point.
fn draw_legend<I: Copy>(
    canvas: &mut Canvas,
    entries: &[(&str, I)],
    place: PlotPlace,
    draw_sample: impl Fn(&mut Canvas, I, [f64; 2]),
) -> f64 {
    const SAMPLE: f64 = 44.0;
    let PlotPlace { mut top, width, .. } = place;
    let mut x = 0.0;
    for &(name, ink) in entries {
        let lines = words::wrapped(name, WORD_SIZE, width - SAMPLE);
        let length = SAMPLE + WORD_SIZE * words::greatest_width(&lines) + 18.0;
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
fn rounded(number: f64) -> f64 {
    (100.0 * number).round() / 100.0
}
