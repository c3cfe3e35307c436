//! Moves chosen by agents in a packed game.

use std::sync::Mutex;

use hindsight_core::{Game, Notation, Packed, PackedGame, PackedMove, Random};
use hindsight_play::{
    Agent, AgentError, AgentResources, AgentSpec, BatchProbe, ChosenMove, SeededRandom,
};

use super::agent_probe::{AgentProbe, ProbeFault};
use super::game::NamedGame;
use crate::erased::agent::{ChooseIndex, ErasedAgent};
use crate::erased::{ErasedMeans, ErasedValues};
use crate::error::GamesError;
use crate::positions::agent_choice::{AgentChoice, AgentChoiceError};
use crate::positions::any_value::{AnyMove, Position};

impl<const W: usize> NamedGame<W> {
    /// Lets an agent choose a move.
    pub(super) fn choose_by(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: ErasedMeans<'_>,
    ) -> Result<AgentChoice, GamesError> {
        let position = self.unwrap(position)?;
        self.check_choice(position, agent, means.values)?;
        let resources = AgentResources {
            memory_bytes: means.memory_bytes,
            exhausted: None,
            time: means.time,
            stop: means.stop,
        };
        let mut random = SeededRandom::new(&[means.seed]);
        let chosen = self.with_probe(means.values, |probe| {
            let mut agent = agent.agent(probe, resources)?;
            agent.choose(&self.game, position, &mut random)
        })?;
        Ok(AgentChoice {
            to: self.wrap(self.game.play(position, chosen.mv)),
            mv: self.wrap_move(position, chosen.mv),
            work: chosen.work,
        })
    }

    /// Lets agents play by values, if there are any, and explains their error.
    pub(super) fn with_probe<T>(
        &self,
        values: Option<&dyn ErasedValues>,
        play: impl FnOnce(Option<BatchProbe<'_, Packed<W>>>) -> Result<T, AgentError>,
    ) -> Result<T, GamesError> {
        let fault = Mutex::new(ProbeFault::default());
        let probe = values.map(|values| {
            let probe = AgentProbe { game: self, values, readers: Mutex::default(), fault: &fault };
            move |positions: &[Packed<W>]| probe.answers(positions)
        });
        let played = play(probe.as_ref().map(|probe| probe as BatchProbe<'_, _>));
        played.map_err(|error| {
            let mut fault = fault.lock().expect("no panic while it is locked");
            std::mem::take(&mut *fault).explain(self, error)
        })
    }

    /// Returns an agent of a match or an audit, ready to play.
    pub(super) fn ready<'a>(
        &'a self,
        agent: ErasedAgent<'a>,
        probe: Option<BatchProbe<'a, Packed<W>>>,
        resources: AgentResources<'a>,
    ) -> Result<Box<dyn Agent<PackedGame<W>> + 'a>, AgentError> {
        match agent {
            ErasedAgent::Spec(spec) => spec.agent(probe, resources),
            ErasedAgent::Own { choose, .. } => Ok(Box::new(OwnAgent { typed: self, choose })),
        }
    }

    /// Refuses what no agent or not this one can do.
    fn check_choice(
        &self,
        position: Packed<W>,
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
}

/// Agent of the caller in a packed game.
struct OwnAgent<'a, const W: usize> {
    typed: &'a NamedGame<W>,
    choose: &'a ChooseIndex<'a>,
}

impl<const W: usize> Agent<PackedGame<W>> for OwnAgent<'_, W> {
    fn choose(
        &mut self,
        _: &PackedGame<W>,
        position: Packed<W>,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<PackedMove>, AgentError> {
        let moves = self.typed.legal_moves(position);
        let wrapped = moves.iter().map(|&mv| self.typed.wrap_move(position, mv));
        let wrapped: Vec<AnyMove> = wrapped.collect();
        let chosen = (self.choose)(&self.typed.wrap(position), &wrapped, random.bits());
        let chosen = chosen.map_err(AgentError::Own)?;
        let mv = moves.get(chosen).copied().ok_or_else(|| {
            let legal = moves.len();
            let text = format!("an agent chose move {chosen}, and they are 0 to {}", legal - 1);
            AgentError::Own(text.into())
        })?;
        Ok(ChosenMove { mv, work: 0, pruned: Vec::new() })
    }
}
