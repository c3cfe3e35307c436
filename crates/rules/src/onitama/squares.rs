/// Iterator over the squares of a set, ascending.
#[derive(Clone, Copy)]
pub(super) struct Squares(pub(super) u64);

impl Iterator for Squares {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// Squares of one side's pieces in the order of the rules: the master, then the students ascending.
#[inline]
pub(super) fn master_first(own: u64, master: u8) -> impl Iterator<Item = u8> {
    core::iter::once(master).chain(Squares(own & !(1 << master)))
}
