//! An agent that plays by known values, and leads a fallible opponent into a mistake. It walks
//! through the positions in which both sides keep a draw ([`region`]), with imagined opponents who
//! see more or fewer plies ([`opponent`]).

mod opponent;
mod region;

use hindsight_core::{Game, Packed, PackedGame, Random, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::perfect::{BatchProbe, BestMoves, forced_move};
use crate::resources::AgentResources;
use crate::seeded_random::SeededRandom;
use region::Region;

/// An agent that plays the best move by known values after which the opponent errs most likely.
///
/// In a draw it looks at the positions that follow while both sides keep the draw. It imagines
/// opponents who see a number of plies ahead and are attracted by the game's estimate of positions,
/// and moves where they give the draw away most likely, now or some moves later. In a loss it looks
/// at the next reply only. In a win it plays the quickest win.
///
/// Among equally good moves it draws at random. It never gives away a result or, in a win or loss,
/// a ply.
#[derive(Clone, Copy)]
pub struct LureAgent<'a> {
    /// Source of the values.
    pub probe: BatchProbe<'a>,
    /// Limits; only those of time and the flag that stops the agent matter.
    pub resources: AgentResources<'a>,
}

impl std::fmt::Debug for LureAgent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LureAgent").finish_non_exhaustive()
    }
}

/// Positions that a lure looks at before a move in a draw, after which it begins with no further
/// position. The moves of the choice are looked at in any case, and all replies to them.
const POSITIONS: u64 = 12_000;

/// Gains that differ by less are equal.
const EQUAL_GAIN: f64 = 1e-9;

impl Agent for LureAgent<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let moves = legal_moves(game, position);
        if let Some(forced) = forced_move(&moves, random) {
            return Ok(forced);
        }
        let next: Vec<Packed> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let BestMoves { value, mut indices } = BestMoves::among(game, self.probe, &next)?;
        let mut work = 0;
        if value.wdl() != Wdl::Win && indices.len() > 1 {
            let choices: Vec<Packed> = indices.iter().map(|&index| next[index]).collect();
            let mut region = Region::new(game, self.probe, value.wdl());
            self.explore(&mut region, position, &choices)?;
            let gains = region.gains();
            let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mut gains = gains.into_iter();
            indices.retain(|_| gains.next().is_some_and(|gain| gain > most - EQUAL_GAIN));
            work = region.looked_at;
        }
        let drawn = random.below(indices.len() as u32) as usize;
        Ok(ChosenMove::new(moves[indices[drawn]], work))
    }
}

impl LureAgent<'_> {
    /// Looks at the replies to the choices and, in a draw, at likely positions behind them.
    fn explore(
        &self,
        region: &mut Region<'_>,
        position: Packed,
        choices: &[Packed],
    ) -> Result<(), AgentError> {
        let mut deadline = self.resources.deadline(None);
        region.begin(position, choices)?;
        let limit = if region.is_drawn() { POSITIONS } else { 0 };
        while region.looked_at < limit && !deadline.tick() && region.grow()? {}
        Ok(())
    }
}
