//! Memory that the system gives or refuses, before work relies on it. Rust ends the process when a
//! block is refused to a list that grows by itself.

use crate::Error;

/// Items that are laid out between two reports: some milliseconds of work.
const ITEMS_PER_REPORT: usize = 1 << 20;

/// Asks the system for a block, and gives it back untouched. So a limit of the system, such as
/// `ulimit -v`, is met before the work begins.
///
/// # Errors
/// [`Error::NoMemory`] if the system refuses it.
pub fn ask(bytes: u64) -> Result<(), Error> {
    let mut block: Vec<u8> = Vec::new();
    let given = usize::try_from(bytes).is_ok_and(|len| block.try_reserve_exact(len).is_ok());
    // Without this, the compiler may leave out a block that nobody uses.
    std::hint::black_box(&block);
    if given { Ok(()) } else { Err(Error::NoMemory { bytes }) }
}

/// Lays out a list of `len` default items portion by portion, and calls `report` with the number of
/// items after each. The system first finds pages for a list of many gigabytes, which takes
/// seconds, or minutes where memory is short.
///
/// # Errors
/// [`Error::NoMemory`] if the system refuses the list; any error of `report`.
pub fn lay_out<T: Default>(
    len: u64,
    report: &mut dyn FnMut(u64) -> Result<(), Error>,
) -> Result<Vec<T>, Error> {
    let refused = || Error::NoMemory { bytes: len.saturating_mul(size_of::<T>() as u64) };
    let len = usize::try_from(len).map_err(|_| refused())?;
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| refused())?;
    while list.len() < len {
        list.resize_with(len.min(list.len() + ITEMS_PER_REPORT), T::default);
        report(list.len() as u64)?;
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::{ITEMS_PER_REPORT, ask, lay_out};
    use crate::Error;

    #[test]
    fn a_block_that_no_system_gives_is_an_error() {
        ask(1 << 20).expect("a mebibyte");
        for bytes in [u64::MAX, 1 << 60] {
            let refused = ask(bytes).expect_err("too much");
            assert!(matches!(refused, Error::NoMemory { bytes: b } if b == bytes));
            assert!(refused.is_lack());
        }
        let refused = lay_out::<u64>(1 << 58, &mut |_| Ok(())).expect_err("too much");
        assert!(matches!(refused, Error::NoMemory { bytes } if bytes == 1 << 61));
    }

    #[test]
    fn a_list_is_laid_out_in_portions_until_an_error() {
        let len = ITEMS_PER_REPORT as u64 + 5;
        let mut reports = Vec::new();
        let list: Vec<u8> = lay_out(len, &mut |done| {
            reports.push(done);
            Ok(())
        })
        .expect("room");
        assert_eq!(list.len() as u64, len);
        assert_eq!(reports, [ITEMS_PER_REPORT as u64, len]);
        let stopped = lay_out::<u8>(len, &mut |_| Err(Error::Stopped));
        assert!(matches!(stopped, Err(Error::Stopped)));
    }
}
