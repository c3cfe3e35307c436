//! Charts of a board.

use hindsight_play::NORMAL_QUANTILE_95;
use hindsight_rules::onitama::BASE;

use super::entry::{AtlasEntry, DEALS, sets_with_card};
use super::survey::Survey;
use hindsight_study::{Chart, ChartCurve, ChartKind, ChartPoint};

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
            curves: vec![ChartCurve { name: format!("{sets} sets on {size}"), points }],
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
    bins.map(|(bin, sets)| point(lower_end(bin), f64::from(sets))).collect()
}

fn share_bins(survey: &Survey) -> Vec<ChartPoint> {
    let width = HALF_POINTS_PER_BIN as f64 / (2 * DEALS) as f64;
    // A share of 1 belongs to the last bin, not to one beyond the end.
    let share = |entry: &AtlasEntry| entry.first_player_share().min(1.0 - width / 2.0);
    binned(survey.entries.iter().map(share), width)
}

fn drawn_bins(survey: &Survey) -> Vec<ChartPoint> {
    let drawn = survey.entries.iter().map(|entry| 100.0 * entry.drawn_share());
    let max = drawn.clone().fold(0.0, f64::max);
    let fits = PERCENT_BIN_WIDTHS.into_iter().find(|width| max <= MAX_BINS * width);
    binned(drawn, fits.unwrap_or(5.0))
}

fn longest_win_bins(survey: &Survey) -> Vec<ChartPoint> {
    let longest = survey.entries.iter().map(|entry| f64::from(entry.longest));
    let max = longest.clone().fold(0.0, f64::max);
    // Wins take odd numbers of plies.
    binned(longest, 2.0 * (max / MAX_BINS / 2.0).ceil().max(1.0))
}

/// Returns the mean share of the sets that contain each card, the lowest first. Of a sample it has
/// bounds.
fn mean_share_by_card(survey: &Survey) -> Vec<ChartPoint> {
    let mean_share = |card: &str| {
        let with =
            survey.entries.iter().filter(|entry| entry.cards.iter().any(|name| name == card));
        let shares: Vec<f64> = with.map(AtlasEntry::first_player_share).collect();
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        (!shares.is_empty()).then(|| ChartPoint {
            bounds: mean_bounds(&shares, sets_with_card()),
            ..point(card.into(), mean)
        })
    };
    let mut cards: Vec<ChartPoint> = BASE.iter().filter_map(|card| mean_share(card.0)).collect();
    cards.sort_by(|a, b| a.y.total_cmp(&b.y));
    cards
}

/// Returns bounds of the mean of a population of which `sample` is drawn at random without
/// repetition, with a confidence of 95 %. `None` if the sample is the whole population, or has
/// fewer than two numbers.
///
/// # Source
/// W. G. Cochran, "Sampling techniques", 1977, section 2.8.
fn mean_bounds(sample: &[f64], population: u64) -> Option<[f64; 2]> {
    let n = sample.len() as f64;
    if sample.len() < 2 || sample.len() as u64 >= population {
        return None;
    }
    let mean = sample.iter().sum::<f64>() / n;
    let squares = sample.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    let left = 1.0 - n / population as f64;
    let half_width = NORMAL_QUANTILE_95 * (squares / (n - 1.0) * left / n).sqrt();
    Some([(mean - half_width).max(0.0), (mean + half_width).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::{mean_bounds, sets_with_card};

    #[test]
    fn a_sample_has_bounds_and_a_population_has_none() {
        assert_eq!(sets_with_card(), 1365);
        let sample = [0.2, 0.4, 0.4, 0.4, 0.5, 0.5, 0.7, 0.9];
        // Mean 0.5, deviation sqrt(0.32 / 7); half of the population was not drawn.
        let [low, high] = mean_bounds(&sample, 16).expect("bounds");
        let half_width = 1.96 * (0.32_f64 / 7.0 / 8.0 / 2.0).sqrt();
        assert!((low - (0.5 - half_width)).abs() < 1e-4);
        assert!((high - (0.5 + half_width)).abs() < 1e-4);
        assert_eq!(mean_bounds(&sample, 8), None);
        assert_eq!(mean_bounds(&sample[..1], 8), None);
    }
}
