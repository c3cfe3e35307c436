//! Base of a game in which a move may be forbidden.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use super::delegate::{delegate_game, delegate_retro};
use super::{Packed, PackedMove};
use crate::{
    Countdown, Expansion, Game, Heuristics, Look, Material, MoveSummary, OrbitRun, PlayoutQueue,
    Random, RankSummaries, Ranked, Retro, Tiers, Value, Wdl,
};

/// Rules of a ranked game.
pub(super) type RetroRules<const W: usize> =
    dyn Retro<Position = Packed<W>, Move = PackedMove> + Send;

/// Ranked rules without texts: the base of a [`PackedGame`](super::PackedGame).
#[derive(Clone)]
pub struct PackedBase<const W: usize>(Arc<RetroRules<W>>);

impl<const W: usize> PackedBase<W> {
    pub(super) fn new(
        rules: impl Retro<Position = Packed<W>, Move = PackedMove> + Send + 'static,
    ) -> Self {
        Self(Arc::new(rules))
    }
}

delegate_game!(PackedBase, 0);
delegate_retro!(PackedBase, 0);
