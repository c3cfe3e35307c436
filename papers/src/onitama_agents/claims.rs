use std::collections::BTreeMap;

use hindsight_play::{MatchScore, NORMAL_QUANTILE_95, wilson_interval};
use hindsight_testkit::golden;

use super::figure_series::{
    CARD_PLAYOUTS, MC, MCTS, THESIS_PLAYOUTS, against_random, exploration_series,
    optimised_self_play, playout_steps, pruned_self_play, tree_against_pure, with_card, with_hand,
};
use super::options::{AgentsFigure, AgentsOptions};
use super::series::{Series, ordered_cards};
use super::tally::{Ratio, SeriesTally};
use hindsight_study::{Cell, CellVerdict};

/// Name of the table of claims.
pub(super) const TABLE: &str = "thesis";

/// Our number for a claim.
struct Finding {
    /// Number as a text.
    text: String,
    /// Answer to "is the claim within our bounds?", or `None` if the two cannot be compared.
    agrees: Option<bool>,
}

impl Finding {
    fn new(text: String, agrees: Option<bool>) -> Self {
        Self { text, agrees }
    }
}

/// Returns a cell per claim of the thesis about `figures`. Claims whose games were not played are
/// "not computed".
pub(super) fn claim_cells(
    figures: &[AgentsFigure],
    options: &AgentsOptions,
    tallies: &BTreeMap<Series, SeriesTally>,
) -> Vec<Cell> {
    let text = include_str!("../../../golden/onitama_agents_thesis.csv");
    let rows = golden(text).expect("a golden file");
    let checker = ClaimChecker { options, tallies };
    let mut cells = Vec::new();
    for row in rows {
        let [figure, quantity, value, claim, numbers] = row[..] else {
            continue;
        };
        if !figures.iter().any(|wanted| wanted.number().to_string() == figure) {
            continue;
        }
        let theirs = numbers.split_whitespace().map(|number| number.parse());
        let theirs: Vec<f64> = theirs.collect::<Result<_, _>>().expect("a golden file");
        let finding = checker.finding(claim, &theirs);
        let agrees = finding.as_ref().and_then(|finding| finding.agrees);
        let played = finding.is_some();
        let row = format!("{figure}: {quantity}: {value}");
        let ours = finding.map(|finding| finding.text);
        let mut cell = Cell::new(TABLE, row, "found".into(), Some(value.into()), ours);
        if played {
            cell.verdict = match agrees {
                Some(true) => CellVerdict::Equal,
                Some(false) => CellVerdict::Different,
                None => CellVerdict::New,
            };
        }
        cells.push(cell);
    }
    cells
}

/// Counts of all series, for the claims about them.
struct ClaimChecker<'a> {
    options: &'a AgentsOptions,
    tallies: &'a BTreeMap<Series, SeriesTally>,
}

impl ClaimChecker<'_> {
    fn tally(&self, series: &Series) -> Option<&SeriesTally> {
        self.tallies.get(series)
    }

    /// Returns the counts of an agent against random moves.
    fn tally_against_random(&self, agent: &str, playouts: u64) -> Option<&SeriesTally> {
        self.tally(&against_random(self.options, agent, playouts))
    }

    /// Returns our number for a claim of the golden file, if its games were played. `theirs` are
    /// the numbers that it is compared with.
    fn finding(&self, claim: &str, theirs: &[f64]) -> Option<Finding> {
        match (claim, theirs) {
            ("least-share", &[bound]) => self.least_share(bound),
            ("ties", &[theirs]) => {
                let score = &self.tally_against_random(MCTS, 1)?.score;
                let bounds = wilson_interval(share(score.ties, score.games()), score.games());
                let [low, high] = bounds.map(|bound| 1000.0 * bound);
                let ties = 1000.0 * share(score.ties, score.games());
                let text = format!("{ties:.0} ({low:.0} to {high:.0})");
                Some(Finding::new(text, Some((low..=high).contains(&theirs))))
            }
            ("wins-at-one-playout", &[bound]) => {
                let score = &self.tally_against_random(MCTS, 1)?.score;
                Some(share_won(score, |[low, _]| low < bound))
            }
            // The times of the thesis are from another machine, so they are not compared.
            ("hours-of-mcts", _) => self.hours(MCTS),
            ("hours-of-mc", _) => self.hours(MC),
            ("run-time", _) => {
                let playouts = *playout_steps(self.options).last()?;
                let share = 100.0 * self.hours_per_1000_games(MCTS, playouts)?
                    / self.hours_per_1000_games(MC, playouts)?;
                let text = format!("{share:.0} % at {playouts} playouts");
                Some(Finding::new(text, None))
            }
            ("lengths-of-mcts", theirs) => self.lengths_against_random(MCTS, theirs),
            ("lengths-of-mc", theirs) => self.lengths_against_random(MC, theirs),
            ("share-against-mc", &[playouts, bound]) => {
                let tally = self.tally(&tree_against_pure(self.options, playouts as u64))?;
                Some(share_won(&tally.score, |[_, high]| high > bound))
            }
            ("best-exploration", &[theirs]) if self.options.playouts >= 1000 => {
                self.best_exploration(theirs)
            }
            ("pruning-peaks", theirs) => self.pruning_peaks(theirs),
            ("playouts-made", &[least, most]) => {
                let playouts_made =
                    self.tally(&pruned_self_play(self.options, THESIS_PLAYOUTS))?.playouts;
                let holds = playouts_made.bounds().map(|[low, high]| low < most && high > least);
                Some(Finding::new(with_bounds(&playouts_made), holds))
            }
            ("mean-and-median-length", &[mean, median]) => self.game_lengths(mean, median),
            ("stream-to-stone", &[stream, stone]) => {
                self.stream_to_stone(stream / (stream + stone))
            }
            ("mirrored-cards", &[most]) => self.mirrored_card_difference(most),
            ("length-by-hand", _) => self.length_by_hand(),
            _ => None,
        }
    }

    /// Returns the mean lengths of an agent's games against random moves, at one playout and at
    /// those of the thesis.
    fn lengths_against_random(&self, agent: &str, theirs: &[f64]) -> Option<Finding> {
        let [few, many] =
            [1, THESIS_PLAYOUTS].map(|playouts| self.tally_against_random(agent, playouts));
        let ours = [few?.plies, many?.plies];
        let agrees = ours.iter().zip(theirs).all(|(ours, &theirs)| bounds_contain(ours, theirs));
        let text = ours.map(|plies| with_bounds(&plies)).join(" -> ");
        Some(Finding::new(text, Some(agrees)))
    }

    fn hours(&self, agent: &str) -> Option<Finding> {
        let hours = self.hours_per_1000_games(agent, THESIS_PLAYOUTS)?;
        Some(Finding::new(format!("{hours:.3}"), None))
    }

    /// Returns the least share of games won against random moves at 1000 playouts or more.
    fn least_share(&self, bound: f64) -> Option<Finding> {
        let many = playout_steps(self.options).into_iter().filter(|&playouts| playouts >= 1000);
        let tallies = many.flat_map(|playouts| {
            [MC, MCTS].map(|agent| self.tally_against_random(agent, playouts))
        });
        let tallies: Vec<&SeriesTally> = tallies.collect::<Option<_>>()?;
        let wins = |tally: &&&SeriesTally| share(tally.score.wins[0], tally.score.games());
        let least = tallies.iter().min_by(|a, b| wins(a).total_cmp(&wins(b)))?;
        Some(share_won(&least.score, |[_, high]| high > bound))
    }

    /// Returns the time of 1000 games against random moves on one core, in hours.
    fn hours_per_1000_games(&self, agent: &str, playouts: u64) -> Option<f64> {
        let score = &self.tally_against_random(agent, playouts)?.score;
        Some(score.seconds.iter().sum::<f64>() * 1000.0 / score.games() as f64 / 3600.0)
    }

    /// Returns the exploration parameter with the most wins, and the parameters that are not
    /// significantly worse.
    fn best_exploration(&self, theirs: f64) -> Option<Finding> {
        let series = exploration_series(self.options).into_iter();
        let wins: Option<Vec<(&str, f64, [f64; 2])>> = series
            .map(|(c, series)| {
                let score = &self.tally(&series)?.score;
                let share = share(score.wins[0], score.games());
                Some((c, share, wilson_interval(share, score.games())))
            })
            .collect();
        let wins = wins?;
        let best = wins.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let as_good = wins.iter().filter(|other| other.2[1] >= best.1);
        let as_good: Vec<&str> = as_good.map(|other| other.0).collect();
        let agrees = as_good.iter().any(|c| c.parse() == Ok(theirs));
        let text = format!("{} (as good within bounds: {})", best.0, as_good.join(" "));
        Some(Finding::new(text, Some(agrees)))
    }

    /// Returns the two hundredths of the playouts in which the most moves are pruned.
    fn pruning_peaks(&self, theirs: &[f64]) -> Option<Finding> {
        let tally = self.tally(&pruned_self_play(self.options, THESIS_PLAYOUTS))?;
        let mut hundredths: Vec<usize> = (0..100).collect();
        hundredths.sort_by_key(|&hundredth| std::cmp::Reverse(tally.pruned[hundredth]));
        let mut peaks = [hundredths[0], hundredths[1]];
        peaks.sort_unstable();
        let agrees = peaks.map(|peak| peak as f64)[..] == *theirs;
        let text = peaks.map(|peak| format!("{}-{}", peak * 1000, (peak + 1) * 1000));
        Some(Finding::new(text.join(" and "), Some(agrees)))
    }

    /// Returns the mean and the median length of games.
    fn game_lengths(&self, mean: f64, median: f64) -> Option<Finding> {
        let tally = self.tally(&optimised_self_play(self.options, THESIS_PLAYOUTS))?;
        let [low, high] = median_bounds(&tally.score);
        let ours = tally.score.median_plies();
        let text = format!("{} / {ours} ({low} to {high})", with_bounds(&tally.plies));
        let agrees =
            bounds_contain(&tally.plies, mean) && (low..=high).contains(&(median as usize));
        Some(Finding::new(text, Some(agrees)))
    }

    /// Returns the ratio of games won by way of the stream to those by way of the stone.
    fn stream_to_stone(&self, theirs: f64) -> Option<Finding> {
        let playouts = *playout_steps(self.options).last()?;
        let endings = &self.tally(&optimised_self_play(self.options, playouts))?.score.endings;
        let count = |way| endings.get(way).copied().unwrap_or(0);
        let (stream, stone) = (count("stream"), count("stone"));
        let [low, high] = wilson_interval(share(stream, stream + stone), stream + stone);
        let holds = (low..=high).contains(&theirs);
        let text = format!("{stream} : {stone} at {playouts} playouts");
        Some(Finding::new(text, (playouts == THESIS_PLAYOUTS).then_some(holds)))
    }

    /// Returns the largest difference between the use of a card and of its mirror image, in
    /// percentage points.
    fn mirrored_card_difference(&self, most: f64) -> Option<Finding> {
        let all = ordered_cards();
        let mut largest = (0.0, "", 0.0);
        for (number, (name, card)) in all.iter().enumerate() {
            let image = all.iter().position(|other| other.1 == card.mirrored())?;
            if image <= number {
                continue;
            }
            let [original, mirrored] =
                [number, image].map(|card| self.tally(&with_card(self.options, card)));
            let (original, mirrored) = (original?.card_uses, mirrored?.card_uses);
            let difference = 100.0 * (original.value() - mirrored.value()).abs();
            if difference > largest.0 {
                let half_width =
                    |ratio: &Ratio| ratio.bounds().map_or(0.0, |[low, high]| (high - low) / 2.0);
                let error = half_width(&original).hypot(half_width(&mirrored));
                largest = (difference, name, 100.0 * error);
            }
        }
        let (difference, name, error) = largest;
        let playouts = self.options.playouts.min(CARD_PLAYOUTS);
        let text =
            format!("{difference:.2} ({name}; by chance up to {error:.2}) at {playouts} playouts");
        let agrees = (playouts == CARD_PLAYOUTS).then_some(difference <= most + error);
        Some(Finding::new(text, agrees))
    }

    /// Returns the mean lengths of games with 1 to 6 cards in a hand. The claim holds if the bounds
    /// allow that the length falls with each card.
    fn length_by_hand(&self) -> Option<Finding> {
        let hands = (1..=6).map(|hand| self.tally(&with_hand(self.options, hand)));
        let plies: Option<Vec<Ratio>> = hands.map(|tally| Some(tally?.plies)).collect();
        let plies = plies?;
        let bounds: Option<Vec<[f64; 2]>> = plies.iter().map(Ratio::bounds).collect();
        let falls = bounds.map(|bounds| bounds.windows(2).all(|two| two[1][0] < two[0][1]));
        let means: Vec<String> =
            plies.iter().map(|plies| format!("{:.1}", plies.value())).collect();
        let playouts = self.options.playouts.min(CARD_PLAYOUTS);
        let text = format!("{} at {playouts} playouts", means.join(" "));
        Some(Finding::new(text, falls.filter(|_| playouts == CARD_PLAYOUTS)))
    }
}

fn share(n: u64, all: u64) -> f64 {
    n as f64 / all.max(1) as f64
}

/// Returns the share of games that the first agent won. The claim holds if `allows` is true for the
/// bounds of the share.
fn share_won(score: &MatchScore, allows: impl Fn([f64; 2]) -> bool) -> Finding {
    let share = share(score.wins[0], score.games());
    let [low, high] = wilson_interval(share, score.games());
    let text = format!("{share:.3} ({low:.3} to {high:.3})");
    Finding::new(text, Some(allows([low, high])))
}

/// Returns bounds of the median length with a confidence of 95 %.
///
/// The number of games shorter than the median is binomial. The bounds are the lengths at the ranks
/// `games / 2 - d` and `games / 2 + d`, with `d = NORMAL_QUANTILE_95 * sqrt(games) / 2`.
fn median_bounds(score: &MatchScore) -> [usize; 2] {
    let half = score.games() as f64 / 2.0;
    let spread = NORMAL_QUANTILE_95 * (score.games() as f64).sqrt() / 2.0;
    [half - spread, half + spread].map(|games| {
        let mut sum = 0.0;
        let mut lengths = score.lengths.iter();
        let at_rank = lengths.find(|(_, n)| {
            sum += **n as f64;
            sum > games
        });
        at_rank.or(score.lengths.iter().last()).map_or(0, |(&plies, _)| plies)
    })
}

fn bounds_contain(ratio: &Ratio, theirs: f64) -> bool {
    ratio.bounds().is_some_and(|[low, high]| (low..=high).contains(&theirs))
}

fn with_bounds(ratio: &Ratio) -> String {
    match ratio.bounds() {
        Some([low, high]) => format!("{:.3} ({low:.3} to {high:.3})", ratio.value()),
        None => format!("{:.3}", ratio.value()),
    }
}
