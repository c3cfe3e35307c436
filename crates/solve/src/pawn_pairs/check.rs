//! Check of every value against its successors.

use hindsight_combinatorics::SetBits;
use hindsight_core::{PawnPairRules, PawnPairs};
use hindsight_run::Layer;
use rayon::prelude::*;

use super::code::{DRAW, HOLE, MAX_STEP, code, loss, palette, win};
use super::lookup::TierLookup;
use super::row::RowBits;
use super::solver::{ExitValues, PairScratch, PairSolver, TIERS_PER_REPORT};

/// Returns the ranks of a layer whose values do not follow from their successors: ascending, at
/// most `limit`. Ranks are counted through the tiers of the layer.
///
/// `lower` is the layer that the exits lead to, if there is one. `report` gets the number of ranks
/// done; if it returns `false`, the rest is skipped. Returns `None` unless [`recode`] gave both
/// layers the codes of this solver.
///
/// The check shares only the exit values with the solver. It looks at each position by itself, one
/// step at a time.
pub fn wrong_ranks<G: PawnPairs>(
    game: &G,
    layer: &Layer,
    lower: Option<&Layer>,
    limit: usize,
    report: &mut dyn FnMut(u64) -> bool,
) -> Option<Vec<u64>> {
    let own_palette = palette();
    if layer.palette != own_palette || lower.is_some_and(|lower| lower.palette != own_palette) {
        return None;
    }
    Some(match game.squares() {
        0..=32 => PairSolver::<G, u32>::new(game).wrong_ranks(layer, lower, limit, report),
        33..=64 => PairSolver::<G, u64>::new(game).wrong_ranks(layer, lower, limit, report),
        _ => PairSolver::<G, u128>::new(game).wrong_ranks(layer, lower, limit, report),
    })
}

/// Converts a layer to the codes of this solver. Leaves it unchanged if it has values that this
/// kind of game cannot have.
pub fn recode(layer: &mut Layer) {
    let codes: Option<Vec<u8>> = layer.palette.iter().map(|&value| code(value)).collect();
    let Some(codes) = codes else {
        return;
    };
    let recoded = |old: &mut u8| *old = codes.get(usize::from(*old)).copied().unwrap_or(HOLE);
    layer.codes.par_iter_mut().for_each(recoded);
    layer.palette = palette();
}

impl<G: PawnPairs, R: RowBits> PairSolver<'_, G, R> {
    fn wrong_ranks(
        &self,
        layer: &Layer,
        lower: Option<&Layer>,
        limit: usize,
        report: &mut dyn FnMut(u64) -> bool,
    ) -> Vec<u64> {
        let len = 2 * self.squares * self.squares;
        let lookup = lower.map(|lower| TierLookup::new(lower, len));
        let lower = lookup
            .as_ref()
            .map_or(ExitValues::Nothing, ExitValues::Layer);
        let mut found = Vec::new();
        let mut first = 0;
        while first < layer.tiers.len() && found.len() < limit && report((first * len) as u64) {
            let tiers = &layer.tiers[first..layer.tiers.len().min(first + TIERS_PER_REPORT)];
            let codes = &layer.codes[first * len..(first + tiers.len()) * len];
            let tasks = tiers
                .par_iter()
                .zip(codes.par_chunks(len))
                .zip(first..first + tiers.len());
            let wrong = tasks.map_init(
                || self.scratch(),
                |scratch, ((&tier, codes), i)| {
                    let mut wrong = Vec::new();
                    self.check_tier(tier, lower, scratch, codes, |rank| {
                        wrong.push((i * len + rank) as u64);
                    });
                    wrong
                },
            );
            found.extend(wrong.flatten_iter().collect::<Vec<u64>>());
            first += TIERS_PER_REPORT;
        }
        found.truncate(limit);
        found
    }

    /// Calls `wrong` with each rank of a tier whose code is wrong.
    fn check_tier(
        &self,
        tier: u64,
        lower: ExitValues<'_>,
        scratch: &mut PairScratch<R>,
        codes: &[u8],
        mut wrong: impl FnMut(usize),
    ) {
        self.game.pawn_pair_rules(tier, &mut scratch.rules);
        scratch.kernel.read_rules(&scratch.rules);
        self.read_exits(tier, lower, scratch);
        let targets = self.targets(&scratch.rules);
        for side in 0..2 {
            for other in 0..self.squares {
                for (own, &steps) in targets.iter().enumerate() {
                    let rank = self.rank(side, own, other);
                    let exit_code = scratch.exit_codes[side][own * self.squares + other];
                    let expected = match pair_status(&scratch.rules, side, own, other) {
                        PairStatus::Hole => HOLE,
                        PairStatus::Lost => loss(0),
                        PairStatus::Plays => {
                            let jumps = scratch.rules.jumps.iter();
                            let jump = jumps
                                .filter(|jump| {
                                    (usize::from(jump.from), usize::from(jump.over)) == (own, other)
                                })
                                .fold(0, |to, jump| to | jump.to);
                            let next = |to| codes[self.rank(1 - side, other, usize::from(to))];
                            let steps = SetBits(steps | jump).map(next);
                            predecessor_code(steps.fold(exit_code, u8::min))
                        }
                    };
                    if expected != codes[rank] {
                        wrong(rank);
                    }
                }
            }
        }
    }

    /// Squares one step from each square.
    fn targets(&self, rules: &PawnPairRules) -> Vec<u128> {
        let mut targets = vec![0; self.squares];
        for &(distance, from) in &rules.steps {
            for near in SetBits(from).map(usize::from) {
                let far = near + usize::from(distance);
                targets[near] |= 1 << far;
                targets[far] |= 1 << near;
            }
        }
        targets
    }
}

enum PairStatus {
    /// The rank has no position.
    Hole,
    Lost,
    Plays,
}

fn pair_status(rules: &PawnPairRules, side: usize, own: usize, other: usize) -> PairStatus {
    let has = |set: u128, square: usize| set >> square & 1 == 1;
    if own == other || !has(rules.own[side], own) || !has(rules.other[side], other) {
        PairStatus::Hole
    } else if has(rules.lost[side], other) {
        PairStatus::Lost
    } else {
        PairStatus::Plays
    }
}

/// Code of a position by the least code `best` of its successors. Without a move it is lost.
fn predecessor_code(best: u8) -> u8 {
    match best {
        HOLE => loss(0),
        DRAW => DRAW,
        step if step < DRAW => win(step),
        code => {
            let step = HOLE - 1 - code;
            if step < MAX_STEP {
                loss(step + 1)
            } else {
                HOLE
            }
        }
    }
}
