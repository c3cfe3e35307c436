use hindsight_games::{AuditTally, PlayQuality, wilson_interval};
use serde::Serialize;

/// Audit of agents by a table.
#[derive(Clone, Debug, Serialize)]
pub struct AuditAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// File of the table.
    pub table: String,
    /// Origin of the positions: `ranks` of the table, or `self-play`.
    pub from: &'static str,
    /// Random plies at the start of a game; null for positions of the table.
    pub opening: Option<u32>,
    /// Plies after which a game is cut off; null for positions of the table.
    pub max_turns: Option<u32>,
    /// Seed of the positions.
    pub seed: u64,
    /// Positions wanted for each agent.
    pub positions: u64,
    /// Counts of each agent.
    pub rows: Vec<AuditRow>,
    /// Time of the audit in seconds.
    pub seconds: f64,
}

/// Counts of one agent in an audit. Shares are from 0 to 1; null if the whole is 0.
#[derive(Clone, Debug, Serialize)]
pub struct AuditRow {
    /// The agent.
    pub agent: String,
    /// Playouts a move; null for agents without a number of them.
    pub playouts: Option<u64>,
    /// Counts of all positions.
    #[serde(flatten)]
    pub counts: AuditCounts,
    /// Share of positions whose result the agent kept.
    pub kept: Option<f64>,
    /// 95 % confidence interval of `kept`.
    pub kept_interval: Option<[f64; 2]>,
    /// Share of critical positions whose result the agent kept.
    pub kept_critical: Option<f64>,
    /// 95 % confidence interval of `kept_critical`.
    pub kept_critical_interval: Option<[f64; 2]>,
    /// Share of positions in which no move was better than the chosen one.
    pub best: Option<f64>,
    /// Mean plies by which a kept win became longer.
    pub plies_lost_a_win: Option<f64>,
    /// Mean plies by which a loss became shorter.
    pub plies_lost_a_loss: Option<f64>,
    /// Mean thinking time in seconds.
    pub seconds_a_move: f64,
    /// Counts by result and remoteness.
    pub by_remoteness: Vec<AuditClass>,
    /// Counts by layer of the table.
    pub by_layer: Vec<AuditLayer>,
}

/// Counts of the positions of one class: a result and a range of remoteness.
#[derive(Clone, Debug, Serialize)]
pub struct AuditClass {
    /// Result: `"win"`, `"draw"` or `"loss"`.
    pub value: String,
    /// First remoteness of the class; null for draws.
    pub from_plies: Option<u32>,
    /// Last remoteness of the class; null for draws.
    pub to_plies: Option<u32>,
    /// The counts.
    #[serde(flatten)]
    pub counts: AuditCounts,
}

/// Counts of the positions of one layer of the table.
#[derive(Clone, Debug, Serialize)]
pub struct AuditLayer {
    /// Number of the layer.
    pub layer: u32,
    /// Name of the layer.
    pub name: String,
    /// The counts.
    #[serde(flatten)]
    pub counts: AuditCounts,
}

/// Counts of some positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct AuditCounts {
    /// Judged positions.
    pub positions: u64,
    /// Positions in which some legal move gives away the result.
    pub critical: u64,
    /// Critical positions whose result the agent gave away.
    pub given_away: u64,
    /// Expected share of critical positions whose result a random player keeps.
    pub by_chance: Option<f64>,
}

impl AuditCounts {
    fn new(tally: &AuditTally) -> Self {
        Self {
            positions: tally.choices,
            critical: tally.critical,
            given_away: tally.blunders,
            by_chance: share(tally.critical as f64 - tally.expected_blunders, tally.critical),
        }
    }

    /// Returns the share of critical positions whose result was given away.
    #[must_use]
    pub fn share_given_away(&self) -> Option<f64> {
        share(self.given_away as f64, self.critical)
    }
}

/// Returns `part / all`; `None` if `all` is 0.
fn share(part: f64, all: u64) -> Option<f64> {
    (all > 0).then(|| part / all as f64)
}

impl AuditRow {
    /// Returns the counts of an agent as an answer. `layer_name` returns the name of a layer.
    #[must_use]
    pub fn new(
        agent: String,
        playouts: Option<u64>,
        quality: &PlayQuality,
        layer_name: &dyn Fn(u32) -> String,
    ) -> Self {
        let all = &quality.all;
        let kept = |positions: u64| share((positions - all.blunders) as f64, positions);
        let interval =
            |positions: u64| kept(positions).map(|share| wilson_interval(share, positions));
        let classes = quality.by_class().into_iter();
        let layers = quality.by_layer.iter();
        Self {
            agent,
            playouts,
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
                    name: layer_name(layer),
                    counts: AuditCounts::new(tally),
                })
                .collect(),
        }
    }
}
