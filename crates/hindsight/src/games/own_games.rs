//! Games of this process beside those of the list.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hindsight_core::{Notation, PackedGame, Symmetry};

/// Beginning of the spec of a game whose rules are a program.
const PROGRAM: &str = "cmd:";
/// Word before the colon of the text by which tables name a game of own rules. A plus may follow
/// it, with a sum of how positions are bytes.
const RULES: &str = "rules";

/// A game with its spec, without symmetries and with all of them.
struct OwnGame {
    spec: String,
    table_spec: String,
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
    let (spec, table_spec) = (plain.spec(), plain.table_spec());
    let mut games = own_games();
    games.retain(|game| game.spec != spec);
    games.push(OwnGame { spec, table_spec, plain, symmetric });
}

/// Makes a game unknown again, whose clones stay as they are.
pub fn forget_game(spec: &str) {
    own_games().retain(|game| game.spec != spec);
}

/// Returns the game that was made known by a spec, or as the game of tables with that text.
pub(super) fn known_game(spec: &str, symmetry: Symmetry) -> Option<PackedGame> {
    let spec = spec.trim();
    let spec = match program_of(spec) {
        Some(program) => format!("{PROGRAM}{}", program.trim()),
        None => spec.to_string(),
    };
    let games = own_games();
    let is_named = |game: &&OwnGame| game.spec == spec || game.table_spec == spec;
    let game = games.iter().find(is_named)?;
    Some(if symmetry == Symmetry::All { game.symmetric.clone() } else { game.plain.clone() })
}

/// Says how a game can be known whose spec, or text in a table, is that of own rules.
pub(super) fn unknown_rules(spec: &str) -> Option<String> {
    if program_of(spec).is_some() {
        return Some("rules of a program need a command line that names it, as by --rules".into());
    }
    rules_of_table(spec).map(|_| "this is the name of the rules of a table".into())
}

/// Returns name and version of the own rules that a text in a table names.
pub(crate) fn rules_of_table(table_spec: &str) -> Option<&str> {
    let (word, rules) = table_spec.split_once(':')?;
    let behind = word.strip_prefix(RULES)?;
    (behind.is_empty() || behind.starts_with('+')).then_some(rules)
}

/// Says how own rules can be known that are not: those of a table, with their name and version.
pub(crate) fn how_to_know(rules: &str) -> String {
    let games = own_games();
    let known = games.iter().filter_map(|game| rules_of_table(&game.table_spec));
    let known: Vec<&str> = known.collect();
    let remedy = "name its rules, by --rules cmd:PROGRAM or in Python by rules=..";
    match known.last() {
        _ if known.contains(&rules) => {
            "its positions had other bytes: the rules have changed, or need pack and unpack".into()
        }
        Some(other) => format!("{remedy}; the rules that are named are '{other}'"),
        None => remedy.into(),
    }
}

/// Returns the program of rules that a spec names.
pub(super) fn program_of(spec: &str) -> Option<&str> {
    let (begin, program) = spec.trim_start().split_at_checked(PROGRAM.len())?;
    begin.eq_ignore_ascii_case(PROGRAM).then_some(program)
}
