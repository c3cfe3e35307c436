//! Files of games that grow line by line.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::args::AgentGamesArgs;
use crate::context::Context;
use crate::inputs::kept_game::{kept_games, read_game_file};
use crate::output::{LiveFile, NamedFile, check_distinct, print_message, refuse_stdout};
use crate::shown::sizes::counted;

/// A file of games; `None` without one, and after an error.
#[derive(Default, Debug)]
pub(crate) struct GamesFile(pub(crate) Option<LiveFile>);

impl GamesFile {
    /// Adds a game, or what is told of all, as a line of JSON.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(line)? + "\n";
        let written = self.0.as_mut().map_or(Ok(()), |file| file.line(&line));
        if written.is_err() {
            self.0 = None;
        }
        Ok(written?)
    }
}

/// Refuses files that are the same, or share standard output with the report.
pub(crate) fn check_files(args: &AgentGamesArgs) -> Result<()> {
    refuse_stdout("--games", args.games.as_deref())?;
    let deck = args.game.as_deref().and_then(hindsight_rules::deck_file).map(PathBuf::from);
    let inputs = [
        NamedFile::optional("--table", args.table.as_ref()),
        NamedFile::optional("the deck", deck.as_ref()),
    ];
    let outputs = [
        NamedFile::optional("--games", args.games.as_ref()),
        NamedFile::optional("--sqlite", args.sqlite.as_ref()),
    ];
    let [inputs, outputs] =
        [inputs, outputs].map(|files| Vec::from_iter(files.into_iter().flatten()));
    check_distinct(&inputs, &outputs)
}

/// Cuts half a line off a file of games, which a run leaves that is killed while it writes. With
/// `--force` the file is replaced anyway.
pub(crate) fn mend_games(path: &Path, context: &Context) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    // A file of another kind is not touched.
    let Ok(kept) = read_game_file(path).and_then(|bytes| kept_games(path, &bytes)) else {
        return Ok(());
    };
    let Some(half) = kept.half_line.filter(|half| half.is_ours) else {
        return Ok(());
    };
    let games = counted(kept.games.len() as u64, "game");
    let what_happens = if context.force {
        format!("it and {games} before it are to be replaced")
    } else if LiveFile::cut(path, half.begin)? {
        format!("it was cut off, which leaves {games}")
    } else {
        return Ok(());
    };
    if !context.quiet {
        print_message(&format!(
            "note: line {} of '{}', the last line, is half a line, as after a kill; {what_happens}",
            half.number,
            path.display()
        ));
    }
    Ok(())
}
