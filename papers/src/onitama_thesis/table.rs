/// Table of the thesis, or a set of numbers of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThesisTable {
    /// Table 1: the winner.
    Winner,
    /// Table 2: time of state graph and retrograde analysis.
    GraphTime,
    /// Table 3: time of retrograde analysis alone.
    RetrogradeTime,
    /// Table 4: upper bound (1) of the number of boards.
    UpperBound,
    /// Table 5: lower bound (3) of the number of boards.
    LowerBound,
    /// Table 6: reachable states.
    States,
    /// Table 7: moves between reachable states.
    Edges,
    /// Table 8: time of the forward-looking search.
    ForwardTime,
    /// Table 9: states visited by the forward-looking search.
    ForwardStates,
    /// Table 10: time of the forward-looking search with player-swap symmetry.
    SymmetricTime,
    /// Table 11: states visited by the forward-looking search with player-swap symmetry.
    SymmetricStates,
    /// Formulas (2), (4), (5) and the numbers of section 3.3.
    Bounds,
    /// Theorem 1: number of boards that the theorem counts, and number of these that are reached.
    Theorem1,
    /// Plies to the end from the start; the thesis has no such table.
    Remoteness,
}

impl ThesisTable {
    /// All tables, in the order in which they are printed.
    pub const ALL: [Self; 14] = [
        Self::Winner,
        Self::GraphTime,
        Self::RetrogradeTime,
        Self::UpperBound,
        Self::LowerBound,
        Self::States,
        Self::Edges,
        Self::ForwardTime,
        Self::ForwardStates,
        Self::SymmetricTime,
        Self::SymmetricStates,
        Self::Bounds,
        Self::Theorem1,
        Self::Remoteness,
    ];

    /// Returns the name: `1` to `11`, `bounds`, `theorem1` or `remoteness`.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 14] = [
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "7",
            "8",
            "9",
            "10",
            "11",
            "bounds",
            "theorem1",
            "remoteness",
        ];
        NAMES[self as usize]
    }

    /// Reads a name as [`ThesisTable::name`] returns it, in either case.
    ///
    /// # Errors
    /// A sentence with the valid names.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table = Self::ALL.into_iter().find(|table| table.name().eq_ignore_ascii_case(text));
        table.ok_or_else(|| {
            format!(
                "there is no table '{text}'; there are 1 to 11, bounds, theorem1 and remoteness"
            )
        })
    }

    pub(super) fn caption(self) -> &'static str {
        match self {
            Self::Winner => "Table 1: the winner, five boar cards",
            Self::GraphTime => "Table 2: seconds for state graph and retrograde analysis",
            Self::RetrogradeTime => "Table 3: seconds for retrograde analysis alone",
            Self::UpperBound => "Table 4: upper bound (1) of the number of boards",
            Self::LowerBound => "Table 5: lower bound (3) of the number of reachable boards",
            Self::States => "Table 6: states reachable from the start",
            Self::Edges => "Table 7: moves between them",
            Self::ForwardTime => "Table 8: seconds for forward-looking retrograde analysis",
            Self::ForwardStates => {
                "Table 9: states it visited, in the order of the thesis's program"
            }
            Self::SymmetricTime => "Table 10: seconds with player-swap symmetry",
            Self::SymmetricStates => "Table 11: states visited with player-swap symmetry",
            Self::Bounds => "Formulas (2), (4), (5) and section 3.3, exactly",
            Self::Theorem1 => {
                "Theorem 1: boards it counts, and how many of them the state graph reaches"
            }
            Self::Remoteness => {
                "Plies from the start to the end: the winner hurries, the loser delays"
            }
        }
    }

    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::GraphTime => Some(
                "the thesis's times: Ryzen 5 2600; \
                 most of them is its hash function, which has at most 16 values",
            ),
            Self::LowerBound => Some(
                "the thesis prints this table with width and height exchanged: \
                 (3) gives 60 for n=4, m=3 and 111 for n=3, m=4; \
                 its numbers are compared after that exchange",
            ),
            Self::ForwardTime | Self::SymmetricTime => Some(
                "our time is for the order of the thesis's program, \
                 so that both did the same work",
            ),
            _ => None,
        }
    }
}
