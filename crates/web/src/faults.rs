//! Errors of games and tables as problems of requests.

use hindsight_games::{AgentChoiceError, DrawError, Error};

use crate::{Problem, ProblemKind};

/// Returns the problem of an error. Names of files stay in the server.
pub(crate) fn problem_of(error: Error) -> Problem {
    match error {
        Error::Position { fault, .. } => {
            Problem::new(ProblemKind::Position, fault.message).at(fault.offset)
        }
        Error::MoveText(fault) => Problem::new(ProblemKind::Move, fault.message).at(fault.offset),
        Error::Spec { fault, .. } => {
            Problem::new(ProblemKind::Spec, fault.message).at(fault.offset)
        }
        Error::IllegalMove { .. } => Problem::new(ProblemKind::Move, error.to_string()),
        Error::Unknown { .. } => Problem::new(ProblemKind::NoPosition, error.to_string()),
        Error::NoValues | Error::Memory { .. } | Error::Solve(_) | Error::Plan(_) => {
            Problem::new(ProblemKind::NoValues, error.to_string())
        }
        Error::Draw(fault @ (DrawError::NoLayer { .. } | DrawError::NoLayers)) => {
            Problem::new(ProblemKind::Parameter, fault.to_string()).of_parameter("layer")
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
            let detail = "the table cannot be read; `hindsight verify` says what is wrong with it";
            Problem::new(ProblemKind::Fault, detail)
        }
        _ => Problem::fault(),
    }
}
