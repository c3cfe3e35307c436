//! Audits: the moves of agents compared with the values of a game.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use hindsight_core::Random;
use hindsight_engine::Error;
use hindsight_play::{
    Agent, AgentError, AgentResources, AuditSetup, PlayQuality, SeededRandom, SelfPlayOptions,
};

use super::any_agent::AnyAgent;
use super::judged_games::JudgedGames;
use super::numbered_work::NumberedWork;
use super::player::agent_error;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::agent_choice::AgentChoiceError;
use crate::positions::any_value::Position;
use crate::tasks::options::Options;
use crate::values::Values;

/// Threshold of the search for positions with a choice: a draw of at least this many places is the
/// last. A draw has less than four times as many.
const MAX_DRAWN_PLACES: usize = 1 << 25;
/// Places whose positions are made together.
const BATCH_PLACES: usize = 1 << 16;

/// Origin of the positions of an audit.
#[derive(Clone, Copy, Debug)]
pub enum AuditSource<'a> {
    /// Games of the agent against itself.
    Games {
        /// Number of positions to judge.
        positions: u64,
        /// Plies at the start of a game that are drawn at random and not judged.
        opening_plies: u32,
        /// Plies after which a game ends, those of the opening included.
        max_plies: u32,
    },
    /// Positions, such as those of [`Values::draw_choices`]. Those with one move are left out.
    Positions(&'a [Position]),
}

/// Audit of an agent.
#[derive(Clone, Copy, Debug)]
pub struct AuditTask<'a> {
    /// Origin of the positions.
    pub source: AuditSource<'a>,
    /// Seed of every random choice.
    pub seed: u64,
    /// Flag that ends the audit, searches included.
    pub stop: Option<&'a AtomicBool>,
    /// Flag that is set once a search had not the memory for its whole tree.
    pub exhausted: Option<&'a AtomicBool>,
}

impl<'a> AuditTask<'a> {
    /// Returns an audit with a seed, which no flag ends.
    #[must_use]
    pub fn new(source: AuditSource<'a>, seed: u64) -> Self {
        Self { source, seed, stop: None, exhausted: None }
    }
}

impl AuditSource<'_> {
    /// Returns the number of positions to judge, at most.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            Self::Games { positions, .. } => *positions,
            Self::Positions(positions) => positions.len() as u64,
        }
    }
}

impl Values {
    /// Draws positions with at least two moves. The same seed gives the same ones.
    ///
    /// Every position is as likely as any other. They come in random order. Fewer than `count` are
    /// returned if there are not so many, or if they are too rare. Of a table, positions are those
    /// that it keeps, without a forbidden move.
    ///
    /// # Errors
    /// As [`Values::sample`].
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let solved = game.solve(Method::Reachable, &Options::default())?;
    /// let drawn = solved.values().draw_choices(100, 1, &Options::default())?;
    /// assert_eq!(drawn.len(), 100);
    /// assert!(game.moves(&drawn[0])?.len() > 1);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn draw_choices(
        &self,
        count: usize,
        seed: u64,
        options: &Options,
    ) -> Result<Vec<Position>, GamesError> {
        let limits = options.limits();
        self.source().check_size(limits)?;
        let mut drawn = count.saturating_mul(2).saturating_add(100);
        loop {
            let places = self.draw_places(drawn, seed, limits)?;
            let mut choices = Vec::new();
            for batch in places.places.chunks(BATCH_PLACES) {
                for position in places.plain_positions(batch).into_iter().flatten() {
                    if self.game().moves(&position)?.len() > 1 {
                        choices.push(position);
                    }
                }
            }
            let is_last = drawn as u64 >= places.total() || drawn >= MAX_DRAWN_PLACES;
            if choices.len() >= count || is_last {
                // Positions are in the order of the places: without a shuffle the kept ones would
                // be from the first places only.
                shuffle(&mut choices, seed);
                choices.truncate(count);
                return Ok(choices);
            }
            drawn *= 4;
        }
    }

    /// Judges the choices of an agent by these values, which must be known with their plies.
    ///
    /// An agent that a text names thinks on all threads, in several positions or games at once; the
    /// result does not depend on the threads.
    ///
    /// # Errors
    /// [`Error::Agent`](crate::Error::Agent) if the agent cannot play, for the error of an agent of
    /// the caller, and if games have nothing to judge; [`Error::Unknown`](crate::Error::Unknown) if
    /// a value is not known; as [`Values::probe`]; [`Error::Solve`](crate::Error::Solve) if the
    /// audit was stopped.
    ///
    /// ```
    /// use hindsight_games::{AgentSpec, AuditSource, AuditTask, Method, Options};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let positions = solved.values().draw_choices(200, 1, &Options::default())?;
    /// let task = AuditTask::new(AuditSource::Positions(&positions), 1);
    /// let judge = |agent: &str| {
    ///     let agent: AgentSpec = agent.parse().expect("an agent");
    ///     solved.values().audit(&agent.into(), &task, &Options::default())
    /// };
    /// assert_eq!(judge("perfect")?.all.blunders, 0);
    /// assert!(judge("random")?.all.blunders > 0);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn audit(
        &self,
        agent: &AnyAgent<'_>,
        task: &AuditTask<'_>,
        options: &Options,
    ) -> Result<PlayQuality, GamesError> {
        let work = NumberedWork::new("judging", [agent], task.stop, options);
        // A game keeps two agents alive, one for each side.
        let sides = match task.source {
            AuditSource::Games { .. } => 2,
            AuditSource::Positions(_) => 1,
        };
        let resources = AgentResources {
            memory_bytes: options.limits().memory / (sides * work.threads()),
            stop: task.stop,
            exhausted: task.exhausted,
            ..AgentResources::default()
        };
        let values = self.for_agents();
        let layer = |position| self.source().layer_of(&self.game().position_of(position));
        let setup = AuditSetup { game: self.game().rules(), probe: &values, layer: &layer };
        let audit = Audit { game: self.game(), agent, task, work, setup, resources };
        match task.source {
            AuditSource::Games { .. } => audit.judge_games(),
            AuditSource::Positions(positions) => audit.judge_positions(positions),
        }
    }
}

/// Shuffles by the algorithm of Fisher and Yates.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = SeededRandom::new(&[seed, 0]);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u32 + 1) as usize);
    }
}

/// Audit in progress, shared by its threads.
struct Audit<'a> {
    game: &'a AnyGame,
    agent: &'a AnyAgent<'a>,
    task: &'a AuditTask<'a>,
    work: NumberedWork<'a>,
    setup: AuditSetup<'a>,
    resources: AgentResources<'a>,
}

impl Audit<'_> {
    /// Returns the agent, ready to be judged.
    fn ready(&self) -> Result<Box<dyn Agent + '_>, AgentError> {
        self.agent.in_game(self.game, Some(self.setup.probe), self.resources, &[])
    }

    fn goes_on(&self) -> bool {
        self.work.goes_on(Some(self.task.source.positions()))
    }

    /// Judges a choice in each position, by an agent of its own.
    fn judge_positions(&self, positions: &[Position]) -> Result<PlayQuality, GamesError> {
        let verdicts = Mutex::new(Vec::new());
        self.work.each(positions.len() as u64, &|number| {
            if !self.goes_on() {
                return Err(Error::Stopped.into());
            }
            let mut random = SeededRandom::new(&[self.task.seed, number, 1]);
            let position = self.game.named().unwrap(&positions[number as usize])?;
            let mut judge = || self.setup.judge(&mut *self.ready()?, position, &mut random);
            let verdict = judge().map_err(agent_error)?;
            let mut verdicts = verdicts.lock().expect("no panic while it is locked");
            verdicts.push((number, verdict));
            self.work.count(1);
            Ok(())
        })?;
        let mut verdicts = verdicts.into_inner().expect("no panic while it is locked");
        verdicts.sort_by_key(|&(number, _)| number);
        let mut quality = PlayQuality::default();
        let judged = verdicts.iter().filter_map(|(_, verdict)| verdict.as_ref());
        judged.for_each(|verdict| quality.add(verdict));
        self.finished(quality)
    }

    /// Judges choices in games of the agent against itself, until there are enough.
    fn judge_games(&self) -> Result<PlayQuality, GamesError> {
        let AuditSource::Games { positions, opening_plies, max_plies } = self.task.source else {
            unreachable!("the source was looked at");
        };
        let judged = JudgedGames::new(positions);
        let keep_going = || self.goes_on() && !judged.are_enough();
        self.work.each_while(u64::MAX, &|| !judged.are_enough(), &|number| {
            let options = SelfPlayOptions {
                opening_plies,
                max_plies,
                max_choices: usize::try_from(positions).unwrap_or(usize::MAX),
                seed: self.task.seed,
                keep_going: &keep_going,
            };
            let judge = || {
                let [mut first, mut second] = [self.ready()?, self.ready()?];
                let sides: [&mut dyn Agent; 2] = [&mut *first, &mut *second];
                self.setup.self_play(sides, number, options)
            };
            let verdicts = judge().map_err(agent_error);
            // Another thread may have had enough choices: then this game was cut short.
            if judged.are_enough() {
                return Ok(());
            }
            let added = judged.add(number, verdicts?);
            let games =
                added.map_err(|games| AgentChoiceError::NothingToJudge { games, opening_plies });
            self.work.count(games?);
            Ok(())
        })?;
        self.finished(judged.finish())
    }

    /// Returns the result, or an error if the audit was stopped.
    fn finished(&self, quality: PlayQuality) -> Result<PlayQuality, GamesError> {
        if self.goes_on() { Ok(quality) } else { Err(Error::Stopped.into()) }
    }
}
