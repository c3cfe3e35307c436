use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// Fault of foreign rules: what they did wrong, in one sentence, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// Spec of the game; empty as long as it is not known.
    pub rules: String,
    /// The fault, as a part of a sentence.
    pub text: String,
    /// Text or bytes of the position at which the rules were asked; empty if at none.
    pub position: String,
    /// True if the user has asked to stop meanwhile, so that the rules are not to blame.
    pub is_stop: bool,
    /// Error of the language of the rules, which is the fault there.
    pub cause: Option<FaultCause>,
}

/// Error that is the cause of a fault. It is equal to itself alone.
#[derive(Clone, Debug)]
pub struct FaultCause(pub Arc<dyn Error + Send + Sync>);

impl PartialEq for FaultCause {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for FaultCause {}

impl RulesFault {
    /// Returns a fault at no position.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            rules: String::new(),
            text: text.into(),
            position: String::new(),
            is_stop: false,
            cause: None,
        }
    }

    /// Returns the same fault at a position, unless it has one.
    #[must_use]
    pub fn at(mut self, position: impl FnOnce() -> String) -> Self {
        if self.position.is_empty() && !self.is_stop {
            self.position = position();
        }
        self
    }

    /// Unwinds the stack up to [`catch_faults`].
    pub fn throw(self) -> ! {
        resume_unwind(Box::new(self))
    }
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.rules.is_empty() {
            write!(f, "the rules '{}' fail: ", self.rules)?;
        }
        f.write_str(&self.text)?;
        if self.position.is_empty() {
            Ok(())
        } else {
            write!(f, ", in the position {}", self.position)
        }
    }
}

impl Error for RulesFault {}

/// Runs a closure, and returns the fault of foreign rules that it met.
///
/// # Errors
/// The fault.
///
/// # Panics
/// If the closure panics for another reason.
pub fn catch_faults<T>(work: impl FnOnce() -> T) -> Result<T, RulesFault> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| match fault_of(cause) {
        Ok(fault) => fault,
        Err(panic) => resume_unwind(panic),
    })
}

/// Returns the fault that unwound a stack; else what did.
///
/// # Errors
/// The other cause.
fn fault_of(cause: Box<dyn Any + Send>) -> Result<RulesFault, Box<dyn Any + Send>> {
    cause.downcast::<RulesFault>().map(|fault| *fault)
}
