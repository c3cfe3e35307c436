/// The moves of the positions that are not decided at once, by number.
pub(crate) struct OpenMoves {
    /// `first[p]..first[p + 1]` are the moves of position `p`.
    pub(crate) first: Vec<u32>,
    /// Where each leads.
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
