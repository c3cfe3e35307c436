//! The result of a check of a table.

/// Faults that a [`TableVerdict`] lists at most; further ones are dropped.
pub(crate) const MAX_REPORTED: usize = 10;

/// Result of a check of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableVerdict {
    /// Positions whose values were recomputed, one of each symmetry class. For a table of
    /// distances, ranks compared, holes included.
    pub positions_checked: u64,
    /// The first faults, at most ten; empty if the table is sound.
    pub faults: Vec<TableFault>,
}

/// One fault of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// The layer, if the fault concerns one layer.
    pub layer: Option<u32>,
    /// Tier and rank, if the fault concerns one position.
    pub address: Option<(u64, u64)>,
    /// The fault in words.
    pub description: String,
}

impl TableVerdict {
    /// Adds a fault, unless [`MAX_REPORTED`] are listed already.
    pub(crate) fn push_fault(
        &mut self,
        layer: Option<u32>,
        address: Option<(u64, u64)>,
        description: String,
    ) {
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(TableFault { layer, address, description });
        }
    }

    /// Adds the verdict on further ranks.
    pub(crate) fn add(&mut self, further: Self) {
        self.positions_checked += further.positions_checked;
        let room = MAX_REPORTED.saturating_sub(self.faults.len());
        self.faults.extend(further.faults.into_iter().take(room));
    }
}
