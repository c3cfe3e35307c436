//! What an audit tells, as text and as JSON.

use hindsight_play::{AuditTally, wilson_interval};
use hindsight_tablebase::TableInfo;
use serde::Serialize;

use super::{JudgedAgent, by_class};
use crate::args::{AuditArgs, Origin};
use crate::output::{align_columns, with_commas};

/// What `audit --json` prints.
#[derive(Serialize)]
pub(super) struct AuditReport {
    game: String,
    table: String,
    from: &'static str,
    /// Null for positions of the table.
    opening: Option<u32>,
    max_turns: Option<u32>,
    seed: u64,
    /// Positions wanted of each agent.
    positions: u64,
    pub(super) rows: Vec<AuditRow>,
    seconds: f64,
}

/// An agent. Shares are from 0 to 1, and null where there is nothing to have a share of.
#[derive(Serialize)]
pub(super) struct AuditRow {
    pub(super) agent: String,
    pub(super) playouts: Option<u64>,
    #[serde(flatten)]
    pub(super) counts: AuditCounts,
    kept: Option<f64>,
    kept_interval: Option<[f64; 2]>,
    kept_critical: Option<f64>,
    kept_critical_interval: Option<[f64; 2]>,
    best: Option<f64>,
    plies_lost_a_win: Option<f64>,
    plies_lost_a_loss: Option<f64>,
    seconds_a_move: f64,
    pub(super) by_remoteness: Vec<AuditClass>,
    pub(super) by_layer: Vec<AuditLayer>,
}

/// Positions of a result, and of some numbers of plies to it.
#[derive(Serialize)]
pub(super) struct AuditClass {
    pub(super) value: String,
    /// Null for draws.
    pub(super) from_plies: Option<u32>,
    pub(super) to_plies: Option<u32>,
    #[serde(flatten)]
    pub(super) counts: AuditCounts,
}

/// Positions of a layer of the table.
#[derive(Serialize)]
pub(super) struct AuditLayer {
    pub(super) layer: u32,
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) counts: AuditCounts,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
pub(super) struct AuditCounts {
    positions: u64,
    pub(super) critical: u64,
    pub(super) given_away: u64,
    /// The share of critical positions whose result a player who moves at random would have kept.
    pub(super) by_chance: Option<f64>,
}

impl AuditCounts {
    fn new(tally: &AuditTally) -> Self {
        Self {
            positions: tally.choices,
            critical: tally.critical,
            given_away: tally.blunders,
            by_chance: share(
                tally.critical as f64 - tally.expected_blunders,
                tally.critical,
            ),
        }
    }

    /// Of the critical positions.
    pub(super) fn share_given_away(&self) -> Option<f64> {
        share(self.given_away as f64, self.critical)
    }
}

fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

/// The name of a layer of a table.
pub(super) fn layer_name(info: &TableInfo, layer: u32) -> &str {
    let layer = info.layers.get(layer as usize);
    layer.map_or("", |layer| &layer.name)
}

impl AuditRow {
    fn new(info: &TableInfo, judged: &JudgedAgent) -> Self {
        let all = &judged.quality.all;
        let kept = |of: u64| share((of - all.blunders) as f64, of);
        let interval = |of: u64| kept(of).map(|share| wilson_interval(share, of));
        let classes = judged.quality.by_class().into_iter();
        let layers = judged.quality.by_layer.iter();
        Self {
            agent: judged.agent.to_string(),
            playouts: judged.agent.playouts(),
            counts: AuditCounts::new(all),
            kept: kept(all.choices),
            kept_interval: interval(all.choices),
            kept_critical: kept(all.critical),
            kept_critical_interval: interval(all.critical),
            best: share(all.best_moves as f64, all.choices),
            plies_lost_a_win: share(all.plies_lost_in_wins as f64, all.wins_kept),
            plies_lost_a_loss: share(all.plies_lost_in_losses as f64, all.losses),
            seconds_a_move: all.seconds / all.choices.max(1) as f64,
            by_remoteness: classes
                .map(|(class, tally)| AuditClass {
                    value: class.result.to_string(),
                    from_plies: class.plies.as_ref().map(|plies| *plies.start()),
                    to_plies: class.plies.as_ref().map(|plies| *plies.end()),
                    counts: AuditCounts::new(&tally),
                })
                .collect(),
            by_layer: layers
                .map(|(&layer, tally)| AuditLayer {
                    layer,
                    name: layer_name(info, layer).to_string(),
                    counts: AuditCounts::new(tally),
                })
                .collect(),
        }
    }

    fn cells(&self, number: usize) -> Vec<String> {
        let percent = |share: Option<f64>| {
            share.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share))
        };
        let bounds = |bounds: Option<[f64; 2]>| {
            let text = |[low, high]: [f64; 2]| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high);
            bounds.map_or("-".into(), text)
        };
        let plies = |plies: Option<f64>| plies.map_or("-".into(), |plies| format!("{plies:.2}"));
        vec![
            number.to_string(),
            self.agent.clone(),
            with_commas(self.counts.positions),
            percent(self.kept),
            bounds(self.kept_interval),
            with_commas(self.counts.critical),
            percent(self.kept_critical),
            bounds(self.kept_critical_interval),
            percent(self.counts.by_chance),
            percent(self.best),
            plies(self.plies_lost_a_win),
            plies(self.plies_lost_a_loss),
            format!("{:.3}", 1e3 * self.seconds_a_move),
        ]
    }
}

const HEADINGS: [[&str; 13]; 2] = [
    [
        "",
        "",
        "",
        "",
        "",
        "",
        "of these",
        "",
        "kept by",
        "",
        "plies lost",
        "plies lost",
        "",
    ],
    [
        "",
        "agent",
        "positions",
        "kept",
        "95 %",
        "critical",
        "kept",
        "95 %",
        "chance",
        "best",
        "in a win",
        "in a loss",
        "ms a move",
    ],
];

impl AuditReport {
    pub(super) fn new(
        args: &AuditArgs,
        info: &TableInfo,
        judged: &[JudgedAgent],
        seconds: f64,
    ) -> Self {
        let games = args.from == Origin::SelfPlay;
        Self {
            game: info.spec.clone(),
            table: args.table.display().to_string(),
            from: if games { "self-play" } else { "ranks" },
            opening: games.then(|| args.opening()),
            max_turns: games.then(|| args.max_turns()),
            seed: args.seed,
            positions: args.positions,
            rows: judged
                .iter()
                .map(|judged| AuditRow::new(info, judged))
                .collect(),
            seconds,
        }
    }

    pub(super) fn title(&self) -> String {
        let from = match self.from {
            "ranks" => "positions of the table",
            _ => "self-play",
        };
        format!("{}, {from}", self.game)
    }

    pub(super) fn text(&self) -> String {
        let mut rows = HEADINGS
            .map(|heads| heads.map(String::from).to_vec())
            .to_vec();
        let numbered = (1..).zip(&self.rows);
        rows.extend(numbered.map(|(number, row)| row.cells(number)));
        let games = self.opening.zip(self.max_turns).map(|(opening, most)| {
            format!(" of at most {most} plies, the first {opening} drawn at random")
        });
        format!(
            "{}{}; {} positions wanted, seed {}\n\n{}\n{}\n{:.3} s\n",
            self.title(),
            games.unwrap_or_default(),
            with_commas(self.positions),
            self.seed,
            align_columns(&rows, "rlrrrrrrrrrrr"),
            by_class::text(&self.rows),
            self.seconds
        )
    }
}
