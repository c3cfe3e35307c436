//! Bits of a row that a pass has newly decided.

/// A row with the positions that a pass has newly decided in it.
pub(crate) struct DecidedRow<'a> {
    /// Number of the canonical row.
    pub(crate) row: usize,
    /// Blocks of the row; a bit is 1 if the pass has decided its position.
    pub(crate) new: &'a [u8],
}

/// Called with each row in which a pass decides positions, by several threads at once.
pub(crate) type RowObserver<'a> = dyn Fn(DecidedRow<'_>) + Sync + 'a;

/// New bits of the row that a thread goes over, kept from row to row.
#[derive(Default)]
pub(crate) struct NewBits {
    bytes: Vec<u8>,
    /// True if any bit is 1.
    any: bool,
}

impl NewBits {
    /// Begins a row of `len` bytes, all 0.
    pub(crate) fn begin(&mut self, len: usize) {
        if self.any {
            self.bytes.fill(0);
            self.any = false;
        }
        self.bytes.resize(len, 0);
    }

    /// Sets the bytes from `at` on.
    #[inline(always)]
    pub(crate) fn set_bytes(&mut self, at: usize, new: &[u8]) {
        self.any = true;
        self.bytes[at..at + new.len()].copy_from_slice(new);
    }

    /// Adds bits from bit `at` on.
    #[inline(always)]
    pub(crate) fn add_bits(&mut self, at: usize, bits: u64) {
        self.any = true;
        let mut rest = bits;
        while rest != 0 {
            let bit = at + rest.trailing_zeros() as usize;
            self.bytes[bit >> 3] |= 1 << (bit & 7);
            rest &= rest - 1;
        }
    }

    /// The row's bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
