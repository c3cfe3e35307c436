//! Lists that grow within a limit.

/// Blocks of this size or more are moved to where there is room for more of them, page by page, and not copied:
/// so does the C library of Linux with all that it did not take from its heap.
const REMAP_BYTES: u64 = 1 << 25;

/// Makes room in a list for so many more, where so many bytes are left: twice the room there is while that is
/// little of what is left, else hardly more than is needed.
///
/// # Errors
/// The bytes needed, if they are more than are left.
pub(crate) fn reserve_within<T>(list: &mut Vec<T>, more: usize, left: u64) -> Result<(), u64> {
    let (len, capacity) = (list.len(), list.capacity());
    if capacity - len >= more {
        return Ok(());
    }
    let bytes = |capacity: usize| capacity as u64 * size_of::<T>() as u64;
    let takes = |larger: usize| match bytes(larger) {
        moved if moved >= REMAP_BYTES => moved - bytes(capacity),
        // Old and new are there at the same time.
        copied => copied,
    };
    let least = len + more;
    let (twice, some) = (
        (2 * capacity).max(least),
        (capacity + capacity / 8).max(least),
    );
    let larger = match (takes(twice) <= left / 8, takes(some) <= left) {
        (true, _) => twice,
        (_, true) => some,
        _ if takes(least) <= left => least,
        _ => return Err(takes(least)),
    };
    list.reserve_exact(larger - len);
    Ok(())
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
