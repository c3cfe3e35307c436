//! Plots of numbers, as pictures and as text for a terminal.
//!
//! Whatever has a colour also has a form of its own: lines have dashes and marks, and a second row
//! of bars is hollow. Bars lie, so that their names can be read, and the name of the vertical axis
//! stands above it.

mod bars;
mod curves;
mod ink;
mod layout;
mod map;
mod scale;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::canvas::Canvas;
use crate::picture::Picture;
use crate::terminal::TerminalStyle;
use layout::{PlotPlace, TITLE_SIZE, WORD_SIZE};
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
/// Columns of a page.
const COLUMNS: usize = 2;

/// A plot with its title.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// Title above the plot.
    pub title: String,
    /// Words below the title; empty for none.
    pub subtitle: String,
    /// Content below the words.
    pub content: PlotContent,
}

/// Content of a plot.
#[derive(Clone, PartialEq, Debug)]
pub enum PlotContent {
    /// Curves between two axes.
    Curves(PlotCurves),
    /// Bars with names.
    Bars(PlotBars),
    /// Shades of the squares of a board.
    Map(PlotMap),
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

    /// Draws plots in two columns below a title, each where a column ends first.
    #[must_use]
    pub fn page(title: &str, plots: &[Self]) -> Picture {
        let [width, height] = PANEL;
        let page = COLUMNS as f64 * (width + GAP) - GAP;
        let mut canvas = Canvas::new(page + 2.0 * MARGIN, 0.0, title);
        let middle = MARGIN + page / 2.0;
        let size = TITLE_SIZE + 2.0;
        let top = draw_lines(&mut canvas, title, size, [middle, MARGIN], page);
        let mut tops = [top + MARGIN; COLUMNS];
        for plot in plots {
            // The column that ends first.
            let column = usize::from(tops[1] < tops[0]);
            let x = MARGIN + column as f64 * (width + GAP);
            canvas.within(x, tops[column], |canvas| {
                tops[column] += plot.draw(canvas, width, height) + MARGIN;
            });
        }
        canvas.finish_below(tops[0].max(tops[1]))
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
        let place = PlotPlace { top: top + 8.0, width, height };
        match &self.content {
            PlotContent::Curves(curves) => curves.draw(canvas, place),
            PlotContent::Bars(bars) => bars.draw(canvas, place),
            PlotContent::Map(map) => map.draw(canvas, place),
        }
    }
}
