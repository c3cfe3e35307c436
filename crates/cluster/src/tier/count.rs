//! First step: a look at the moves of every position.

use hindsight_core::{RankSummaries, Retro};

use super::context::LayerContext;
use super::exits::{Question, Questions, answer};
use super::part::TierPart;
use crate::engine::{ParcelHead, Post, Step};
use crate::error::ClusterError;
use crate::ranks::{TierPiece, ordinal_of, pieces};
use crate::report::LayerShare;
use crate::task::WorkCounts;

/// Ranks whose moves are summarized by one call.
const RANKS_PER_SUMMARY: u64 = 1 << 10;

/// Step that counts the moves of the positions of a part, a run at a time.
pub(super) struct CountStep<'s, 'a> {
    context: &'s LayerContext<'a>,
    part: &'s mut TierPart,
    work: &'s mut WorkCounts,
    questions: Questions,
    next_run: u64,
    summaries: RankSummaries,
}

impl<'s, 'a> CountStep<'s, 'a> {
    pub(super) fn new(
        context: &'s LayerContext<'a>,
        part: &'s mut TierPart,
        work: &'s mut WorkCounts,
    ) -> Self {
        Self {
            questions: Questions::new(context.finished.len(), context.workers),
            context,
            part,
            work,
            next_run: 0,
            summaries: RankSummaries::default(),
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
        let mut summaries = std::mem::take(&mut self.summaries);
        let ranks = piece.ranks.clone();
        for begin in ranks.clone().step_by(RANKS_PER_SUMMARY as usize) {
            let end = ranks.end.min(begin + RANKS_PER_SUMMARY);
            summaries.clear();
            game.summarize_ranks(piece.tier, begin..end, &mut summaries);
            self.part.decided += end - begin - summaries.ranks.len() as u64;
            let mut exits = summaries.exits.iter();
            for summary in &summaries.ranks {
                let place = offset + (summary.rank - ranks.start) as usize;
                match summary.value {
                    Some(value) => self.part.settle(place, value)?,
                    None => self.part.begin(place, summary.moves)?,
                }
                for &(tier, rank) in exits.by_ref().take(summary.exits as usize) {
                    self.look_up(place, tier, rank, post)?;
                }
            }
        }
        self.summaries = summaries;
        Ok(())
    }

    /// Finds the value of a successor in another tier, or asks for it.
    #[inline]
    fn look_up(
        &mut self,
        own: usize,
        tier: u64,
        rank: u64,
        post: &mut Post,
    ) -> Result<(), ClusterError> {
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

impl Step for CountStep<'_, '_> {
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
