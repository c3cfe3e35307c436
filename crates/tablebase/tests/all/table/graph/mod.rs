//! A game on an arbitrary graph, with tiers and layers as a test needs them, and its solution.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "each test uses its part; the fuzz target too"
)]

use std::collections::BTreeMap;

use hindsight_core::{Game, OrbitRun, PackedGame, Ranked, Retro, Tiers, Value, Wdl};
use hindsight_engine::Layer;
use hindsight_testkit::pack_numbers;

/// Number of a position. [`OVER`] is a finished game without a rank, lost for the side to move.
pub type Node = u32;
pub const OVER: Node = u32::MAX;

#[derive(Clone, Debug)]
pub struct Tier {
    pub id: u64,
    pub copies: u64,
    /// Number of the first position.
    pub begin: Node,
    pub len: u32,
}

/// Positions, tier by tier and layer by layer. `None` is a hole. A position without successors is
/// lost.
#[derive(Clone, Debug)]
pub struct Graph {
    pub layers: Vec<Vec<Tier>>,
    pub successors: Vec<Option<Vec<Node>>>,
    pub start: Node,
}

impl Game for Graph {
    type Position = Node;
    type Move = Node;

    fn start(&self) -> Node {
        self.start
    }

    fn player_to_move(&self, _: Node) -> usize {
        0
    }

    fn terminal(&self, position: Node) -> Option<Wdl> {
        let over = position == OVER || self.after(position).is_empty();
        over.then_some(Wdl::Loss)
    }

    fn moves(&self, position: Node, out: &mut Vec<Node>) {
        if position != OVER {
            out.extend(self.after(position));
        }
    }

    fn play(&self, _: Node, mv: Node) -> Node {
        mv
    }
}

pack_numbers!(Graph, Node, "graph");

impl Tiers for Graph {
    fn layers(&self) -> u32 {
        self.layers.len() as u32
    }

    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        out.extend(self.layers[layer as usize].iter().map(|tier| tier.id));
    }

    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        (layer.saturating_sub(2)..layer).collect()
    }

    fn layer_name(&self, layer: u32) -> String {
        format!("{layer} of {}", self.layers.len())
    }

    fn tier_len(&self, tier: u64) -> u64 {
        u64::from(self.tier(tier).expect("a tier").len)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        let tier = self.tier(tier).expect("a tier");
        OrbitRun { ranks: rank..tier.len.into(), orbit_size: tier.copies }
    }
}

impl Ranked for Graph {
    fn rank(&self, position: Node) -> Option<(u64, u64)> {
        if position == OVER {
            return None;
        }
        let tiers = self.layers.iter().flatten();
        let tier = tiers.rev().find(|tier| tier.begin <= position && tier.len > 0)?;
        Some((tier.id, u64::from(position - tier.begin)))
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Node> {
        let position = self.tier(tier)?.begin + rank as u32;
        self.successors[position as usize].as_ref().map(|_| position)
    }

    fn immediate_value(&self, position: Node) -> Option<Value> {
        self.after(position).contains(&OVER).then_some(Value::Win(1))
    }
}

/// Moves are not taken back: no graph is solved tier by tier.
impl Retro for Graph {}

impl Graph {
    pub fn packed(&self) -> PackedGame {
        PackedGame::ranked(self.clone())
    }

    pub fn after(&self, position: Node) -> &[Node] {
        self.successors[position as usize].as_deref().unwrap_or(&[])
    }

    fn tier(&self, id: u64) -> Option<&Tier> {
        let mut layers = self.layers.iter();
        let layer = layers.find(|layer| layer.last().is_some_and(|tier| tier.id >= id))?;
        let i = layer.binary_search_by_key(&id, |tier| tier.id).ok()?;
        Some(&layer[i])
    }

    /// A random graph of tiers with these lengths: holes, cycles inside tiers, moves to the two
    /// layers before, wins in one ply, draws.
    pub fn random(lengths: &[Vec<u32>], seed: u64) -> Self {
        let mut random = Random(seed);
        let (mut layers, mut begin, mut id) = (Vec::new(), 0, 5);
        for lengths in lengths {
            let tiers: Vec<Tier> = lengths
                .iter()
                .map(|&len| {
                    let copies = 1 + random.below(3);
                    let tier = Tier { id, copies, begin, len };
                    begin += len;
                    id += 1 + random.below(300);
                    tier
                })
                .collect();
            layers.push(tiers);
        }
        let holes: Vec<bool> = (0..begin).map(|_| random.below(7) == 0).collect();
        let mut successors = vec![None; begin as usize];
        for (i, layer) in layers.iter().enumerate() {
            let earlier = layers[i.saturating_sub(2)].first().map_or(0, |tier| tier.begin);
            for tier in layer {
                let bottom = layer[0].begin;
                for position in tier.begin..tier.begin + tier.len {
                    let mut after = Vec::new();
                    for _ in 0..random.below(4) {
                        let next = match random.below(12) {
                            0 => OVER,
                            1..6 if bottom > earlier => {
                                earlier + random.below(u64::from(bottom - earlier)) as u32
                            }
                            _ => tier.begin + random.below(u64::from(tier.len)) as u32,
                        };
                        if next == OVER || !holes[next as usize] {
                            after.push(next);
                        }
                    }
                    if !holes[position as usize] {
                        successors[position as usize] = Some(after);
                    }
                }
            }
        }
        let start = (0..begin).rev().find(|&p| {
            let after: &Option<Vec<Node>> = &successors[p as usize];
            after.as_ref().is_some_and(|after| !after.is_empty())
        });
        Self { layers, successors, start: start.expect("a position that is not over") }
    }

    /// Layers of one tier each, in which every position leads to the previous one. Position `n` is
    /// worth `n` plies.
    pub fn chain(layers: u32, len: u32) -> Self {
        let tier = |i: u32| Tier { id: u64::from(i) << 40, copies: 1, begin: i * len, len };
        let after = |i: u32| Some(i.checked_sub(1).into_iter().collect());
        Self {
            layers: (0..layers).map(|i| vec![tier(i)]).collect(),
            successors: (0..layers * len).map(after).collect(),
            start: layers * len - 1,
        }
    }

    /// Values of all positions, by retrograde analysis ply by ply.
    pub fn solve(&self) -> Vec<Option<Value>> {
        let n = self.successors.len();
        let mut values: Vec<Option<Value>> = vec![None; n];
        let mut before: Vec<Vec<Node>> = vec![Vec::new(); n];
        let mut open: Vec<usize> = vec![0; n];
        let mut frontier = Vec::new();
        for p in 0..n as u32 {
            if self.successors[p as usize].is_none() {
                continue;
            }
            let after = self.after(p);
            open[p as usize] = after.len();
            for &next in after {
                if next != OVER {
                    before[next as usize].push(p);
                }
            }
            if after.is_empty() {
                values[p as usize] = Some(Value::Loss(0));
                frontier.push(p);
            }
        }
        for p in 0..n as u32 {
            if self.after(p).contains(&OVER) {
                values[p as usize] = Some(Value::Win(1));
            }
        }
        let mut plies = 0;
        loop {
            let mut next = Vec::new();
            for &p in &frontier {
                let value = values[p as usize].expect("decided");
                for &q in &before[p as usize] {
                    if values[q as usize].is_some() {
                        continue;
                    }
                    open[q as usize] -= usize::from(matches!(value, Value::Win(_)));
                    if matches!(value, Value::Loss(_)) || open[q as usize] == 0 {
                        values[q as usize] = Some(value.before());
                        next.push(q);
                    }
                }
            }
            plies += 1;
            if plies == 1 {
                let first = (0..n as u32).filter(|&p| self.after(p).contains(&OVER));
                next.extend(first.filter(|p| !next.contains(p)).collect::<Vec<_>>());
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        for (value, after) in values.iter_mut().zip(&self.successors) {
            if after.is_some() && value.is_none() {
                *value = Some(Value::Draw);
            }
        }
        values
    }

    /// Layers as a solver hands them over. `seed` permutes the codes.
    pub fn layers_of(&self, values: &[Option<Value>], seed: u64) -> Vec<Layer> {
        (0..self.layers()).map(|i| self.layer_of(i, values, seed)).collect()
    }

    fn layer_of(&self, layer: u32, values: &[Option<Value>], seed: u64) -> Layer {
        let tiers = &self.layers[layer as usize];
        let mut starts = vec![0];
        let mut all = Vec::new();
        for tier in tiers {
            let begin = tier.begin as usize;
            all.extend_from_slice(&values[begin..begin + tier.len as usize]);
            starts.push(all.len() as u64);
        }
        let mut palette: Vec<Option<Value>> = Vec::new();
        for &value in &all {
            if !palette.contains(&value) {
                palette.push(value);
            }
        }
        let mut random = Random(seed);
        for i in (1..palette.len()).rev() {
            palette.swap(i, random.below(i as u64 + 1) as usize);
        }
        let codes: BTreeMap<Option<Value>, u8> = palette.iter().copied().zip(0..=255).collect();
        Layer {
            layer,
            tiers: tiers.iter().map(|tier| tier.id).collect(),
            starts,
            codes: all.iter().map(|value| codes[value]).collect(),
            palette,
        }
    }
}

/// Random number generator: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}
