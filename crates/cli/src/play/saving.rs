//! The game as a record, and the file that it is saved in.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hindsight_core::Wdl;
use hindsight_play::GameRecord;

use super::game_in_progress::GameInProgress;
use crate::output::{NamedFile, Output, check_distinct};

impl GameInProgress<'_> {
    /// Returns the game as it stands. A game that was loaded and not changed keeps its agents and
    /// their work.
    pub(super) fn record(&self) -> Result<GameRecord> {
        let moves = self.played.move_texts()?;
        let result = self.played.game.outcome(self.played.last())?;
        let ending = match result {
            _ if self.resigned.is_some() => "resigned",
            Some(Wdl::Draw) => "draw",
            Some(_) => self.win_condition()?,
            None => "unfinished",
        };
        let loaded = self.session.saved.as_ref();
        let loaded = loaded.filter(|loaded| loaded.moves == moves);
        let has_fault = |loaded: &&GameRecord| loaded.fault.is_some();
        if let (Some(lost), Some(_)) = (loaded.filter(has_fault), self.resigned) {
            return Ok(lost.clone());
        }
        if let Some(loaded) = loaded {
            let is_over = self.is_over()?;
            return Ok(GameRecord {
                winner: self.winner(result).map(|winner| winner ^ loaded.first),
                ending: match (is_over, loaded.ending.as_str()) {
                    (false, "limit") => String::from("limit"),
                    _ => ending.to_string(),
                },
                fault: None,
                ..loaded.clone()
            });
        }
        let start = &self.played.positions[0];
        let has_moved_start = *start != self.played.game.start();
        let start = has_moved_start.then(|| self.played.game.format(start));
        Ok(GameRecord {
            game: self.played.game.spec().to_string(),
            start: start.transpose()?,
            number: 0,
            agents: [GameRecord::HUMAN.to_string(), self.opponent_name()],
            first: self.human,
            moves,
            winner: self.winner(result).map(|winner| winner ^ self.human),
            ending: ending.to_string(),
            fault: None,
            work: [0; 2],
            seconds: [0.0; 2],
            pruned: Vec::new(),
        })
    }

    fn win_condition(&self) -> Result<&'static str> {
        let condition = self.played.game.win_condition(self.played.last())?;
        Ok(condition.unwrap_or("win"))
    }

    /// Returns the winner by the order of moves: 0 for the first to move, 1 for the second.
    fn winner(&self, result: Option<Wdl>) -> Option<usize> {
        if let Some(resigned) = self.resigned {
            return Some(resigned ^ 1);
        }
        let mover = self.mover();
        match result? {
            Wdl::Win => Some(mover),
            Wdl::Loss => Some(mover ^ 1),
            Wdl::Draw => None,
        }
    }

    /// Saves the game; returns the name of the file.
    ///
    /// Without a name, the file is that of the last save, or that of `--load` if it has no other
    /// game. A file that exists is replaced if this game was saved in it before, or on `overwrite`.
    pub(super) fn save(&mut self, name: &str, overwrite: bool) -> Result<String> {
        let name = match (name, self.saved_in.last().cloned().or(self.loaded_file())) {
            ("", Some(file)) => file,
            ("", None) => bail!("save where? save FILE"),
            (name, _) => name.to_string(),
        };
        let path = Path::new(&name);
        let is_own = self.saved_in.contains(&name) || self.loaded_file().as_ref() == Some(&name);
        let may_replace = self.session.context.force || overwrite || is_own;
        let files = self.files_to_keep(is_own || overwrite);
        let files = files.iter().map(|(role, path)| NamedFile::new(role, path));
        check_distinct(&Vec::from_iter(files), &[NamedFile::new("the game", path)])?;
        if path.exists() && !may_replace {
            bail!("'{name}' exists; overwrite {name} replaces it");
        }
        let mut file = Output::file(path, "a game", may_replace)?;
        serde_json::to_writer(&mut file, &self.record()?)?;
        file.write_all(b"\n")?;
        file.finish()?;
        self.saved_in.retain(|saved| *saved != name);
        self.saved_in.push(name.clone());
        Ok(name)
    }

    /// Returns the file of `--load` if it has no other game.
    fn loaded_file(&self) -> Option<String> {
        let loaded = self.session.args.load.as_ref();
        let loaded = loaded.filter(|_| self.session.loaded_alone);
        loaded.map(|path| path.display().to_string())
    }

    /// Returns the files that a save must leave alone. The file of `--load` is one of them, unless
    /// it may be replaced because it has no other game.
    fn files_to_keep(&self, may_replace_loaded: bool) -> Vec<(&'static str, PathBuf)> {
        let args = self.session.args;
        let deck = args.spec.as_deref().and_then(hindsight_rules::deck_file);
        let is_kept = !(may_replace_loaded && self.session.loaded_alone);
        let loaded = args.load.clone().filter(|_| is_kept);
        let role = if self.session.loaded_alone {
            "the file of --load"
        } else {
            "the file of --load, which has more than this game,"
        };
        [
            args.table.clone().map(|path| ("the table", path)),
            deck.map(|path| ("the deck", PathBuf::from(path))),
            loaded.map(|path| (role, path)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
