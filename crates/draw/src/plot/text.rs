//! Plots as text for a terminal.

use unicode_width::UnicodeWidthStr;

use super::bars::PlotBars;
use super::curves::{CurveForm, PlotCurve, PlotCurves};
use super::ink::PlotColor;
use super::map::PlotMap;
use super::scale::number_text;
use super::{Plot, PlotContent};
use crate::terminal::{Ink, TerminalStyle, TextCanvas, start_of, wrapped};

/// Most columns and least rows of a plot.
const MOST_COLUMNS: usize = 120;
const LEAST_ROWS: usize = 12;
/// Least columns between two marks of a line.
const MARK_DISTANCE: usize = 4;

pub(super) fn text_of(plot: &Plot, style: TerminalStyle) -> String {
    let mut text = PlotText {
        canvas: TextCanvas::default(),
        line: 0,
        columns: style.columns.min(MOST_COLUMNS),
    };
    for words in [&plot.title, &plot.subtitle] {
        if !words.is_empty() {
            text.put_middle(words, 0, text.columns);
        }
    }
    match &plot.content {
        PlotContent::Curves(curves) => text.put_curves(curves),
        PlotContent::Bars(bars) => text.put_bars(bars),
        PlotContent::Map(map) => text.put_map(map),
    }
    text.canvas.text(style.has_colors)
}

fn ink_of(color: PlotColor) -> Ink {
    Ink::of_code(color.terminal_code())
}

struct PlotText {
    canvas: TextCanvas,
    /// The next line.
    line: usize,
    columns: usize,
}

impl PlotText {
    /// Writes words in the middle of some columns, in lines of their own.
    fn put_middle(&mut self, words: &str, left: usize, width: usize) {
        for words in wrapped(words, width) {
            let column = left + (width - words.width().min(width)) / 2;
            self.canvas.put(column, self.line, &words, Ink::PLAIN);
            self.line += 1;
        }
    }

    /// Writes a legend: signs with their names.
    fn put_legend<'a>(&mut self, entries: impl Iterator<Item = (&'a str, char, Ink)>) {
        let mut column = 0;
        let mut is_empty = true;
        for (name, sign, ink) in entries {
            let name = start_of(name, self.columns - 2);
            let width = name.width() + 2;
            if column > 0 && column + width > self.columns {
                (column, self.line) = (0, self.line + 1);
            }
            self.canvas.put_sign(column, self.line, sign, ink);
            self.canvas.put(column + 2, self.line, name, Ink::PLAIN);
            column += width + 3;
            is_empty = false;
        }
        self.line += usize::from(!is_empty);
    }

    fn put_curves(&mut self, plot: &PlotCurves) {
        let named = plot.curves.iter().filter(|curve| !curve.name.is_empty());
        self.put_legend(named.map(|curve| {
            let sign = curve.ink.mark.sign().unwrap_or('─');
            (&*curve.name, sign, ink_of(curve.ink.color))
        }));
        if !plot.y.label.is_empty() {
            for words in wrapped(&plot.y.label, self.columns) {
                self.canvas.put(0, self.line, &words, Ink::PLAIN);
                self.line += 1;
            }
        }
        let rows = LEAST_ROWS.max(self.columns / 4);
        let y = plot.y_scale(rows / 3);
        let widths = y.ticks.iter().map(|tick| tick.1.width());
        let left = widths.max().unwrap_or(0) + 1;
        let width = self.columns.saturating_sub(left + 4).max(10);
        let x = plot.x_scale(12, |scale| {
            let ends = scale.ticks.iter().filter_map(|(number, text)| {
                let middle = scale.place(*number)? * (width - 1) as f64;
                let half = text.width() as f64 / 2.0;
                Some([middle - half, middle + half])
            });
            let ends: Vec<[f64; 2]> = ends.collect();
            ends.windows(2).all(|pair| pair[0][1] + 2.0 <= pair[1][0])
        });
        let top = self.line;
        for row in 0..rows {
            self.canvas.put_sign(left, top + row, '│', Ink::FAINT);
        }
        let mut dots = Dots::new(width, rows);
        for (number, text) in &y.ticks {
            let row = y.place(*number).map_or(0, |place| dots.down(place) / 4);
            self.canvas.put_sign(left, top + row, '┤', Ink::FAINT);
            let column = left - 1 - text.width();
            self.canvas.put(column, top + row, text, Ink::PLAIN);
        }
        for column in 0..=width {
            let sign = if column == 0 { '└' } else { '─' };
            self.canvas.put_sign(left + column, top + rows, sign, Ink::FAINT);
        }
        for (number, text) in &x.ticks {
            let across = x.place(*number).map_or(0, |place| dots.across(place) / 2);
            let column = left + 1 + across;
            self.canvas.put_sign(column, top + rows, '┴', Ink::FAINT);
            let last_begin = self.columns.saturating_sub(text.width());
            let begin = column.saturating_sub(text.width() / 2).min(last_begin);
            self.canvas.put(begin, top + rows + 1, text, Ink::PLAIN);
        }
        for curve in &plot.curves {
            let points = curve.points.iter().filter_map(|point| {
                let [across, down] = [x.place(point.x)?, y.place(point.y)?];
                Some([dots.across(across), dots.down(down)])
            });
            let points: Vec<[usize; 2]> = points.collect();
            dots.draw(curve, &points);
        }
        for (place, cell) in dots.cells.iter().enumerate() {
            if let Some((sign, color)) = cell.shown() {
                let (column, line) = (left + 1 + place % width, top + place / width);
                self.canvas.put_sign(column, line, sign, ink_of(color));
            }
        }
        self.line = top + rows + 2;
        if !plot.x.label.is_empty() {
            self.put_middle(&plot.x.label, left, width);
        }
    }

    fn put_bars(&mut self, plot: &PlotBars) {
        let colors = [PlotColor::Blue, PlotColor::Grey].map(ink_of);
        let signs = ['█', '░'];
        let has_others = plot.has_others();
        if has_others {
            let entries = [0, 1].map(|index| (&*plot.legend[index], signs[index], colors[index]));
            self.put_legend(entries.into_iter());
        }
        let names = plot.bars.iter().map(|bar| bar.name.width());
        let left = names.max().unwrap_or(0).min(self.columns / 2);
        let room = self.columns.saturating_sub(left + 10).max(4);
        let greatest = plot.greatest().max(f64::MIN_POSITIVE);
        for bar in &plot.bars {
            let mut rest = &*bar.name;
            let numbers = [Some(bar.number), bar.other].into_iter().flatten();
            for (index, number) in numbers.enumerate() {
                let line = self.line + index;
                let part = (number / greatest).clamp(0.0, 1.0);
                let length = (part * room as f64).round() as usize;
                self.canvas.put_sign(left + 1, line, '│', Ink::FAINT);
                for column in 0..length {
                    let column = left + 2 + column;
                    self.canvas.put_sign(column, line, signs[index], colors[index]);
                }
                let text = format!("{number:.1}");
                self.canvas.put(left + 3 + length, line, &text, Ink::PLAIN);
            }
            let mut lines = 0;
            while !rest.is_empty() || lines < 1 + usize::from(has_others) {
                let start = start_of(rest, left.max(2));
                let column = left - start.width().min(left);
                self.canvas.put(column, self.line + lines, start, Ink::PLAIN);
                rest = &rest[start.len()..];
                lines += 1;
            }
            self.line += lines;
        }
        self.put_middle(&plot.label, left, room);
    }

    fn put_map(&mut self, plot: &PlotMap) {
        for (name, numbers) in &plot.rows {
            let numbers: Vec<String> = numbers.iter().copied().map(number_text).collect();
            let line = format!("{name}  {}", numbers.join("  "));
            self.canvas.put(0, self.line, &line, Ink::PLAIN);
            self.line += 1;
        }
        self.put_middle(&plot.label, 0, self.columns);
    }
}

/// A character of a plot: dots of lines, or a mark over them.
#[derive(Clone, Copy)]
struct DotCell {
    /// Dots as in the Unicode characters of Braille.
    dots: u8,
    mark: Option<char>,
    color: PlotColor,
}

impl DotCell {
    fn shown(self) -> Option<(char, PlotColor)> {
        let dots = char::from_u32(0x2800 + u32::from(self.dots));
        let dots = dots.filter(|_| self.dots != 0);
        Some((self.mark.or(dots)?, self.color))
    }
}

/// Characters of a plot, each of two by four dots.
struct Dots {
    width: usize,
    rows: usize,
    cells: Vec<DotCell>,
}

impl Dots {
    fn new(width: usize, rows: usize) -> Self {
        let cell = DotCell { dots: 0, mark: None, color: PlotColor::Grey };
        Self { width, rows, cells: vec![cell; width * rows] }
    }

    fn across(&self, place: f64) -> usize {
        (place.clamp(0.0, 1.0) * (2 * self.width - 1) as f64).round() as usize
    }

    fn down(&self, place: f64) -> usize {
        ((1.0 - place.clamp(0.0, 1.0)) * (4 * self.rows - 1) as f64).round() as usize
    }

    fn cell(&mut self, [across, down]: [usize; 2]) -> &mut DotCell {
        &mut self.cells[down / 4 * self.width + across / 2]
    }

    fn draw(&mut self, curve: &PlotCurve, points: &[[usize; 2]]) {
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let color = curve.ink.color;
        let mut drawn = 0;
        for pair in points.windows(2).filter(|_| curve.form != CurveForm::Marks) {
            let [[x, y], [to_x, to_y]] = [pair[0], pair[1]];
            let steps = x.abs_diff(to_x).max(y.abs_diff(to_y)).max(1);
            for step in 0..=steps {
                let part = |from: usize, to: usize| {
                    let way = to as f64 - from as f64;
                    (from as f64 + way * step as f64 / steps as f64).round() as usize
                };
                let [across, down] = [part(x, to_x), part(y, to_y)];
                drawn += 1;
                // Every third pair of dots of a line with dashes is left out.
                if curve.ink.dash > 0 && drawn % 6 > 3 {
                    continue;
                }
                let cell = self.cell([across, down]);
                cell.dots |= BITS[across % 2][down % 4];
                cell.color = color;
            }
        }
        let mut last = None;
        for &[across, down] in points {
            let near = |last: usize| across.abs_diff(last) < 2 * MARK_DISTANCE;
            if curve.form == CurveForm::Line && last.is_some_and(near) {
                continue;
            }
            if let Some(sign) = curve.ink.mark.sign() {
                let cell = self.cell([across, down]);
                (cell.mark, cell.color) = (Some(sign), color);
                last = Some(across);
            }
        }
    }
}
