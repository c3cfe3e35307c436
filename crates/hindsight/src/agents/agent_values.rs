//! Values for agents.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use hindsight_core::{Answer, Packed, Probe};
use hindsight_play::{ProbeError, ProbeMany};

use crate::parts::reader::PackedReader;
use crate::values::Values;

/// Values for agents, which live as long as the agents do: readers keep some blocks of a table from
/// move to move. Threads share them.
pub struct AgentValues<'a> {
    values: &'a Values,
    /// Readers that no thread uses just now.
    readers: Mutex<Vec<PackedReader<'a>>>,
}

impl Values {
    /// Returns the values for agents of one game or more.
    #[must_use]
    pub fn for_agents(&self) -> AgentValues<'_> {
        AgentValues { values: self, readers: Mutex::default() }
    }
}

impl<'a> AgentValues<'a> {
    pub(crate) fn values(&self) -> &'a Values {
        self.values
    }

    fn readers(&self) -> MutexGuard<'_, Vec<PackedReader<'a>>> {
        self.readers.lock().expect("no panic while it is locked")
    }
}

impl ProbeMany for AgentValues<'_> {
    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, ProbeError> {
        let idle = self.readers().pop();
        let reader = idle.unwrap_or_else(|| self.values.source().reader());
        let answers = reader.probe_many(positions);
        self.readers().push(reader);
        Ok(answers?)
    }
}

impl fmt::Debug for AgentValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgentValues").field(self.values).finish()
    }
}
