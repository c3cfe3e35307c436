//! Games of agents and judged choices in a packed game.

use hindsight_core::PackedGame;
use hindsight_play::{
    Agent, AgentError, AgentSpec, AuditSetup, BatchProbe, GameRecord, MatchOptions, MoveVerdict,
    Players, SeededRandom, SelfPlayOptions, play_game, play_game_from,
};

use super::game::NamedGame;
use crate::erased::ErasedValues;
use crate::erased::agent::{ErasedAgent, ErasedPlay};
use crate::error::GamesError;
use crate::positions::any_value::Position;

impl<const W: usize> NamedGame<W> {
    /// Plays a game of a match.
    pub(super) fn record_of(
        &self,
        agents: [ErasedAgent<'_>; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        let names = agents.map(|agent| agent.name());
        self.with_probe(play.values, |probe| {
            let ready = |agent| self.ready(agent, probe, play.resources);
            let [mut first, mut second] = [ready(agents[0])?, ready(agents[1])?];
            let players: [&mut dyn Agent<PackedGame<W>>; 2] = [&mut *first, &mut *second];
            play_game(&self.game, players, [&names[0], &names[1]], number, options)
        })
    }

    /// Plays a game from a position; only agents that need values see them.
    pub(super) fn record_from(
        &self,
        start: &Position,
        agents: [AgentSpec; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError> {
        let start = self.unwrap(start)?;
        let names = agents.map(|agent| agent.to_string());
        self.with_probe(play.values, |probe| {
            let ready = |agent: AgentSpec| {
                let probe = probe.filter(|_| agent.needs_values());
                agent.agent::<PackedGame<W>>(probe, play.resources)
            };
            let [mut first, mut second] = [ready(agents[0])?, ready(agents[1])?];
            let players =
                Players { agents: [&mut *first, &mut *second], names: [&names[0], &names[1]] };
            play_game_from(&self.game, start, players, number, options)
        })
    }

    /// Judges the choice of an agent in a position.
    pub(super) fn verdict_on(
        &self,
        agent: ErasedAgent<'_>,
        position: &Position,
        random: &mut SeededRandom,
        play: &ErasedPlay<'_>,
    ) -> Result<Option<MoveVerdict>, GamesError> {
        let position = self.unwrap(position)?;
        self.with_setup(play.values, |setup| {
            let mut agent = self.ready(agent, Some(setup.probe), play.resources)?;
            setup.judge(&mut *agent, position, random)
        })
    }

    /// Judges the choices of an agent in a game against itself.
    pub(super) fn verdicts_in(
        &self,
        agent: ErasedAgent<'_>,
        number: u64,
        options: SelfPlayOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<Vec<MoveVerdict>, GamesError> {
        self.with_setup(play.values, |setup| {
            let ready = || self.ready(agent, Some(setup.probe), play.resources);
            let [mut first, mut second] = [ready()?, ready()?];
            let sides: [&mut dyn Agent<PackedGame<W>>; 2] = [&mut *first, &mut *second];
            setup.self_play(sides, number, options)
        })
    }

    /// Judges choices by values, and explains the error of an agent.
    fn with_setup<T>(
        &self,
        values: Option<&dyn ErasedValues>,
        judge: impl FnOnce(&AuditSetup<'_, PackedGame<W>>) -> Result<T, AgentError>,
    ) -> Result<T, GamesError> {
        let layer = |position| values.map_or(0, |values| values.layer_of(&self.wrap(position)));
        self.with_probe(values, |probe: Option<BatchProbe<'_, _>>| {
            judge(&AuditSetup {
                game: &self.game,
                probe: probe.ok_or(AgentError::NoValues)?,
                layer: &layer,
            })
        })
    }
}
