//! Games of this process beside those of the list.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hindsight_core::{Notation, PackedGame, Symmetry};

/// Beginning of the spec of a game whose rules are a program.
const PROGRAM: &str = "cmd:";

/// A game with its spec, without symmetries and with all of them.
struct OwnGame {
    spec: String,
    plain: PackedGame,
    symmetric: PackedGame,
}

static OWN_GAMES: Mutex<Vec<OwnGame>> = Mutex::new(Vec::new());

fn own_games() -> MutexGuard<'static, Vec<OwnGame>> {
    OWN_GAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a game one that this process knows by its spec, as [`game`](crate::game()) does those of
/// [`GAMES`](crate::GAMES). `symmetric` is the same game with all of its symmetries.
///
/// No file and no request makes a program of rules run: a spec such as `cmd:./rules` in them names
/// a game only if it was made known before. A later game of the same spec replaces the first.
pub fn know_game(plain: PackedGame, symmetric: PackedGame) {
    let spec = plain.spec();
    let mut games = own_games();
    games.retain(|game| game.spec != spec);
    games.push(OwnGame { spec, plain, symmetric });
}

/// Makes a game unknown again, whose clones stay as they are.
pub fn forget_game(spec: &str) {
    own_games().retain(|game| game.spec != spec);
}

/// Returns the game of a spec that was made known.
pub(super) fn known_game(spec: &str, symmetry: Symmetry) -> Option<PackedGame> {
    let spec = spec.trim();
    let spec = match program_of(spec) {
        Some(program) => format!("{PROGRAM}{}", program.trim()),
        None => spec.to_string(),
    };
    let games = own_games();
    let game = games.iter().find(|game| game.spec == spec)?;
    Some(if symmetry == Symmetry::All { game.symmetric.clone() } else { game.plain.clone() })
}

/// Returns the program of rules that a spec names.
pub(super) fn program_of(spec: &str) -> Option<&str> {
    let (begin, program) = spec.trim_start().split_at_checked(PROGRAM.len())?;
    begin.eq_ignore_ascii_case(PROGRAM).then_some(program)
}
