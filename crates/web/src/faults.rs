//! Errors of games and tables as problems of requests.

use std::error::Error as _;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hindsight_games::{AgentChoiceError, Error};

use crate::{Problem, ProblemKind};

/// Least time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

static REPORT: OnceLock<fn(&str)> = OnceLock::new();

static LAST_REPORT: Mutex<Option<Instant>> = Mutex::new(None);

/// Sets the function that hears of faults of tables and of the program, with names of files.
/// Clients do not hear of those. The first function stays.
pub fn report_faults(report: fn(&str)) {
    REPORT.get_or_init(|| report);
}

/// Returns the problem of an error. Names of files stay in the server.
pub(crate) fn problem_of(error: Error) -> Problem {
    match error {
        Error::Position { fault, .. } => {
            Problem::new(ProblemKind::Position, fault.message).at(fault.offset)
        }
        Error::Picture { text, fault, place } => {
            let problem = Problem::new(ProblemKind::Position, fault.message);
            problem.at(fault.offset).of_picture(text, place.as_ref())
        }
        Error::NoSetup(_) => Problem::new(ProblemKind::NoSetup, error.to_string()),
        Error::MoveText(fault) => Problem::new(ProblemKind::Move, fault.message).at(fault.offset),
        Error::PlayedMove { ref fault, .. } => {
            Problem::new(ProblemKind::Move, error.to_string()).at(fault.offset)
        }
        Error::GameText(fault) => {
            Problem::new(ProblemKind::Parameter, fault.message).at(fault.offset)
        }
        Error::Spec { fault, .. } => {
            Problem::new(ProblemKind::Spec, fault.message).at(fault.offset)
        }
        Error::IllegalMove { .. } => Problem::new(ProblemKind::Move, error.to_string()),
        Error::Unknown { .. } => Problem::new(ProblemKind::NoPosition, error.to_string()),
        Error::NoValues | Error::Memory { .. } | Error::Solve(_) | Error::Plan(_) => {
            Problem::new(ProblemKind::NoValues, error.to_string())
        }
        Error::Draw(fault) => Problem::new(ProblemKind::NoPosition, fault.to_string()),
        Error::Agent(fault @ AgentChoiceError::GameOver { .. }) => {
            Problem::new(ProblemKind::NoMove, fault.to_string())
        }
        Error::Agent(fault @ AgentChoiceError::NeedsValues { .. }) => {
            Problem::new(ProblemKind::NoValues, fault.to_string())
        }
        Error::Agent(fault) => Problem::new(ProblemKind::Agent, fault.to_string()),
        Error::Theme(_) => {
            Problem::new(ProblemKind::Parameter, error.to_string()).of_parameter("theme")
        }
        Error::Damaged { .. } | Error::Table { .. } | Error::Unreadable { .. } => {
            report(&error);
            let detail = "the table cannot be read; `hindsight verify` says what is wrong with it";
            Problem::new(ProblemKind::Fault, detail)
        }
        _ => {
            report(&error);
            Problem::fault()
        }
    }
}

/// Tells the owner of the server of a fault, once a second at most.
pub(crate) fn report(error: &Error) {
    let Some(report) = REPORT.get() else {
        return;
    };
    let mut last = LAST_REPORT.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_some_and(|last| last.elapsed() < REPORT_INTERVAL) {
        return;
    }
    *last = Some(Instant::now());
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    report(&text);
}
