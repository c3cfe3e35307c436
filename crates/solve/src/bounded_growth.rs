//! Lists that grow within a memory limit.

/// The C library of Linux moves a block of at least this size page by page when it grows. Old and
/// new block then do not exist at the same time. A smaller block may lie in the heap, from which
/// it is copied, however large the new one is.
const REMAP_BYTES: u64 = 1 << 25;

/// Reserves room for `more` further items, if `left` bytes allow it.
///
/// Doubles the capacity while that takes at most `left / 8` bytes. Otherwise adds one eighth, or
/// exactly what is needed.
///
/// # Errors
/// The number of bytes needed, if it is more than `left`, or if the system refuses them.
pub(crate) fn reserve_within<T>(list: &mut Vec<T>, more: usize, left: u64) -> Result<(), u64> {
    let (len, capacity) = (list.len(), list.capacity());
    if capacity - len >= more {
        return Ok(());
    }
    let bytes = |capacity: usize| capacity as u64 * size_of::<T>() as u64;
    let takes = |larger: usize| match bytes(capacity) {
        moved if moved >= REMAP_BYTES => bytes(larger) - moved,
        _ => bytes(larger),
    };
    let least = len + more;
    let (twice, some) = ((2 * capacity).max(least), (capacity + capacity / 8).max(least));
    let larger = match (takes(twice) <= left / 8, takes(some) <= left) {
        (true, _) => twice,
        (_, true) => some,
        _ if takes(least) <= left => least,
        _ => return Err(takes(least)),
    };
    let reserved = list.try_reserve_exact(larger - len);
    reserved.map_err(|_| takes(larger))
}

#[cfg(test)]
mod tests {
    use super::reserve_within;

    #[test]
    fn a_list_grows_as_far_as_bytes_are_left() {
        let mut list: Vec<u32> = vec![0; 1000];
        assert_eq!(reserve_within(&mut list, 1, 1 << 20), Ok(()));
        assert_eq!(list.capacity(), 2000);
        list.resize(2000, 0);
        assert_eq!(reserve_within(&mut list, 1, 4 * 2250), Ok(()));
        assert_eq!(list.capacity(), 2250);
        list.resize(2250, 0);
        assert_eq!(reserve_within(&mut list, 1, 4 * 2251), Ok(()));
        assert_eq!(list.capacity(), 2251);
        assert_eq!(reserve_within(&mut list, 2, 100), Err(4 * 2252));
        assert_eq!(list.capacity(), 2251);
    }
}
