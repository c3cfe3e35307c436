//! Options of a game, as they were given.

use hindsight_games::{AnyGame, Values};
use hindsight_play::GameRecord;

use crate::args::PlayArgs;
use crate::context::Context;
use crate::inputs::named_agent::NamedAgent;

/// Options of a game that a person plays.
pub(super) struct PlaySession<'a> {
    pub(super) args: &'a PlayArgs,
    pub(super) opponent: OpponentChoice,
    /// Game of `--load`.
    pub(super) saved: Option<GameRecord>,
    /// True if the file of `--load` has no other game.
    pub(super) loaded_alone: bool,
    pub(super) seed: u64,
    pub(super) context: &'a Context,
}

/// Choice of who plays the other side.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum OpponentChoice {
    /// The default agent of the game.
    Default,
    /// Another person.
    Person,
    /// An agent.
    Agent(NamedAgent),
}

impl OpponentChoice {
    /// Returns true if the agent has to know the values of the game.
    pub(super) fn needs_values(&self) -> bool {
        matches!(self, Self::Agent(agent) if agent.needs_values())
    }

    /// Returns true if the agent plays by values where there are any.
    pub(super) fn uses_values(&self) -> bool {
        matches!(self, Self::Agent(agent) if agent.uses_values())
    }
}

/// A game and, if they are known, its values.
#[derive(Clone, Copy)]
pub(super) struct KnownGame<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) values: Option<&'a Values>,
}
