use std::collections::BTreeMap;

use play::wilson;
use testkit::golden;

use super::figures::{
    MC, MCTS, against_random, agents, exploration, most, optimised, pruned_every_cycle, sweep,
    with_card, with_hand,
};
use super::series::{Series, cards};
use super::tally::{Ratio, Tally};
use super::{CLAIMS, Figure, Options};
use crate::report::{Cell, Verdict};

/// Ours, and whether it agrees.
type Answer = (String, bool);

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
        let agrees = answer.as_ref().map(|answer| answer.1);
        let row = format!("{figure}: {quantity}");
        let ours = answer.map(|answer| answer.0);
        let mut cell = Cell::new(CLAIMS, row, "found".into(), Some(value.into()), ours);
        if let Some(agrees) = agrees {
            cell.verdict = if agrees {
                Verdict::Equal
            } else {
                Verdict::Different
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
        match (figure, quantity.split_once(' ')?.0) {
            ("8", "win") => self.least_share(),
            ("8", "ties") => {
                let score = &self.random(MCTS, 1)?.score;
                let ties = 1000.0 * score.ties as f64 / score.games() as f64;
                Some((
                    format!("{ties:.0}"),
                    within(251.0, score.ties, score.games(), 1000.0),
                ))
            }
            ("8", "wins") => {
                let score = &self.random(MCTS, 1)?.score;
                let fewer = 2 * score.wins[0] < score.games();
                Some((shared(score.wins[0], score.games()), fewer))
            }
            ("9", "hours") => {
                let agent = if of_mcts { MCTS } else { MC };
                let hours = self.hours(agent, MOST)?;
                let theirs = if of_mcts { 1.30 } else { 1.45 };
                Some((format!("{hours:.3}"), (hours - theirs).abs() < 0.005))
            }
            ("9", "mean") => {
                let agent = if of_mcts { MCTS } else { MC };
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
                Some((both.map(|plies| with_bounds(&plies)).join(" -> "), holds))
            }
            ("9", "run") => {
                let playouts = most(self.options);
                let share = 100.0 * self.hours(MCTS, playouts)? / self.hours(MC, playouts)?;
                Some((
                    format!("{share:.0} % at {playouts}"),
                    (85.0..95.0).contains(&share),
                ))
            }
            ("10", _) => {
                let (playouts, least) = if quantity.contains("100000") {
                    (MOST, 0.9)
                } else {
                    (10, 0.5)
                };
                let score = &self.of(&agents(self.options, playouts))?.score;
                let share = score.wins[0] as f64 / score.games() as f64;
                Some((shared(score.wins[0], score.games()), share > least))
            }
            ("11", _) => self.best_exploration(),
            ("12", _) => self.peaks(),
            ("14", _) => {
                let left = self.of(&pruned_every_cycle(self.options, MOST))?.work;
                Some((
                    with_bounds(&left),
                    (65_000.0..75_000.0).contains(&left.value()),
                ))
            }
            ("16", _) => {
                let tally = self.of(&optimised(self.options, MOST))?;
                let median = tally.score.median_plies();
                let text = format!("{} / {median}", with_bounds(&tally.plies));
                Some((text, holds(&tally.plies, 35.784) && median == 31.0))
            }
            ("17", _) => {
                let endings = &self
                    .of(&optimised(self.options, most(self.options)))?
                    .score
                    .endings;
                let count = |way| endings.get(way).copied().unwrap_or(0);
                let (stream, stone) = (count("stream"), count("stone"));
                let holds = within(320.0 / 1004.0, stream, stream + stone, 1.0);
                Some((
                    format!("{stream} : {stone} at {} playouts", most(self.options)),
                    holds,
                ))
            }
            ("18", _) => self.mirror_images(),
            ("19", _) => {
                let hands = (1..=6).map(|hand| self.of(&with_hand(self.options, hand)));
                let plies: Option<Vec<Ratio>> = hands.map(|tally| Some(tally?.plies)).collect();
                let lengths: Vec<f64> = plies?.iter().map(Ratio::value).collect();
                let falls = lengths.windows(2).all(|two| two[0] > two[1]);
                let text = lengths.iter().map(|plies| format!("{plies:.1}"));
                Some((text.collect::<Vec<_>>().join(" "), falls))
            }
            _ => None,
        }
    }

    /// The least share of games won against random moves at 1000 playouts or more.
    fn least_share(&self) -> Option<Answer> {
        let many = sweep(self.options)
            .into_iter()
            .filter(|&playouts| playouts >= 1000);
        let scores = many.flat_map(|playouts| [MC, MCTS].map(|agent| self.random(agent, playouts)));
        let scores: Vec<_> = scores.collect::<Option<_>>()?;
        let share = |tally: &&Tally| tally.score.wins[0] as f64 / tally.score.games() as f64;
        let least = scores.iter().min_by(|a, b| share(a).total_cmp(&share(b)))?;
        let text = shared(least.score.wins[0], least.score.games());
        Some((text, share(least) > 0.99))
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
                let share = score.wins[0] as f64 / score.games() as f64;
                Some((c, share, wilson(share, score.games())))
            })
            .collect();
        let wins = wins?;
        let best = wins.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let near = wins.iter().filter(|other| other.2[1] >= best.1);
        let near: Vec<&str> = near.map(|other| other.0).collect();
        let text = format!("{} (as good within bounds: {})", best.0, near.join(" "));
        Some((text, near.contains(&"0.4")))
    }

    /// The two classes of a hundredth in which most options are pruned.
    fn peaks(&self) -> Option<Answer> {
        let tally = self.of(&pruned_every_cycle(self.options, MOST))?;
        let mut classes: Vec<usize> = (0..100).collect();
        classes.sort_by_key(|&class| std::cmp::Reverse(tally.pruned[class]));
        let mut peaks = [classes[0], classes[1]];
        peaks.sort_unstable();
        let text = peaks.map(|class| format!("{}-{}", class * 1000, (class + 1) * 1000));
        Some((text.join(" and "), peaks == [0, 49]))
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
        let text = format!("{difference:.2} ({name}; chance alone: up to {error:.2})");
        Some((text, difference <= 1.1 + error))
    }
}

fn shared(n: u64, all: u64) -> String {
    let share = n as f64 / all.max(1) as f64;
    let [low, high] = wilson(share, all);
    format!("{share:.3} ({low:.3} to {high:.3})")
}

/// Whether a value, a multiple of a share, is within the bounds of a share.
fn within(value: f64, n: u64, all: u64, unit: f64) -> bool {
    let [low, high] = wilson(n as f64 / all.max(1) as f64, all);
    (unit * low..=unit * high).contains(&value)
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
