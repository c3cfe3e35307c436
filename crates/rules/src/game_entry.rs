use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hindsight_core::{PackedGame, ParseError, Symmetry, nearest_name};

pub(crate) use hindsight_core::TextToken;

use crate::grammar::game_name;

/// Game in a list: its name, its help, and the way from a spec to its rules.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// First word of the game's specs.
    pub name: &'static str,
    /// Form of the game's specs.
    pub form: &'static str,
    /// Short description.
    pub about: &'static str,
    /// A spec to try.
    pub example: &'static str,
    /// Options of the game's specs, as `(option, meaning)`. An empty option continues the entry
    /// before it.
    pub options: &'static [(&'static str, &'static str)],
    /// Reads a spec that begins with the name of the game. If the form of the game is its name
    /// alone, the spec is that name: longer ones were refused.
    pub rules: RulesOfSpec,
}

/// Function from a spec to rules.
pub type RulesOfSpec = fn(TextToken<'_>, &Setup<'_>) -> Result<PackedGame, ParseError>;

impl GameEntry {
    /// Describes a game whose specs are its name alone.
    pub(crate) const fn alone(name: &'static str, about: &'static str, rules: RulesOfSpec) -> Self {
        Self { name, form: name, about, example: name, options: &[], rules }
    }
}

/// Means to make a game beside its spec.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Symmetries that `canonical` uses.
    pub symmetry: Symmetry,
    /// Reads a deck file by its name; the error is a sentence. The rules do not open files.
    pub read_file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Default for Setup<'_> {
    /// No symmetry, and an error for every file.
    fn default() -> Self {
        Self {
            symmetry: Symmetry::None,
            read_file: &|name| Err(format!("cannot read '{name}' here")),
        }
    }
}

impl core::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup").field("symmetry", &self.symmetry).finish_non_exhaustive()
    }
}

/// Reads a spec that names one of some games. Case is ignored, except in file names.
///
/// # Errors
/// If the spec is malformed, names no game of the list, or names a deck file that cannot be read.
/// The message describes the right form.
///
/// ```
/// use hindsight_rules::{GAMES, Setup, rules_among};
///
/// let two = &GAMES[..2];
/// assert!(rules_among(two, "Onitama:3x4:boar", &Setup::default()).is_ok());
/// assert!(rules_among(two, "tic-tac-toe", &Setup::default()).is_err());
/// ```
pub fn rules_among(
    games: &[GameEntry],
    spec: &str,
    setup: &Setup<'_>,
) -> Result<PackedGame, ParseError> {
    let spec = TextToken::trimmed(spec);
    let name = game_name(spec);
    let Some(game) = games.iter().find(|game| name.eq_ignore_ascii_case(game.name)) else {
        return reject_unknown(spec, games);
    };
    if game.form == game.name && spec.text.len() > game.name.len() {
        let name = game.name;
        let message = format!("{name} stands alone: it has no size and no options");
        return Err(ParseError::new(spec.at + name.len(), message));
    }
    (game.rules)(spec, setup)
}

/// Returns an error that lists the forms of all specs.
fn reject_unknown<T>(spec: TextToken<'_>, games: &[GameEntry]) -> Result<T, ParseError> {
    let name = game_name(spec).to_ascii_lowercase();
    let forms: Vec<&str> = games.iter().map(|game| game.form).collect();
    let forms = forms.join(" or ");
    let nearest = nearest_name(&name, games.iter().map(|game| game.name));
    let hint = nearest.map_or(String::new(), |nearest| format!(" did you mean '{nearest}'?"));
    spec.reject(format!(
        "there is no game '{name}';{hint} a spec is {forms} (`hindsight games` says more)"
    ))
}
