//! Moves of the state graph that retrograde analysis needs.

/// Moves of the positions that are still open after expansion, by the numbers of positions.
pub(crate) struct OpenMoves {
    /// The moves of position `p` are `to[first[p]..first[p + 1]]`.
    pub(crate) first: Vec<u32>,
    /// Number of the position that each move leads to.
    pub(crate) to: Vec<u32>,
}

impl OpenMoves {
    pub(crate) fn targets(&self, position: usize) -> &[u32] {
        &self.to[self.first[position] as usize..self.first[position + 1] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.to.len()
    }
}
