/// Table of the paper, or a set of numbers of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OstlePaperTable {
    /// Table 1: positions by the square of the hole and the pieces.
    Positions,
    /// Table 2: states by plies to a position that is won at once.
    Plies,
    /// Table 3: states by plies from the start.
    Distances,
    /// Numbers of positions and states, the longest win, and the value of the start.
    Totals,
    /// Positions and lines of the figures.
    Figures,
}

impl OstlePaperTable {
    /// All tables, in the order in which they are printed.
    pub const ALL: [Self; 5] =
        [Self::Positions, Self::Plies, Self::Distances, Self::Totals, Self::Figures];

    /// Returns the number in the paper, or the subject of the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["1", "2", "3", "totals", "figures"][self as usize]
    }

    /// Reads a name as [`OstlePaperTable::name`] returns it, in either case.
    ///
    /// # Errors
    /// A sentence with the valid names.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        let table = all.find(|table| table.name().eq_ignore_ascii_case(text));
        let names = Self::ALL.map(Self::name).join(", ");
        table.ok_or_else(|| format!("there is no table '{text}'; there are {names}"))
    }

    pub(super) fn caption(self) -> &'static str {
        match self {
            Self::Positions => "Table 1: positions up to symmetry, by the square of the hole",
            Self::Plies => "Table 2: non-trivial states by plies to a checkmate position",
            Self::Distances => "Table 3: states by plies from the start",
            Self::Totals => "Numbers of the text",
            Self::Figures => "What the figures show",
        }
    }

    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::Positions => {
                Some("columns: pieces of the player to move against those of the other")
            }
            Self::Plies => Some(
                "a win in n plies is n - 1 plies from a checkmate position. \
                 paper: rule 8 up to symmetry, as in Algorithm 6; exact: as rule 8 is written",
            ),
            Self::Distances => Some(
                "paper: forbidden moves up to symmetry, and played as well \
                 when it comes to distances, as the published table has it; \
                 exact: rule 8 as it is written, and obeyed",
            ),
            Self::Totals => None,
            Self::Figures => Some(
                "figures 3 and 4: shortest lines to the very position; \
                 1 and 5: positions that are as the text says, by the tables of --solved",
            ),
        }
    }
}
