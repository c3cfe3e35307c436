//! The file of games of a tournament: a line that tells what is played, then the games as they end.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_games::{GameRecord, deal, game};
use serde::{Deserialize, Serialize};

use crate::args::AgentGamesArgs;
use crate::context::Context;
use crate::inputs::kept_game::{kept_games, read_game_file};
use crate::matches::games_file::{GamesFile, mend_games};
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

    /// Returns the normal form of the spec of the first game, with the cards that it draws.
    fn first_game(&self) -> String {
        let dealt = deal(&self.game, self.seed, 0).ok().flatten();
        let spec = dealt.unwrap_or_else(|| self.game.clone());
        game(&spec).map_or(spec, |game| game.spec().to_string())
    }

    /// Refuses a file, of which this is the first line, for another tournament than `wanted`.
    pub(super) fn check(&self, wanted: &Self, path: &Path) -> Result<()> {
        let is_other = self.game != wanted.game && self.first_game() != wanted.first_game();
        let differs = [
            (is_other, format!("--game {}", self.game)),
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
    pub(super) file: GamesFile,
    pub(super) header: Option<TournamentHeader>,
    pub(super) games: Vec<GameRecord>,
}

impl TournamentRecord {
    /// Opens a file to go on with it, if it is there and not to be replaced, or else a new one.
    pub(super) fn open(path: &Path, args: &AgentGamesArgs, context: &Context) -> Result<Self> {
        mend_games(path, context)?;
        let is_new = context.force || !path.is_file() || path.metadata()?.len() == 0;
        if is_new {
            let file = LiveFile::open(path, context.force || path.is_file())?;
            return Ok(Self { file: GamesFile(Some(file)), ..Self::default() });
        }
        let file = GamesFile(Some(LiveFile::append(path)?));
        let bytes = read_game_file(path)?;
        let header = bytes.split(|&byte| byte == b'\n').next().map(serde_json::from_slice);
        let Some(Ok::<TournamentHeader, _>(header)) = header else {
            bail!(
                "'{}' is no record of a tournament; choose another name or add --force",
                path.display()
            );
        };
        // The game itself may be known only after a solve.
        header.check(&TournamentHeader::new(&header.game, args), path)?;
        Ok(Self { file, header: Some(header), games: kept_games(path, &bytes)?.games })
    }
}
