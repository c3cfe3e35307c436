//! Moves chosen by agents in a game of a known type.

use std::sync::OnceLock;

use hindsight_core::{Answer, Notation};
use hindsight_play::{AgentError, AgentResources, AgentSpec, BatchProbe, SeededRandom};

use crate::agent_choice::{AgentChoice, AgentChoiceError};
use crate::any_value::Position;
use crate::erased::{ErasedMeans, ErasedValues};
use crate::error::GamesError;
use crate::typed_game::TypedGame;

impl<G: Notation + Send + 'static, S> TypedGame<G, S> {
    /// Lets an agent choose a move.
    pub(crate) fn choose_by(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: ErasedMeans<'_>,
    ) -> Result<AgentChoice, GamesError> {
        let position = self.unwrap(position)?;
        self.check_choice(position, agent, means.values)?;
        // The agent hears of the error of a probe as a text only.
        let failed = OnceLock::new();
        let probe = means.values.map(|values| {
            let failed = &failed;
            move |positions: &[G::Position]| {
                let answers = self.answers(values, positions);
                answers.map_err(|error| {
                    let text = error.to_string();
                    let _ = failed.set(error);
                    text
                })
            }
        });
        let probe = probe.as_ref().map(|probe| probe as BatchProbe<'_, _>);
        let resources = AgentResources {
            memory_bytes: means.memory_bytes,
            exhausted: None,
            time: means.time,
            stop: means.stop,
        };
        let mut random = SeededRandom::new(&[means.seed]);
        let chosen = agent
            .agent(probe, resources)
            .and_then(|mut agent| agent.choose(&self.game, position, &mut random));
        match chosen {
            Ok(chosen) => Ok(AgentChoice {
                to: self.wrap(self.game.play(position, chosen.mv)),
                mv: self.wrap_move(chosen.mv),
                work: chosen.work,
            }),
            Err(error) => Err(match failed.into_inner() {
                Some(failed) => failed,
                None => self.explain_agent_error(error, position, means.values),
            }),
        }
    }

    /// Refuses what no agent or not this one can do.
    fn check_choice(
        &self,
        position: G::Position,
        agent: &AgentSpec,
        values: Option<&dyn ErasedValues>,
    ) -> Result<(), GamesError> {
        if self.game.terminal(position).is_some() {
            let position = self.game.format(position);
            return Err(AgentChoiceError::GameOver { position }.into());
        }
        if agent.needs_values() && values.is_none() {
            return Err(AgentChoiceError::NeedsValues {
                agent: agent.to_string(),
                game: self.spec.to_string(),
                instead: AgentSpec::opponent_for(&self.game).to_string(),
            }
            .into());
        }
        Ok(())
    }

    fn answers(
        &self,
        values: &dyn ErasedValues,
        positions: &[G::Position],
    ) -> Result<Vec<Answer>, GamesError> {
        let positions = positions.iter().map(|&position| self.wrap(position));
        let positions: Vec<Position> = positions.collect();
        values.reader().probe_many(&positions)
    }

    /// Names the first successor without a known value, if that is what an agent lacks.
    fn explain_agent_error(
        &self,
        error: AgentError,
        position: G::Position,
        values: Option<&dyn ErasedValues>,
    ) -> GamesError {
        let (AgentError::Unknown(_), Some(values)) = (&error, values) else {
            return AgentChoiceError::Agent(error).into();
        };
        let mut next = Vec::new();
        self.game.successors(position, &mut next);
        let answers = match self.answers(values, &next) {
            Ok(answers) => answers,
            Err(error) => return error,
        };
        let unknown = next.iter().zip(&answers);
        let mut unknown = unknown.filter(|(_, answer)| answer.exact().is_none());
        match unknown.next() {
            Some((&position, _)) => GamesError::Unknown {
                position: self.game.format(position),
            },
            None => AgentChoiceError::Agent(error).into(),
        }
    }
}
