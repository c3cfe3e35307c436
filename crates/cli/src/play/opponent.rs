//! The agent that a person plays against, in words.

use anyhow::Result;
use hindsight_bots::{BotCommand, BotError, BotGame};
use hindsight_games::{AnyGame, Player, Position, Values};

use super::game_in_progress::{GameInProgress, Opponent};
use super::session::{KnownGame, OpponentChoice, PlaySession};
use crate::inputs::agent_memory::AgentMemory;
use crate::inputs::named_agent::{NamedAgent, bot_error, start_bots};

/// Plays the game of a session from a position, against its agent or another person.
pub(super) fn play_against(
    known: KnownGame<'_>,
    start: Position,
    session: &PlaySession<'_>,
) -> Result<()> {
    if let OpponentChoice::Agent(NamedAgent::Program(command)) = &session.opponent {
        return play_against_program(command, known, start, session);
    }
    let spec = match &session.opponent {
        OpponentChoice::Person => {
            return GameInProgress::new(known, start, session, None)?.run();
        }
        OpponentChoice::Default => None,
        OpponentChoice::Agent(agent) => agent.spec(),
    };
    let spec = spec.unwrap_or_else(|| known.game.default_agent());
    let memory = AgentMemory::divide(session.context, 1);
    let values = known.values.map(Values::for_agents);
    let seeds = &[session.seed, 1];
    let player = Player::new(known.game, &spec, values.as_ref(), memory.resources(), seeds);
    let mut opponent = AgentOpponent {
        game: known.game,
        player: player.map_err(|error| memory.player_error(error))?,
    };
    let named: (&mut dyn Opponent, String) = (&mut opponent, spec.to_string());
    GameInProgress::new(known, start, session, Some(named))?.run()?;
    memory.report_if_full(session.context);
    Ok(())
}

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
    let named: (&mut dyn Opponent, String) = (&mut opponent, command.to_string());
    GameInProgress::new(known, start, session, Some(named))?.run()
}

/// Agent of this program.
struct AgentOpponent<'a> {
    game: &'a AnyGame,
    player: Player<'a>,
}

impl Opponent for AgentOpponent<'_> {
    fn choose(&mut self, position: &str) -> Result<String> {
        let position = self.game.parse(position)?;
        let choice = self.player.choose(&position)?;
        Ok(self.game.format_move(&position, &choice.mv)?)
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
