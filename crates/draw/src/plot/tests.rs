//! Words of plots do not cover each other, and what has a colour has a form of its own.

use super::{
    CurveForm, Plot, PlotAxis, PlotBar, PlotBars, PlotContent, PlotCurve, PlotCurves, PlotInk,
    PlotMap, PlotPoint,
};
use crate::picture::{Anchor, Picture, Shape};
use crate::terminal::TerminalStyle;
use crate::text_width::text_width;

const LONG: &str = "mcts:playouts=100,length=30,cutoff=0.3,c=0.55,prune=10%,proven=yes";

fn curves(names: &[&str], form: CurveForm, is_log: bool) -> Plot {
    let curves = names.iter().enumerate().map(|(index, name)| {
        let point = |step: u32| {
            let y = f64::from(step * (index as u32 + 1)) / 7.0;
            PlotPoint {
                x: f64::from(step),
                y,
                bounds: Some([0.8 * y, 1.3 * y]),
                label: format!("{step}. a1b2:sea-snake"),
            }
        };
        PlotCurve {
            name: name.to_string(),
            ink: PlotInk::numbered(index),
            form,
            points: (1..8).map(point).collect(),
        }
    });
    let axis = |label: &str| PlotAxis { label: label.to_string(), is_log, ..PlotAxis::default() };
    plot(PlotContent::Curves(PlotCurves {
        x: axis("plies"),
        y: axis("positions"),
        curves: curves.collect(),
    }))
}

fn plot(content: PlotContent) -> Plot {
    Plot {
        title: format!("{LONG} against {LONG}"),
        subtitle: "words below the title ".repeat(8),
        content,
    }
}

fn bars(names: &[&str], other: Option<f64>) -> Plot {
    let bars = names.iter().map(|name| PlotBar {
        name: name.to_string(),
        number: 31.0,
        bounds: Some([20.0, 45.0]),
        other,
    });
    plot(PlotContent::Bars(PlotBars {
        names_label: "agent".to_string(),
        label: "per cent".to_string(),
        legend: ["agent", "by chance"].map(String::from),
        bars: bars.collect(),
    }))
}

fn map() -> Plot {
    let row = |row: u32| (row.to_string(), vec![1_234_567.0, f64::from(row), 0.0]);
    plot(PlotContent::Map(PlotMap {
        label: "turns of a game in all games of the series".to_string(),
        columns_label: "file".to_string(),
        columns: ["a", "b", "c"].map(String::from).to_vec(),
        rows: (1..4).rev().map(row).collect(),
        darkest: 2.0,
    }))
}

/// Returns left, top, right and bottom of each text.
fn text_places(picture: &Picture) -> Vec<([f64; 4], &str)> {
    let mut origins = vec![[0.0; 2]];
    let mut places = Vec::new();
    for shape in &picture.shapes {
        let [left, top] = origins[origins.len() - 1];
        match shape {
            Shape::Begin { x, y, .. } => origins.push([left + x, top + y]),
            Shape::End => {
                origins.pop();
            }
            Shape::Text(line) if !line.text.is_empty() => {
                let width = line.size * text_width(&line.text);
                let [x, y] = [left + line.place[0], top + line.place[1]];
                let x = match line.anchor {
                    Anchor::Start => x,
                    Anchor::Middle => x - width / 2.0,
                    Anchor::End => x - width,
                };
                let place = [x, y - 0.75 * line.size, x + width, y + 0.2 * line.size];
                places.push((place, line.text.as_str()));
            }
            _ => {}
        }
    }
    places
}

#[track_caller]
fn assert_texts_are_apart(picture: &Picture) {
    let places = text_places(picture);
    let [width, height] = picture.size;
    for (index, (one, text)) in places.iter().enumerate() {
        assert!(one[0] >= 0.0 && one[1] >= 0.0, "{text}: {one:?}");
        assert!(one[2] <= width && one[3] <= height, "{text}: {one:?}");
        for (other, words) in &places[..index] {
            let covers = one[0] < other[2] && other[0] < one[2];
            let covers = covers && one[1] < other[3] && other[1] < one[3];
            assert!(!covers, "'{text}' covers '{words}'");
        }
    }
}

/// Returns plots of all kinds, with long names and few.
fn plots() -> Vec<Plot> {
    let many = [LONG; 30];
    vec![
        curves(&["wins"], CurveForm::Line, false),
        curves(&["wins", LONG, "losses"], CurveForm::Line, true),
        curves(&["bins"], CurveForm::Steps, false),
        curves(&["marks"], CurveForm::Marks, false),
        curves(&[], CurveForm::Line, true),
        bars(&[LONG, "random", &LONG.repeat(3)], Some(60.0)),
        bars(&many, None),
        bars(&[LONG, "b"].repeat(30), None),
        bars(&["deal"; 500], None),
        bars(&[], None),
        map(),
    ]
}

#[test]
fn words_do_not_cover_each_other() {
    let plots = plots();
    for plot in &plots {
        assert_texts_are_apart(&plot.picture());
    }
    assert_texts_are_apart(&Plot::page(&LONG.repeat(3), &plots));
}

#[test]
fn curves_differ_without_colours() {
    let forms: Vec<_> = (0..28)
        .map(|index| (PlotInk::numbered(index).dash, PlotInk::numbered(index).mark))
        .collect();
    for (index, form) in forms.iter().enumerate() {
        assert!(!forms[..index].contains(form), "{index}: {form:?}");
    }
}

#[test]
fn lines_of_text_fit() {
    for columns in [40, 80, 200] {
        let style = TerminalStyle { has_colors: false, columns };
        for plot in plots() {
            let text = plot.text(style);
            let width = text.lines().map(|line| line.chars().count()).max();
            assert!(width <= Some(columns), "{columns}:\n{text}");
            assert!(text.is_ascii() || !text.contains('\u{1b}'));
        }
    }
}

#[test]
fn bars_are_drawn_as_text() {
    let mut plot = bars(&["one", "eleven"], Some(62.0));
    (plot.title, plot.subtitle) = ("Bars".to_string(), String::new());
    let style = TerminalStyle { has_colors: false, columns: 32 };
    let lines = [
        "              Bars",
        "█ agent   ░ by chance",
        "   one │████████ 31.0",
        "       │░░░░░░░░░░░░░░░░ 62.0",
        "eleven │████████ 31.0",
        "       │░░░░░░░░░░░░░░░░ 62.0",
        "          per cent",
    ];
    assert_eq!(plot.text(style), lines.join("\n"));
}
