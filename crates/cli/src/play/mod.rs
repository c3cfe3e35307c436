//! The command `play`: a person against an agent or another person, in a terminal or through a
//! pipe. A game in progress executes a command a line, and tells each event as text or as JSON.

mod advice;
mod command;
mod game_in_progress;
mod opponent;
mod saving;
mod session;
mod telling;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use hindsight_bots::BotCommand;
use hindsight_games::{Symmetry, names_table};
use hindsight_play::GameRecord;

use crate::args::PlayArgs;
use crate::context::Context;
use crate::inputs::game_with_values::{
    SolveWish, ValuesSource, game_and_values, named_game, named_position,
};
use crate::inputs::kept_game::{ReplayedGame, kept_game, read_game_file};
use crate::inputs::named_agent::{NamedAgent, check_programs};
use crate::matches::DEFAULT_GAME;
use session::{KnownGame, OpponentChoice, PlaySession};

pub(crate) fn run(args: &PlayArgs, context: &Context) -> Result<()> {
    if let Some(spec) =
        args.spec.as_deref().filter(|spec| names_table(spec) && !Path::new(spec).is_dir())
    {
        bail!("'{spec}' is a file: --table names a table, --load a saved game");
    }
    let kept = args.load.as_deref();
    let kept = kept.map(|path| kept_game(path, &read_game_file(path)?, None)).transpose()?;
    let loaded_alone = kept.as_ref().is_some_and(|kept| kept.is_alone);
    let saved = kept.map(|kept| kept.record);
    // The spec of a kept game needs no other files, so none that it might name is read.
    let without_files =
        |saved: &GameRecord| hindsight_games::game_without_files(&saved.game, Symmetry::None);
    let saved_game = match (saved.as_ref().map(|saved| (saved, without_files(saved))), &args.spec) {
        (Some((saved, Err(_))), Some(spec)) => {
            bail!("the saved game is of {}, not of {spec}", saved.game)
        }
        (saved, _) => saved.map(|(_, game)| game).transpose()?,
    };
    let opponent = opponent_of(args, saved.as_ref())?;
    let agent = match &opponent {
        OpponentChoice::Agent(agent) => Some(agent),
        _ => None,
    };
    check_programs(&args.programs, agent)?;
    let seed = args.seed.unwrap_or_else(clock_seed);
    let spec = match (&args.spec, &saved_game) {
        (Some(spec), Some(saved)) if !saved.has_rules_of(&named_game(spec, spec)?) => {
            bail!("the saved game is of {}; leave out '{spec}'", saved.spec())
        }
        // Moves of the saved game have the names of its own cards.
        (_, Some(saved)) => Some(saved.spec().to_string()),
        (Some(spec), None) => Some(spec.clone()),
        (None, None) => args.table.is_none().then(|| DEFAULT_GAME.to_string()),
    };
    let dealt = spec.as_deref().map(|spec| hindsight_games::deal(spec, seed, 0)).transpose()?;
    let dealt = dealt.flatten();
    let is_dealt = dealt.is_some();
    if let (Some(dealt), Some(spec)) = (&dealt, &spec) {
        named_game(dealt, spec)?;
        if opponent.needs_values() {
            bail!("perfect and lure play by a solution of one game: name the cards in '{spec}'");
        }
    }
    let dealt = dealt.or(spec);
    let source = ValuesSource {
        spec: dealt.as_deref(),
        table: args.table.as_deref(),
        solve: match &opponent {
            _ if opponent.needs_values() => SolveWish::Always,
            _ if opponent.uses_values() && !is_dealt => SolveWish::IfQuick,
            _ => SolveWish::Never,
        },
    };
    if let Some(spec) = source.spec {
        check_positions(spec, args, saved.as_ref())?;
    }
    let (game, values) = game_and_values(source, context)?;
    let start = named_position(&game, args.position.as_deref(), context)?;
    let session = PlaySession { args, opponent, saved, loaded_alone, seed, context };
    let known = KnownGame { game: &game, values: values.as_ref() };
    opponent::play_against(known, start, &session)
}

/// Returns who plays the other side: as the options say, or else as in the saved game.
fn opponent_of(args: &PlayArgs, saved: Option<&GameRecord>) -> Result<OpponentChoice> {
    let level = args.level.as_ref().map(|level| format!("level:{level}"));
    let named = level.as_deref().or(args.agent.as_deref());
    let saved = saved.map(|saved| saved.opponent().unwrap_or(GameRecord::HUMAN));
    if let (None, Some(saved)) = (named, saved.filter(|saved| BotCommand::is_named(saved))) {
        // A file must not start programs.
        bail!("the saved game is against the program '{saved}'; --agent starts it, or another one");
    }
    let named = named.or(saved);
    match named {
        None => Ok(OpponentChoice::Default),
        Some(name) if name.trim().eq_ignore_ascii_case(GameRecord::HUMAN) => {
            Ok(OpponentChoice::Person)
        }
        Some(name) => NamedAgent::parse(name).map(OpponentChoice::Agent),
    }
}

/// Refuses a saved game whose moves are not legal, or a position of another game, before the game
/// is solved.
fn check_positions(spec: &str, args: &PlayArgs, saved: Option<&GameRecord>) -> Result<()> {
    let game = hindsight_games::game(spec)?;
    if let Some(position) = &args.position {
        game.parse(position)?;
    }
    match saved {
        Some(saved) => ReplayedGame::of_record(game, saved).map(drop),
        None => Ok(()),
    }
}

/// Seed from the clock: the nanoseconds of the current second.
fn clock_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| u64::from(now.subsec_nanos()))
}
