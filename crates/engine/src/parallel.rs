//! Loops over ranges of numbers on the threads of the current rayon pool, with closures behind
//! references.
//!
//! Solvers, tables and puzzles are compiled once for each width of positions. Rayon compiles some
//! forty functions for each type of closure. These loops pass one type, so rayon's functions are
//! compiled once. A call costs some nanoseconds more, so each number should stand for a chunk of
//! work.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

/// Calls `act` with each number.
pub fn each(numbers: Range<u64>, act: &(dyn Fn(u64) + Sync)) {
    numbers.into_par_iter().for_each(act);
}

/// Returns true if `holds` is true for all numbers; skips the rest once one has failed.
pub fn all(numbers: Range<u64>, holds: &(dyn Fn(u64) -> bool + Sync)) -> bool {
    let failed = AtomicBool::new(false);
    each(numbers, &|number| {
        if !failed.load(Ordering::Relaxed) && !holds(number) {
            failed.store(true, Ordering::Relaxed);
        }
    });
    !failed.into_inner()
}

/// Returns the result of each number, in the order of the numbers.
pub fn map<T: Send>(numbers: Range<u64>, result: &(dyn Fn(u64) -> T + Sync)) -> Vec<T> {
    let first = numbers.start;
    let results: Vec<Mutex<Option<T>>> = numbers.clone().map(|_| Mutex::new(None)).collect();
    each(numbers, &|number| {
        let result = result(number);
        *results[(number - first) as usize].lock().expect("one thread a number") = Some(result);
    });
    let results: Option<Vec<T>> =
        results.into_iter().map(|result| result.into_inner().ok().flatten()).collect();
    results.expect("each number was acted on")
}

/// Returns the result of each number, in the order of the numbers, or an error.
///
/// # Errors
/// The error of the lowest number that failed. No call begins after a failure is seen, so a lower
/// number that was never tried may fail in another run.
pub fn try_map<T: Send, E: Send>(
    numbers: Range<u64>,
    result: &(dyn Fn(u64) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let failed = AtomicBool::new(false);
    let results = map(numbers, &|number| {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let result = result(number);
        failed.fetch_or(result.is_err(), Ordering::Relaxed);
        Some(result)
    });
    // Results are missing only if another number failed.
    let (mut all, mut error) = (Vec::with_capacity(results.len()), None);
    for result in results.into_iter().flatten() {
        match result {
            Ok(result) => all.push(result),
            Err(met) => error = error.or(Some(met)),
        }
    }
    error.map_or(Ok(all), Err)
}

/// Returns the result of each item, in the order of the items, or an error.
///
/// # Errors
/// As [`try_map`].
pub fn try_of<I: Sync, T: Send, E: Send>(
    items: &[I],
    result: &(dyn Fn(&I) -> Result<T, E> + Sync),
) -> Result<Vec<T>, E> {
    let by_number = |number: u64| result(&items[number as usize]);
    try_map(0..items.len() as u64, &by_number)
}

/// Calls `act` with each number, until an error.
///
/// # Errors
/// As [`try_map`].
pub fn try_each<E: Send>(
    numbers: Range<u64>,
    act: &(dyn Fn(u64) -> Result<(), E> + Sync),
) -> Result<(), E> {
    try_map(numbers, act).map(|_| ())
}

/// Action on a chunk of bytes with its number.
pub(crate) type ActOnChunk<'a, E> = dyn Fn(u64, &mut [u8]) -> Result<(), E> + Sync + 'a;

/// Calls `act` with each chunk of `len` bytes and its number, until an error. The last chunk may be
/// shorter.
///
/// # Errors
/// As [`try_map`].
///
/// # Panics
/// If `len` is 0.
pub fn try_chunks<E: Send>(bytes: &mut [u8], len: usize, act: &ActOnChunk<'_, E>) -> Result<(), E> {
    let chunks: Vec<Mutex<&mut [u8]>> = bytes.chunks_mut(len).map(Mutex::new).collect();
    try_each(0..chunks.len() as u64, &|number| {
        let chunk = chunks[number as usize].lock();
        act(number, &mut chunk.expect("one thread a chunk"))
    })
}

/// Calls `act` with the numbers in their order while `goes_on`, until an error. Each thread takes
/// the next number when it is free.
///
/// Unlike [`try_each`], a call begins only after those of all lower numbers have begun.
///
/// # Errors
/// The first error. No call begins after it.
pub fn try_in_order<E: Send>(
    numbers: Range<u64>,
    goes_on: &(dyn Fn() -> bool + Sync),
    act: &(dyn Fn(u64) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let first_error = Mutex::new(None);
    let lock = || first_error.lock().expect("no panic while it is locked");
    let work = || {
        while goes_on() && lock().is_none() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            if let Err(error) = act(number) {
                lock().get_or_insert(error);
            }
        }
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
    });
    let error = lock().take();
    error.map_or(Ok(()), Err)
}

/// Runs two closures, in parallel if a thread is free. Returns when both are done.
pub fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    rayon::join(first, second);
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{all, each, map, try_chunks, try_in_order, try_map};

    #[test]
    fn results_come_in_the_order_of_numbers() {
        assert_eq!(map(3..3, &|number| number), [0; 0]);
        let squares = map(5..1005, &|number| number * number);
        let expected: Vec<u64> = (5..1005).map(|number| number * number).collect();
        assert_eq!(squares, expected);
    }

    #[test]
    fn an_error_ends_the_work() {
        let odd = |number: u64| match number % 2 {
            1 => Err(number),
            _ => Ok(number),
        };
        assert_eq!(try_map(0..1, &odd), Ok(vec![0]));
        let error = try_map(0..1000, &odd).expect_err("an odd number");
        assert_eq!(error % 2, 1);
        assert!(all(0..100, &|number| number < 100));
        assert!(!all(0..100, &|number| number != 77));
    }

    #[test]
    fn numbers_are_taken_in_order() {
        let begun = Mutex::new(Vec::new());
        let act = |number: u64| -> Result<(), u64> {
            begun.lock().unwrap().push(number);
            Ok(())
        };
        assert_eq!(try_in_order(5..1005, &|| true, &act), Ok(()));
        let mut numbers = std::mem::take(&mut *begun.lock().unwrap());
        numbers.sort_unstable();
        assert_eq!(numbers, Vec::from_iter(5..1005));

        // The loop ends without an error if it may not go on.
        let goes_on = || begun.lock().unwrap().len() < 10;
        assert_eq!(try_in_order(0..u64::MAX, &goes_on, &act), Ok(()));
        let mut numbers = begun.into_inner().unwrap();
        numbers.sort_unstable();
        assert_eq!(numbers, Vec::from_iter(0..numbers.len() as u64));
        assert!((10..10 + rayon::current_num_threads()).contains(&numbers.len()));
    }

    #[test]
    fn the_first_error_ends_a_loop_in_order() {
        let fail_from_7 = |number: u64| match number {
            7.. => Err(number),
            _ => Ok(()),
        };
        let error = try_in_order(0..u64::MAX, &|| true, &fail_from_7).expect_err("7");
        assert!((7..7 + rayon::current_num_threads() as u64).contains(&error));
        assert_eq!(try_in_order(7..7, &|| true, &fail_from_7), Ok(()));
        assert_eq!(try_in_order(7..9, &|| false, &fail_from_7), Ok(()));
    }

    #[test]
    fn chunks_are_all_there_and_the_last_is_shorter() {
        let mut bytes = [0; 10];
        let act = |number: u64, chunk: &mut [u8]| -> Result<(), u64> {
            chunk.fill(10 * number as u8 + chunk.len() as u8);
            Ok(())
        };
        assert_eq!(try_chunks(&mut bytes, 4, &act), Ok(()));
        assert_eq!(bytes, [4, 4, 4, 4, 14, 14, 14, 14, 22, 22]);
        each(0..0, &|_| panic!("no number"));
    }
}
