//! Values for agents of a packed game, which hear of errors as texts only.

use std::sync::{Mutex, MutexGuard};

use hindsight_core::{Answer, Notation, Packed};
use hindsight_play::AgentError;

use super::game::NamedGame;
use crate::erased::{ErasedReader, ErasedValues};
use crate::error::GamesError;
use crate::positions::agent_choice::AgentChoiceError;
use crate::positions::any_value::Position;

/// Values for some choices of agents. It remembers why an answer was of no use.
pub(super) struct AgentProbe<'a, const W: usize> {
    pub(crate) game: &'a NamedGame<W>,
    pub(crate) values: &'a dyn ErasedValues,
    /// Readers that no thread uses just now. Each keeps the blocks that it has read.
    pub(crate) readers: Mutex<Vec<Box<dyn ErasedReader + 'a>>>,
    pub(crate) fault: &'a Mutex<ProbeFault<W>>,
}

/// First error of the values, and first position whose value is not known.
#[derive(Default)]
pub(super) struct ProbeFault<const W: usize> {
    error: Option<GamesError>,
    unknown: Option<Packed<W>>,
}

impl<'a, const W: usize> AgentProbe<'a, W> {
    fn readers(&self) -> MutexGuard<'_, Vec<Box<dyn ErasedReader + 'a>>> {
        self.readers.lock().expect("no panic while it is locked")
    }

    /// Returns the values of positions.
    pub(crate) fn answers(&self, positions: &[Packed<W>]) -> Result<Vec<Answer>, String> {
        let wrapped = positions.iter().map(|&position| self.game.wrap(position));
        let wrapped: Vec<Position> = wrapped.collect();
        let idle = self.readers().pop();
        let reader = idle.unwrap_or_else(|| self.values.reader());
        let answers = reader.probe_many(&wrapped);
        self.readers().push(reader);
        let mut fault = self.fault.lock().expect("no panic while it is locked");
        match answers {
            Ok(answers) => {
                let mut answered = positions.iter().zip(&answers);
                let unknown = answered.find(|(_, answer)| answer.exact().is_none());
                fault.unknown = fault.unknown.or(unknown.map(|(&position, _)| position));
                Ok(answers)
            }
            Err(error) => {
                let text = error.to_string();
                fault.error.get_or_insert(error);
                Err(text)
            }
        }
    }
}

impl<const W: usize> ProbeFault<W> {
    /// Returns the error of an agent, with what is known of its cause.
    pub(crate) fn explain(self, game: &NamedGame<W>, error: AgentError) -> GamesError {
        match (error, self.error, self.unknown) {
            (AgentError::Stopped, ..) => hindsight_run::Error::Stopped.into(),
            (AgentError::Probe(_), Some(error), _) => error,
            (AgentError::Unknown(_), _, Some(position)) => {
                GamesError::Unknown { position: game.game.format(position) }
            }
            (error, ..) => AgentChoiceError::Agent(error).into(),
        }
    }
}
