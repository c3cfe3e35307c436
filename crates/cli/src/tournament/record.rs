//! The file of games of a tournament: a line that tells what is played, then the games as they end.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_games::GameRecord;
use serde::{Deserialize, Serialize};

use crate::args::AgentGamesArgs;
use crate::context::Context;
use crate::inputs::kept_game::{kept_games, read_game_file};
use crate::matches::games_file::mend_games;
use crate::output::LiveFile;

/// First line of the file. Readers of games pass over an object with the key `event`.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TournamentHeader {
    event: HeaderEvent,
    /// Spec of the game; random cards stay random.
    game: String,
    seed: u64,
    max_turns: u32,
    opening: u32,
}

#[derive(PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum HeaderEvent {
    Tournament,
}

impl TournamentHeader {
    pub(super) fn new(game: &str, args: &AgentGamesArgs) -> Self {
        let &AgentGamesArgs { seed, max_turns, opening, .. } = args;
        Self { event: HeaderEvent::Tournament, game: game.into(), seed, max_turns, opening }
    }

    pub(super) fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    /// Refuses a file, of which this is the first line, for another tournament than `wanted`.
    pub(super) fn check(&self, wanted: &Self, path: &Path) -> Result<()> {
        let differs = [
            (self.game != wanted.game, format!("--game {}", self.game)),
            (self.seed != wanted.seed, format!("--seed {}", self.seed)),
            (self.max_turns != wanted.max_turns, format!("--max-turns {}", self.max_turns)),
            (self.opening != wanted.opening, format!("--opening {}", self.opening)),
        ];
        let options = differs.into_iter().filter_map(|(differs, option)| differs.then_some(option));
        let options: Vec<String> = options.collect();
        if !options.is_empty() {
            bail!(
                "'{}' is of a tournament with {}; choose another name or add --force",
                path.display(),
                options.join(" ")
            );
        }
        Ok(())
    }
}

/// The file of a tournament, and what it has of an earlier run.
#[derive(Default)]
pub(super) struct TournamentRecord {
    pub(super) file: Option<LiveFile>,
    pub(super) header: Option<TournamentHeader>,
    pub(super) games: Vec<GameRecord>,
}

impl TournamentRecord {
    /// Opens a file to go on with it, if it is there and not to be replaced, or else a new one.
    pub(super) fn open(path: &Path, context: &Context) -> Result<Self> {
        mend_games(path, context)?;
        let is_new = context.force || !path.is_file() || path.metadata()?.len() == 0;
        if is_new {
            let is_empty = path.is_file() && !context.force;
            let file = Some(LiveFile::open(path, context.force || is_empty)?);
            return Ok(Self { file, ..Self::default() });
        }
        let file = Some(LiveFile::append(path)?);
        let bytes = read_game_file(path)?;
        let header = bytes.split(|&byte| byte == b'\n').next().map(serde_json::from_slice);
        let Some(Ok(header)) = header else {
            bail!(
                "'{}' is no record of a tournament; choose another name or add --force",
                path.display()
            );
        };
        Ok(Self { file, header: Some(header), games: kept_games(path, &bytes)?.games })
    }
}
