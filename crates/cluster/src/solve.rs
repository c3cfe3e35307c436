//! Solve of every position of a game in several processes, layer by layer.

use std::sync::Mutex;
use std::time::Duration;

use hindsight_checkpoint::bytes::put_varint;
use hindsight_core::{Retro, Value};
use hindsight_run::{Histogram, Layer, Monitor};

use crate::error::ClusterError;
use crate::ranks::{Deal, RUN_RANKS};
use crate::report::SolveReport;
use crate::tier::{FinishedPart, LayerContext, LayerTools, TierCounts, solve_layer};
use crate::workers::{Agreement, Cluster, Traffic};
use crate::engine::Steps;

/// tmp
#[derive(Debug)]
pub struct Sol { pub start: Option<Value>, pub histogram: Histogram, pub counts: Vec<TierCountsPub>, pub traffic: Traffic, pub time: Duration }
/// tmp
#[derive(Debug, Clone, Copy)]
pub struct TierCountsPub { pub edges: u64, pub edges_sent: u64, pub exits: u64, pub exits_asked: u64 }

/// tmp
pub fn solve<G: Retro>(game: &G, spec: &str, cluster: &Cluster<'_>, monitor: &mut dyn Monitor) -> Result<Sol, ClusterError> {
    let shapes: Vec<Layer> = (0..game.layers()).map(|l| { let mut t = Vec::new(); game.tiers(l, &mut t); Layer::without_codes(game, l, &t) }).collect();
    let total = shapes.iter().map(|s| *s.starts.last().unwrap()).sum();
    let task = |steps: &mut Steps<'_>, monitor: Option<&mut dyn Monitor>| {
        let mut report = SolveReport::new(monitor, total);
        let mut counts = TierCounts::default();
        let mut finished: Vec<FinishedPart<'_>> = Vec::new();
        let mut histogram = Histogram::default();
        let mut start = None;
        for layer in 0..game.layers() {
            let shape = &shapes[layer as usize];
            let ranks = *shape.starts.last().unwrap();
            report.begin_layer(ranks);
            let deal = Deal::new(ranks, RUN_RANKS, steps.workers());
            let context = LayerContext { game, shape, deal, worker: steps.worker(), workers: steps.workers(), finished: &finished };
            let part = solve_layer(&context, &mut LayerTools { steps, report: &mut report, counts: &mut counts, parts: None }, None)?;
            let palette = part.values.palette();
            for run in 0..deal.runs(steps.worker()) {
                let mut offset = deal.places_of_run(steps.worker(), run).start;
                for piece in crate::ranks::pieces(shape, deal.ordinals_of_run(steps.worker(), run)) {
                    let n = (piece.ranks.end - piece.ranks.start) as usize;
                    let copies = game.tier_orbit_size(piece.tier);
                    let mut bins = [0u64; 256];
                    for &c in &part.codes[offset..offset+n] { bins[c as usize] += copies; }
                    for (c, &v) in palette.iter().enumerate() { if let Some(v) = v && bins[c] > 0 { histogram.add(v, bins[c]); } }
                    offset += n;
                }
            }
            if let Some((t, r)) = game.rank(game.start()) && let Some(o) = crate::ranks::ordinal_of(shape, t, r) {
                let p = deal.place(o);
                if p.worker == steps.worker() { start = palette[part.codes[p.index as usize] as usize]; }
            }
            finished.push(FinishedPart { shape, deal, codes: part.codes, palette });
            let mut last_use: Vec<u32> = (0..game.layers()).collect();
            for l in 0..game.layers() { for e in game.layer_successors(l) { last_use[e as usize] = l; } }
            finished.retain(|f| last_use[f.shape.layer as usize] > layer);
        }
        let mut own = Vec::new();
        put_varint(&mut own, 0);
        let _ = Mutex::new(());
        Ok((start, histogram, counts))
    };
    let out = cluster.run(Agreement { spec, settings: "x".into(), own: Ok(()) }, monitor, &task)?;
    let mut h = Histogram::default();
    let mut start = None;
    let mut counts = Vec::new();
    for (s, hh, c) in out.results { h.merge(&hh); start = start.or(s); counts.push(TierCountsPub { edges: c.edges, edges_sent: c.edges_sent, exits: c.exits, exits_asked: c.exits_asked }); }
    Ok(Sol { start, histogram: h, counts, traffic: out.traffic, time: out.time })
}
