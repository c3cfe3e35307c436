/// Description of a game for lists and help.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
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
}

impl GameInfo {
    /// Describes a game whose specs are its name alone.
    pub(crate) const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, form: name, about, example: name, options: &[] }
    }
}
