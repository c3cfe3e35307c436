use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use hindsight_core::{PawnPairs, Ranked};
use hindsight_solve::{Layer, Limits, Monitor, Progress, parallel};
use rayon::prelude::*;

use crate::counts::Counts;
use crate::decode::decode;
use crate::fill::fill_wins;
use crate::fits::lies;
use crate::layout::Layout;
use crate::memory::{self, together};
use crate::read::ReadAt;
use crate::recheck::Recheck;
use crate::shape::{Known, runs};
use crate::sums::damage;
use crate::{Error, Table};

/// Faults that are told apart; more are counted.
pub(crate) const TOLD: usize = 10;

/// What a check of a table found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Positions whose values were recomputed, one of each class.
    pub positions_checked: u64,
    /// The first faults, at most ten; none if all is well.
    pub faults: Vec<Fault>,
}

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The layer, if it is one layer's.
    pub layer: Option<u32>,
    /// Tier and rank, if it is one position's.
    pub place: Option<(u64, u64)>,
    /// What is wrong.
    pub what: String,
}

impl Verdict {
    /// Tells of a fault, unless many are told already.
    pub(crate) fn fault(&mut self, layer: Option<u32>, place: Option<(u64, u64)>, what: String) {
        if self.faults.len() < TOLD {
            self.faults.push(Fault { layer, place, what });
        }
    }
}

/// Checks everything in a table: every byte by its checksum, and every value by the values of its
/// successors.
///
/// The value of a position is the best of its successors' for the one who moves to them. Values that
/// agree everywhere are the true ones. By induction on the plies `n`, a stored `Win(n)` or `Loss(n)` is
/// true: a terminal position is checked by the rules, and the agreement makes `Win(n)` have a
/// successor `Loss(n - 1)`, and none of fewer plies, and makes all successors of `Loss(n)` wins, the
/// longest `Win(n - 1)`. The other way round, a true win or loss of `n` plies is stored as such: a true
/// `Win(n)` has a successor that is truly `Loss(n - 1)`, which is stored so, and the best of the
/// successors cannot be better, for then it would be true. A true draw is neither, so it is stored as
/// a draw, and a set of positions called draws by mistake finds a member with a winning move, or with
/// losing moves only.
///
/// Goes layer by layer, with the layer and those it leads to in memory, a byte a rank.
///
/// # Errors
/// When a layer needs more memory than allowed ([`crate::memory_needed`]), the time is over, the monitor stops
/// the work, or the table cannot be read. What is wrong with the table is no error, but a [`Fault`].
pub fn verify<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Verdict, Error> {
    verify_by(table, game, None, limits, monitor)
}

/// As [`verify`], for a game whose tiers are pairs of squares: ten times faster.
///
/// # Errors
/// As [`verify`].
pub fn verify_pairs<G: PawnPairs, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Verdict, Error> {
    let faults = |layer: &Layer, before: Option<&Layer>, report: &mut dyn FnMut(u64) -> bool| {
        hindsight_solve::pawn_pairs::wrong_ranks(game, layer, before, TOLD, report)
    };
    verify_by(table, game, Some(&faults), limits, monitor)
}

/// Finds the ordinals of a layer whose values are wrong by the layer before it, told how many are done;
/// `None` if it cannot.
type Faults<'a> =
    dyn Fn(&Layer, Option<&Layer>, &mut dyn FnMut(u64) -> bool) -> Option<Vec<u64>> + 'a;

fn verify_by<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    by_pairs: Option<&Faults<'_>>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Verdict, Error> {
    table.info().layout.keeps(Layout::Full)?;
    let mut check = Check {
        table,
        game,
        by_pairs,
        limits,
        begin: Instant::now(),
        monitor,
        held: BTreeMap::new(),
        broken: BTreeSet::new(),
        ranks: 0,
        verdict: Verdict::default(),
    };
    check.verdict.faults = lies(table.info(), game);
    if !check.verdict.faults.is_empty() {
        return Ok(check.verdict);
    }
    for layer in 0..game.layers() {
        check.layer(layer)?;
        if check.verdict.faults.len() >= TOLD {
            break;
        }
    }
    Ok(check.verdict)
}

/// A layer in memory.
struct Held {
    layer: Layer,
    /// Whether its wins have their plies.
    filled: bool,
}

struct Check<'a, G, R> {
    table: &'a Table<R>,
    game: &'a G,
    by_pairs: Option<&'a Faults<'a>>,
    limits: Limits,
    begin: Instant,
    monitor: &'a mut dyn Monitor,
    held: BTreeMap<u32, Held>,
    /// Layers that cannot be decoded.
    broken: BTreeSet<u32>,
    /// Ranks whose values were recomputed, holes included.
    ranks: u64,
    verdict: Verdict,
}

impl<G: Ranked, R: ReadAt> Check<'_, G, R> {
    /// Damage is a fault of a layer, anything else an error.
    fn take<T>(&mut self, layer: u32, result: Result<T, Error>) -> Result<Option<T>, Error> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_damage() => {
                self.verdict.fault(Some(layer), None, error.with_causes());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn layer(&mut self, layer: u32) -> Result<(), Error> {
        self.report("checksums")?;
        if !self.bytes(layer)? {
            self.broken.insert(layer);
            return Ok(());
        }
        let together = together(self.table.info(), self.game, layer);
        let needed = memory::of_layers(self.table, self.game, &together)?;
        if needed > self.limits.memory {
            return Err(Error::Memory {
                layer,
                needed,
                limit: self.limits.memory,
            });
        }
        let next = self.game.layer_successors(layer);
        for needed in next.iter().copied().chain([layer]) {
            self.load(needed, &together)?;
        }
        let needed = next.iter().copied().chain([layer]);
        let held: Option<Vec<&Layer>> = needed
            .map(|needed| self.held.get(&needed).map(|held| &held.layer))
            .collect();
        let Some(known) = held else {
            self.broken.insert(layer);
            return Ok(());
        };
        let faults = self.said(layer, known[known.len() - 1]);
        for what in faults {
            self.verdict.fault(Some(layer), None, what);
        }
        self.values(layer, &next)
    }

    /// Compares every checksum of a layer; whether all are right.
    fn bytes(&mut self, layer: u32) -> Result<bool, Error> {
        let damaged = damage(&self.table.layer_alone(layer)?)?;
        let sound = damaged.is_empty();
        for error in damaged {
            self.verdict.fault(Some(layer), None, error.with_causes());
        }
        Ok(sound)
    }

    /// Sees to it that a layer is in memory, its wins with their plies.
    fn load(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), Error> {
        self.decode(layer, keep)?;
        let compact = self.table.info().layout == Layout::Compact;
        match self.held.get(&layer) {
            Some(held) if compact && !held.filled => {}
            _ => return Ok(()),
        }
        let next = self.game.layer_successors(layer);
        for &next in &next {
            self.decode(next, keep)?;
        }
        let Some(mut held) = self.held.remove(&layer) else {
            return Ok(());
        };
        let known = next
            .iter()
            .map(|next| self.held.get(next).map(|held| &held.layer));
        if let Some(known) = known.collect::<Option<Vec<_>>>() {
            // A place it cannot fill does not agree with its successors either: a fault later.
            fill_wins(self.game, &mut held.layer, &known);
            held.filled = true;
            self.held.insert(layer, held);
        }
        Ok(())
    }

    /// Sees to it that a layer is in memory, if it can be decoded.
    fn decode(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), Error> {
        if self.held.contains_key(&layer) || self.broken.contains(&layer) {
            return Ok(());
        }
        self.report("decode")?;
        self.make_room(layer, keep)?;
        let table = self.table;
        let decoded = decode(self.game, layer, &table.layer_alone(layer)?);
        match self.take(layer, decoded)? {
            Some(mut decoded) => {
                if self.by_pairs.is_some() {
                    hindsight_solve::pawn_pairs::recode(&mut decoded);
                }
                let filled = false;
                let layer = decoded.layer;
                let held = Held {
                    layer: decoded,
                    filled,
                };
                self.held.insert(layer, held);
            }
            None => {
                self.broken.insert(layer);
            }
        }
        Ok(())
    }

    /// Drops layers that are not to be kept, until another fits.
    fn make_room(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), Error> {
        loop {
            let mut all: BTreeSet<u32> = self.held.keys().copied().collect();
            all.insert(layer);
            if memory::of_layers(self.table, self.game, &all)? <= self.limits.memory {
                return Ok(());
            }
            let spare = self.held.keys().find(|held| !keep.contains(held)).copied();
            match spare {
                Some(spare) => self.held.remove(&spare),
                None => return Ok(()),
            };
        }
    }

    /// Compares what the header says of a layer.
    fn said(&self, layer: u32, decoded: &Layer) -> Vec<String> {
        let info = self.table.info();
        let said = &info.layers[layer as usize];
        let counts = Counts::new(self.game, decoded);
        let start = info.start;
        let value = decoded.value(start.tier, start.rank);
        let checks = [
            (said.name == self.game.layer_name(layer), "name"),
            (said.tiers == counts.tiers, "number of tiers"),
            (said.first_tier == counts.first_tier, "first tier"),
            (said.histogram == counts.histogram, "histogram"),
            (said.longest_win == counts.longest_win, "longest win"),
            (said.longest_loss == counts.longest_loss, "longest loss"),
            (
                said.symbols == counts.symbols(info.layout),
                "list of symbols",
            ),
            (
                value.is_none_or(|value| value == start.value),
                "value of the start",
            ),
        ];
        let wrong = checks.into_iter().filter(|(right, _)| !right);
        wrong
            .map(|(_, what)| format!("the header has another {what}"))
            .collect()
    }

    /// Recomputes every value of a layer with a solver's knowledge of pairs; whether it could.
    fn values_by_pairs(&mut self, layer: u32, next: &[u32]) -> Result<bool, Error> {
        let (Some(faults), [] | [_]) = (self.by_pairs, next) else {
            return Ok(false);
        };
        let held = std::mem::take(&mut self.held);
        let checked = &held[&layer].layer;
        let before = next.first().map(|next| &held[next].layer);
        let mut stopped = Ok(());
        let ranks = self.ranks;
        let found = faults(checked, before, &mut |done| {
            self.ranks = ranks + done;
            stopped = self.report("values");
            stopped.is_ok()
        });
        self.ranks = ranks;
        let wrong = found.as_ref().map(|wrong| {
            let known = [layer].into_iter().chain(next.iter().copied());
            let recheck = Recheck {
                game: self.game,
                layer: checked,
                known: Known(known.map(|layer| &held[&layer].layer).collect()),
            };
            let explain = |&ordinal: &u64| recheck.run(ordinal..ordinal + 1).1;
            let told: Vec<Fault> = wrong.iter().flat_map(explain).collect();
            (told, positions_in(checked))
        });
        self.held = held;
        stopped?;
        let Some((told, count)) = wrong else {
            return Ok(false);
        };
        if told.is_empty() && found.is_some_and(|wrong| !wrong.is_empty()) {
            let what = String::from("values do not agree with their successors");
            self.verdict.fault(Some(layer), None, what);
        }
        for fault in told {
            self.verdict.fault(fault.layer, fault.place, fault.what);
        }
        self.verdict.positions_checked += count;
        self.ranks += self.table.info().layers[layer as usize].ranks;
        Ok(true)
    }

    /// Recomputes every value of a layer.
    fn values(&mut self, layer: u32, next: &[u32]) -> Result<(), Error> {
        if self.values_by_pairs(layer, next)? {
            return Ok(());
        }
        const RUN: u64 = 1 << 14;
        const BATCH: u64 = 256;
        let ranks = self.table.info().layers[layer as usize].ranks;
        let count = ranks.div_ceil(RUN);
        for batch in (0..count).step_by(BATCH as usize) {
            self.report("values")?;
            let recheck = Recheck {
                game: self.game,
                layer: &self.held[&layer].layer,
                known: Known(
                    [layer]
                        .iter()
                        .chain(next)
                        .map(|layer| &self.held[layer].layer)
                        .collect(),
                ),
            };
            let run = |i| recheck.run(runs(ranks, RUN)(i));
            let found = parallel::map(batch..count.min(batch + BATCH), &run);
            for (positions, faults) in found {
                self.verdict.positions_checked += positions;
                for fault in faults {
                    self.verdict.fault(fault.layer, fault.place, fault.what);
                }
            }
            self.ranks += ranks.min((batch + BATCH) * RUN) - batch * RUN;
        }
        Ok(())
    }

    fn report(&mut self, phase: &'static str) -> Result<(), Error> {
        let done = self.ranks;
        let total = Some(self.table.info().ranks());
        if !self.monitor.report(Progress { phase, done, total }) {
            return Err(Error::Stopped);
        }
        let positions = self.verdict.positions_checked;
        match self.limits.time {
            Some(time) if self.begin.elapsed() > time => Err(Error::Time { positions }),
            _ => Ok(()),
        }
    }
}

/// The ranks of a layer that have positions.
fn positions_in(layer: &Layer) -> u64 {
    let stands = |code: &&u8| layer.palette[usize::from(**code)].is_some();
    layer.codes.par_iter().filter(stands).count() as u64
}
