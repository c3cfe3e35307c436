use super::answer::{CardWorth, Fairness, PointShare};
use super::decision::CLASSES;
use crate::chart::{Chart, ChartCurve, ChartKind, ChartPoint};

/// Approximate upper limit of the number of bins.
const MAX_BINS: usize = 24;

/// Returns the charts of a judgement: lengths of the games, and as far as there are data, points
/// by deal, lengths by perfect play, times of decision, and points, use and wins of cards.
#[must_use]
pub fn fairness_charts(fairness: &Fairness) -> Vec<Chart> {
    let lengths = fairness.games.lengths.iter();
    let perfect = fairness.deals.iter();
    let perfect = perfect.filter_map(|deal| Some((usize::from(deal.remoteness?), 1)));
    let charts = [
        histogram(
            "Lengths of the games",
            ["plies", "games"],
            lengths.map(|(&plies, &games)| (plies, games)).collect(),
        ),
        histogram(
            "Lengths by perfect play",
            ["plies", "deals that are not drawn"],
            perfect.collect(),
        ),
        points_by_deal(fairness),
        decisions(fairness),
        card_bars(
            fairness,
            "Points by dealt card, perfect play",
            "points of who holds it",
            |card| Some(plain_point(&card.card, card.perfect_share?)),
        ),
        card_bars(fairness, "Points by dealt card, games", "points of who holds it", |card| {
            Some(share_point(&card.card, card.points))
        }),
        card_bars(
            fairness,
            "How often a card in hand is played",
            "share of the turns with it",
            |card| Some(plain_point(&card.card, card.used)),
        ),
        card_bars(fairness, "Cards that end games", "share of the won games", |card| {
            Some(plain_point(&card.card, card.won_with))
        }),
    ];
    let has_points = |chart: &Chart| chart.curves.iter().any(|curve| !curve.points.is_empty());
    charts.into_iter().filter(has_points).collect()
}

fn chart(
    title: &str,
    labels: [&'static str; 2],
    kind: ChartKind,
    points: Vec<ChartPoint>,
) -> Chart {
    let [x_label, y_label] = labels;
    Chart {
        figure: title.to_lowercase().replace(' ', "-"),
        title: title.to_string(),
        x_label,
        y_label,
        kind,
        curves: vec![ChartCurve { name: title.to_string(), points }],
    }
}

fn plain_point(x: &str, y: f64) -> ChartPoint {
    ChartPoint { x: x.to_string(), y, bounds: None }
}

fn share_point(x: &str, points: PointShare) -> ChartPoint {
    ChartPoint { bounds: Some(points.interval), ..plain_point(x, points.share) }
}

/// Returns a histogram of numbers of plies with their counts.
fn histogram(title: &str, labels: [&'static str; 2], counts: Vec<(usize, u64)>) -> Chart {
    let plies = counts.iter().map(|count| count.0);
    let (first, last) = (plies.clone().min().unwrap_or(0), plies.max().unwrap_or(0));
    let width = (last + 1 - first).div_ceil(MAX_BINS);
    let bins = (last - first) / width + 1;
    let mut sums = vec![0; bins + 1];
    for (plies, count) in &counts {
        sums[(plies - first) / width] += count;
    }
    let filled = sums.into_iter().enumerate().filter(|_| !counts.is_empty());
    let points =
        filled.map(|(bin, sum)| plain_point(&(first + bin * width).to_string(), sum as f64));
    chart(title, labels, ChartKind::Steps, points.collect())
}

fn points_by_deal(fairness: &Fairness) -> Chart {
    let deals = fairness.deals.iter().enumerate();
    let points = deals.map(|(number, deal)| share_point(&(number + 1).to_string(), deal.points));
    chart(
        "Points of the first player",
        ["deal", "points in the games"],
        ChartKind::Bars,
        points.collect(),
    )
}

fn decisions(fairness: &Fairness) -> Chart {
    let counts = fairness.games.decided_in_tenth.iter().flatten();
    let points = counts.enumerate().map(|(class, &games)| {
        let begin = class as f64 / CLASSES as f64;
        plain_point(&begin.to_string(), games as f64)
    });
    let mut points: Vec<ChartPoint> = points.collect();
    if !points.is_empty() {
        points.push(plain_point("1", 0.0));
    }
    chart(
        "When games were decided",
        ["share of the game's length", "games"],
        ChartKind::Steps,
        points,
    )
}

fn card_bars(
    fairness: &Fairness,
    title: &str,
    y_label: &'static str,
    point: impl Fn(&CardWorth) -> Option<ChartPoint>,
) -> Chart {
    let points = fairness.cards.iter().filter_map(point).collect();
    chart(title, ["card", y_label], ChartKind::Bars, points)
}
