//! Charts of a board.

use hindsight_rules::onitama::BASE;

use super::entry::{AtlasEntry, DEALS};
use super::survey::Survey;
use crate::chart::{Chart, ChartCurve, ChartKind, ChartPoint};

/// Approximate upper limit of the number of bins.
const MAX_BINS: f64 = 20.0;
/// Width of a bin of shares, in half points of the 30 deals.
const HALF_POINTS_PER_BIN: usize = 4;
/// Widths of a bin of drawn positions, in per cent. The first width with about [`MAX_BINS`] bins at
/// most is used, else the last.
const PERCENT_BIN_WIDTHS: [f64; 7] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

/// Returns four charts: histograms of shares, drawn positions and longest wins, and the cards.
pub(super) fn board_charts(survey: &Survey) -> Vec<Chart> {
    let size = survey.size;
    let sets = survey.entries.len();
    let chart = |name: &str, title: &str, kind, labels: [&'static str; 2], points| {
        let [x_label, y_label] = labels;
        Chart {
            figure: format!("{size}-{name}"),
            title: title.into(),
            x_label,
            y_label,
            kind,
            curves: vec![ChartCurve {
                name: format!("{sets} sets on {size}"),
                points,
            }],
        }
    };
    let histogram = |name, title, x_label, points| {
        chart(name, title, ChartKind::Steps, [x_label, "sets"], points)
    };
    vec![
        histogram(
            "share",
            "First player's share",
            "points of the first player, mean of a set's 30 deals",
            share_bins(survey),
        ),
        histogram(
            "drawn",
            "Positions that are drawn",
            "per cent of the positions of a set",
            drawn_bins(survey),
        ),
        histogram(
            "longest",
            "Longest wins",
            "plies of the longest win of a set",
            longest_win_bins(survey),
        ),
        chart(
            "cards",
            "First player's share by card",
            ChartKind::Bars,
            ["card", "mean share of the sets with it"],
            mean_share_by_card(survey),
        ),
    ]
}

fn point(x: String, y: f64) -> ChartPoint {
    ChartPoint { x, y, bounds: None }
}

/// Counts the numbers in bins of the given width. `x` of a point is the lower end of its bin.
fn binned(numbers: impl Iterator<Item = f64> + Clone, width: f64) -> Vec<ChartPoint> {
    // Rounding errors must not move a number at the lower end of a bin into the bin below.
    let bin = |number: f64| (number / width + 1e-9) as usize;
    let bins = numbers.clone().map(bin).max().unwrap_or(0) + 1;
    let mut counts = vec![0_u32; bins + 1];
    for number in numbers {
        counts[bin(number)] += 1;
    }
    let lower_end = |bin: usize| ((bin as f64 * width * 1e4).round() / 1e4).to_string();
    let bins = counts.into_iter().enumerate();
    bins.map(|(bin, sets)| point(lower_end(bin), f64::from(sets)))
        .collect()
}

fn share_bins(survey: &Survey) -> Vec<ChartPoint> {
    let width = HALF_POINTS_PER_BIN as f64 / (2 * DEALS) as f64;
    // A share of 1 belongs to the last bin, not to one beyond the end.
    let share = |entry: &AtlasEntry| entry.first_player_share().min(1.0 - width / 2.0);
    binned(survey.entries.iter().map(share), width)
}

fn drawn_bins(survey: &Survey) -> Vec<ChartPoint> {
    let drawn = survey
        .entries
        .iter()
        .map(|entry| 100.0 * entry.drawn_share());
    let max = drawn.clone().fold(0.0, f64::max);
    let fits = PERCENT_BIN_WIDTHS
        .into_iter()
        .find(|width| max <= MAX_BINS * width);
    binned(drawn, fits.unwrap_or(5.0))
}

fn longest_win_bins(survey: &Survey) -> Vec<ChartPoint> {
    let longest = survey.entries.iter().map(|entry| f64::from(entry.longest));
    let max = longest.clone().fold(0.0, f64::max);
    // Wins take odd numbers of plies.
    binned(longest, 2.0 * (max / MAX_BINS / 2.0).ceil().max(1.0))
}

/// Returns the mean share of the sets that contain each card, the lowest first.
fn mean_share_by_card(survey: &Survey) -> Vec<ChartPoint> {
    let mean_share = |card: &str| {
        let with = survey
            .entries
            .iter()
            .filter(|entry| entry.cards.iter().any(|name| name == card));
        let shares: Vec<f64> = with.map(AtlasEntry::first_player_share).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        (!shares.is_empty()).then(|| point(card.into(), mean))
    };
    let mut cards: Vec<ChartPoint> = BASE.iter().filter_map(|card| mean_share(card.0)).collect();
    cards.sort_by(|a, b| a.y.total_cmp(&b.y));
    cards
}
