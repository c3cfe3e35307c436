//! First step: a look at the moves of every position.

use hindsight_core::Retro;
use hindsight_solve::tiered::terminal_or_immediate_value;

use super::context::LayerContext;
use super::exits::{Question, Questions, answer};
use super::part::TierPart;
use crate::engine::{ParcelHead, Post, Step};
use crate::error::ClusterError;
use crate::ranks::{TierPiece, ordinal_of, pieces};
use crate::report::LayerShare;
use crate::task::WorkCounts;

/// Step that counts the moves of the positions of a part, a run at a time.
pub(super) struct CountStep<'s, 'a, G: Retro> {
    context: &'s LayerContext<'a, G>,
    part: &'s mut TierPart,
    work: &'s mut WorkCounts,
    questions: Questions,
    next_run: u64,
    positions: Vec<(u64, G::Position)>,
    outside: Vec<G::Position>,
}

impl<'s, 'a, G: Retro> CountStep<'s, 'a, G> {
    pub(super) fn new(
        context: &'s LayerContext<'a, G>,
        part: &'s mut TierPart,
        work: &'s mut WorkCounts,
    ) -> Self {
        Self {
            questions: Questions::new(context.finished.len(), context.workers),
            context,
            part,
            work,
            next_run: 0,
            positions: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// Counts the moves of the positions of a piece. `offset` is the place of its first rank.
    fn count_piece(
        &mut self,
        piece: &TierPiece,
        offset: usize,
        post: &mut Post,
    ) -> Result<(), ClusterError> {
        let game = self.context.game;
        let mut positions = std::mem::take(&mut self.positions);
        positions.clear();
        game.unrank_range(piece.tier, piece.ranks.clone(), &mut positions);
        self.part.decided += piece.ranks.end - piece.ranks.start - positions.len() as u64;
        for &(rank, position) in &positions {
            let place = offset + (rank - piece.ranks.start) as usize;
            if let Some(value) = terminal_or_immediate_value(game, position) {
                self.part.settle(place, value)?;
                continue;
            }
            self.outside.clear();
            let summary = game.summarize_moves(piece.tier, position, &mut self.outside);
            self.part.begin(place, summary)?;
            for i in 0..self.outside.len() {
                self.look_up(place, self.outside[i], post)?;
            }
        }
        self.positions = positions;
        Ok(())
    }

    /// Finds the value of a successor in another tier, or asks for it.
    #[inline]
    fn look_up(
        &mut self,
        own: usize,
        successor: G::Position,
        post: &mut Post,
    ) -> Result<(), ClusterError> {
        let game = self.context.game;
        let (tier, rank) = game.rank(successor).expect("a position has a rank");
        let mut layers = self.context.finished.iter().enumerate();
        let found = layers.find_map(|(layer, finished)| {
            let ordinal = ordinal_of(finished.shape, tier, rank)?;
            Some((layer, finished.deal.place(ordinal)))
        });
        let (layer, place) =
            found.expect("a successor outside the tier lies in a layer of layer_successors");
        self.work.edges += 1;
        if place.worker != self.context.worker {
            self.work.edges_away += 1;
            let question = Question { layer, worker: place.worker, place: place.index, own };
            self.questions.ask(post, question);
            return Ok(());
        }
        let value = self.context.finished[layer].value(place.index as usize);
        let value = value.expect("a successor has a value");
        Ok(self.part.raise(own, value.before())?)
    }
}

impl<G: Retro> Step for CountStep<'_, '_, G> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        let context = self.context;
        let runs = context.deal.runs(context.worker);
        if self.next_run < runs {
            let mut offset = context.deal.places_of_run(context.worker, self.next_run).start;
            let ordinals = context.deal.ordinals_of_run(context.worker, self.next_run);
            for piece in pieces(context.shape, ordinals) {
                self.count_piece(&piece, offset, post)?;
                offset += (piece.ranks.end - piece.ranks.start) as usize;
            }
            self.next_run += 1;
        }
        if self.next_run < runs {
            return Ok(true);
        }
        self.questions.send_all(post);
        Ok(false)
    }

    fn share(&self) -> Option<LayerShare> {
        let runs = self.context.deal.runs(self.context.worker);
        Some(LayerShare {
            phase: "counting",
            done: self.next_run as f64 / runs.max(1) as f64 / 2.0,
        })
    }

    fn receive(&mut self, _: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        answer(self.context.finished, body)
    }

    fn answered(&mut self, tag: u64, body: &[u8]) -> Result<(), ClusterError> {
        for answered in self.questions.read_answer(tag, body)? {
            self.part.raise(answered.place, answered.value.before())?;
        }
        Ok(())
    }
}
