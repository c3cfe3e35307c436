//! One agent after the other is judged, on all threads.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Result, anyhow};
use hindsight_core::{Game, Random, Ranked};
use hindsight_play::{
    Agent, AgentError, AgentSpec, AuditSetup, MoveVerdict, PlayQuality, SeededRandom,
    SelfPlayOptions,
};
use hindsight_solve::{Monitor, Progress, parallel};
use hindsight_tablebase::TableInfo;

use crate::agent_memory::AgentMemory;
use crate::args::AuditArgs;
use crate::context::Context;
use crate::progress::ProgressDisplay;
use crate::signals::stopped;
use crate::tables::sampling::{Place, sample_ranks};

/// Games without a position to judge, after which no others are played.
const MAX_BARREN_GAMES: u64 = 1000;

/// Most ranks that are drawn.
const MAX_DRAWN_RANKS: usize = 1 << 25;

/// Positions of a table, drawn at random, in which there is a choice; as many as are wanted, if the table has them.
pub(super) fn sample_choices<G: Game, B: Ranked>(
    (game, base): (&G, &B),
    info: &TableInfo,
    args: &AuditArgs,
    at: &dyn Fn(Place) -> Option<G::Position>,
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
        let places = sample_ranks(base, info, count, args.seed).into_iter();
        let mut found: Vec<_> = places.filter_map(at).filter(&mut has_choice).collect();
        if found.len() >= wanted || count as u64 >= total || count >= MAX_DRAWN_RANKS {
            // In the order of the table: the first of them would be of some tiers only.
            shuffle(&mut found, args.seed);
            found.truncate(wanted);
            return found;
        }
        count *= 4;
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = SeededRandom::new(&[seed, 0]);
    for i in (1..items.len()).rev() {
        items.swap(i, random.below(i as u32 + 1) as usize);
    }
}

/// Where agents are judged.
pub(super) struct AuditRunner<'a, G: Game> {
    args: &'a AuditArgs,
    ground: AuditSetup<'a, G>,
    /// Positions of the table; none if they come from games.
    drawn: Option<Vec<G::Position>>,
    progress: Mutex<MoveProgress>,
    /// That of the agents that think at once.
    memory: AgentMemory,
}

/// Moves that were judged.
struct MoveProgress {
    display: ProgressDisplay,
    /// By agents that are done.
    by_earlier_agents: u64,
    by_this_agent: u64,
    total: u64,
}

impl MoveProgress {
    fn report(&mut self, now: u64) {
        self.by_this_agent = now;
        self.display.report(Progress {
            phase: "judging",
            done: self.by_earlier_agents + now,
            total: Some(self.total),
        });
    }
}

impl<'a, G: Game> AuditRunner<'a, G> {
    pub(super) fn new(
        args: &'a AuditArgs,
        ground: AuditSetup<'a, G>,
        drawn: Option<Vec<G::Position>>,
        agents: usize,
        context: &Context,
    ) -> Self {
        let each = drawn
            .as_ref()
            .map_or(args.positions, |drawn| drawn.len() as u64);
        let progress = MoveProgress {
            display: ProgressDisplay::with_unit("moves", context.quiet),
            by_earlier_agents: 0,
            by_this_agent: 0,
            total: each * agents as u64,
        };
        // Of a game both sides are alive.
        let sides = if drawn.is_some() { 1 } else { 2 };
        let at_once = sides * rayon::current_num_threads() as u64;
        Self {
            args,
            ground,
            drawn,
            progress: Mutex::new(progress),
            memory: AgentMemory::divide(context, at_once),
        }
    }

    /// The memory of its agents.
    pub(super) fn memory(&self) -> &AgentMemory {
        &self.memory
    }

    /// Judges an agent.
    pub(super) fn judge(&self, agent: &AgentSpec) -> Result<PlayQuality> {
        let (values, resources) = (Some(self.ground.probe), self.memory.resources());
        let tried = agent.agent::<G>(values, resources);
        drop(tried.map_err(|error| self.memory.agent_error(error))?);
        let judged = match &self.drawn {
            Some(positions) => self.judge_positions(agent, positions),
            None => self.judge_self_play(agent),
        };
        let mut progress = self.progress.lock().expect("no panic");
        progress.by_earlier_agents += progress.by_this_agent;
        progress.by_this_agent = 0;
        judged
    }

    fn make_agent(&self, spec: &AgentSpec) -> Box<dyn Agent<G> + '_> {
        let agent = spec.agent::<G>(Some(self.ground.probe), self.memory.resources());
        agent.expect("it was tried before")
    }

    /// Each position with an agent and a generator of its own.
    fn judge_positions(&self, spec: &AgentSpec, positions: &[G::Position]) -> Result<PlayQuality> {
        let judge = |number: u64| {
            if stopped() {
                return Err(AgentError::Stopped);
            }
            let mut random = SeededRandom::new(&[self.args.seed, number, 1]);
            let mut agent = self.make_agent(spec);
            let position = positions[number as usize];
            let verdict = self.ground.judge(&mut *agent, position, &mut random)?;
            let mut progress = self.progress.lock().expect("no panic");
            let now = progress.by_this_agent + 1;
            progress.report(now);
            Ok(verdict)
        };
        let verdicts = parallel::try_map(0..positions.len() as u64, &judge);
        let mut quality = PlayQuality::default();
        let verdicts = verdicts.map_err(|error| anyhow!("{error}"))?;
        verdicts
            .iter()
            .flatten()
            .for_each(|verdict| quality.add(verdict));
        Ok(quality)
    }

    fn judge_self_play(&self, spec: &AgentSpec) -> Result<PlayQuality> {
        let games = SelfPlayQueue::default();
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| self.play_games(spec, &games));
            }
        });
        let kept = games.results.into_inner().expect("no panic");
        match kept.failed {
            Some(error) => Err(error),
            None => Ok(kept.quality),
        }
    }

    fn play_games(&self, spec: &AgentSpec, games: &SelfPlayQueue) {
        while !games.is_done.load(Ordering::Relaxed) {
            let number = games.next.fetch_add(1, Ordering::Relaxed);
            let terms = SelfPlayOptions {
                opening_plies: self.args.opening(),
                max_plies: self.args.max_turns(),
                max_choices: self.args.positions as usize,
                seed: self.args.seed,
                keep_going: &|| !stopped() && !games.is_done.load(Ordering::Relaxed),
            };
            let [mut first, mut second] = [self.make_agent(spec), self.make_agent(spec)];
            let agents: [&mut dyn Agent<G>; 2] = [&mut *first, &mut *second];
            let played = self.ground.self_play(agents, number, terms);
            let mut kept = games.results.lock().expect("no panic");
            // What is enough makes others stop.
            if games.is_done.load(Ordering::Relaxed) {
                return;
            }
            let over = kept.add_game(number, played, self.args);
            games.is_done.store(over, Ordering::Relaxed);
            let now = kept.quality.all.choices;
            drop(kept);
            self.progress.lock().expect("no panic").report(now);
        }
    }
}

/// Games that are being played.
#[derive(Default)]
struct SelfPlayQueue {
    next: AtomicU64,
    is_done: AtomicBool,
    results: Mutex<SelfPlayResults>,
}

/// Games are counted in the order of their numbers, whichever is over first.
#[derive(Default)]
struct SelfPlayResults {
    quality: PlayQuality,
    waiting: BTreeMap<u64, Vec<MoveVerdict>>,
    /// Games that were counted.
    games: u64,
    failed: Option<anyhow::Error>,
}

impl SelfPlayResults {
    /// Takes a game; whether that was enough.
    fn add_game(
        &mut self,
        number: u64,
        played: Result<Vec<MoveVerdict>, AgentError>,
        args: &AuditArgs,
    ) -> bool {
        match played {
            Ok(verdicts) => self.waiting.insert(number, verdicts),
            Err(error) => {
                self.failed = Some(anyhow!("{error}"));
                return true;
            }
        };
        while !self.is_barren()
            && let Some(verdicts) = self.waiting.remove(&self.games)
        {
            self.games += 1;
            let missing = args.positions - self.quality.all.choices;
            let verdicts = verdicts.iter().take(missing as usize);
            verdicts.for_each(|verdict| self.quality.add(verdict));
        }
        if self.is_barren() {
            self.failed = Some(anyhow!(
                "{} games had no position to judge: after {} plies drawn at random nothing was left to choose; \
                 give a smaller --opening or a greater --max-turns",
                self.games,
                args.opening()
            ));
        }
        self.is_barren() || self.quality.all.choices >= args.positions
    }

    fn is_barren(&self) -> bool {
        self.quality.all.choices == 0 && self.games >= MAX_BARREN_GAMES
    }
}
