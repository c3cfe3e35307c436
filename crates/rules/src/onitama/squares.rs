use hindsight_core::combinatorics::SetBits;

/// Squares of one side's pieces in the order of the rules: the master, then the students ascending.
#[inline]
pub(super) fn master_first(own: u64, master: u8) -> impl Iterator<Item = u8> {
    core::iter::once(master).chain(SetBits(own & !(1 << master)))
}
