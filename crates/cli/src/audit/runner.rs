//! Judges one agent after the other, each on all threads.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, anyhow, bail};
use hindsight_bots::{BotCommand, BotError, BotGame};
use hindsight_games::{
    AgentChoiceError, AgentTurn, AnyAgent, AuditSource, AuditTask, Error, Monitor, Options,
    Position, Progress, ProgressListener, Tablebase, Values,
};
use hindsight_play::PlayQuality;

use super::judged::JudgedAgent;
use crate::args::{AuditArgs, Origin};
use crate::context::Context;
use crate::inputs::agent_memory::AgentMemory;
use crate::inputs::named_agent::{NamedAgent, bot_error, start_bots};
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;

/// Judges all agents by a table. Returns fewer than all if a signal asked to stop.
pub(super) fn judge_all(
    table: &Tablebase,
    agents: &[NamedAgent],
    args: &AuditArgs,
    context: &Context,
) -> Result<Vec<JudgedAgent>> {
    let drawn = match args.from {
        Origin::Ranks => draw(table, args, context)?,
        Origin::SelfPlay => Vec::new(),
    };
    // A game of self-play keeps two agents alive, one for each side.
    let (sides, source) = match args.from {
        Origin::Ranks => (1, AuditSource::Positions(&drawn)),
        Origin::SelfPlay => (
            2,
            AuditSource::Games {
                positions: args.positions,
                opening_plies: args.opening(),
                max_plies: args.max_turns(),
            },
        ),
    };
    let memory = AgentMemory::divide(context, sides * rayon::current_num_threads() as u64);
    let task = AuditTask {
        source,
        exhausted: Some(memory.exhausted()),
        ..AuditTask::new(source, args.seed)
    };
    let progress = MoveProgress {
        display: Arc::new(Mutex::new(ProgressDisplay::with_unit("moves", context.quiet))),
        each: source.positions(),
        agents: agents.len() as u64,
    };
    let mut judged = Vec::new();
    for (done, agent) in (0..).zip(agents) {
        let options = Options {
            memory: Some(memory.bytes()),
            progress: Some(progress.listener(done)),
            ..Options::default()
        };
        let quality = match agent {
            NamedAgent::Spec(spec) => table.values().audit(&(*spec).into(), &task, &options),
            NamedAgent::Program(command) => {
                let audit = ProgramAudit { values: table.values(), task: &task, options: &options };
                audit.of(command, args)?
            }
        };
        match quality {
            Ok(quality) => judged.push(JudgedAgent { agent: agent.clone(), quality }),
            Err(_) if stopped() => break,
            Err(error) => return Err(audit_error(error, &memory)),
        }
    }
    memory.report_if_full(context);
    Ok(judged)
}

/// Audit of a program.
struct ProgramAudit<'a> {
    values: &'a Values,
    task: &'a AuditTask<'a>,
    options: &'a Options,
}

impl ProgramAudit<'_> {
    /// Starts the program and judges it. The outer error is that of the start.
    fn of(&self, command: &BotCommand, args: &AuditArgs) -> Result<Result<PlayQuality, Error>> {
        let spec = self.values.game().spec();
        let bots = start_bots(command, spec, &args.programs)?;
        let choose = |turn: &AgentTurn<'_>| {
            let position = turn.game.format(turn.position)?;
            let moves = turn
                .moves
                .iter()
                .map(|mv| turn.game.format_move(turn.position, mv))
                .collect::<Result<Vec<_>, _>>()?;
            // Positions to judge follow no game, so each is a game of its own.
            let mut game = BotGame::new(&bots, spec.to_string(), &[turn.seed]);
            let chosen = game.choose(&position, &moves);
            Ok(chosen.map_err(|error| {
                let place = format!("; asked in '{position}' after {}", count(&game));
                let has_fault = matches!(error, BotError::Fault(_));
                let error = bot_error(command, error);
                if has_fault { anyhow!("{error}{place}") } else { error }
            })?)
        };
        let agent = AnyAgent::own("program", &choose);
        Ok(self.values.audit(&agent, self.task, self.options))
    }
}

/// Moves that a bot had made before the last question.
fn count(game: &BotGame<'_>) -> String {
    counted(game.moves_before(), "move")
}

/// Draws positions with at least two moves from a table.
fn draw(table: &Tablebase, args: &AuditArgs, context: &Context) -> Result<Vec<Position>> {
    let limits = Options { memory: Some(context.limits().memory), ..Options::default() };
    let drawn = table.values().draw_choices(args.positions as usize, args.seed, &limits);
    let drawn = drawn?;
    if drawn.is_empty() {
        bail!("no position with two moves was found in the table");
    }
    Ok(drawn)
}

/// Progress in judged moves.
struct MoveProgress {
    display: Arc<Mutex<ProgressDisplay>>,
    /// Moves wanted of each agent.
    each: u64,
    agents: u64,
}

impl MoveProgress {
    /// Returns the listener for an agent after some that are done.
    fn listener(&self, done: u64) -> ProgressListener {
        let display = Arc::clone(&self.display);
        let (earlier, total) = (done * self.each, self.agents * self.each);
        Arc::new(move |progress| {
            let mut display = display.lock().unwrap_or_else(PoisonError::into_inner);
            display.report(Progress {
                done: earlier + progress.done,
                total: Some(total),
                ..progress
            })
        })
    }
}

/// Turns an error of an audit into a sentence that names options of the command.
fn audit_error(error: Error, memory: &AgentMemory) -> anyhow::Error {
    match error {
        Error::Agent(AgentChoiceError::Agent(error)) => memory.agent_error(error),
        Error::Agent(AgentChoiceError::NothingToJudge { games, opening_plies }) => anyhow!(
            "{} had no position to judge: after {} drawn at random nothing was left to choose; \
             give a smaller --opening or a greater --max-turns",
            counted(games, "game"),
            counted(opening_plies, "ply"),
        ),
        error => error.into(),
    }
}
