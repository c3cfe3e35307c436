//! Everything that requests are answered from.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use hindsight_games::{
    AnalysisMemory, AnyGame, GAMES, KeptBlocks, Limits, Options, Symmetry, game_without_files,
};
use quick_cache::sync::Cache;
use quick_cache::{DefaultHashBuilder, Weighter};

use crate::faults::{problem_of, report};
use crate::limits::ApiLimits;
use crate::long_work::LongWork;
use crate::shelf::{ServedTable, Shelf, ShelvedTable};
use crate::solved_games::SolvedGames;
use crate::unread_answers::UnreadAnswers;
use crate::{Problem, ProblemKind, StopFlag, WorkPool, WorkPools};

/// Games whose rules are kept.
const KEPT_GAMES: usize = 64;

/// Parts of the memory, in sixteenths. Long work has the rest.
const SIXTEENTHS_FOR_ANSWERS: u64 = 1;
const SIXTEENTHS_FOR_UNREAD_ANSWERS: u64 = 1;
const SIXTEENTHS_FOR_BLOCKS: u64 = 3;
const SIXTEENTHS_FOR_SOLVED_GAMES: u64 = 3;
const SIXTEENTHS_FOR_MOMENTS: u64 = 1;
const SIXTEENTHS_FOR_ANALYSES: u64 = 2;

/// Everything that requests are answered from: tables, games, solved games, answers.
#[derive(Debug)]
pub struct ApiState {
    pub(crate) shelf: Shelf,
    pub(crate) limits: ApiLimits,
    /// Threads of work that takes milliseconds.
    pub(crate) quick: WorkPool,
    pub(crate) long: LongWork,
    pub(crate) solved: SolvedGames,
    /// Answers that clients have not read yet.
    pub(crate) unread: UnreadAnswers,
    pub(crate) answers: Cache<String, Bytes, AnswerWeight>,
    /// Endgames and proofs that analyses keep.
    pub(crate) analyses: AnalysisMemory,
    games: Cache<String, AnyGame>,
    /// Decoded blocks of all tables.
    blocks: Arc<KeptBlocks>,
}

/// Weight of an answer in the cache: its bytes and those of its address.
#[derive(Clone, Debug)]
pub(crate) struct AnswerWeight;

impl Weighter<String, Bytes> for AnswerWeight {
    fn weight(&self, address: &String, answer: &Bytes) -> u64 {
        (address.len() + answer.len() + 128) as u64
    }
}

/// Game of a request, with its table if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Name of the table, or the spec in its normal form.
    pub(crate) id: String,
    /// Rules with all symmetries.
    pub(crate) game: AnyGame,
    pub(crate) table: Option<Arc<ServedTable>>,
}

impl ApiState {
    /// Returns the state of a server, whose work goes to some pools. Threads of solvers are started
    /// for long work.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(shelf: Shelf, limits: ApiLimits, pools: WorkPools) -> io::Result<Self> {
        let long = LongWork::new(pools.long, pools.quick.threads()).map_err(io::Error::other)?;
        let sixteenth = limits.memory / 16;
        let blocks = KeptBlocks::new(sixteenth * SIXTEENTHS_FOR_BLOCKS);
        for shelved in shelf.tables() {
            shelved.latest().table.keep_blocks(&blocks);
        }
        let answer_bytes = sixteenth * SIXTEENTHS_FOR_ANSWERS;
        let (weight, lifecycle) = (AnswerWeight, Default::default());
        let hash = DefaultHashBuilder::default();
        Ok(Self {
            shelf,
            long,
            unread: UnreadAnswers::new(sixteenth * SIXTEENTHS_FOR_UNREAD_ANSWERS),
            solved: SolvedGames::new(sixteenth * SIXTEENTHS_FOR_SOLVED_GAMES),
            answers: Cache::with(1 << 12, answer_bytes, weight, hash, lifecycle),
            analyses: AnalysisMemory::new(sixteenth * SIXTEENTHS_FOR_ANALYSES),
            games: Cache::new(KEPT_GAMES),
            blocks,
            quick: pools.quick,
            limits,
        })
    }

    /// Returns the bytes of memory of one piece of long work.
    pub(crate) fn long_work_memory(&self) -> u64 {
        let kept = SIXTEENTHS_FOR_ANSWERS
            + SIXTEENTHS_FOR_UNREAD_ANSWERS
            + SIXTEENTHS_FOR_BLOCKS
            + SIXTEENTHS_FOR_SOLVED_GAMES
            + SIXTEENTHS_FOR_MOMENTS
            + SIXTEENTHS_FOR_ANALYSES;
        let all = self.limits.memory / 16 * (16 - kept);
        all / self.long.pieces() as u64
    }

    /// Returns the bytes of memory of a solve that takes a moment.
    pub(crate) fn moment_memory(&self) -> u64 {
        self.limits.memory / 16 * SIXTEENTHS_FOR_MOMENTS / self.quick.threads() as u64
    }

    pub(crate) fn analysis_limits(&self, seconds: f64) -> Limits {
        Limits { memory: self.long_work_memory(), time: Some(Duration::from_secs_f64(seconds)) }
    }

    /// Returns the options of long work, which a flag stops.
    pub(crate) fn options(&self, stop: StopFlag) -> Options {
        Options {
            memory: Some(self.long_work_memory()),
            seconds: Some(self.limits.seconds),
            progress: Some(Arc::new(move |_| !stop.is_set())),
            ..Options::default()
        }
    }

    /// Returns the game that an id names: a table, or a spec.
    pub(crate) async fn subject(&self, id: &str) -> Result<Subject, Problem> {
        if let Some(shelved) = self.shelf.table(id) {
            return Ok(Subject::of_table(&self.fresh(shelved).await?));
        }
        let game = self.games.get_or_insert_async(id, self.read_game(id)).await?;
        let spec = game.spec();
        if self.shelf.is_closed() && self.shelf.named_game(spec).is_none() {
            return Err(self.no_table(id));
        }
        let table = match self.shelf.table_of(spec) {
            Some(shelved) => Some(self.fresh(shelved).await?),
            None => None,
        };
        // A new file may have a table of another game.
        Ok(match table.filter(|table| table.game.spec() == spec) {
            Some(table) => Subject { id: spec.to_string(), ..Subject::of_table(&table) },
            None => Subject { id: spec.to_string(), game, table: None },
        })
    }

    /// Returns a table of the shelf, opened anew if its file has changed.
    async fn fresh(&self, shelved: &Arc<ShelvedTable>) -> Result<Arc<ServedTable>, Problem> {
        if shelved.begin_look() {
            let (looked_at, blocks) = (shelved.clone(), self.blocks.clone());
            let look = move || looked_at.look(&blocks);
            if let Err(error) = self.quick.run(look).await? {
                report(&error);
            }
        }
        shelved.table().ok_or_else(Problem::changed)
    }

    /// Returns true if the file of the table that an id names has changed since it was opened.
    pub(crate) fn has_changed(&self, id: &str) -> bool {
        let shelved = self.shelf.table(id).or_else(|| self.shelf.table_of(id));
        shelved.is_some_and(|shelved| shelved.is_to_be_opened())
    }

    async fn read_game(&self, spec: &str) -> Result<AnyGame, Problem> {
        if let Some(game) = self.shelf.named_game(spec) {
            return Ok(game.clone());
        }
        let name = spec.split(':').next().unwrap_or_default();
        if !GAMES.iter().any(|game| game.name.eq_ignore_ascii_case(name)) {
            return Err(self.no_table(spec));
        }
        let owned = spec.to_string();
        let game = move || {
            game_without_files(&owned, Symmetry::All)
                .map_err(|error| problem_of(error).of_parameter("id"))
        };
        self.quick.run(game).await?
    }

    fn no_table(&self, id: &str) -> Problem {
        let detail = if self.shelf.is_closed() {
            format!("there is no table '{id}'; /api/v1/tables lists what is served")
        } else {
            format!(
                "there is no table '{id}', and it is no spec of a game; /api/v1/tables lists the \
                 tables, /api/v1/games the games"
            )
        };
        Problem::new(ProblemKind::Table, detail)
    }
}

impl Subject {
    fn of_table(table: &Arc<ServedTable>) -> Self {
        Self { id: table.name.clone(), game: table.game.clone(), table: Some(table.clone()) }
    }
}
