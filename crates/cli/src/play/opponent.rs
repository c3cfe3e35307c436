//! The agent that a person plays against, in words.

use anyhow::Result;
use hindsight_bots::{BotCommand, BotError, BotGame};
use hindsight_core::{Notation, Packed, PackedGame};
use hindsight_games::{AnyGame, Position, Values};
use hindsight_play::{Agent, AgentSpec, BatchProbe, SeededRandom};
use hindsight_rules::PackedVisitor;

use super::game_in_progress::{GameInProgress, Opponent};
use super::session::{KnownGame, OpponentChoice, PlaySession};
use crate::agent_memory::AgentMemory;
use crate::args::SymmetryArg;
use crate::game_with_values::packed_answers;
use crate::named_agent::{NamedAgent, bot_error, start_bots};
use crate::spec::{setup, spec_error};

/// Plays the game of a session from a position, against its agent or another person.
pub(super) fn play_against(
    known: KnownGame<'_>,
    start: Position,
    session: &PlaySession<'_>,
) -> Result<()> {
    let spec = known.game.spec();
    if let OpponentChoice::Agent(NamedAgent::Program(command)) = &session.opponent {
        return play_against_program(command, known, start, session);
    }
    let visitor = OpponentVisitor { known, start, session };
    hindsight_rules::rules_by_name(spec, &setup(SymmetryArg::None))
        .map(|rules| rules.visit(visitor))
        .map_err(|error| spec_error(spec, &error))?
}

/// Plays against a program.
fn play_against_program(
    command: &BotCommand,
    known: KnownGame<'_>,
    start: Position,
    session: &PlaySession<'_>,
) -> Result<()> {
    let spec = known.game.spec();
    let bots = start_bots(command, spec, &session.args.programs)?;
    let mut opponent = ProgramOpponent {
        game: known.game,
        command,
        bot: BotGame::new(&bots, spec.to_string(), &[session.seed, 1]),
    };
    let opponent: (&mut dyn Opponent, String) = (&mut opponent, command.to_string());
    GameInProgress::new(known, start, session, Some(opponent))?.run()
}

struct OpponentVisitor<'a> {
    known: KnownGame<'a>,
    start: Position,
    session: &'a PlaySession<'a>,
}

impl PackedVisitor for OpponentVisitor<'_> {
    type Output = Result<()>;

    fn visit<const W: usize>(self, rules: PackedGame<W>) -> Result<()> {
        let Self { known, start, session } = self;
        let spec = match &session.opponent {
            OpponentChoice::Person => {
                return GameInProgress::new(known, start, session, None)?.run();
            }
            OpponentChoice::Default => None,
            OpponentChoice::Agent(agent) => agent.spec(),
        };
        let spec = spec.unwrap_or_else(|| AgentSpec::opponent_for(&rules));
        let memory = AgentMemory::divide(session.context, 1);
        let probe = known.values.map(|values: &Values| {
            move |positions: &[Packed<W>]| packed_answers(values, positions)
        });
        let probe = probe.as_ref().map(|probe| probe as BatchProbe<'_, _>);
        let agent = spec.agent(probe, memory.resources());
        let mut opponent = AgentOpponent {
            game: &rules,
            agent: agent.map_err(|error| memory.agent_error(error))?,
            random: SeededRandom::new(&[session.seed, 1]),
        };
        let opponent: (&mut dyn Opponent, String) = (&mut opponent, spec.to_string());
        GameInProgress::new(known, start, session, Some(opponent))?.run()?;
        memory.report_if_full(session.context);
        Ok(())
    }
}

/// Agent with the rules of the game.
struct AgentOpponent<'a, const W: usize> {
    game: &'a PackedGame<W>,
    agent: Box<dyn Agent<PackedGame<W>> + 'a>,
    random: SeededRandom,
}

impl<const W: usize> Opponent for AgentOpponent<'_, W> {
    fn choose(&mut self, position: &str) -> Result<String> {
        let position = self.game.parse(position)?;
        let choice = self.agent.choose(self.game, position, &mut self.random)?;
        Ok(self.game.format_move(position, choice.mv))
    }
}

/// Program in texts.
struct ProgramOpponent<'a> {
    game: &'a AnyGame,
    command: &'a BotCommand,
    bot: BotGame<'a>,
}

impl Opponent for ProgramOpponent<'_> {
    fn choose(&mut self, position: &str) -> Result<String> {
        let at = self.game.parse(position)?;
        let moves = self.game.moves(&at)?;
        let texts = moves.iter().map(|mv| self.game.format_move(&at, mv));
        let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
        match self.bot.choose(position, &texts) {
            Ok(chosen) => Ok(texts.swap_remove(chosen)),
            Err(BotError::Fault(fault)) => Err(fault.into()),
            Err(error) => Err(bot_error(self.command, error)),
        }
    }
}
