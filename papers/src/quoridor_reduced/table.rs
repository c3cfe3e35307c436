use hindsight_study::Cell;

/// Table of the paper, or a table of numbers from its argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum QuoridorPaperTable {
    /// Table 1: number of positions, and number of positions that the next set changes.
    Positions,
    /// Changes by every set in every layer before it.
    Changes,
    /// Sets `S_k`: value of the start, and number of positions solved to find it.
    Sets,
    /// Percentages of the paper.
    Shares,
    /// Memory and time of a solve in one piece, of the split from the large sets down, and of the
    /// split from the small sets up.
    Cost,
    /// Other ways to split the positions.
    Partitions,
    /// Sets by the fences that each player has placed: games with smaller stocks.
    Stocks,
    /// Smaller boards.
    Boards,
}

impl QuoridorPaperTable {
    /// All tables, in the order in which they are printed.
    pub const ALL: [Self; 8] = [
        Self::Positions,
        Self::Changes,
        Self::Sets,
        Self::Shares,
        Self::Cost,
        Self::Partitions,
        Self::Stocks,
        Self::Boards,
    ];

    /// Returns the name: `1`, or the subject of the table.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] =
            ["1", "changes", "sets", "shares", "cost", "partitions", "stocks", "boards"];
        NAMES[self as usize]
    }

    /// Reads a name as [`QuoridorPaperTable::name`] returns it, in either case.
    ///
    /// # Errors
    /// A sentence with the valid names.
    pub fn parse(text: &str) -> Result<Self, String> {
        let table = Self::ALL.into_iter().find(|table| table.name().eq_ignore_ascii_case(text));
        let names = Self::ALL.map(Self::name).join(", ");
        table.ok_or_else(|| format!("there is no table '{text}'; there are {names}"))
    }

    pub(super) fn caption(self) -> &'static str {
        match self {
            Self::Positions => {
                "Table 1: positions by fences on the board, and how many the next set changes"
            }
            Self::Changes => "Changes in S'_j when S'_k is added, and what had to be solved again",
            Self::Sets => {
                "The sets S_k: the start, and the positions solved on the way from S_(k-1)"
            }
            Self::Shares => "The shares the paper argues with",
            Self::Cost => "Memory and time: all positions in one piece, and split by fences",
            Self::Partitions => "Ways to split the positions, in positions",
            Self::Stocks => "Sets by who has placed: the games with at most so many fences of each",
            Self::Boards => "Smaller boards with the same fences",
        }
    }

    /// Returns the note below the table. The note of [`Self::Positions`] depends on the solution.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Self::Positions | Self::Shares => None,
            Self::Changes => Some(
                "changed: win, draw or loss; changed with plies: the remoteness too. \
                 A tier is a set of fences with the fences in hand, \
                 one for those equal by symmetry; \
                 it is solved again if the worth of a move out of it changed",
            ),
            Self::Sets => Some(
                "moves out of S_k do not count; \
                 solved: positions of S'_k and of the tiers solved again. \
                 The last set is the whole game",
            ),
            Self::Cost => Some(
                "at once: positions held with what they look up. \
                 One piece as a graph: those reachable from the start, with their moves, \
                 symmetric ones each. One piece of ranks: two bytes each, not run. \
                 The split needs two for the tiers in work only, \
                 and one for a layer that is looked up; \
                 from the small sets up, for every layer. \
                 The bytes of ranks are for one tier of those equal by symmetry, \
                 and for ranks that are no position too",
            ),
            Self::Partitions => Some(
                "the largest part, the most that a part looks up, and the most of both together",
            ),
            Self::Stocks => Some(
                "the games with smaller stocks are sets of positions of this one, \
                 ordered by both numbers; \
                 by White's fence: positions of the set with one fence of White's fewer \
                 whose win, draw or loss is another here, of how many",
            ),
            Self::Boards => Some(
                "the positions of a smaller board are no set that a larger one adds to: \
                 where the smaller one ends, a pawn of the larger one goes on, and may come back, \
                 so that neither can be solved before the other. \
                 The last columns put the positions without fences \
                 on the same squares of this board: \
                 how many keep win, draw or loss, and how many their value",
            ),
        }
    }
}

/// Cells of one table.
pub(super) struct TableCells {
    table: QuoridorPaperTable,
    pub(super) cells: Vec<Cell>,
}

impl TableCells {
    pub(super) fn new(table: QuoridorPaperTable) -> Self {
        Self { table, cells: Vec::new() }
    }

    /// Adds a cell for which nothing was published.
    pub(super) fn add(&mut self, row: &str, column: &str, ours: Option<impl ToString>) {
        self.add_beside_published(row, column, None, ours);
    }

    /// Adds a cell beside a published number, if there is one.
    pub(super) fn add_beside_published(
        &mut self,
        row: &str,
        column: &str,
        published: Option<String>,
        ours: Option<impl ToString>,
    ) {
        let ours = ours.map(|ours| ours.to_string());
        let cell =
            Cell::new(self.table.name(), row.to_string(), column.to_string(), published, ours);
        self.cells.push(cell);
    }
}
