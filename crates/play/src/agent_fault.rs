use std::fmt;

/// Kind of fault by which an agent loses its game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// The program of the agent ended, or closed its output.
    Crashed,
    /// The agent gave no answer in its time.
    TimedOut,
    /// The answer is no legal move.
    Illegal,
    /// The answer is no answer by the protocol.
    Nonsense,
    /// The agent said that it cannot go on.
    GaveUp,
}

impl FaultKind {
    /// Returns the ending of a game that was lost by the fault, as in
    /// [`GameRecord`](crate::GameRecord).
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Crashed => "crashed",
            Self::TimedOut => "timed out",
            Self::Illegal => "illegal",
            Self::Nonsense => "nonsense",
            Self::GaveUp => "gave up",
        }
    }
}

/// Fault by which an agent loses its game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{kind}: {text}")]
pub struct AgentFault {
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Description in some words, without control characters.
    pub text: String,
}

impl AgentFault {
    /// Returns a fault with its description.
    pub fn new(kind: FaultKind, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind, text }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ending())
    }
}
