use std::collections::HashSet;
use std::ops::RangeInclusive;

use hindsight_core::{Game, Material, Notation, Probe, Value, Wdl};

use crate::choice::{Choice, Error, ErrorOf, after, best, best_of, best_value};

/// How far a solution must be the only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unique {
    /// At each of the solver's plies, after every slowest reply, exactly one move wins in the fewest plies.
    Line,
    /// Of the first moves, exactly one wins in the fewest plies.
    First,
    /// Of the first moves, exactly one wins at all, however long it takes.
    Win,
}

/// What a puzzle is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Every winning move gives up a piece ([`Material::gives_up`]).
    Sacrifice,
    /// Exactly one move wins, and it captures nothing ([`Material::captures`]).
    Quiet,
    /// The position is won, and every move but one loses.
    Only,
    /// The position is drawn, and every move but one loses.
    Swindle,
}

/// The puzzles that are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How far the solution must be the only one.
    pub unique: Unique,
    /// What they must be about; any position to be won if there is none.
    pub theme: Option<Theme>,
    /// How long they may be; of no meaning in a draw.
    pub plies: RangeInclusive<u16>,
}

impl Wanted {
    /// Whether a position of this value may be such a puzzle, as far as that tells.
    #[must_use]
    pub fn has(&self, value: Value) -> bool {
        match (self.theme, value) {
            (Some(Theme::Swindle), value) => value == Value::Draw,
            (_, Value::Win(n)) => self.plies.contains(&n),
            _ => false,
        }
    }
}

impl Theme {
    /// Whether a game can have puzzles of this theme.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn check<G: Material + Notation>(self, game: &G) -> Result<(), String> {
        let needs_pieces = matches!(self, Self::Sacrifice | Self::Quiet);
        if needs_pieces && game.sacrifice().is_none() {
            let spec = game.spec();
            return Err(format!(
                "{spec} has no pieces to lose, so that no move captures or sacrifices anything; the themes 'only' and 'swindle' are for every game"
            ));
        }
        Ok(())
    }

    /// Whether a position with these moves has it.
    pub fn fits<G: Material>(
        self,
        game: &G,
        position: G::Position,
        choices: &[Choice<G::Position, G::Move>],
    ) -> bool {
        let wdl = best_value(choices).map(Value::wdl);
        let mut keeping = choices
            .iter()
            .filter(|choice| Some(choice.value.wdl()) == wdl);
        let not_lost = choices
            .iter()
            .filter(|choice| choice.value.wdl() > Wdl::Loss);
        match (self, wdl) {
            (Self::Sacrifice, Some(Wdl::Win)) => {
                keeping.all(|choice| game.gives_up(position, choice.mv))
            }
            (Self::Quiet, Some(Wdl::Win)) => match (keeping.next(), keeping.next()) {
                (Some(only), None) => !game.captures(position, only.mv),
                _ => false,
            },
            (Self::Only, Some(Wdl::Win)) | (Self::Swindle, Some(Wdl::Draw)) => {
                not_lost.count() == 1
            }
            _ => false,
        }
    }
}

impl Unique {
    /// Whether a solution is the only one so far, from a position with these moves. In a draw, of which
    /// no line leads to an end, all three ask for the only move that holds it.
    ///
    /// # Errors
    /// When a value cannot be read, or values do not agree.
    pub fn holds<G: Game, S: Probe<G>>(
        self,
        game: &G,
        solution: &S,
        choices: &[Choice<G::Position, G::Move>],
    ) -> Result<bool, ErrorOf<G, S>> {
        let Some(value) = best_value(choices) else {
            return Ok(false);
        };
        let keeping = choices
            .iter()
            .filter(|choice| choice.value.wdl() == value.wdl());
        if self == Self::Win {
            return Ok(keeping.count() == 1);
        }
        let mut fastest = best(choices);
        let (Some(only), None) = (fastest.next(), fastest.next()) else {
            return Ok(false);
        };
        match (self, value) {
            (Self::Line, Value::Win(_)) => is_only_line(game, solution, only.next, value),
            _ => Ok(true),
        }
    }
}

/// Whether after a move that wins, made in a position of this value, the line is the only one.
fn is_only_line<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    value: Value,
) -> Result<bool, ErrorOf<G, S>> {
    let mut seen = HashSet::new();
    let mut lost = vec![(position, value)];
    while let Some((position, value)) = lost.pop() {
        if game.terminal(position).is_some() {
            continue;
        }
        let value = after(value).ok_or(Error::Inconsistent)?;
        for reply in best_of(game, solution, position, value)? {
            if game.terminal(reply.next).is_some() || !seen.insert(reply.next) {
                continue;
            }
            let value = after(value).ok_or(Error::Inconsistent)?;
            match best_of(game, solution, reply.next, value)?[..] {
                [only] => lost.push((only.next, value)),
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}
