use hindsight_play::wilson_interval;

use super::figure_series::{
    CARD_PLAYOUTS, HAND_SIZES, MC, MCTS, PRUNING_INTERVALS, THESIS_PLAYOUTS, against_random,
    exploration_series, optimised_self_play, playout_steps, pruned_self_play, pruning_against_none,
    tree_against_pure, with_card, with_hand,
};
use super::options::{AgentsFigure, AgentsOptions};
use super::series::{Series, ordered_cards};
use super::tally::{Ratio, SeriesTally};
use crate::abort::Abort;
use hindsight_study::{Chart, ChartCurve, ChartKind, ChartPoint};

/// Callback that plays a series and returns its counts.
type PlaySeriesFn<'a> = &'a mut dyn FnMut(Series) -> Result<SeriesTally, Abort>;

const PLAYOUTS: &str = "playouts a move";
const WINS: &str = "games won in per cent";
const LINEAR: ChartKind = ChartKind::Lines { log_x: false, log_y: false };
const LOG_X: ChartKind = ChartKind::Lines { log_x: true, log_y: false };

/// Returns the playouts per move of figures that the thesis has at [`THESIS_PLAYOUTS`].
fn max_playouts(options: &AgentsOptions) -> u64 {
    options.playouts.min(THESIS_PLAYOUTS)
}

/// Plays the series of a figure, and returns its charts.
pub(super) fn charts_of_figure(
    figure: AgentsFigure,
    options: &AgentsOptions,
    play: PlaySeriesFn<'_>,
) -> Result<Vec<Chart>, Abort> {
    let mut writer = ChartWriter { options, play };
    let chart = match figure {
        AgentsFigure::Random => writer.random(),
        AgentsFigure::Time => writer.time(),
        AgentsFigure::Agents => {
            writer.wins_of_both("MCTS against MC", ["MCTS", "MC"], &tree_against_pure)
        }
        AgentsFigure::Exploration => writer.exploration(),
        AgentsFigure::Pruned => writer.pruned(),
        AgentsFigure::Pruning => {
            let names = ["with pruning", "without"];
            writer.wins_of_both("MCTS with pruning against without", names, &pruning_against_none)
        }
        AgentsFigure::Cycles => writer.cycles(),
        AgentsFigure::Squares => return writer.squares(),
        AgentsFigure::Lengths => writer.lengths(),
        AgentsFigure::Ways => writer.ways(),
        AgentsFigure::Cards => writer.cards(),
        AgentsFigure::Hands => writer.hands(),
    };
    let figure = figure.number().to_string();
    chart.map(|chart| vec![Chart { figure, ..chart }])
}

/// Makes charts from the games of series.
struct ChartWriter<'a> {
    options: &'a AgentsOptions,
    play: PlaySeriesFn<'a>,
}

/// Names and texts of the agents that play against random moves.
const AGENTS: [(&str, &str); 2] = [("MC", MC), ("MCTS", MCTS)];

impl ChartWriter<'_> {
    fn random(&mut self) -> Result<Chart, Abort> {
        let curves = self.against_random(&|x, tally| wins_point(x, tally, 0))?;
        let title = "agents against random moves";
        Ok(chart(title, [PLAYOUTS, WINS], LOG_X, curves))
    }

    fn time(&mut self) -> Result<Chart, Abort> {
        let labels = [PLAYOUTS, "seconds on one core for 1000 games"];
        let curves = self.against_random(&seconds_point)?;
        let kind = ChartKind::Lines { log_x: true, log_y: true };
        Ok(chart("run time of agents against random moves", labels, kind, curves))
    }

    /// Returns a curve per agent of games against random moves, over the playouts.
    fn against_random(
        &mut self,
        point: &dyn Fn(String, &SeriesTally) -> ChartPoint,
    ) -> Result<Vec<ChartCurve>, Abort> {
        let mut curves = Vec::new();
        for (name, agent) in AGENTS {
            let series =
                |options: &AgentsOptions, playouts| against_random(options, agent, playouts);
            curves.push(curve(name, self.sweep_playouts(&series, &|x, _, tally| point(x, tally))?));
        }
        Ok(curves)
    }

    /// Returns a point per number of playouts.
    fn sweep_playouts(
        &mut self,
        series: &dyn Fn(&AgentsOptions, u64) -> Series,
        point: &dyn Fn(String, u64, &SeriesTally) -> ChartPoint,
    ) -> Result<Vec<ChartPoint>, Abort> {
        let mut points = Vec::new();
        for playouts in playout_steps(self.options) {
            let tally = (self.play)(series(self.options, playouts))?;
            points.push(point(playouts.to_string(), playouts, &tally));
        }
        Ok(points)
    }

    /// Returns the chart of the wins of both agents over the playouts. With ties they do not add up
    /// to 100 %.
    fn wins_of_both(
        &mut self,
        title: &str,
        names: [&str; 2],
        series: &dyn Fn(&AgentsOptions, u64) -> Series,
    ) -> Result<Chart, Abort> {
        let mut curves = Vec::new();
        for (agent, name) in names.into_iter().enumerate() {
            let points = self.sweep_playouts(series, &|x, _, tally| wins_point(x, tally, agent))?;
            curves.push(curve(name, points));
        }
        Ok(chart(title, [PLAYOUTS, WINS], LOG_X, curves))
    }

    fn exploration(&mut self) -> Result<Chart, Abort> {
        let mut points = Vec::new();
        for (c, series) in exploration_series(self.options) {
            points.push(wins_point(c.into(), &(self.play)(series)?, 0));
        }
        let playouts = self.options.playouts.min(1000);
        let title = format!("MCTS against MC at {playouts} playouts by exploration");
        let curves = vec![curve("MCTS", points)];
        Ok(chart(&title, ["exploration parameter c", WINS], LINEAR, curves))
    }

    fn pruned(&mut self) -> Result<Chart, Abort> {
        let playouts = max_playouts(self.options);
        let tally = (self.play)(pruned_self_play(self.options, playouts))?;
        let all: u64 = tally.pruned.iter().sum();
        let point = |(class, &n): (usize, &u64)| ChartPoint {
            x: (class as f64 * playouts as f64 / 100.0).to_string(),
            y: 100.0 * n as f64 / all.max(1) as f64,
            bounds: None,
        };
        let points = tally.pruned.iter().enumerate().map(point).collect();
        let title = format!("when options are pruned, of {playouts} playouts");
        let labels = ["playouts left, from", "options pruned in per cent"];
        Ok(chart(&title, labels, ChartKind::Steps, vec![curve("MCTS", points)]))
    }

    fn cycles(&mut self) -> Result<Chart, Abort> {
        let mut curves = Vec::new();
        for interval in PRUNING_INTERVALS {
            let agent = format!("mcts:playouts={{}},prune={interval}");
            let series =
                |options: &AgentsOptions, playouts| Series::self_play(options, &agent, playouts);
            let point = |x, playouts, tally: &SeriesTally| {
                ratio_point(x, &tally.playouts, 100.0 / playouts as f64)
            };
            curves.push(curve(
                &format!("interval {interval}"),
                self.sweep_playouts(&series, &point)?,
            ));
        }
        let labels = [PLAYOUTS, "playouts made in per cent"];
        Ok(chart("playouts that pruning leaves", labels, LOG_X, curves))
    }

    fn squares(&mut self) -> Result<Vec<Chart>, Abort> {
        let playouts = max_playouts(self.options);
        let tally = (self.play)(optimised_self_play(self.options, playouts))?;
        let labels = ["file, from the winner's seat", "turns"];
        let map = |(i, visits): (usize, &[u64; 25])| {
            let (name, pieces) = [("15a", "students"), ("15b", "master")][i];
            let title =
                format!("turns that the winner's {pieces} stood on a square, {playouts} playouts");
            let figure = name.into();
            Chart { figure, ..chart(&title, labels, ChartKind::Map, board_curves(visits)) }
        };
        Ok(tally.visits.iter().enumerate().map(map).collect())
    }

    fn lengths(&mut self) -> Result<Chart, Abort> {
        let playouts = max_playouts(self.options);
        let score = (self.play)(optimised_self_play(self.options, playouts))?.score;
        let point = |plies: usize| {
            let n = score.lengths.get(&plies).copied().unwrap_or(0);
            percent_point(plies.to_string(), n, score.games())
        };
        let longest = score.lengths.keys().max().copied().unwrap_or(0);
        let curves = vec![curve("games", (1..=longest).map(point).collect())];
        let title = format!("lengths of games of MCTS at {playouts} playouts");
        Ok(chart(&title, ["turns", "games in per cent"], ChartKind::Steps, curves))
    }

    fn ways(&mut self) -> Result<Chart, Abort> {
        const WAYS: [(&str, &str); 3] =
            [("way of the stone", "stone"), ("way of the stream", "stream"), ("cut off", "limit")];
        let mut curves = Vec::new();
        for (name, way) in WAYS {
            let point = |x, _, tally: &SeriesTally| {
                let n = tally.score.endings.get(way).copied().unwrap_or(0);
                percent_point(x, n, tally.score.games())
            };
            curves.push(curve(name, self.sweep_playouts(&optimised_self_play, &point)?));
        }
        Ok(chart("how games end", [PLAYOUTS, "games in per cent"], LOG_X, curves))
    }

    fn cards(&mut self) -> Result<Chart, Abort> {
        let mut points = Vec::new();
        for (number, (name, _)) in ordered_cards().into_iter().enumerate() {
            let tally = (self.play)(with_card(self.options, number))?;
            points.push(ratio_point(name.into(), &tally.card_uses, 100.0));
        }
        let playouts = self.options.playouts.min(CARD_PLAYOUTS);
        let title = format!("how often a card is used, {playouts} playouts");
        let curves = vec![curve("turns", points)];
        Ok(chart(&title, ["card", "turns in per cent"], ChartKind::Bars, curves))
    }

    fn hands(&mut self) -> Result<Chart, Abort> {
        let mut points = Vec::new();
        for hand in HAND_SIZES {
            let tally = (self.play)(with_hand(self.options, hand))?;
            points.push(ratio_point(hand.to_string(), &tally.plies, 1.0));
        }
        let playouts = self.options.playouts.min(CARD_PLAYOUTS);
        let title = format!("lengths of games by cards in a hand, {playouts} playouts");
        let curves = vec![curve("games", points)];
        Ok(chart(&title, ["cards in a hand", "mean turns of a game"], LINEAR, curves))
    }
}

/// Creates a chart without the name of its figure. `labels` are those of the axes.
fn chart(
    title: &str,
    labels: [&'static str; 2],
    kind: ChartKind,
    curves: Vec<ChartCurve>,
) -> Chart {
    let [x_label, y_label] = labels;
    Chart { figure: String::new(), title: title.into(), x_label, y_label, kind, curves }
}

fn curve(name: &str, points: Vec<ChartPoint>) -> ChartCurve {
    ChartCurve { name: name.into(), points }
}

/// Returns the point of the games won by an agent. Games that were cut off are not won.
fn wins_point(x: String, tally: &SeriesTally, agent: usize) -> ChartPoint {
    percent_point(x, tally.score.wins[agent], tally.score.games())
}

/// Returns the point of `n` of `all` games, in per cent.
fn percent_point(x: String, n: u64, all: u64) -> ChartPoint {
    let share = n as f64 / all.max(1) as f64;
    ChartPoint {
        x,
        y: 100.0 * share,
        bounds: Some(wilson_interval(share, all).map(|bound| 100.0 * bound)),
    }
}

/// Returns the point of a ratio in the given unit, with its bounds.
fn ratio_point(x: String, ratio: &Ratio, unit: f64) -> ChartPoint {
    ChartPoint {
        x,
        y: unit * ratio.value(),
        bounds: ratio.bounds().map(|bounds| bounds.map(|bound| unit * bound)),
    }
}

/// Returns the point of the seconds for 1000 games, from the mean of the games played.
fn seconds_point(x: String, tally: &SeriesTally) -> ChartPoint {
    let games = tally.score.games().max(1) as f64;
    ChartPoint { x, y: 1000.0 * tally.score.seconds.iter().sum::<f64>() / games, bounds: None }
}

/// Returns the curves of a map: the ranks of the board, the winner's own rank last.
fn board_curves(visits: &[u64; 25]) -> Vec<ChartCurve> {
    let rank = |rank: usize| {
        let file = |file: usize| ChartPoint {
            x: ["a", "b", "c", "d", "e"][file].into(),
            y: visits[5 * rank + file] as f64,
            bounds: None,
        };
        curve(&(rank + 1).to_string(), (0..5).map(file).collect())
    };
    (0..5).rev().map(rank).collect()
}
