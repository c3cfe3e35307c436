//! Table 1 of S. Ikeda, T. Iwanaga, M. Sakamoto, T. Ito, "An analysis of Quoridor by reusing results from
//! the reduced version" (2024), the shares it argues with, and the partitions it leaves to others; for
//! any board and stock.
//!
//! S_k is the positions with at most k fences on the board, S'_k those with exactly k. What does not
//! fit the limits is "not computed".

mod boards;
mod cost;
mod partitions;
mod published;
mod sets;
mod stocks;

use hindsight_core::{Ranked, Symmetry};
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};
use hindsight_solve::bottom_up::BottomUpSolution;
use hindsight_solve::tiered::TierPlan;
use hindsight_solve::{Layer, Limits, MemoryStore, StrongSolution, bottom_up, pawn_pairs};

use crate::report::{Caption, Cell, Report, wanted};
use crate::stop::Stop;
use published::Published;

/// A table of the paper, or of what it argues.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Table {
    /// Table 1: positions, and those that the next set changes.
    Positions,
    /// What every set changes in every layer before it.
    Changes,
    /// The sets: the value of the start, and what is solved to get there.
    Sets,
    /// The percentages of the paper.
    Shares,
    /// Memory and time of one piece, of the split from the large sets down and from the small ones up.
    Cost,
    /// Other ways to split the positions.
    Partitions,
    /// Sets by who has placed: games with smaller stocks.
    Stocks,
    /// Smaller boards.
    Boards,
}

impl Table {
    /// All, in the order in which they are printed.
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

    /// `1`, or what the table is about.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "1",
            "changes",
            "sets",
            "shares",
            "cost",
            "partitions",
            "stocks",
            "boards",
        ];
        NAMES[self as usize]
    }

    /// Reads a name as [`Table::name`] has it.
    ///
    /// # Errors
    /// A sentence with the names there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|table| table.name().eq_ignore_ascii_case(text));
        let names = Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("there is no table '{text}'; there are {names}"))
    }

    fn caption(self) -> &'static str {
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

    fn note(self, found: &Found<'_>) -> Option<String> {
        match self {
            Self::Positions => found
                .published
                .and_then(|published| published.note(found.outcome.as_ref()?, found.game)),
            Self::Changes => Some(String::from(
                "changed: win, draw or loss; changed with plies: the remoteness too. A tier is a set of fences with the fences in hand, one for those equal by symmetry; it is solved again if the worth of a move out of it changed",
            )),
            Self::Sets => Some(String::from(
                "moves out of S_k do not count; solved: positions of S'_k and of the tiers solved again. The last set is the whole game",
            )),
            Self::Shares => None,
            Self::Cost => Some(String::from(
                "at once: positions held with what they look up. One piece as a graph: those reachable from the start, with their moves, symmetric ones each. One piece of ranks: two bytes each, not run. The split needs two for the tiers in work only, and one for a layer that is looked up; from the small sets up, for every layer. The bytes of ranks are for one tier of those equal by symmetry, and for ranks that are no position too",
            )),
            Self::Partitions => Some(String::from(
                "the largest part, the most that a part looks up, and the most of both together",
            )),
            Self::Stocks => Some(String::from(
                "the games with smaller stocks are sets of positions of this one, ordered by both numbers; by White's fence: positions of the set with one fence of White's fewer whose win, draw or loss is another here, of how many",
            )),
            Self::Boards => Some(String::from(
                "the positions of a smaller board are no set that a larger one adds to: where the smaller one ends, a pawn of the larger one goes on, and may come back, so that neither can be solved before the other. The last columns put the positions without fences on the same squares of this board: how many keep win, draw or loss, and how many their value",
            )),
        }
    }
}

/// What to compute, and how long to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// The board, the fences and the variants.
    pub setup: QuoridorSetup,
    /// The tables wanted; all if empty.
    pub tables: Vec<Table>,
    /// For each solve.
    pub limits: Limits,
}

/// Tells what is being done; `false` stops the study.
type Watch<'a> = dyn FnMut(&str) -> bool + 'a;

/// The game of the study and its solution.
struct Found<'a> {
    setup: &'a QuoridorSetup,
    game: &'a Quoridor,
    limits: Limits,
    /// `None` if it may pass the limits.
    plan: Option<TierPlan>,
    /// From the small sets up, and the seconds it took.
    outcome: Option<BottomUpSolution>,
    seconds: Option<f64>,
    published: Option<&'a Published>,
}

/// Computes the tables. `watch` is told what is being done, and stops the study by `false`: what was
/// computed so far is in the report.
pub fn run(options: &Options, watch: &mut Watch<'_>) -> Report {
    let tables = wanted(&options.tables, &Table::ALL);
    let game = Quoridor::new(options.setup, Symmetry::None);
    let published = Published::read(&options.setup);
    let plan = plan(&game, options.limits);
    let mut found = Found {
        setup: &options.setup,
        game: &game,
        limits: options.limits,
        plan,
        outcome: None,
        seconds: None,
        published: published.as_ref(),
    };
    if tables != [Table::Stocks] {
        found.solve(watch);
    }
    let mut report = Report::default();
    for table in tables {
        report.cells.extend(match table {
            Table::Positions => sets::positions(&found),
            Table::Changes => sets::changes(&found),
            Table::Sets => sets::sets(&found),
            Table::Shares => sets::shares(&found),
            Table::Cost => cost::cells(&found, watch),
            Table::Partitions => partitions::cells(&found),
            Table::Stocks => stocks::cells(&found, watch),
            Table::Boards => boards::cells(&found, watch),
        });
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: table.note(&found),
        });
    }
    report
}

impl Found<'_> {
    /// Solves from the small sets up.
    fn solve(&mut self, watch: &mut Watch<'_>) {
        let Some(plan) = &self.plan else {
            return;
        };
        if watch(&format!("{}, from the small sets up", self.setup.spec())) {
            let begin = std::time::Instant::now();
            let mut stop = Stop::new(watch);
            self.outcome =
                bottom_up::solve_pawn_pairs(self.game, plan, self.limits, &mut stop).ok();
            self.seconds = Some(begin.elapsed().as_secs_f64());
        }
    }
}

/// The tiers of a game, unless there are so many that listing them may pass the limits.
fn plan(game: &Quoridor, limits: Limits) -> Option<TierPlan> {
    /// Sets of fences gone through in a second, about.
    const SETS_A_SECOND: f64 = 5e7;
    if !game.ranks_fit() {
        return None;
    }
    let setup = game.setup();
    let anchors = u64::from(setup.width - 1) * u64::from(setup.height - 1);
    let sets = (0..game.layers())
        .map(|placed| hindsight_combinatorics::binomial(2 * anchors, placed.into()));
    let sets: f64 = sets.map(|n| n.map_or(f64::INFINITY, |n| n as f64)).sum();
    let seconds = limits.time.map_or(f64::INFINITY, |time| time.as_secs_f64());
    (sets / SETS_A_SECOND <= seconds).then(|| TierPlan::new(game))
}

/// Solves a game from the large sets down.
fn solve_down(
    setup: QuoridorSetup,
    limits: Limits,
    watch: &mut Watch<'_>,
) -> Option<(Quoridor, StrongSolution, MemoryStore)> {
    if !watch(&setup.spec()) {
        return None;
    }
    let game = Quoridor::new(setup, Symmetry::None);
    let plan = plan(&game, limits)?;
    // Every layer is kept.
    if plan.ranks() + plan.peak() > limits.memory {
        return None;
    }
    let mut kept = MemoryStore::default();
    let solved = pawn_pairs::solve(&game, &plan, &mut kept, limits, &mut Stop::new(watch)).ok()?;
    Some((game, solved, kept))
}

/// Positions of each tier of a layer, one of its copies.
fn positions_by_tier(layer: &Layer) -> Vec<u64> {
    let is_position = |code: &&u8| layer.palette[usize::from(**code)].is_some();
    let tiers = 0..layer.tiers.len();
    tiers
        .map(|i| layer.tier_codes(i).iter().filter(is_position).count() as u64)
        .collect()
}

/// The cells of one table.
struct Cells {
    table: Table,
    cells: Vec<Cell>,
}

impl Cells {
    fn new(table: Table) -> Self {
        Self {
            table,
            cells: Vec::new(),
        }
    }

    fn add(&mut self, row: &str, column: &str, ours: Option<impl ToString>) {
        self.beside(row, column, None, ours);
    }

    fn beside(
        &mut self,
        row: &str,
        column: &str,
        published: Option<String>,
        ours: Option<impl ToString>,
    ) {
        let ours = ours.map(|ours| ours.to_string());
        let cell = Cell::new(
            self.table.name(),
            row.to_string(),
            column.to_string(),
            published,
            ours,
        );
        self.cells.push(cell);
    }
}
