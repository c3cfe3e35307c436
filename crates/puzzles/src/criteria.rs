use std::collections::HashSet;
use std::ops::RangeInclusive;

use hindsight_core::{
    Game, Notation, Packed, PackedGame, PackedMove, Probe, RatedMove, Value, Wdl,
};

use crate::rated_move::{PuzzleError, PuzzleErrorOf, best_moves, best_moves_of_value, best_value};

/// Moves of a solution that must have no alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uniqueness {
    /// The whole line: exactly one quickest win at each of the solver's plies, after every slowest
    /// reply.
    Line,
    /// The first move: exactly one quickest win.
    FastestMove,
    /// The first move: exactly one win, of whatever length.
    WinningMove,
}

/// Subject of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleTheme {
    /// Every winning move gives up a piece ([`hindsight_core::Material::gives_up_piece`]).
    Sacrifice,
    /// Exactly one move wins, and that move captures nothing
    /// ([`hindsight_core::Material::is_capture`]).
    Quiet,
    /// The position is won, and every move but one loses.
    OnlyMove,
    /// The position is drawn, and every move but one loses.
    Swindle,
}

impl Uniqueness {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Line, Self::FastestMove, Self::WinningMove];

    /// Returns the word for the kind: `line`, `first` or `win`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::FastestMove => "first",
            Self::WinningMove => "win",
        }
    }
}

/// Properties that a position must have to count as a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleCriteria {
    /// Moves of the solution that must be unique.
    pub unique: Uniqueness,
    /// Required theme; `None` accepts any won position.
    pub theme: Option<PuzzleTheme>,
    /// Accepted plies to the win; ignored for draws.
    pub plies: RangeInclusive<u16>,
}

impl PuzzleCriteria {
    /// Returns false if a position of this value cannot be a puzzle, whatever its moves.
    #[must_use]
    pub fn accepts_value(&self, value: Value) -> bool {
        match (self.theme, value) {
            (Some(PuzzleTheme::Swindle), value) => value == Value::Draw,
            (_, Value::Win(n)) => self.plies.contains(&n),
            _ => false,
        }
    }
}

impl PuzzleTheme {
    /// All themes.
    pub const ALL: [Self; 4] = [Self::Sacrifice, Self::Quiet, Self::OnlyMove, Self::Swindle];

    /// Returns the word for the theme: `sacrifice`, `quiet`, `only` or `swindle`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sacrifice => "sacrifice",
            Self::Quiet => "quiet",
            Self::OnlyMove => "only",
            Self::Swindle => "swindle",
        }
    }

    /// Checks that `game` can have puzzles of this theme.
    ///
    /// # Errors
    /// A sentence with the reason why not.
    pub fn check(self, game: &PackedGame) -> Result<(), String> {
        let needs_pieces = matches!(self, Self::Sacrifice | Self::Quiet);
        if needs_pieces && game.material().is_none() {
            let spec = game.spec();
            return Err(format!(
                "{spec} has no pieces to lose, so that no move captures or sacrifices anything; \
                 the themes 'only' and 'swindle' are for every game"
            ));
        }
        Ok(())
    }

    /// Returns true if a position with these moves has the theme.
    pub fn matches(self, game: &PackedGame, position: Packed, moves: &[RatedMove]) -> bool {
        let wdl = best_value(moves).map(Value::wdl);
        let mut keeping = moves.iter().filter(|rated| Some(rated.value.wdl()) == wdl);
        let not_lost = moves.iter().filter(|rated| rated.value.wdl() > Wdl::Loss);
        match (self, wdl) {
            (Self::Sacrifice, Some(Wdl::Win)) => {
                keeping.all(|rated| gives_up_piece(game, position, rated.mv))
            }
            (Self::Quiet, Some(Wdl::Win)) => match (keeping.next(), keeping.next()) {
                (Some(only), None) => !is_capture(game, position, only.mv),
                _ => false,
            },
            (Self::OnlyMove, Some(Wdl::Win)) | (Self::Swindle, Some(Wdl::Draw)) => {
                not_lost.count() == 1
            }
            _ => false,
        }
    }
}

/// Computes [`hindsight_core::Material::is_capture`]; false in a game without pieces to lose.
pub(crate) fn is_capture(game: &PackedGame, position: Packed, mv: PackedMove) -> bool {
    let material = game.material();
    material.is_some_and(|material| material.is_capture(position, mv))
}

/// Computes [`hindsight_core::Material::gives_up_piece`]; false in a game without pieces to lose.
pub(crate) fn gives_up_piece(game: &PackedGame, position: Packed, mv: PackedMove) -> bool {
    let material = game.material();
    material.is_some_and(|material| material.gives_up_piece(position, mv))
}

impl Uniqueness {
    /// Returns true if the solution of a position with these moves is unique in this sense.
    ///
    /// A draw has no line to an end, so all three variants then ask for a single drawing move.
    /// `false` without moves. Cost: one pass over the moves; for [`Uniqueness::Line`] also a probe
    /// of the successors of each position on a best line.
    ///
    /// # Errors
    /// A value cannot be read, or values do not agree.
    pub fn holds<S: Probe>(
        self,
        game: &PackedGame,
        solution: &S,
        moves: &[RatedMove],
    ) -> Result<bool, PuzzleErrorOf<S>> {
        let Some(value) = best_value(moves) else {
            return Ok(false);
        };
        let keeping = moves.iter().filter(|rated| rated.value.wdl() == value.wdl());
        if self == Self::WinningMove {
            return Ok(keeping.count() == 1);
        }
        let mut fastest = best_moves(moves);
        let (Some(only), None) = (fastest.next(), fastest.next()) else {
            return Ok(false);
        };
        match (self, value) {
            (Self::Line, Value::Win(_)) => is_only_line(game, solution, only.next, value),
            _ => Ok(true),
        }
    }
}

/// Returns true if the winner has exactly one quickest win at each later ply.
///
/// `position` is the successor by the first move; `value` is the value before that move, a win.
fn is_only_line<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    value: Value,
) -> Result<bool, PuzzleErrorOf<S>> {
    let mut seen = HashSet::new();
    let mut lost = vec![(position, value)];
    while let Some((position, value)) = lost.pop() {
        if game.terminal(position).is_some() {
            continue;
        }
        let value = value.after().ok_or(PuzzleError::Inconsistent)?;
        for reply in best_moves_of_value(game, solution, position, value)? {
            if game.terminal(reply.next).is_some() || !seen.insert(reply.next) {
                continue;
            }
            let value = value.after().ok_or(PuzzleError::Inconsistent)?;
            match best_moves_of_value(game, solution, reply.next, value)?[..] {
                [only] => lost.push((only.next, value)),
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}
