//! The game as a record, and the file that it is saved in.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hindsight_core::Wdl;
use hindsight_play::GameRecord;

use super::game_in_progress::GameInProgress;
use crate::output::{NamedFile, Output, check_distinct};

impl GameInProgress<'_> {
    /// Returns the game as it stands. A game that was loaded and not changed is returned as it was.
    pub(super) fn record(&self) -> Result<GameRecord> {
        let moves = self.played.move_texts()?;
        let resigned = self.resigned.is_some();
        let saved = self.session.saved.as_ref();
        let is_unchanged =
            |saved: &&GameRecord| saved.moves == moves && (saved.ending == "resigned") == resigned;
        if let Some(saved) = saved.filter(is_unchanged) {
            return Ok(saved.clone());
        }
        let result = self.played.game.outcome(self.played.last())?;
        let ending = match result {
            _ if resigned => "resigned",
            Some(Wdl::Draw) => "draw",
            Some(_) => self.win_condition()?,
            None => "unfinished",
        };
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
        let name = match (name, self.own_file()) {
            ("", Some(file)) => file,
            ("", None) => bail!("save where? save FILE"),
            (name, _) => name.to_string(),
        };
        let path = Path::new(&name);
        let is_own = self.own_file().as_ref() == Some(&name);
        let inputs = self.other_inputs(is_own || overwrite);
        let inputs = inputs.iter().map(|(role, path)| NamedFile::new(role, path));
        check_distinct(&Vec::from_iter(inputs), &[NamedFile::new("the game", path)])?;
        let force = self.session.context.force || overwrite || is_own;
        if path.exists() && !force {
            bail!("'{name}' exists; overwrite {name} replaces it");
        }
        let mut file = Output::file(path, "a game", force)?;
        serde_json::to_writer(&mut file, &self.record()?)?;
        file.write_all(b"\n")?;
        file.finish()?;
        self.saved_as = Some(name.clone());
        Ok(name)
    }

    /// Returns the file that `save` without a name writes to.
    fn own_file(&self) -> Option<String> {
        let loaded = self.session.loaded_alone.then_some(&self.session.args.load);
        let loaded = loaded.and_then(Option::as_ref);
        let loaded = loaded.map(|path| path.display().to_string());
        self.saved_as.clone().or(loaded)
    }

    /// Returns the files that a save must leave alone. The file of `--load` is one of them, unless
    /// it may be replaced because it has no other game.
    fn other_inputs(&self, may_replace_loaded: bool) -> Vec<(&'static str, PathBuf)> {
        let args = self.session.args;
        let deck = args.spec.as_deref().and_then(hindsight_rules::deck_file);
        let is_kept = !(may_replace_loaded && self.session.loaded_alone);
        let loaded = args.load.clone().filter(|_| is_kept);
        [
            args.table.clone().map(|path| ("the table", path)),
            deck.map(|path| ("the deck", PathBuf::from(path))),
            loaded.map(|path| ("the file of --load", path)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
