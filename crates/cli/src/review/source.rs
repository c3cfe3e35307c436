//! The game of a review: a record, or a game as people write it.

use std::borrow::Cow;
use std::io::{Read as _, stdin};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_core::Symmetry;
use hindsight_games::{AnyGame, Error, GameText, game_without_files};
use hindsight_play::GameRecord;

use crate::args::ReviewArgs;
use crate::inputs::kept_game::{ReplayedGame, kept_game, read_game_file};
use crate::inputs::spec::file_or_spec_error;

/// Name of a player whom a text does not name, as in PGN.
const NO_NAME: &str = "?";

pub(super) enum GameSource {
    Record(GameRecord),
    Text {
        text: GameText,
        /// The game if the command line names it.
        game: Option<AnyGame>,
        /// The file, if there is one.
        file: Option<String>,
    },
}

/// Reads the game that the command line names.
pub(super) fn read(args: &ReviewArgs) -> Result<GameSource> {
    let Some(moves) = &args.moves else {
        let file = args.spec.as_ref().expect("a file is named where no moves are");
        let path = Path::new(file);
        let bytes = read_game_file(path)?;
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() || GameText::is_record(&text) {
            return Ok(GameSource::Record(kept_game(path, &bytes, args.game)?.record));
        }
        let Cow::Borrowed(text) = text else {
            bail!("cannot read '{file}': it is no text in UTF-8");
        };
        let text = GameText::read(text)?;
        if let Some(index) = args.game.filter(|&index| index > 0) {
            bail!("'{file}' has one game, number 0, and no number {index}");
        }
        return Ok(GameSource::Text { text, game: None, file: Some(file.clone()) });
    };
    let mut typed = String::new();
    let moves = match &**moves {
        "-" => {
            stdin().read_to_string(&mut typed).context("cannot read standard input")?;
            &typed
        }
        moves => moves,
    };
    let game = args.spec.as_deref().map(|spec| {
        let named = hindsight_games::game(spec);
        named.map_err(|error| match error {
            Error::Spec { spec, fault } => file_or_spec_error(&spec, &fault),
            error => error.into(),
        })
    });
    let game = game.transpose()?;
    let text = GameText::read(moves)?;
    let start = args.position.clone().or(text.start);
    Ok(GameSource::Text { text: GameText { start, ..text }, game, file: None })
}

impl GameSource {
    /// Returns the game, without its symmetries.
    pub(super) fn game(&self) -> Result<AnyGame> {
        // The spec of a kept game needs no other files, so none that it might name is read.
        let named = |spec: &str| game_without_files(spec, Symmetry::None);
        match self {
            Self::Record(record) => Ok(named(&record.game)?),
            Self::Text { game: Some(game), .. } => Ok(game.clone()),
            Self::Text { text: GameText { game: Some(spec), .. }, .. } => Ok(named(spec)?),
            Self::Text { file: Some(file), .. } => bail!(
                "'{file}' does not name its game: begin it with [Game \"SPEC\"], or give \
                 SPEC --moves - and the file as standard input"
            ),
            Self::Text { .. } => {
                bail!("the text does not name its game: write the spec before --moves")
            }
        }
    }

    /// Plays the moves of the game; returns the game also as a record.
    pub(super) fn replay(self, game: AnyGame) -> Result<(GameRecord, ReplayedGame)> {
        match self {
            Self::Record(record) => {
                let played = ReplayedGame::of_record(game, &record)?;
                Ok((record, played))
            }
            Self::Text { text, file, .. } => {
                let read = replay_text(text, game);
                match file {
                    Some(file) => read.map_err(|error| anyhow!("'{file}': {error}")),
                    None => read,
                }
            }
        }
    }
}

fn replay_text(text: GameText, game: AnyGame) -> Result<(GameRecord, ReplayedGame)> {
    let start = match &text.start {
        Some(start) => game.parse(start)?,
        None => game.start(),
    };
    let read = game.read_moves(&start, &text.moves, usize::MAX)?;
    // White, player 0 of the record, is who begins the game, not who makes the first move here.
    let is_white = game.player_to_move(&start)? == game.player_to_move(&game.start())?;
    let (winner, ending) = match read.result.as_deref() {
        Some("1-0") => (Some(0), "resigned"),
        Some("0-1") => (Some(1), "resigned"),
        Some("1/2-1/2") => (None, "draw"),
        _ => (None, "unfinished"),
    };
    let played = ReplayedGame::of_moves(game, read);
    let record = GameRecord {
        game: played.game.spec().to_string(),
        start: text.start,
        number: 0,
        agents: text.players.map(|name| name.unwrap_or_else(|| NO_NAME.to_string())),
        first: usize::from(!is_white),
        moves: played.move_texts()?,
        winner,
        ending: ending.to_string(),
        fault: None,
        work: [0; 2],
        seconds: [0.0; 2],
        pruned: Vec::new(),
    };
    Ok((record, played))
}
