//! The agent that a person plays against, in words: agents know the type of their game.

use anyhow::Result;
use hindsight_core::{Answer, Game, Notation};
use hindsight_games::Values;
use hindsight_play::{Agent, BatchProbe, Mcts, SeededRandom};
use hindsight_rules::Visitor;

use super::{KnownGame, PlaySession};
use crate::agent_memory::AgentMemory;
use crate::args::SymmetryArg;
use crate::errors::game_error;
use crate::spec::{setup, spec_error};

/// Agent that plays by the texts of positions and moves.
pub(super) trait Opponent {
    /// Returns the move that the agent plays.
    fn choose(&mut self, position: &str) -> Result<String>;

    /// Returns the move that a tree search plays; `seed` is that of its random numbers.
    fn hint(&self, position: &str, seed: &[u64]) -> Result<String>;
}

/// Plays the game of a session against its agent.
pub(super) fn play_against(known: KnownGame<'_>, session: &PlaySession<'_>) -> Result<()> {
    let spec = known.game.spec();
    let visitor = OpponentVisitor { known, session };
    hindsight_rules::by_name(spec, &setup(SymmetryArg::None), visitor)
        .map_err(|error| spec_error(spec, &error))?
}

struct OpponentVisitor<'a> {
    known: KnownGame<'a>,
    session: &'a PlaySession<'a>,
}

impl Visitor for OpponentVisitor<'_> {
    type Output = Result<()>;

    fn visit<G: Notation>(self, rules: G) -> Result<()> {
        let Self { known, session } = self;
        let memory = AgentMemory::divide(session.context, 1);
        let game = &rules;
        let probe = known
            .values
            .map(|values| move |positions: &[G::Position]| answers(game, values, positions));
        let probe = probe.as_ref().map(|probe| probe as BatchProbe<'_, _>);
        let agent = session.agent.agent(probe, memory.resources());
        let mut opponent = TypedOpponent {
            game,
            agent: agent.map_err(|error| memory.agent_error(error))?,
            random: SeededRandom::new(&[session.seed, 1]),
        };
        session.play(known, &mut opponent)?;
        memory.report_if_full(session.context);
        Ok(())
    }
}

/// Returns the values of positions, which are handed on as texts.
fn answers<G: Notation>(
    game: &G,
    values: &Values,
    positions: &[G::Position],
) -> Result<Vec<Answer>, String> {
    let parsed = positions.iter();
    let parsed = parsed.map(|&position| values.game().parse(&game.format(position)));
    let answers = parsed.collect::<Result<Vec<_>, _>>();
    let answers = answers.and_then(|positions| values.probe_many(&positions));
    answers.map_err(|error| format!("{:#}", game_error(error)))
}

/// Agent for games of one type.
struct TypedOpponent<'a, G: Game> {
    game: &'a G,
    agent: Box<dyn Agent<G> + 'a>,
    random: SeededRandom,
}

impl<G: Notation> TypedOpponent<'_, G> {
    fn parse(&self, position: &str) -> Result<G::Position> {
        Ok(self.game.parse(position)?)
    }
}

impl<G: Notation> Opponent for TypedOpponent<'_, G> {
    fn choose(&mut self, position: &str) -> Result<String> {
        let position = self.parse(position)?;
        let choice = self.agent.choose(self.game, position, &mut self.random)?;
        Ok(self.game.format_move(position, choice.mv))
    }

    fn hint(&self, position: &str, seed: &[u64]) -> Result<String> {
        let position = self.parse(position)?;
        let mut random = SeededRandom::new(seed);
        let choice = Mcts::default().choose(self.game, position, &mut random)?;
        Ok(self.game.format_move(position, choice.mv))
    }
}
