//! The graph of a review: in the terminal, or as a picture.

use anyhow::{Result, bail};
use hindsight_draw::{
    CurveForm, Plot, PlotAxis, PlotColor, PlotContent, PlotCurve, PlotCurves, PlotInk, PlotMark,
    PlotPoint,
};

use super::curve::{CurvePoint, ValueCurve};
use crate::output::{self, Output};
use crate::tables::plot::{PlotOutput, print_plot};

/// Most labels of moves; with more, the marks of errors have none.
const MAX_LABELS: usize = 16;

/// Room of a picture beside the first and the last mark, as a share of the plies.
const EDGE: f64 = 0.02;

/// Height of a picture above its middle, with room for the labels of wins.
const MOST_HEIGHT: f64 = 1.1;

/// Draws the value over the game to a file.
pub(super) fn draw(picture: PlotOutput, curve: &ValueCurve) -> Result<()> {
    if curve.points.is_empty() {
        bail!("nothing to draw: no value is known");
    }
    let marks = marks(curve).into_iter().filter(|marks| !marks.points.is_empty());
    let plot = Plot {
        title: curve.title.clone(),
        subtitle: curve.subtitle.clone(),
        content: PlotContent::Curves(PlotCurves {
            x: PlotAxis {
                label: "plies".to_string(),
                reach: [-EDGE, 1.0 + EDGE].map(|part| part * curve.plies as f64).to_vec(),
                ..PlotAxis::default()
            },
            y: axis(curve.players.map(|name| format!("{name} wins")), MOST_HEIGHT),
            curves: [line(curve)].into_iter().chain(marks).collect(),
        }),
    };
    picture.draw(&plot)?.map_or(Ok(()), Output::finish)
}

/// Prints the value over the game as text, if there is any.
pub(super) fn print(curve: &ValueCurve) -> Result<()> {
    if curve.points.len() < 2 {
        return Ok(());
    }
    let [.., errors] = marks(curve);
    let errors = Some(errors).filter(|errors| !errors.points.is_empty());
    print_plot(&Plot {
        title: String::new(),
        subtitle: String::new(),
        content: PlotContent::Curves(PlotCurves {
            x: PlotAxis { reach: vec![0.0, curve.plies as f64], ..PlotAxis::default() },
            y: axis(curve.players.map(String::from), 1.0),
            curves: [line(curve)].into_iter().chain(errors).collect(),
        }),
    })?;
    output::print("\n")
}

/// Returns the vertical axis; `ends` are the names of a win of player 0, at the top, and of player
/// 1.
fn axis([top, bottom]: [String; 2], height: f64) -> PlotAxis {
    let names = [(1.0, top), (0.0, "draw".to_string()), (-1.0, bottom)];
    PlotAxis { reach: vec![-height, height], names: names.to_vec(), ..PlotAxis::default() }
}

fn line(curve: &ValueCurve) -> PlotCurve {
    let ink = PlotInk { color: PlotColor::Grey, dash: 0, mark: PlotMark::None };
    series(curve, "", ink, CurveForm::Line, |_| true)
}

/// Returns the marks of proved values, of estimates, and of moves that gave away a result.
fn marks(curve: &ValueCurve) -> [PlotCurve; 3] {
    let marks = |name, color, mark, is_taken: fn(&CurvePoint) -> bool| {
        let ink = PlotInk { color, dash: 0, mark };
        series(curve, name, ink, CurveForm::Marks, is_taken)
    };
    let mut errors =
        marks("gave away a result", PlotColor::Red, PlotMark::Cross, |point| point.error.is_some());
    if errors.points.len() <= MAX_LABELS {
        let labels = curve.points.iter().filter_map(|point| point.error.clone());
        for (point, label) in errors.points.iter_mut().zip(labels) {
            point.label = label;
        }
    }
    [
        marks("proved", PlotColor::Blue, PlotMark::Disc, |point| {
            point.is_proved && point.error.is_none()
        }),
        marks("estimate", PlotColor::Blue, PlotMark::Ring, |point| !point.is_proved),
        errors,
    ]
}

fn series(
    curve: &ValueCurve,
    name: &str,
    ink: PlotInk,
    form: CurveForm,
    is_taken: impl Fn(&CurvePoint) -> bool,
) -> PlotCurve {
    let points = curve.points.iter().filter(|point| is_taken(point));
    let points = points.map(|point| PlotPoint {
        x: point.ply as f64,
        y: point.height,
        ..PlotPoint::default()
    });
    PlotCurve { name: name.to_string(), ink, form, points: points.collect() }
}
