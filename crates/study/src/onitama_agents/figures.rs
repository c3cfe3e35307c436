use hindsight_play::wilson_interval;

use super::hall::Halt;
use super::series::{Series, cards};
use super::tally::{Ratio, Tally};
use super::{Figure, Options};
use crate::drawing::{Curve, Drawing, Form, Point};

/// Plays a series.
type Play<'a> = &'a mut dyn FnMut(Series) -> Result<Tally, Halt>;

const PLAYOUTS: &str = "playouts a move";
const WINS: &str = "games won in per cent";
const LINES: Form = Form::Lines {
    log_x: false,
    log_y: false,
};
const LOG_X: Form = Form::Lines {
    log_x: true,
    log_y: false,
};

pub(super) const MC: &str = "mc:playouts={}";
pub(super) const MCTS: &str = "mcts:playouts={}";
const EVERY_CYCLE: &str = "mcts:playouts={},prune=1";
/// The fully optimised agent of section 6.
const HUNDREDTH: &str = "mcts:playouts={},prune=1%";

/// The values of c tried for Figure 11; the last but four is the square root of 2.
const EXPLORATION: [&str; 16] = [
    "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.2", "1.4142",
    "1.6", "1.8", "2",
];

/// Intervals between two prunings of Figure 14.
const INTERVALS: [u64; 3] = [1, 10, 100];

/// Cards in a hand of Figure 19.
const HANDS: std::ops::RangeInclusive<u8> = 1..=6;

/// Powers of ten, up to the most that the thesis has or the options allow.
pub(super) fn sweep(options: &Options) -> Vec<u64> {
    let all = (0..=5).map(|power| 10_u64.pow(power));
    all.filter(|&playouts| playouts <= options.playouts)
        .collect()
}

pub(super) fn against_random(options: &Options, agent: &str, playouts: u64) -> Series {
    Series::new(options, [(agent, playouts), ("random", 1)])
}

pub(super) fn agents(options: &Options, playouts: u64) -> Series {
    Series::new(options, [(MCTS, playouts), (MC, playouts)])
}

/// Tree search with an exploration parameter against pure Monte Carlo, at 1000 playouts.
pub(super) fn exploration(options: &Options) -> Vec<(&'static str, Series)> {
    let playouts = options.playouts.min(1000);
    let series = |&c: &&'static str| {
        // The usual c plays the games of Figure 10.
        let agent = match c {
            "0.4" => MCTS.to_string(),
            _ => format!("mcts:playouts={{}},c={c}"),
        };
        (
            c,
            Series::new(options, [(&agent, playouts), (MC, playouts)]),
        )
    };
    EXPLORATION.iter().map(series).collect()
}

pub(super) fn pruned_every_cycle(options: &Options, playouts: u64) -> Series {
    Series::alone(options, EVERY_CYCLE, playouts)
}

fn pruning(options: &Options, playouts: u64) -> Series {
    Series::new(options, [(EVERY_CYCLE, playouts), (MCTS, playouts)])
}

pub(super) fn optimised(options: &Options, playouts: u64) -> Series {
    Series::alone(options, HUNDREDTH, playouts)
}

pub(super) fn with_card(options: &Options, card: usize) -> Series {
    Series {
        card: Some(card),
        ..optimised(options, options.playouts.min(10_000))
    }
}

pub(super) fn with_hand(options: &Options, hand: u8) -> Series {
    Series {
        hand,
        ..optimised(options, options.playouts.min(10_000))
    }
}

/// Those of figures at 100,000 playouts.
fn most(options: &Options) -> u64 {
    options.playouts.min(100_000)
}

/// Plays what a figure needs, and draws it.
pub(super) fn draw(
    figure: Figure,
    options: &Options,
    play: Play<'_>,
) -> Result<Vec<Drawing>, Halt> {
    let mut artist = Artist { options, play };
    let drawing = match figure {
        Figure::Random => artist.random(),
        Figure::Time => artist.time(),
        Figure::Agents => artist.both("MCTS against MC", ["MCTS", "MC"], &agents),
        Figure::Exploration => artist.exploration(),
        Figure::Pruned => artist.pruned(),
        Figure::Pruning => {
            let names = ["with pruning", "without"];
            artist.both("MCTS with pruning against without", names, &pruning)
        }
        Figure::Cycles => artist.cycles(),
        Figure::Squares => return artist.squares(),
        Figure::Lengths => artist.lengths(),
        Figure::Ways => artist.ways(),
        Figure::Cards => artist.cards(),
        Figure::Hands => artist.hands(),
    };
    let figure = figure.number().to_string();
    drawing.map(|drawing| vec![Drawing { figure, ..drawing }])
}

/// Draws figures by what is played.
struct Artist<'a> {
    options: &'a Options,
    play: Play<'a>,
}

/// The agents against random moves.
const AGENTS: [(&str, &str); 2] = [("MC", MC), ("MCTS", MCTS)];

impl Artist<'_> {
    fn random(&mut self) -> Result<Drawing, Halt> {
        let curves = self.against_random(&|x, tally| share(x, tally, 0))?;
        let title = "agents against random moves";
        Ok(drawing(title, [PLAYOUTS, WINS], LOG_X, curves))
    }

    fn time(&mut self) -> Result<Drawing, Halt> {
        let axes = [PLAYOUTS, "seconds on one core for 1000 games"];
        let curves = self.against_random(&seconds)?;
        let form = Form::Lines {
            log_x: true,
            log_y: true,
        };
        Ok(drawing(
            "run time of agents against random moves",
            axes,
            form,
            curves,
        ))
    }

    /// A curve for each agent over the playouts, against random moves.
    fn against_random(
        &mut self,
        point: &dyn Fn(String, &Tally) -> Point,
    ) -> Result<Vec<Curve>, Halt> {
        let mut curves = Vec::new();
        for (name, agent) in AGENTS {
            let series = |options: &Options, playouts| against_random(options, agent, playouts);
            curves.push(curve(
                name,
                self.sweep(&series, &|x, _, tally| point(x, tally))?,
            ));
        }
        Ok(curves)
    }

    /// A point for each number of playouts.
    fn sweep(
        &mut self,
        series: &dyn Fn(&Options, u64) -> Series,
        point: &dyn Fn(String, u64, &Tally) -> Point,
    ) -> Result<Vec<Point>, Halt> {
        let mut points = Vec::new();
        for playouts in sweep(self.options) {
            let tally = (self.play)(series(self.options, playouts))?;
            points.push(point(playouts.to_string(), playouts, &tally));
        }
        Ok(points)
    }

    /// The wins of both agents over the playouts; with ties they do not add up to all games.
    fn both(
        &mut self,
        title: &str,
        names: [&str; 2],
        series: &dyn Fn(&Options, u64) -> Series,
    ) -> Result<Drawing, Halt> {
        let mut curves = Vec::new();
        for (agent, name) in names.into_iter().enumerate() {
            let points = self.sweep(series, &|x, _, tally| share(x, tally, agent))?;
            curves.push(curve(name, points));
        }
        Ok(drawing(title, [PLAYOUTS, WINS], LOG_X, curves))
    }

    fn exploration(&mut self) -> Result<Drawing, Halt> {
        let mut points = Vec::new();
        for (c, series) in exploration(self.options) {
            points.push(share(c.into(), &(self.play)(series)?, 0));
        }
        let playouts = self.options.playouts.min(1000);
        let title = format!("MCTS against MC at {playouts} playouts by exploration");
        let curves = vec![curve("MCTS", points)];
        Ok(drawing(
            &title,
            ["exploration parameter c", WINS],
            LINES,
            curves,
        ))
    }

    fn pruned(&mut self) -> Result<Drawing, Halt> {
        let most = most(self.options);
        let tally = (self.play)(pruned_every_cycle(self.options, most))?;
        let all: u64 = tally.pruned.iter().sum();
        let class = |(class, &n): (usize, &u64)| Point {
            x: (class as f64 * most as f64 / 100.0).to_string(),
            y: 100.0 * n as f64 / all.max(1) as f64,
            bounds: None,
        };
        let points = tally.pruned.iter().enumerate().map(class).collect();
        let title = format!("when options are pruned, of {most} playouts");
        let axes = ["playouts left, from", "options pruned in per cent"];
        Ok(drawing(
            &title,
            axes,
            Form::Steps,
            vec![curve("MCTS", points)],
        ))
    }

    fn cycles(&mut self) -> Result<Drawing, Halt> {
        let mut curves = Vec::new();
        for interval in INTERVALS {
            let agent = format!("mcts:playouts={{}},prune={interval}");
            let series = |options: &Options, playouts| Series::alone(options, &agent, playouts);
            let point = |x, playouts, tally: &Tally| mean(x, &tally.work, 100.0 / playouts as f64);
            curves.push(curve(
                &format!("interval {interval}"),
                self.sweep(&series, &point)?,
            ));
        }
        let axes = [PLAYOUTS, "playouts made in per cent"];
        Ok(drawing("playouts that pruning leaves", axes, LOG_X, curves))
    }

    fn squares(&mut self) -> Result<Vec<Drawing>, Halt> {
        let most = most(self.options);
        let tally = (self.play)(optimised(self.options, most))?;
        let axes = ["file, from the winner's seat", "turns"];
        let map = |(i, visits): (usize, &[u64; 25])| {
            let (name, pieces) = [("15a", "students"), ("15b", "master")][i];
            let title =
                format!("turns that the winner's {pieces} stood on a square, {most} playouts");
            let figure = name.into();
            Drawing {
                figure,
                ..drawing(&title, axes, Form::Map, ranks(visits))
            }
        };
        Ok(tally.visits.iter().enumerate().map(map).collect())
    }

    fn lengths(&mut self) -> Result<Drawing, Halt> {
        let most = most(self.options);
        let score = (self.play)(optimised(self.options, most))?.score;
        let point = |plies: usize| {
            let n = score.lengths.get(&plies).copied().unwrap_or(0);
            part(plies.to_string(), n, score.games())
        };
        let longest = score.lengths.keys().max().copied().unwrap_or(0);
        let curves = vec![curve("games", (1..=longest).map(point).collect())];
        let title = format!("lengths of games of MCTS at {most} playouts");
        Ok(drawing(
            &title,
            ["turns", "games in per cent"],
            Form::Steps,
            curves,
        ))
    }

    fn ways(&mut self) -> Result<Drawing, Halt> {
        const WAYS: [(&str, &str); 3] = [
            ("way of the stone", "stone"),
            ("way of the stream", "stream"),
            ("cut off", "limit"),
        ];
        let mut curves = Vec::new();
        for (name, way) in WAYS {
            let point = |x, _, tally: &Tally| {
                let n = tally.score.endings.get(way).copied().unwrap_or(0);
                part(x, n, tally.score.games())
            };
            curves.push(curve(name, self.sweep(&optimised, &point)?));
        }
        Ok(drawing(
            "how games end",
            [PLAYOUTS, "games in per cent"],
            LOG_X,
            curves,
        ))
    }

    fn cards(&mut self) -> Result<Drawing, Halt> {
        let mut points = Vec::new();
        for (number, (name, _)) in cards().into_iter().enumerate() {
            let tally = (self.play)(with_card(self.options, number))?;
            points.push(mean(name.into(), &tally.uses, 100.0));
        }
        let playouts = self.options.playouts.min(10_000);
        let title = format!("how often a card is used, {playouts} playouts");
        let curves = vec![curve("turns", points)];
        Ok(drawing(
            &title,
            ["card", "turns in per cent"],
            Form::Bars,
            curves,
        ))
    }

    fn hands(&mut self) -> Result<Drawing, Halt> {
        let mut points = Vec::new();
        for hand in HANDS {
            let tally = (self.play)(with_hand(self.options, hand))?;
            points.push(mean(hand.to_string(), &tally.plies, 1.0));
        }
        let playouts = self.options.playouts.min(10_000);
        let title = format!("lengths of games by cards in a hand, {playouts} playouts");
        let curves = vec![curve("games", points)];
        Ok(drawing(
            &title,
            ["cards in a hand", "mean turns of a game"],
            LINES,
            curves,
        ))
    }
}

/// A drawing whose figure is not named yet.
fn drawing(title: &str, axes: [&'static str; 2], form: Form, curves: Vec<Curve>) -> Drawing {
    let [x, y] = axes;
    Drawing {
        figure: String::new(),
        title: title.into(),
        x,
        y,
        form,
        curves,
    }
}

fn curve(name: &str, points: Vec<Point>) -> Curve {
    Curve {
        name: name.into(),
        points,
    }
}

/// The games won by an agent; a game that was cut off is not.
fn share(x: String, tally: &Tally, agent: usize) -> Point {
    part(x, tally.score.wins[agent], tally.score.games())
}

/// So many of all, in per cent.
fn part(x: String, n: u64, all: u64) -> Point {
    let share = n as f64 / all.max(1) as f64;
    Point {
        x,
        y: 100.0 * share,
        bounds: Some(wilson_interval(share, all).map(|bound| 100.0 * bound)),
    }
}

fn mean(x: String, ratio: &Ratio, unit: f64) -> Point {
    Point {
        x,
        y: unit * ratio.value(),
        bounds: ratio
            .bounds()
            .map(|bounds| bounds.map(|bound| unit * bound)),
    }
}

/// What 1000 games take, if games take as long on average.
fn seconds(x: String, tally: &Tally) -> Point {
    let games = tally.score.games().max(1) as f64;
    Point {
        x,
        y: 1000.0 * tally.score.seconds.iter().sum::<f64>() / games,
        bounds: None,
    }
}

/// A board, the winner's own rank at the bottom.
fn ranks(visits: &[u64; 25]) -> Vec<Curve> {
    let rank = |rank: usize| {
        let file = |file: usize| Point {
            x: ["a", "b", "c", "d", "e"][file].into(),
            y: visits[5 * rank + file] as f64,
            bounds: None,
        };
        curve(&(rank + 1).to_string(), (0..5).map(file).collect())
    };
    (0..5).rev().map(rank).collect()
}
