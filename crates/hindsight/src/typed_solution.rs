//! Values of a solved game of a known type.

use std::sync::Arc;

use hindsight_core::{Answer, Game, Notation, Probe};
use hindsight_run::{Histogram, Summary};
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
use hindsight_solve::plan::{FoundWinner, Solved};

use crate::any_value::AnyMove;
use crate::erased::{ErasedReader, ErasedSolution, ErasedValues};
use crate::error::GamesError;
use crate::solve_task::{SampleContradiction, SampleCounts};
use crate::typed_game::TypedGame;
use crate::typed_reader::TypedReader;

/// Values of a game solved by a plan.
pub(crate) struct SolvedValues<G: Game, S> {
    pub(crate) game: Arc<TypedGame<G, S>>,
    pub(crate) solved: Solved<G>,
}

impl<G: Notation + Send + 'static, S: 'static> ErasedValues for SolvedValues<G, S> {
    fn reader(&self) -> Box<dyn ErasedReader + '_> {
        let reader = self.solved.reader(&self.game.game);
        let probe_many = move |positions: &[_]| match &reader {
            Some(reader) => reader.probe_many(positions).map_err(|never| match never {}),
            None => Err(GamesError::NoValues),
        };
        Box::new(TypedReader {
            game: &*self.game,
            probe_many,
        })
    }
}

impl<G: Notation + Send + 'static, S: 'static> ErasedSolution for SolvedValues<G, S> {
    fn has_values(&self) -> bool {
        self.solved.reader(&self.game.game).is_some()
    }

    fn states(&self) -> Option<&ForbiddenMoveSolution> {
        self.solved.states.as_ref()
    }

    fn strategy_move(&self) -> Option<AnyMove> {
        let mv = self.solved.strategy_move?;
        Some(self.game.wrap_move(mv))
    }

    fn winner(&self) -> Option<FoundWinner> {
        self.solved.winner
    }

    fn sample(&self) -> Option<SampleCounts> {
        let sample = self.solved.sample.as_ref()?;
        let fault = sample.faults.first().map(|fault| SampleContradiction {
            position: self.game.game.format(fault.position),
            value: fault.value,
            by_successors: fault.by_successors,
        });
        Some(SampleCounts {
            positions: sample.positions,
            successors: sample.successors,
            fault,
        })
    }

    fn start_value(&self) -> Answer {
        self.solved.start
    }

    fn summary(&self) -> Summary {
        self.solved.summary
    }

    fn histogram(&self) -> Option<Histogram> {
        self.solved.histogram.clone()
    }
}
