//! Images of a finished table for the tiers whose exits lead to it.

use super::order::PairOrder;

/// An exit of a tier of the next layer to a finished tier.
#[derive(Clone, Copy)]
pub(super) struct ExitBefore {
    /// The tier with the exit.
    pub(super) tier: u64,
    /// The side of that tier that goes out.
    pub(super) side: u8,
    /// The side to move in the finished tier.
    pub(super) mover: u8,
    /// Maps pairs of the one tier to pairs of the other.
    pub(super) symmetry: u8,
}

/// Images of a table under the symmetries, each made at most once.
pub(super) struct TableImages {
    /// For each side to move and each symmetry, the image; empty if it was not made.
    images: [Vec<Vec<u8>>; 2],
}

impl TableImages {
    #[inline]
    pub(super) fn new(symmetries: usize) -> Self {
        let none = || vec![Vec::new(); symmetries];
        Self { images: [none(), none()] }
    }

    /// Forgets the images of the last table.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.images.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Returns the codes of a finished `table` that an exit leads to, in the order of exit codes.
    #[inline]
    pub(super) fn codes<'a>(
        &'a mut self,
        exit: ExitBefore,
        orders: &[PairOrder],
        table: &'a [u8],
    ) -> &'a [u8] {
        // The pairs of a table have the order of exit codes: its `other` is their `own`.
        let [half, mover] = [table.len() / 2, usize::from(exit.mover)];
        let table = &table[mover * half..(mover + 1) * half];
        image(&mut self.images[mover], exit.symmetry.into(), orders, table)
    }
}

/// Returns the image of `table` under a symmetry; makes it if `images` has none.
#[inline]
fn image<'a>(
    images: &'a mut [Vec<u8>],
    symmetry: usize,
    orders: &[PairOrder],
    table: &'a [u8],
) -> &'a [u8] {
    let order = &orders[symmetry];
    if order.is_identity() {
        return table;
    }
    let (earlier, later) = images.split_at_mut(symmetry);
    let own = &mut later[0];
    if own.is_empty() {
        match order.reverse_of {
            // Reversing is cheaper than permuting.
            Some(other) => own.extend(image(earlier, other, orders, table).iter().rev()),
            None => order.write_image(table, own),
        }
    }
    own
}
