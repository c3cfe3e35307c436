//! Errors of games, solves and tables.

use std::io;
use std::path::{Path, PathBuf};

use hindsight_core::{DrawnPlace, ParseError, Symmetry, shown, without_middle, without_passwords};
use hindsight_solve::plan::PlanError;
use hindsight_tablebase::TableError;

use crate::positions::agent_choice::AgentChoiceError;
use crate::positions::draw_error::DrawError;

/// Reason why there is no answer. Its text is a sentence without a full stop.
///
/// The cause of an error of a file is its `source()`, not a part of the text. An error of a solver
/// or a plan stands for itself.
///
/// ```
/// let error = hindsight_games::game("chess").unwrap_err();
/// assert!(error.to_string().starts_with("'chess': there is no game 'chess'"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GamesError {
    /// A spec names no game.
    #[error("'{}': {}", shown(spec), fault.message)]
    Spec {
        /// The spec.
        spec: String,
        /// Fault in the spec, and its offset.
        fault: ParseError,
    },
    /// A text is no position of the game.
    #[error(
        "position '{}', character {}: {}",
        shown(text), fault.character(text), fault.message
    )]
    Position {
        /// The text.
        text: String,
        /// Fault in the text, and its offset.
        fault: ParseError,
    },
    /// A picture shows no position of the game.
    #[error("this is no position, '{}': {}", shown(text), fault.message)]
    Picture {
        /// Text of the picture.
        text: String,
        /// Fault in the text, and its offset.
        fault: ParseError,
        /// Place of the fault in the picture; `None` if it is at none, or at several.
        place: Option<DrawnPlace>,
    },
    /// Positions of the game are not read from pictures.
    #[error("positions of {0} are not put together from pictures: write the position as text")]
    NoSetup(String),
    /// A text is no legal move of the position; the message lists the legal ones.
    #[error("{}", .0.message)]
    MoveText(ParseError),
    /// A move of a played game is none.
    #[error("move {number} ({player}): {}", fault.message)]
    PlayedMove {
        /// Number of the move, from 1.
        number: usize,
        /// Name of the player to move.
        player: &'static str,
        /// Fault in the text of the moves, and its offset.
        fault: ParseError,
    },
    /// A text is no game.
    #[error("{}", .0.message)]
    GameText(ParseError),
    /// A move is not legal in the position, or belongs to another game.
    #[error("the move is not legal in {position}")]
    IllegalMove {
        /// The position.
        position: String,
    },
    /// A position belongs to another game.
    #[error("the position is of another game than {game}")]
    OtherGame {
        /// Spec of the game that was asked.
        game: String,
    },
    /// The value of a position is not known with its remoteness: a solve did not reach it, or a
    /// table has no rank for it.
    #[error("the value of {} is not known", shown(position.trim()))]
    Unknown {
        /// The position.
        position: String,
    },
    /// The value of a position is not the best of the values of its moves.
    #[error("the values of a position and of its moves do not agree")]
    Inconsistent,
    /// A proof has more positions than were allowed.
    #[error("the proof has more than {0} positions")]
    LongProof(usize),
    /// A table is asked for without a folder for its layers.
    #[error("a table needs a folder for its finished layers")]
    NoFolder,
    /// The caller has refused a solve when it saw its needs, or a game of a match.
    #[error(transparent)]
    Refused(Box<dyn std::error::Error + Send + Sync>),
    /// The layout is for games in which a move may be forbidden.
    #[error(
        "in {0} no move is ever forbidden: its tables have the layout 'full', 'compact' or 'wdl'"
    )]
    NoStates(String),
    /// A move may be forbidden in the game, so there is one layout only.
    #[error(
        "{0} has states with a forbidden move: its tables have the layout 'states', \
         which need not be named"
    )]
    OnlyStates(String),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] TableError),
    /// The table cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// A table is complete, but could not get its name: a file has it now, or the disk failed.
    #[error("cannot name '{}'; the table is complete in '{}'", named(path), kept.display())]
    KeptElsewhere {
        /// The name.
        path: PathBuf,
        /// File in which the table is.
        kept: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Several processes have failed to solve a game.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Cluster(#[from] hindsight_cluster::ClusterError),
    /// A game that several processes cannot solve together.
    #[error(
        "{0} is solved by one process only: several can share a game whose positions have ranks, \
         without forbidden moves"
    )]
    NoParts(String),
    /// Progress is to be resumed without a checkpoint.
    #[error("there is no checkpoint to resume: name its folder")]
    NoCheckpoint,
    /// The checkpoint merges positions by another symmetry.
    #[error(
        "the checkpoint was begun with symmetry {}, not {}: go on with that",
        begun.name(),
        wanted.name()
    )]
    OtherSymmetry {
        /// Symmetry of the checkpoint.
        begun: Symmetry,
        /// Symmetry asked for.
        wanted: Symmetry,
    },
    /// A checkpoint is named for a check that keeps nothing.
    #[error("a check of {0} keeps no work: leave out the checkpoint")]
    NoSecondSolve(String),
    /// A solve has kept no values of single positions.
    ///
    /// Graphs keep all; tiers and states keep those that fit in memory, states without files only;
    /// planes keep those of up to 2^24 positions, with a table only; forward keeps none.
    #[error("the solve has kept no values of positions")]
    NoValues,
    /// An agent chooses no move.
    #[error(transparent)]
    Agent(#[from] AgentChoiceError),
    /// No position can be drawn at random.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// The game cannot have puzzles of a theme; the text says why.
    #[error("{0}")]
    Theme(String),
    /// The positions of a game are too many to be solved without a table.
    #[error(
        "{game} has {}, too many to solve on the spot: {}name a smaller game",
        .positions.map_or(
            String::from("very many positions"),
            |positions| format!("about {positions} positions")
        ),
        if *can_have_table {
            format!(
                "solve it once into a table (`hindsight solve {game} --out FILE`) and name that, \
                 or "
            )
        } else {
            String::new()
        }
    )]
    TooManyPositions {
        /// Spec of the game.
        game: String,
        /// Number of its positions; `None` if it is not known.
        positions: Option<u64>,
        /// True if a table of the game can be written on this machine.
        can_have_table: bool,
    },
    /// So many puzzles cannot be chosen; the text says how many can.
    #[error("{0}")]
    PuzzleCount(String),
    /// A game cannot be solved by a method, or not within the limits.
    #[error(transparent)]
    Plan(PlanError),
    /// More memory is needed than [`Options::memory`](crate::Options::memory) allows.
    #[error(
        "this does not fit in memory: it takes at least {needed} bytes, and {limit} are allowed"
    )]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The check of a table needs more memory than
    /// [`Options::memory`](crate::Options::memory) allows, unless it has a checkpoint.
    #[error(
        "this does not fit in memory: it takes at least {needed} bytes, or {kept} with a \
         checkpoint, and {limit} are allowed"
    )]
    VerifyMemory {
        /// Bytes needed.
        needed: u64,
        /// Bytes needed with [`Options::checkpoint`](crate::Options::checkpoint).
        kept: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A solver stopped without an answer.
    #[error(transparent)]
    Solve(#[from] hindsight_engine::Error),
    /// The game has no tables.
    #[error("there are no tables of {0}: it has no numbering of all positions that fits 64 bits")]
    Unranked(String),
    /// Options that are to name a table name none.
    #[error("no file is named for the table")]
    NoTable,
    /// Values of other positions than those that the start leads to are to be saved.
    #[error(
        "only a solve by the graph of what the start leads to is saved; others write a table while \
         they solve"
    )]
    NotReached,
    /// A table names a game that does not exist.
    #[error("the table is of a game that this program does not have")]
    UnknownGame(#[source] Box<Self>),
    /// A table is of own rules that are not known to this process, or not in this version.
    #[error("the table is of a game of your own, '{name}': {reason}")]
    OwnRules {
        /// Name and version of the rules.
        name: String,
        /// Remedy, as a part of a sentence.
        reason: String,
    },
    /// There is no such file.
    #[error(
        "there is no file '{}'; `hindsight solve SPEC --out FILE` writes a table",
        named(.0)
    )]
    NoFile(PathBuf),
    /// An address is named, and the program cannot read from web servers.
    #[cfg(not(feature = "http"))]
    #[error(
        "'{}' is an address, and this program was built without reading from web servers; \
         `cargo build --release --features http` builds it with that",
        named(.0)
    )]
    NoHttp(PathBuf),
    /// A folder is named instead of a table.
    #[error("'{}' is a folder; name a table in it", named(.0))]
    Folder(PathBuf),
    /// A table is an ordinary file, and this is something else.
    #[error("'{}' is no ordinary file", named(.0))]
    NotOrdinary(PathBuf),
    /// A file cannot be opened.
    #[error("cannot read '{}'", named(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file cannot be written, or exists already.
    #[error("cannot write '{}'", named(path))]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A file does not begin as a table does.
    #[error(
        "'{}' is not a Hindsight table; `hindsight solve SPEC --out FILE` writes one",
        named(.0)
    )]
    NotATable(PathBuf),
    /// A table has another version of the format.
    #[error("'{}' is of {version}; solve the game again with this program", named(path))]
    Version {
        /// The file.
        path: PathBuf,
        /// Both versions in words.
        version: String,
    },
    /// The bytes of a table are not those that were written.
    #[error("'{}' is damaged: {fault}", named(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault in words.
        fault: String,
    },
    /// The game never forbids a move.
    #[error("{0}: distances are found for games in which a move may be forbidden, such as ostle")]
    NoDistances(String),
    /// A distance is not one more than the least distance of the positions before.
    #[error("the distances do not follow from each other; `hindsight verify` says where")]
    InconsistentDistances,
    /// A table keeps values, not distances from the start.
    #[error(
        "'{}' keeps values, not distances from the start: \
         `hindsight reach SPEC --out FILE` writes those",
        named(.0)
    )]
    KeepsValues(PathBuf),
    /// A table keeps distances from the start, not values.
    #[error(
        "'{name}' keeps distances from the start, not values: `hindsight reach {name}` reads it",
        name = named(.0)
    )]
    KeepsDistances(PathBuf),
    /// A table cannot be read or used.
    #[error("'{}'", named(path))]
    Table {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TableError,
    },
    /// A game has no such tier.
    #[error("{game} has no tier {tier}")]
    NoTier {
        /// Spec of the game.
        game: String,
        /// The tier.
        tier: u64,
    },
    /// A tier has fewer ranks.
    #[error(
        "tier {tier} of {game} has the ranks 0 to {}, and no rank {rank}",
        len.saturating_sub(1)
    )]
    NoRank {
        /// Spec of the game.
        game: String,
        /// The tier.
        tier: u64,
        /// The rank.
        rank: u64,
        /// Number of ranks of the tier.
        len: u64,
    },
    /// Two tables of different games are compared.
    #[error(
        "tables of different games cannot be compared: '{}' is of {}, '{}' of {}",
        named(&paths[0]), games[0], named(&paths[1]), games[1]
    )]
    DifferentGames {
        /// The files.
        paths: [PathBuf; 2],
        /// Specs of their games.
        games: [String; 2],
    },
    /// Tables are of different positions of one game.
    #[error(
        "'{}' and '{}' are not compared: they have different positions of the game", named(&.0[0]),
        named(&.0[1])
    )]
    DifferentPositions([PathBuf; 2]),
}

impl GamesError {
    /// Returns the error of a file that cannot be written.
    pub(crate) fn unwritable(path: &Path, source: io::Error) -> Self {
        Self::Unwritable { path: path.to_path_buf(), source }
    }

    /// Returns the error of a table in a file.
    ///
    /// ```
    /// use hindsight_games::Error;
    /// use hindsight_tablebase::TableError;
    ///
    /// let error = Error::of_table("q.table".as_ref(), TableError::Damaged("too short".into()));
    /// assert_eq!(error.to_string(), "'q.table' is damaged: too short");
    /// ```
    #[must_use]
    pub fn of_table(path: &Path, error: TableError) -> Self {
        let path = path.to_path_buf();
        match error {
            TableError::Stopped => hindsight_engine::Error::Stopped.into(),
            TableError::NotATable => Self::NotATable(path),
            TableError::Version { .. } => Self::Version { path, version: error.to_string() },
            error if error.is_damage() => Self::Damaged { path, fault: damage_text(&error) },
            source => Self::Table { path, source },
        }
    }

    /// Returns the fault in words if the bytes of a file are at fault: damage, or no table at all.
    ///
    /// ```
    /// use hindsight_games::Error;
    ///
    /// let error = Error::NotATable("notes.txt".into());
    /// assert_eq!(error.fault_of_file().as_deref(), Some("not a Hindsight table"));
    /// assert_eq!(Error::NoFile("q.table".into()).fault_of_file(), None);
    /// ```
    #[must_use]
    pub fn fault_of_file(&self) -> Option<String> {
        match self {
            Self::NotATable(_) => Some(TableError::NotATable.to_string()),
            Self::Version { version, .. } => Some(version.clone()),
            Self::Damaged { fault, .. } => Some(fault.clone()),
            Self::UnknownGame(cause) => Some(format!("{self}: {cause}")),
            Self::Unranked(_) => Some(self.to_string()),
            _ => None,
        }
    }
}

impl From<PlanError> for GamesError {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Solver(error) => Self::Solve(error),
            error => Self::Plan(error),
        }
    }
}

/// Most characters of the name of a file that a message quotes.
const QUOTED_PATH: usize = 400;

/// Returns the name of a file as a message quotes it.
fn named(path: &Path) -> String {
    let path = path.display().to_string();
    without_middle(&without_passwords(&path), QUOTED_PATH).into_owned()
}

/// Describes a damage without the leading word "damaged".
pub(crate) fn damage_text(error: &TableError) -> String {
    let text = error.with_causes();
    text.strip_prefix("damaged: ").unwrap_or(&text).to_string()
}
