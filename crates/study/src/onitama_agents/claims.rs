use std::collections::BTreeMap;

use hindsight_play::{MatchScore, NORMAL_QUANTILE_95, wilson_interval};
use hindsight_testkit::golden;

use super::figures::{
    MC, MCTS, against_random, agents, exploration, optimised, pruned_every_cycle, sweep, with_card,
    with_hand,
};
use super::series::{Series, cards};
use super::tally::{Ratio, Tally};
use super::{CLAIMS, Figure, Options};
use crate::report::{Cell, Verdict};

/// Ours, and whether what the thesis says is within its bounds; none if that cannot be compared.
type Answer = (String, Option<bool>);

/// What the thesis says of the figures wanted, beside what was found; what was not played is not computed.
pub(super) fn cells(
    wanted: &[Figure],
    options: &Options,
    tallies: &BTreeMap<Series, Tally>,
) -> Vec<Cell> {
    let text = include_str!("../../../../golden/onitama_agents_thesis.csv");
    let rows = golden(text).expect("a golden file");
    let found = Found { options, tallies };
    let mut cells = Vec::new();
    for row in rows {
        let [figure, quantity, value] = row[..] else {
            continue;
        };
        if !wanted
            .iter()
            .any(|wanted| wanted.number().to_string() == figure)
        {
            continue;
        }
        let answer = found.answer(figure, quantity);
        let agrees = answer.as_ref().and_then(|answer| answer.1);
        let played = answer.is_some();
        let row = format!("{figure}: {quantity}: {value}");
        let ours = answer.map(|answer| answer.0);
        let mut cell = Cell::new(CLAIMS, row, "found".into(), Some(value.into()), ours);
        if played {
            cell.verdict = match agrees {
                Some(true) => Verdict::Equal,
                Some(false) => Verdict::Different,
                None => Verdict::New,
            };
        }
        cells.push(cell);
    }
    cells
}

struct Found<'a> {
    options: &'a Options,
    tallies: &'a BTreeMap<Series, Tally>,
}

/// Of the thesis.
const MOST: u64 = 100_000;
/// Of its figures of cards.
const FEWER: u64 = 10_000;

impl Found<'_> {
    fn of(&self, series: &Series) -> Option<&Tally> {
        self.tallies.get(series)
    }

    /// Against random moves.
    fn random(&self, agent: &str, playouts: u64) -> Option<&Tally> {
        self.of(&against_random(self.options, agent, playouts))
    }

    /// What we find of a quantity that the thesis reports.
    fn answer(&self, figure: &str, quantity: &str) -> Option<Answer> {
        let of_mcts = quantity.contains("MCTS");
        let agent = if of_mcts { MCTS } else { MC };
        match (figure, quantity.split_once(' ')?.0) {
            ("8", "win") => self.least_share(),
            ("8", "ties") => {
                let score = &self.random(MCTS, 1)?.score;
                let bounds = wilson_interval(share(score.ties, score.games()), score.games());
                let [low, high] = bounds.map(|bound| 1000.0 * bound);
                let ties = 1000.0 * share(score.ties, score.games());
                let text = format!("{ties:.0} ({low:.0} to {high:.0})");
                Some((text, Some((low..=high).contains(&251.0))))
            }
            ("8", "wins") => {
                let score = &self.random(MCTS, 1)?.score;
                Some(won(score, |[low, _]| low < 0.5))
            }
            // Times are of another machine.
            ("9", "hours") => Some((format!("{:.3}", self.hours(agent, MOST)?), None)),
            ("9", "run") => {
                let playouts = *sweep(self.options).last()?;
                let share = 100.0 * self.hours(MCTS, playouts)? / self.hours(MC, playouts)?;
                Some((format!("{share:.0} % at {playouts} playouts"), None))
            }
            ("9", "mean") => {
                let [few, many] = [1, MOST].map(|playouts| self.random(agent, playouts));
                let theirs = if of_mcts {
                    [34.650, 12.626]
                } else {
                    [24.981, 9.336]
                };
                let both = [few?.plies, many?.plies];
                let holds = both
                    .iter()
                    .zip(theirs)
                    .all(|(ours, theirs)| holds(ours, theirs));
                Some((
                    both.map(|plies| with_bounds(&plies)).join(" -> "),
                    Some(holds),
                ))
            }
            ("10", _) if quantity.contains("100000") => Some(won(
                &self.of(&agents(self.options, MOST))?.score,
                |[_, high]| high > 0.9,
            )),
            ("10", _) => Some(won(
                &self.of(&agents(self.options, 10))?.score,
                |[_, high]| high > 0.5,
            )),
            ("11", _) if self.options.playouts >= 1000 => self.best_exploration(),
            ("12", _) => self.peaks(),
            ("14", _) => {
                let left = self.of(&pruned_every_cycle(self.options, MOST))?.work;
                let about = left
                    .bounds()
                    .map(|[low, high]| low < 75_000.0 && high > 65_000.0);
                Some((with_bounds(&left), about))
            }
            ("16", _) => self.lengths(),
            ("17", _) => self.ways(),
            ("18", _) => self.mirror_images(),
            ("19", _) => self.hands(),
            _ => None,
        }
    }

    /// The least share of games won against random moves at 1000 playouts or more.
    fn least_share(&self) -> Option<Answer> {
        let many = sweep(self.options)
            .into_iter()
            .filter(|&playouts| playouts >= 1000);
        let tallies =
            many.flat_map(|playouts| [MC, MCTS].map(|agent| self.random(agent, playouts)));
        let tallies: Vec<&Tally> = tallies.collect::<Option<_>>()?;
        let wins = |tally: &&&Tally| share(tally.score.wins[0], tally.score.games());
        let least = tallies.iter().min_by(|a, b| wins(a).total_cmp(&wins(b)))?;
        Some(won(&least.score, |[_, high]| high > 0.99))
    }

    /// For 1000 games against random moves on one core.
    fn hours(&self, agent: &str, playouts: u64) -> Option<f64> {
        let score = &self.random(agent, playouts)?.score;
        Some(score.seconds.iter().sum::<f64>() * 1000.0 / score.games() as f64 / 3600.0)
    }

    /// The c with the most wins, and those that are not significantly worse.
    fn best_exploration(&self) -> Option<Answer> {
        let series = exploration(self.options).into_iter();
        let wins: Option<Vec<(&str, f64, [f64; 2])>> = series
            .map(|(c, series)| {
                let score = &self.of(&series)?.score;
                let share = share(score.wins[0], score.games());
                Some((c, share, wilson_interval(share, score.games())))
            })
            .collect();
        let wins = wins?;
        let best = wins.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let near = wins.iter().filter(|other| other.2[1] >= best.1);
        let near: Vec<&str> = near.map(|other| other.0).collect();
        let text = format!("{} (as good within bounds: {})", best.0, near.join(" "));
        Some((text, Some(near.contains(&"0.4"))))
    }

    /// The two classes of a hundredth in which most options are pruned.
    fn peaks(&self) -> Option<Answer> {
        let tally = self.of(&pruned_every_cycle(self.options, MOST))?;
        let mut classes: Vec<usize> = (0..100).collect();
        classes.sort_by_key(|&class| std::cmp::Reverse(tally.pruned[class]));
        let mut peaks = [classes[0], classes[1]];
        peaks.sort_unstable();
        let text = peaks.map(|class| format!("{}-{}", class * 1000, (class + 1) * 1000));
        Some((text.join(" and "), Some(peaks == [0, 49])))
    }

    fn lengths(&self) -> Option<Answer> {
        let tally = self.of(&optimised(self.options, MOST))?;
        let [low, high] = median_bounds(&tally.score);
        let median = tally.score.median_plies();
        let text = format!("{} / {median} ({low} to {high})", with_bounds(&tally.plies));
        let both = holds(&tally.plies, 35.784) && (low..=high).contains(&31);
        Some((text, Some(both)))
    }

    fn ways(&self) -> Option<Answer> {
        let playouts = *sweep(self.options).last()?;
        let endings = &self.of(&optimised(self.options, playouts))?.score.endings;
        let count = |way| endings.get(way).copied().unwrap_or(0);
        let (stream, stone) = (count("stream"), count("stone"));
        let [low, high] = wilson_interval(share(stream, stream + stone), stream + stone);
        let holds = (low..=high).contains(&(320.0 / 1004.0));
        let text = format!("{stream} : {stone} at {playouts} playouts");
        Some((text, (playouts == MOST).then_some(holds)))
    }

    /// The largest difference between the use of a card and of its mirror image, in percentage points.
    fn mirror_images(&self) -> Option<Answer> {
        let all = cards();
        let mut largest = (0.0, "", 0.0);
        for (number, (name, card)) in all.iter().enumerate() {
            let image = all.iter().position(|other| other.1 == card.mirrored())?;
            if image <= number {
                continue;
            }
            let [one, other] = [number, image].map(|card| self.of(&with_card(self.options, card)));
            let (one, other) = (one?.uses, other?.uses);
            let difference = 100.0 * (one.value() - other.value()).abs();
            if difference > largest.0 {
                let wide =
                    |ratio: &Ratio| ratio.bounds().map_or(0.0, |[low, high]| (high - low) / 2.0);
                largest = (difference, name, 100.0 * wide(&one).hypot(wide(&other)));
            }
        }
        let (difference, name, error) = largest;
        let playouts = self.options.playouts.min(FEWER);
        let text =
            format!("{difference:.2} ({name}; by chance up to {error:.2}) at {playouts} playouts");
        Some((
            text,
            (playouts == FEWER).then_some(difference <= 1.1 + error),
        ))
    }

    fn hands(&self) -> Option<Answer> {
        let hands = (1..=6).map(|hand| self.of(&with_hand(self.options, hand)));
        let plies: Option<Vec<Ratio>> = hands.map(|tally| Some(tally?.plies)).collect();
        let plies = plies?;
        let bounds: Option<Vec<[f64; 2]>> = plies.iter().map(Ratio::bounds).collect();
        let falls = bounds.map(|bounds| bounds.windows(2).all(|two| two[1][0] < two[0][1]));
        let text = plies.iter().map(|plies| format!("{:.1}", plies.value()));
        let text: Vec<String> = text.collect();
        let playouts = self.options.playouts.min(FEWER);
        let text = format!("{} at {playouts} playouts", text.join(" "));
        Some((text, falls.filter(|_| playouts == FEWER)))
    }
}

fn share(n: u64, all: u64) -> f64 {
    n as f64 / all.max(1) as f64
}

/// The games that the first agent won, and whether the bounds of the share allow what is said.
fn won(score: &MatchScore, allows: impl Fn([f64; 2]) -> bool) -> Answer {
    let share = share(score.wins[0], score.games());
    let [low, high] = wilson_interval(share, score.games());
    let text = format!("{share:.3} ({low:.3} to {high:.3})");
    (text, Some(allows([low, high])))
}

/// Bounds of the median length with a confidence of 95 %: so many games are shorter by a binomial distribution.
fn median_bounds(score: &MatchScore) -> [usize; 2] {
    let half = score.games() as f64 / 2.0;
    let spread = NORMAL_QUANTILE_95 * (score.games() as f64).sqrt() / 2.0;
    [half - spread, half + spread].map(|games| {
        let mut sum = 0.0;
        let mut lengths = score.lengths.iter();
        let found = lengths.find(|(_, n)| {
            sum += **n as f64;
            sum > games
        });
        found
            .or(score.lengths.iter().last())
            .map_or(0, |(&plies, _)| plies)
    })
}

fn holds(ratio: &Ratio, theirs: f64) -> bool {
    ratio
        .bounds()
        .is_some_and(|[low, high]| (low..=high).contains(&theirs))
}

fn with_bounds(ratio: &Ratio) -> String {
    match ratio.bounds() {
        Some([low, high]) => format!("{:.3} ({low:.3} to {high:.3})", ratio.value()),
        None => format!("{:.3}", ratio.value()),
    }
}
