//! The figures of a board.

use hindsight_rules::onitama::BASE;

use super::entry::DEALS;
use super::{Entry, Survey};
use crate::drawing::{Curve, Drawing, Form, Point};

/// Classes of a distribution, about.
const CLASSES: f64 = 20.0;
/// Half points of a class of shares.
const HALF_POINTS: usize = 4;
/// Per cent of a class of positions drawn, the first that gives few enough classes.
const WIDTHS: [f64; 7] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// Shares and lengths of the sets, and the cards.
pub(super) fn page(survey: &Survey) -> Vec<Drawing> {
    let size = survey.size;
    let sets = survey.entries.len();
    let drawing = |name: &str, title: &str, (x, y), form, points| Drawing {
        figure: format!("{size}-{name}"),
        title: title.into(),
        x,
        y,
        form,
        curves: vec![Curve {
            name: format!("{sets} sets on {size}"),
            points,
        }],
    };
    let sets_by = |x| (x, "sets");
    vec![
        drawing(
            "share",
            "First player's share",
            sets_by("points of the first player, mean of a set's 30 deals"),
            Form::Steps,
            shares(survey),
        ),
        drawing(
            "drawn",
            "Positions that are drawn",
            sets_by("per cent of the positions of a set"),
            Form::Steps,
            drawn(survey),
        ),
        drawing(
            "longest",
            "Longest wins",
            sets_by("plies of the longest win of a set"),
            Form::Steps,
            lengths(survey),
        ),
        drawing(
            "cards",
            "First player's share by card",
            ("card", "mean share of the sets with it"),
            Form::Bars,
            cards(survey),
        ),
    ]
}

fn point(x: String, y: f64) -> Point {
    Point { x, y, bounds: None }
}

/// How many numbers fall into each class, by where it begins.
fn distribution(numbers: impl Iterator<Item = f64> + Clone, width: f64) -> Vec<Point> {
    // Numbers on the edge of a class belong to it, whatever becomes of their last bit.
    let class = |number: f64| (number / width + 1e-9) as usize;
    let classes = numbers.clone().map(class).max().unwrap_or(0) + 1;
    let mut counts = vec![0_u32; classes + 1];
    for number in numbers {
        counts[class(number)] += 1;
    }
    let begin = |class: usize| ((class as f64 * width * 1e4).round() / 1e4).to_string();
    let classes = counts.into_iter().enumerate();
    classes
        .map(|(class, sets)| point(begin(class), f64::from(sets)))
        .collect()
}

fn shares(survey: &Survey) -> Vec<Point> {
    let width = HALF_POINTS as f64 / (2 * DEALS) as f64;
    // All points are of the last class, not of one beyond the end.
    let share = |entry: &Entry| entry.share().min(1.0 - width / 2.0);
    distribution(survey.entries.iter().map(share), width)
}

fn drawn(survey: &Survey) -> Vec<Point> {
    let drawn = survey.entries.iter().map(|entry| 100.0 * entry.drawn());
    let most = drawn.clone().fold(0.0, f64::max);
    let fits = WIDTHS.into_iter().find(|width| most <= CLASSES * width);
    distribution(drawn, fits.unwrap_or(5.0))
}

fn lengths(survey: &Survey) -> Vec<Point> {
    let longest = survey.entries.iter().map(|entry| f64::from(entry.longest));
    let most = longest.clone().fold(0.0, f64::max);
    // Wins take odd numbers of plies.
    distribution(longest, 2.0 * (most / CLASSES / 2.0).ceil().max(1.0))
}

/// The mean share of the sets with each card, the lowest first.
fn cards(survey: &Survey) -> Vec<Point> {
    let of = |card: &str| {
        let with = survey
            .entries
            .iter()
            .filter(|entry| entry.cards.iter().any(|name| name == card));
        let shares: Vec<f64> = with.map(Entry::share).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        (!shares.is_empty()).then(|| point(card.into(), mean))
    };
    let mut cards: Vec<Point> = BASE.iter().filter_map(|card| of(card.0)).collect();
    cards.sort_by(|one, other| one.y.total_cmp(&other.y));
    cards
}
