//! Judges one agent after the other, each on all threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, anyhow, bail};
use hindsight_core::{Game, Random, Ranked};
use hindsight_play::{
    Agent, AgentError, AgentSpec, AuditSetup, MoveVerdict, PlayQuality, SeededRandom,
    SelfPlayOptions,
};
use hindsight_solve::{Monitor, Progress, parallel};
use hindsight_tablebase::{TableInfo, draw_ranks};

use crate::agent_memory::AgentMemory;
use crate::args::AuditArgs;
use crate::context::Context;
use crate::progress::ProgressDisplay;
use crate::signals::stopped;

/// Games after which an agent is given up, if none of them had a position to judge.
const MAX_BARREN_GAMES: u64 = 1000;

/// Threshold of the search for positions with a choice: a draw of at least this many ranks is the
/// last. A draw has less than four times as many.
const MAX_DRAWN_RANKS: usize = 1 << 25;

/// Draws positions with at least two moves from a table.
///
/// Returns `args.positions` of them in random order, or fewer if the table or the last draw has
/// fewer. `at` returns the position at a tier and rank of `base`.
pub(super) fn sample_choices<G: Game, B: Ranked>(
    game: &G,
    base: &B,
    info: &TableInfo,
    args: &AuditArgs,
    at: &dyn Fn(u64, u64) -> Option<G::Position>,
) -> Vec<G::Position> {
    let wanted = args.positions as usize;
    let total = info.ranks();
    let mut moves = Vec::new();
    let mut has_choice = |position: &G::Position| {
        moves.clear();
        game.moves(*position, &mut moves);
        moves.len() > 1
    };
    let mut count = 2 * wanted + 100;
    loop {
        let addresses = draw_ranks(base, info, count, args.seed).into_iter();
        let positions = addresses.filter_map(|(tier, rank)| at(tier, rank));
        let mut choices: Vec<_> = positions.filter(&mut has_choice).collect();
        if choices.len() >= wanted || count as u64 >= total || count >= MAX_DRAWN_RANKS {
            // Positions are in the order of the table: without a shuffle the kept ones would be
            // from its first tiers only.
            shuffle(&mut choices, args.seed);
            choices.truncate(wanted);
            return choices;
        }
        count *= 4;
    }
}

/// Shuffles by the algorithm of Fisher and Yates.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = SeededRandom::new(&[seed, 0]);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u32 + 1) as usize);
    }
}

/// Judges agents on one game, in positions of the table or in games of self-play.
pub(super) struct AuditRunner<'a, G: Game> {
    args: &'a AuditArgs,
    setup: AuditSetup<'a, G>,
    /// Positions drawn from the table; `None` for self-play.
    drawn: Option<Vec<G::Position>>,
    progress: Mutex<MoveProgress>,
    /// Memory of the agents that think at the same time.
    memory: AgentMemory,
}

/// Progress in judged moves.
struct MoveProgress {
    display: ProgressDisplay,
    /// Moves of agents that are done.
    by_earlier_agents: u64,
    by_this_agent: u64,
    /// Moves wanted of all agents.
    total: u64,
}

impl MoveProgress {
    /// Reports the number of judged moves of the current agent.
    fn report(&mut self, by_this_agent: u64) {
        self.by_this_agent = by_this_agent;
        self.display.report(Progress {
            phase: "judging",
            done: self.by_earlier_agents + by_this_agent,
            total: Some(self.total),
        });
    }
}

impl<'a, G: Game> AuditRunner<'a, G> {
    pub(super) fn new(
        args: &'a AuditArgs,
        setup: AuditSetup<'a, G>,
        drawn: Option<Vec<G::Position>>,
        agents: usize,
        context: &Context,
    ) -> Self {
        let moves_per_agent = drawn
            .as_ref()
            .map_or(args.positions, |drawn| drawn.len() as u64);
        let progress = MoveProgress {
            display: ProgressDisplay::with_unit("moves", context.quiet),
            by_earlier_agents: 0,
            by_this_agent: 0,
            total: moves_per_agent * agents as u64,
        };
        // A game of self-play keeps two agents alive, one for each side.
        let sides = if drawn.is_some() { 1 } else { 2 };
        let concurrent_agents = sides * rayon::current_num_threads() as u64;
        Self {
            args,
            setup,
            drawn,
            progress: Mutex::new(progress),
            memory: AgentMemory::divide(context, concurrent_agents),
        }
    }

    /// Returns the memory of the agents.
    pub(super) fn memory(&self) -> &AgentMemory {
        &self.memory
    }

    /// Judges the moves of an agent.
    pub(super) fn judge(&self, agent: &AgentSpec) -> Result<PlayQuality> {
        let (values, resources) = (Some(self.setup.probe), self.memory.resources());
        let trial = agent.agent::<G>(values, resources);
        drop(trial.map_err(|error| self.memory.agent_error(error))?);
        let judged = match &self.drawn {
            Some(positions) => self.judge_positions(agent, positions),
            None => self.judge_self_play(agent),
        };
        let mut progress = self.progress.lock().expect("no panic");
        progress.by_earlier_agents += progress.by_this_agent;
        progress.by_this_agent = 0;
        judged
    }

    /// Makes an agent; [`AuditRunner::judge`] has tried it before.
    fn make_agent(&self, spec: &AgentSpec) -> Box<dyn Agent<G> + '_> {
        let agent = spec.agent::<G>(Some(self.setup.probe), self.memory.resources());
        agent.expect("it was tried before")
    }

    /// Judges one move in each position, with an agent and a random generator of its own.
    fn judge_positions(&self, spec: &AgentSpec, positions: &[G::Position]) -> Result<PlayQuality> {
        let judge_one = |number: u64| {
            if stopped() {
                return Err(AgentError::Stopped);
            }
            let mut random = SeededRandom::new(&[self.args.seed, number, 1]);
            let mut agent = self.make_agent(spec);
            let position = positions[number as usize];
            let verdict = self.setup.judge(&mut *agent, position, &mut random)?;
            let mut progress = self.progress.lock().expect("no panic");
            let judged = progress.by_this_agent + 1;
            progress.report(judged);
            Ok(verdict)
        };
        let verdicts = parallel::try_map(0..positions.len() as u64, &judge_one);
        let mut quality = PlayQuality::default();
        let verdicts = verdicts.map_err(|error| anyhow!("{error}"))?;
        verdicts
            .iter()
            .flatten()
            .for_each(|verdict| quality.add(verdict));
        Ok(quality)
    }

    /// Judges moves in games of the agent against itself, until enough moves are judged.
    fn judge_self_play(&self, spec: &AgentSpec) -> Result<PlayQuality> {
        let queue = SelfPlayQueue::default();
        let goes_on = || !queue.is_done.load(Ordering::Relaxed);
        parallel::try_in_order(0..u64::MAX, &goes_on, &|number| {
            self.play_game(spec, number, &queue)
        })?;
        let results = queue.results.into_inner();
        Ok(results.expect("no panic").quality)
    }

    /// Plays a game and judges its moves.
    fn play_game(&self, spec: &AgentSpec, number: u64, queue: &SelfPlayQueue) -> Result<()> {
        let options = SelfPlayOptions {
            opening_plies: self.args.opening(),
            max_plies: self.args.max_turns(),
            max_choices: self.args.positions as usize,
            seed: self.args.seed,
            keep_going: &|| !stopped() && !queue.is_done.load(Ordering::Relaxed),
        };
        let [mut first, mut second] = [self.make_agent(spec), self.make_agent(spec)];
        let agents: [&mut dyn Agent<G>; 2] = [&mut *first, &mut *second];
        let played = self.setup.self_play(agents, number, options);
        let mut results = queue.results.lock().expect("no panic");
        // Another thread had enough moves: this game was cut short.
        if queue.is_done.load(Ordering::Relaxed) {
            return Ok(());
        }
        let is_done = results.add_game(number, played, self.args);
        queue
            .is_done
            .store(!matches!(is_done, Ok(false)), Ordering::Relaxed);
        let judged = results.quality.all.choices;
        drop(results);
        self.progress.lock().expect("no panic").report(judged);
        is_done.map(|_| ())
    }
}

/// The games of self-play, shared by all threads.
#[derive(Default)]
struct SelfPlayQueue {
    /// True if enough moves were judged, or judging failed.
    is_done: AtomicBool,
    results: Mutex<SelfPlayResults>,
}

/// The judged moves of finished games.
///
/// Invariant: games count in the order of their numbers, so the result does not depend on the
/// threads.
#[derive(Default)]
struct SelfPlayResults {
    quality: PlayQuality,
    /// Finished games by number that wait for an earlier one.
    waiting: BTreeMap<u64, Vec<MoveVerdict>>,
    /// Games counted so far.
    counted_games: u64,
}

impl SelfPlayResults {
    /// Adds a finished game. Returns true if no more games are needed.
    fn add_game(
        &mut self,
        number: u64,
        played: Result<Vec<MoveVerdict>, AgentError>,
        args: &AuditArgs,
    ) -> Result<bool> {
        let verdicts = played.map_err(|error| anyhow!("{error}"))?;
        self.waiting.insert(number, verdicts);
        while !self.is_barren()
            && let Some(verdicts) = self.waiting.remove(&self.counted_games)
        {
            self.counted_games += 1;
            let missing = args.positions - self.quality.all.choices;
            let verdicts = verdicts.iter().take(missing as usize);
            verdicts.for_each(|verdict| self.quality.add(verdict));
        }
        if self.is_barren() {
            bail!(
                "{} games had no position to judge: after {} plies drawn at random \
                 nothing was left to choose; \
                 give a smaller --opening or a greater --max-turns",
                self.counted_games,
                args.opening()
            );
        }
        Ok(self.quality.all.choices >= args.positions)
    }

    /// Returns true if [`MAX_BARREN_GAMES`] games had no position to judge.
    fn is_barren(&self) -> bool {
        self.quality.all.choices == 0 && self.counted_games >= MAX_BARREN_GAMES
    }
}
