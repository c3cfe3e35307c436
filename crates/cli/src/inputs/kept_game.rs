//! Games kept in files, played again move by move.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_games::{AnyGame, AnyMove, Position, ReadMoves};
use hindsight_play::{GameRecord, read_games};

use crate::output::print_message;

/// Most bytes of a file of games, which is read at once.
const MAX_BYTES: u64 = 1 << 30;

/// Begin of a line with a game.
const GAME_LINE: &[u8] = b"{\"game\":";

/// A game of a file.
pub(crate) struct KeptGame {
    pub(crate) record: GameRecord,
    /// True if the file holds nothing else.
    pub(crate) is_alone: bool,
}

/// Games of a file, and what is left of one that a program was writing when it was killed.
pub(crate) struct KeptGames {
    pub(crate) games: Vec<GameRecord>,
    pub(crate) half_line: Option<HalfLine>,
}

/// A last line that is incomplete, without a line break.
#[derive(Debug)]
pub(crate) struct HalfLine {
    /// Number of the line, from 1.
    pub(crate) number: usize,
    /// Bytes of the file before the line.
    pub(crate) begin: u64,
    /// True if the line surely is the beginning of one of ours, or is empty space that was never
    /// written.
    pub(crate) is_ours: bool,
}

/// Reads a file with games, at once: it may be a pipe.
pub(crate) fn read_game_file(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    let cannot_read = || format!("cannot read '{name}'");
    let mut bytes = Vec::new();
    let file = File::open(path).with_context(cannot_read)?;
    let read = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if read.with_context(cannot_read)? as u64 > MAX_BYTES {
        bail!("'{name}' is larger than a gigabyte: no file of games");
    }
    Ok(bytes)
}

/// Reads the records of a file, whose name is for errors.
pub(crate) fn kept_games(path: &Path, bytes: &[u8]) -> Result<KeptGames> {
    let name = path.display();
    let begin = bytes.iter().rposition(|&byte| byte == b'\n');
    let begin = begin.map_or(0, |end| end + 1);
    let last = &bytes[begin..];
    let text = |bytes| {
        str::from_utf8(bytes).map_err(|_| anyhow!("cannot read '{name}': it is no text in UTF-8"))
    };
    // Half a line may end in the middle of a character.
    let (whole, is_cut_in_character) = match str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => (text(&bytes[..begin])?, true),
        _ => (text(bytes)?, false),
    };
    let (games, is_cut_off) = read_games(whole).with_context(|| format!("'{name}'"))?;
    let half_line = (is_cut_off || is_cut_in_character).then(|| HalfLine {
        number: bytes[..begin].iter().filter(|&&byte| byte == b'\n').count() + 1,
        begin: begin as u64,
        is_ours: last.starts_with(GAME_LINE)
            || last.starts_with(b"{\"event\":\"tournament\"")
            || (begin > 0 && GAME_LINE.starts_with(last))
            || last.iter().all(|&byte| byte == 0),
    });
    Ok(KeptGames { games, half_line })
}

/// Reads a record of a file, whose name is for errors: the one at an index from 0, or the last.
pub(crate) fn kept_game(path: &Path, bytes: &[u8], index: Option<usize>) -> Result<KeptGame> {
    let name = path.display();
    let KeptGames { mut games, half_line } = kept_games(path, bytes)?;
    let number_of_games = games.len();
    if games.is_empty() {
        if half_line.is_some() {
            bail!("the only line of '{name}' is cut off or no game");
        }
        bail!("there is no game in '{name}'");
    }
    if let Some(index) = index.filter(|&index| index >= number_of_games) {
        bail!(match number_of_games {
            1 => format!("'{name}' has one game, number 0, and no number {index}"),
            _ => format!("'{name}' has games 0 to {}, and no number {index}", number_of_games - 1),
        });
    }
    if let (Some(HalfLine { number, .. }), None) = (&half_line, index) {
        print_message(&format!(
            "note: line {number} of '{name}', the last line, is cut off; the game before it is taken"
        ));
    }
    Ok(KeptGame {
        record: games.swap_remove(index.unwrap_or(number_of_games - 1)),
        is_alone: number_of_games == 1 && half_line.is_none(),
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
        Self { game, moves: Vec::new(), positions: vec![start] }
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
            let player =
                replayed.game.player_names()[replayed.game.player_to_move(replayed.last())?];
            let mv = mv.map_err(|error| {
                anyhow!("move {} of the saved game ({player}): {error}", number + 1)
            })?;
            replayed.play(mv)?;
        }
        Ok(replayed)
    }

    /// Returns a game with moves that were read from a text.
    pub(crate) fn of_moves(game: AnyGame, read: ReadMoves) -> Self {
        Self { game, moves: read.moves, positions: read.positions }
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

    pub(crate) fn move_texts(&self) -> Result<Vec<String>> {
        let plies = self.moves.iter().zip(&self.positions);
        let texts = plies.map(|(mv, position)| self.game.format_move(position, mv));
        Ok(texts.collect::<Result<_, _>>()?)
    }
}
