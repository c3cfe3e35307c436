//! The rows of an audit: one for each agent, with its classes and layers.

use hindsight_play::{AuditTally, wilson_interval};
use hindsight_tablebase::TableInfo;
use serde::Serialize;

use super::judged::JudgedAgent;
use crate::sizes::with_commas;

/// The counts of one agent. Shares are from 0 to 1; null if the whole is 0.
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

/// Counts of the positions of one class: a result and a range of remoteness.
#[derive(Serialize)]
pub(super) struct AuditClass {
    pub(super) value: String,
    /// First and last remoteness of the class; null for draws.
    pub(super) from_plies: Option<u32>,
    pub(super) to_plies: Option<u32>,
    #[serde(flatten)]
    pub(super) counts: AuditCounts,
}

/// Counts of the positions of one layer of the table.
#[derive(Serialize)]
pub(super) struct AuditLayer {
    pub(super) layer: u32,
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) counts: AuditCounts,
}

/// Counts of some positions.
#[derive(Clone, Copy, PartialEq, Serialize)]
pub(super) struct AuditCounts {
    positions: u64,
    /// Positions in which some legal move gives away the result.
    pub(super) critical: u64,
    /// Critical positions whose result the agent gave away.
    pub(super) given_away: u64,
    /// Expected share of critical positions whose result a random player keeps.
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

    /// Returns the share of critical positions whose result was given away.
    pub(super) fn share_given_away(&self) -> Option<f64> {
        share(self.given_away as f64, self.critical)
    }
}

/// Returns `part / all`; `None` if `all` is 0.
fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

/// Returns the name of a layer of a table; empty if the layer has none.
pub(super) fn layer_name(info: &TableInfo, layer: u32) -> &str {
    let layer = info.layers.get(layer as usize);
    layer.map_or("", |layer| &layer.name)
}

impl AuditRow {
    pub(super) fn new(info: &TableInfo, judged: &JudgedAgent) -> Self {
        let all = &judged.quality.all;
        let kept = |positions: u64| share((positions - all.blunders) as f64, positions);
        let interval =
            |positions: u64| kept(positions).map(|share| wilson_interval(share, positions));
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

    /// Returns the cells of a text row; `number` stands for the agent in later tables.
    pub(super) fn cells(&self, number: usize) -> Vec<String> {
        let percent =
            |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share));
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
