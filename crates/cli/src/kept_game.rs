//! Games kept in files, played again move by move.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_games::{AnyGame, AnyMove, Position};
use hindsight_play::{GameRecord, read_games};

use crate::input::read_text;
use crate::output::print_message;

/// Most bytes of a file of games, which is read at once.
const MAX_BYTES: u64 = 1 << 30;

/// A game of a file.
pub(crate) struct KeptGame {
    pub(crate) record: GameRecord,
    /// True if the file holds nothing else.
    pub(crate) is_alone: bool,
}

/// Reads a game of a file: the one at an index from 0, or the last.
pub(crate) fn read_kept_game(path: &Path, index: Option<usize>) -> Result<KeptGame> {
    let name = path.display();
    let text = read_text(path, MAX_BYTES).with_context(|| format!("cannot read '{name}'"))?;
    let text =
        text.ok_or_else(|| anyhow!("'{name}' is larger than a gigabyte: no file of games"))?;
    let (mut games, is_cut_off) = read_games(&text).with_context(|| format!("'{name}'"))?;
    let number_of_games = games.len();
    if games.is_empty() {
        bail!(match is_cut_off {
            true => format!("the only line of '{name}' is cut off or no game"),
            false => format!("there is no game in '{name}'"),
        });
    }
    if let Some(index) = index.filter(|&index| index >= number_of_games) {
        bail!(match number_of_games {
            1 => format!("'{name}' has one game, number 0, and no number {index}"),
            _ => format!(
                "'{name}' has games 0 to {}, and no number {index}",
                number_of_games - 1
            ),
        });
    }
    if is_cut_off && index.is_none() {
        print_message(&format!(
            "note: the last line of '{name}' is cut off; the game before it is taken"
        ));
    }
    Ok(KeptGame {
        record: games.swap_remove(index.unwrap_or(number_of_games - 1)),
        is_alone: number_of_games == 1 && !is_cut_off,
    })
}

/// A game move by move.
#[derive(Clone)]
pub(crate) struct ReplayedGame {
    pub(crate) game: AnyGame,
    pub(crate) moves: Vec<AnyMove>,
    /// The start, then the position after each move.
    pub(crate) positions: Vec<Position>,
}

impl ReplayedGame {
    /// Returns a game without moves.
    pub(crate) fn new(game: AnyGame, start: Position) -> Self {
        Self {
            game,
            moves: Vec::new(),
            positions: vec![start],
        }
    }

    /// Plays the moves of a record, which must be of this game.
    pub(crate) fn of_record(game: AnyGame, record: &GameRecord) -> Result<Self> {
        let start = match &record.start {
            Some(text) => game.parse(text).context("the start of the saved game")?,
            None => game.start(),
        };
        let mut replayed = Self::new(game, start);
        for (number, text) in record.moves.iter().enumerate() {
            let mv = replayed.game.parse_move(replayed.last(), text);
            let mv =
                mv.map_err(|error| anyhow!("move {} of the saved game: {error}", number + 1))?;
            replayed.play(mv)?;
        }
        Ok(replayed)
    }

    /// Returns the position after all moves.
    pub(crate) fn last(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    pub(crate) fn play(&mut self, mv: AnyMove) -> Result<()> {
        let next = self.game.play(self.last(), &mv)?;
        self.moves.push(mv);
        self.positions.push(next);
        Ok(())
    }

    /// Takes back the last moves.
    pub(crate) fn take_back(&mut self, plies: usize) {
        self.moves.truncate(self.moves.len().saturating_sub(plies));
        self.positions.truncate(self.moves.len() + 1);
    }

    /// Returns the texts of the moves.
    pub(crate) fn move_texts(&self) -> Result<Vec<String>> {
        let plies = self.moves.iter().zip(&self.positions);
        let texts = plies.map(|(mv, position)| self.game.format_move(position, mv));
        Ok(texts.collect::<Result<_, _>>()?)
    }
}
