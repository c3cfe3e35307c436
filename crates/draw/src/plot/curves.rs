//! Curves between two axes: lines, histograms and single marks.

use std::fmt::Write;

use super::ink::PlotInk;
use super::layout::{PlotPlace, TICK_SIZE, WORD_SIZE, draw_legend, rounded};
use super::scale::Scale;
use crate::canvas::Canvas;
use crate::colors::INK;
use crate::picture::{Anchor, Paint};
use crate::text_width::text_width;

/// Least distance of two marks of a line.
const MARK_DISTANCE: f64 = 12.0;
/// Opacity of the bounds of a line, and of a histogram.
const BAND: f64 = 0.15;
const FILL: f64 = 0.3;

/// Curves between two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotCurves {
    /// The horizontal axis.
    pub x: PlotAxis,
    /// The vertical axis.
    pub y: PlotAxis,
    /// The curves, the last ones over the first ones.
    pub curves: Vec<PlotCurve>,
}

/// An axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlotAxis {
    /// Name of the numbers, with their unit; empty for none.
    pub label: String,
    /// True for a logarithmic axis, which leaves out numbers that are not above zero.
    pub is_log: bool,
    /// Numbers that the axis reaches, whatever the curves have.
    pub reach: Vec<f64>,
    /// Names that are written instead of numbers, with their places; empty for numbers.
    pub names: Vec<(f64, String)>,
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct PlotCurve {
    /// Name in the legend; empty to leave it out there.
    pub name: String,
    /// Colour, dashes and marks.
    pub ink: PlotInk,
    /// Way in which the points are joined.
    pub form: CurveForm,
    /// Points from left to right.
    pub points: Vec<PlotPoint>,
}

/// Way in which the points of a curve are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurveForm {
    /// A line from point to point.
    Line,
    /// A histogram: a point is the lower end of a bin with its height.
    Steps,
    /// Marks that are not joined.
    Marks,
}

/// A point of a curve.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlotPoint {
    /// Number on the horizontal axis.
    pub x: f64,
    /// Number on the vertical axis.
    pub y: f64,
    /// Lower and upper bound of `y`; `None` if it has none.
    pub bounds: Option<[f64; 2]>,
    /// Words beside the point; empty for none.
    pub label: String,
}

impl PlotCurves {
    fn points(&self) -> impl Iterator<Item = &PlotPoint> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    /// Returns the scale of the horizontal axis, whose numbers are texts that `fits` has room for.
    pub(super) fn x_scale(&self, most: usize, fits: impl Fn(&Scale) -> bool) -> Scale {
        let points = self.points().map(|point| point.x);
        let ends = self.curves.iter().filter_map(PlotCurve::end_of_bins);
        let numbers = points.chain(ends).chain(self.x.reach.iter().copied());
        let is_log = self.x.is_log;
        let numbers: Vec<f64> = numbers.filter(|&x| !is_log || x > 0.0).collect();
        let is_whole = self.points().all(|point| point.x.fract() == 0.0);
        Scale::fitting(is_log, is_whole, &numbers, most, fits)
    }

    /// Returns the scale of the vertical axis, with about `most` numbers.
    pub(super) fn y_scale(&self, most: usize) -> Scale {
        if !self.y.names.is_empty() {
            return Scale::named(&self.y.reach, &self.y.names);
        }
        let curves = self.curves.iter().flat_map(|curve| {
            let has_bounds = curve.form == CurveForm::Line;
            curve.points.iter().flat_map(move |point| {
                let bounds = point.bounds.filter(|_| has_bounds);
                let [low, high] = bounds.unwrap_or([point.y; 2]);
                [low, point.y, high]
            })
        });
        let numbers = curves.chain(self.y.reach.iter().copied());
        let numbers: Vec<f64> = numbers.filter(|&y| !self.y.is_log || y > 0.0).collect();
        let is_whole = self.points().all(|point| point.y.fract() == 0.0);
        Scale::new(self.y.is_log, is_whole, &numbers, most)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, mut place: PlotPlace) -> f64 {
        let named = self.curves.iter().filter(|curve| !curve.name.is_empty());
        let named: Vec<_> = named.map(|curve| (&*curve.name, (curve.ink, curve.form))).collect();
        place.top = draw_legend(canvas, &named, place, |canvas, (ink, form), [x, y]| {
            if form != CurveForm::Marks {
                canvas.path(&format!("M {} {y} H {}", x - 18.0, x + 18.0), ink.line());
            }
            ink.mark.draw(canvas, ink.color, [x, y]);
        });
        let mut top = place.top;
        if !self.y.label.is_empty() {
            top += 24.0;
            canvas.text(0.0, top, WORD_SIZE, Anchor::Start, &self.y.label);
        }
        let frame = Frame::new(self, top + 14.0, place);
        frame.draw_axes(canvas);
        for curve in &self.curves {
            frame.draw_fill(canvas, curve);
        }
        for curve in &self.curves {
            frame.draw_line(canvas, curve);
        }
        frame.draw_labels(canvas, self);
        let mut bottom = frame.top + frame.height + 24.0;
        if !self.x.label.is_empty() {
            bottom += 22.0;
            let middle = frame.left + frame.width / 2.0;
            canvas.text(middle, bottom, WORD_SIZE, Anchor::Middle, &self.x.label);
        }
        bottom + 6.0
    }
}

impl PlotCurve {
    /// Returns the upper end of the last bin of a histogram: the last point if it has no height.
    fn end_of_bins(&self) -> Option<f64> {
        match &self.points[..] {
            [.., before, last] if self.form == CurveForm::Steps => {
                Some(if last.y == 0.0 { last.x } else { 2.0 * last.x - before.x })
            }
            _ => None,
        }
    }
}

/// The part between the axes.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn new(curves: &PlotCurves, top: f64, place: PlotPlace) -> Self {
        let y = curves.y_scale((place.height / 42.0) as usize);
        let left = TICK_SIZE * widest(&y) + 10.0;
        let room = place.width - left;
        let x = curves.x_scale(12, |scale| {
            let ends = scale.ticks.iter().filter_map(|(number, text)| {
                let half = TICK_SIZE * text_width(text) / 2.0;
                let middle = (room - half) * scale.place(*number)?;
                Some([middle - half, middle + half])
            });
            let ends: Vec<[f64; 2]> = ends.collect();
            ends.windows(2).all(|pair| pair[0][1] + 10.0 <= pair[1][0])
        });
        let right = x.ticks.last().map_or(0.0, |tick| TICK_SIZE * text_width(&tick.1) / 2.0);
        Self { left, top, width: room - right, height: place.height, x, y }
    }

    fn across(&self, x: f64) -> Option<f64> {
        Some(rounded(self.left + self.width * self.x.place(x)?))
    }

    fn down(&self, y: f64) -> Option<f64> {
        Some(rounded(self.top + self.height * (1.0 - self.y.place(y)?)))
    }

    fn place(&self, point: &PlotPoint) -> Option<[f64; 2]> {
        Some([self.across(point.x)?, self.down(point.y)?])
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        let grid = Paint::line("#dcdcdc", 1.0);
        for (number, text) in &self.y.ticks {
            let Some(y) = self.down(*number) else {
                continue;
            };
            canvas.path(&format!("M {} {y} H {}", self.left, rounded(right)), grid);
            let (x, line) = (self.left - 7.0, y + 0.35 * TICK_SIZE);
            canvas.text(rounded(x), rounded(line), TICK_SIZE, Anchor::End, text);
        }
        for (number, text) in &self.x.ticks {
            let Some(x) = self.across(*number) else {
                continue;
            };
            canvas.path(&format!("M {x} {} V {bottom}", self.top), grid);
            canvas.text(x, bottom + 18.0, TICK_SIZE, Anchor::Middle, text);
        }
        let axes = format!("M {} {} V {bottom} H {}", self.left, self.top, rounded(right));
        canvas.path(&axes, Paint::line(INK, 1.4));
    }

    /// Returns the outline of a histogram, which begins and ends at the bottom.
    fn steps(&self, curve: &PlotCurve) -> String {
        let bottom = self.top + self.height;
        let mut path = String::new();
        for [x, y] in curve.points.iter().filter_map(|point| self.place(point)) {
            // Ignored: writing to a string does not fail.
            let _ = if path.is_empty() {
                write!(path, "M {x} {bottom} V {y} ")
            } else {
                write!(path, "H {x} V {y} ")
            };
        }
        if path.is_empty() {
            return path;
        }
        let end_of_bins = curve.end_of_bins().and_then(|end| self.across(end));
        let end = end_of_bins.map_or(String::new(), |end| format!("H {end} V {bottom}"));
        path + &end
    }

    /// Fills a histogram, or the bounds around a line.
    fn draw_fill(&self, canvas: &mut Canvas, curve: &PlotCurve) {
        let paint = |opacity| Paint { opacity, ..Paint::new(curve.ink.color.hex(), "none", 0.0) };
        if curve.form == CurveForm::Steps {
            canvas.path(&self.steps(curve), paint(FILL));
            return;
        }
        if curve.points.iter().all(|point| point.bounds.is_none()) {
            return;
        }
        let edge = |side: usize| {
            let points = curve.points.iter();
            points.filter_map(move |point| {
                let y = point.bounds.map_or(point.y, |bounds| bounds[side]);
                Some([self.across(point.x)?, self.down(y)?])
            })
        };
        let upper: Vec<[f64; 2]> = edge(1).collect();
        let path = line_path(edge(0).chain(upper.into_iter().rev()));
        canvas.path(&(path + "Z"), paint(BAND));
    }

    fn draw_line(&self, canvas: &mut Canvas, curve: &PlotCurve) {
        let places: Vec<_> = curve.points.iter().filter_map(|point| self.place(point)).collect();
        match curve.form {
            CurveForm::Line => canvas.path(&line_path(places.iter().copied()), curve.ink.line()),
            CurveForm::Steps => canvas.path(&self.steps(curve), curve.ink.line()),
            CurveForm::Marks => {}
        }
        if curve.form == CurveForm::Steps {
            return;
        }
        let mut last = None;
        for place in places {
            let is_apart = |[x, y]: [f64; 2]| (place[0] - x).hypot(place[1] - y) >= MARK_DISTANCE;
            if curve.form == CurveForm::Marks || last.is_none_or(is_apart) {
                curve.ink.mark.draw(canvas, curve.ink.color, place);
                last = Some(place);
            }
        }
    }

    /// Writes the labels of points where they cover no other label and no point with one, and no
    /// line if possible. A label without such a place is left out.
    fn draw_labels(&self, canvas: &mut Canvas, curves: &PlotCurves) {
        let boxed = |[x, y]: [f64; 2], far: f64| [x - far, y - far, x + far, y + far];
        let labelled: Vec<([f64; 2], &str)> = curves
            .points()
            .filter(|point| !point.label.is_empty())
            .filter_map(|point| Some((self.place(point)?, &*point.label)))
            .collect();
        if labelled.is_empty() {
            return;
        }
        let mut taken: Vec<[f64; 4]> = labelled.iter().map(|label| boxed(label.0, 6.0)).collect();
        let lines = curves.curves.iter().filter(|curve| curve.form == CurveForm::Line);
        let lines: Vec<[f64; 4]> = lines
            .flat_map(|curve| {
                let places: Vec<_> = curve.points.iter().filter_map(|p| self.place(p)).collect();
                between(&places).map(|place| boxed(place, 1.0)).collect::<Vec<_>>()
            })
            .collect();
        for (place, label) in labelled {
            let free = |cover: &[f64; 4], others: &[[f64; 4]]| {
                others.iter().all(|other| {
                    cover[2] < other[0]
                        || other[2] < cover[0]
                        || cover[3] < other[1]
                        || other[3] < cover[1]
                })
            };
            let places = self.label_places(place, label);
            let found = places.clone().find(|cover| free(cover, &taken) && free(cover, &lines));
            let found = found.or_else(|| places.clone().find(|cover| free(cover, &taken)));
            if let Some(cover) = found {
                let [x, y] = [(cover[0] + cover[2]) / 2.0, cover[3] - 0.25 * TICK_SIZE];
                canvas.text(rounded(x), rounded(y), TICK_SIZE, Anchor::Middle, label);
                taken.push(cover);
            }
        }
    }

    /// Returns the places around a point where its label could stand, the best first.
    fn label_places(
        &self,
        [x, y]: [f64; 2],
        label: &str,
    ) -> impl Iterator<Item = [f64; 4]> + Clone + use<> {
        let (half, high) = (TICK_SIZE * text_width(label) / 2.0, 0.6 * TICK_SIZE);
        let [left, right, top, bottom] =
            [self.left, self.left + self.width, self.top - 10.0, self.top + self.height];
        let places = [0.0, 14.0, 28.0, 42.0].into_iter().flat_map(move |far| {
            let (across, down) = (half + 9.0 + far, high + 9.0 + far);
            let ways = [(0.0, -down), (0.0, down), (across, 0.0), (-across, 0.0)];
            let slanting = [(half, -down), (-half, -down), (half, down), (-half, down)];
            ways.into_iter().chain(slanting)
        });
        let covers = places
            .map(move |(dx, dy)| [x + dx - half, y + dy - high, x + dx + half, y + dy + high]);
        covers.filter(move |&[x1, y1, x2, y2]| {
            x1 >= left && x2 <= right + 10.0 && y1 >= top && y2 <= bottom
        })
    }
}

/// Returns the width of the widest text of a scale in letters of size 1.
fn widest(scale: &Scale) -> f64 {
    let widths = scale.ticks.iter().map(|tick| text_width(&tick.1));
    widths.fold(0.0, f64::max)
}

fn line_path(places: impl Iterator<Item = [f64; 2]>) -> String {
    let mut path = String::new();
    for (index, [x, y]) in places.enumerate() {
        let command = if index == 0 { "M" } else { "L" };
        // Ignored: writing to a string does not fail.
        let _ = write!(path, "{command} {x} {y} ");
    }
    path
}

/// Returns places along a line, a few units from each other.
fn between(places: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    places.windows(2).flat_map(|pair| {
        let [[x, y], [to_x, to_y]] = [pair[0], pair[1]];
        let steps = ((to_x - x).hypot(to_y - y) / 4.0).ceil() as usize;
        (0..=steps).map(move |step| {
            let part = step as f64 / steps.max(1) as f64;
            [x + part * (to_x - x), y + part * (to_y - y)]
        })
    })
}
