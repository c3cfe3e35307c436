//! Methods, and reasons why a plan cannot be made.

use hindsight_engine::Error;

/// Algorithm that solves a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// The method that will finish, by the size of the game: see [`Choice`](super::Choice).
    #[default]
    Auto,
    /// Positions reachable from the start, by retrograde analysis of their graph.
    Reachable,
    /// Only who wins from the start, and a strategy, from few positions.
    Forward,
    /// Only who wins from a position, by proof-number search, as far as time and memory allow.
    Proof,
    /// Value and remoteness of a position, by null-window search, in a game without cycles in which
    /// every move uses up a ply.
    Search,
    /// Every position, tier by tier.
    Tiered,
    /// Every position of a two-sided game, by bit planes.
    Planes,
}

impl Method {
    /// All methods, in the order of the type.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Reachable,
        Self::Forward,
        Self::Proof,
        Self::Search,
        Self::Tiered,
        Self::Planes,
    ];

    /// Name of the method in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Reachable => "graph",
            Self::Forward => "forward",
            Self::Proof => "proof",
            Self::Search => "search",
            Self::Tiered => "tiered",
            Self::Planes => "planes",
        }
    }
}

/// Reason why a request has no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The game is too large even to list its tiers.
    #[error(transparent)]
    Solver(#[from] Error),
    /// The planes fit in memory only slice by slice, and the request has no checkpoint.
    #[error("{error}; out of core it takes {memory} bytes of memory and about {disk} of disk")]
    NeedsCheckpoint {
        /// Needs of a solve in memory.
        #[source]
        error: Error,
        /// Bytes of memory out of core.
        memory: u64,
        /// Bytes of disk out of core.
        disk: u64,
    },
    /// The game has no numbering of all positions that fits 64 bits.
    #[error("the game has no numbering of all positions that fits 64 bits")]
    Unranked,
    /// Not every move of the game uses up a ply, or the game does not say so.
    #[error(
        "a null-window search is for games in which every move uses up a ply, as a board fills"
    )]
    NoCountdown,
    /// The game does not have two separate sides on at most 32 squares.
    #[error("planes are for games with two separate sides on at most 32 squares")]
    NotTwoSided,
    /// The checkpoint holds planes, and the request is for tiers.
    #[error("the checkpoint was begun by planes")]
    BegunByPlanes,
    /// The checkpoint is of another method.
    #[error(
        "the checkpoint was begun {}: go on with that",
        if *graph { "by a graph" } else { "by layers of every position, not by a graph" }
    )]
    BegunOtherwise {
        /// True if it holds what is reachable, and the request is for every position.
        graph: bool,
    },
    /// The method stores nothing, and the request has a table or a checkpoint.
    #[error(
        "a search keeps everything in memory: it has no table and no checkpoint, and of what is \
         reachable only what the start leads to has one"
    )]
    StoresNothing,
    /// The method solves the whole game, and the request starts elsewhere.
    #[error("{} solves the whole game, not what follows from a position", .0.name())]
    OnlyWholeGames(Method),
    /// The positions reachable from the start may not fit in memory.
    #[error(
        "{positions} positions may be reachable, which may need {needed} bytes of memory; \
         {limit} are allowed"
    )]
    MayNotFit {
        /// Most positions that the graph may have.
        positions: u64,
        /// Most bytes that they may need.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A search needs more memory for its first table.
    #[error("a search needs at least {needed} bytes of memory, {limit} are allowed")]
    SearchMemory {
        /// Least bytes.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The checkpoint was begun slice by slice, and the request has a table.
    #[error("the checkpoint was begun slice by slice, which writes no table")]
    NoTableOfSlices,
    /// Positions are to be drawn for a check that the solve does not make.
    #[error("positions are drawn to check planes that write no table, and only from the beginning")]
    NoSample,
}
