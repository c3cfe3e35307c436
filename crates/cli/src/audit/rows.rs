//! The rows of an audit: one for each agent, with its classes and layers.

use hindsight_answers::AuditRow;
use hindsight_games::TableInfo;

use super::judged::JudgedAgent;
use crate::shown::sizes::with_commas;

/// Returns the name of a layer of a table; empty if the layer has none.
pub(super) fn layer_name(info: &TableInfo, layer: u32) -> &str {
    let layer = info.layers.get(layer as usize);
    layer.map_or("", |layer| &layer.name)
}

pub(super) fn row_of(info: &TableInfo, judged: &JudgedAgent) -> AuditRow {
    let JudgedAgent { agent, quality } = judged;
    let name = |layer| layer_name(info, layer).to_string();
    AuditRow::new(agent.to_string(), agent.playouts(), quality, &name)
}

/// Returns the cells of a text row; `number` stands for the agent in later tables.
pub(super) fn cells(row: &AuditRow, number: usize) -> Vec<String> {
    let percent =
        |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1}", 100.0 * share));
    let bounds = |bounds: Option<[f64; 2]>| {
        let text = |[low, high]: [f64; 2]| format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high);
        bounds.map_or("-".into(), text)
    };
    let plies = |plies: Option<f64>| plies.map_or("-".into(), |plies| format!("{plies:.2}"));
    vec![
        number.to_string(),
        row.agent.clone(),
        with_commas(row.counts.positions),
        percent(row.kept),
        bounds(row.kept_interval),
        with_commas(row.counts.critical),
        percent(row.kept_critical),
        bounds(row.kept_critical_interval),
        percent(row.counts.by_chance),
        percent(row.best),
        plies(row.plies_lost_a_win),
        plies(row.plies_lost_a_loss),
        format!("{:.3}", 1e3 * row.seconds_a_move),
    ]
}
