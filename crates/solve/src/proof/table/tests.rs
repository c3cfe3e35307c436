use super::{ANY_PLIES, ProofNumbers, SharedTable, TableEntry, TableKey, rounded_work};
use crate::position_table::hash_of;
use hindsight_core::Packed;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

#[test]
fn a_stopped_table_does_not_grow() {
    let shared = SharedTable::new(1 << 26, 2);
    let stop = AtomicBool::new(true);
    let mut table = shared.access(&stop);
    let len = table.buckets.len();
    for n in 0..100_000 {
        table.put(key(n, true), told(7), 1);
    }
    assert_eq!(table.buckets.len(), len);
    assert_eq!(table.get(key(99_999, true)), Some(told(7)));
    stop.store(false, super::Ordering::Relaxed);
    table.put(key(1, true), told(7), 1);
    assert_eq!(table.buckets.len(), 2 * len);
}

/// Returns the key of a position of two words.
fn key(n: u64, attacks: bool) -> TableKey {
    let position = Packed::new([(n >> 32) as u32, n as u32]);
    TableKey { hash: hash_of(&position, 2), position, attacks }
}

fn told(proof: u32) -> TableEntry {
    TableEntry {
        numbers: ProofNumbers { proof, disproof: 9 },
        path_dependent: false,
        plies: ANY_PLIES,
    }
}

#[test]
fn what_took_work_stays_and_sides_are_told_apart() {
    let shared = SharedTable::new(1 << 12, 2);
    let mut table = shared.access(&GO_ON);
    table.put(key(1, true), told(7), 1000);
    table.put(key(1, false), told(8), 1000);
    for easy in 2..10_000 {
        table.put(key(easy, true), told(1), 1);
    }
    assert_eq!(table.get(key(1, true)), Some(told(7)));
    assert_eq!(table.get(key(1, false)), Some(told(8)));
    assert!(table.buckets.len() as u64 * shared.bucket_bytes <= 1 << 12);
}

#[test]
fn growing_loses_little() {
    let shared = SharedTable::new(1 << 30, 2);
    let mut table = shared.access(&GO_ON);
    let key = |n: u64| key(n, n.is_multiple_of(2));
    for n in 0..100_000 {
        table.put(key(n), told(n as u32 + 1), 1);
        table.refresh();
    }
    let is_there = |&n: &u64| table.get(key(n)) == Some(told(n as u32 + 1));
    // A bucket may have filled up before the table grew.
    let kept = (0..100_000).filter(is_there).count();
    assert!(kept > 90_000, "{kept}");
    assert!(table.buckets.len() >= 1 << 15);
}

#[test]
fn threads_share_one_table_while_it_grows() {
    let shared = SharedTable::new(1 << 26, 2);
    let key = |n: u64| key(n, true);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let shared = &shared;
            scope.spawn(move || {
                let mut table = shared.access(&GO_ON);
                for n in (thread..100_000).step_by(4) {
                    table.put(key(n), told(n as u32 + 1), 1);
                    table.refresh();
                }
            });
        }
    });
    let table = shared.access(&GO_ON);
    let entry = |n: u64| table.get(key(n));
    // Entries that are stored while another thread makes the table larger are lost.
    let kept = (0..100_000).filter(|&n| entry(n).is_some()).count();
    assert!(kept > 20_000, "{kept}");
    assert!((0..100_000).all(|n| entry(n).is_none_or(|entry| entry == told(n as u32 + 1))));
}

#[test]
fn a_decided_position_stays_decided() {
    let shared = SharedTable::new(1 << 12, 2);
    let mut table = shared.access(&GO_ON);
    let won = TableEntry { numbers: ProofNumbers::known(true), path_dependent: false, plies: 7 };
    table.put(key(1, true), won, 1);
    table.put(key(1, true), told(5), 1);
    assert_eq!(table.get(key(1, true)), Some(won));
    let lost_on_a_line =
        TableEntry { numbers: ProofNumbers::known(false), path_dependent: true, plies: ANY_PLIES };
    table.put(key(1, true), lost_on_a_line, 1);
    assert_eq!(table.get(key(1, true)), Some(won));
}

#[test]
fn what_is_true_on_a_line_is_forgotten_for_good() {
    let shared = SharedTable::new(1 << 12, 2);
    let mut table = shared.access(&GO_ON);
    let on_a_line = TableEntry { path_dependent: true, ..told(3) };
    table.put(key(1, true), on_a_line, 1);
    table.put(key(2, true), told(4), 1);
    assert_eq!(table.get(key(1, true)), Some(on_a_line));
    for _ in 0..600 {
        table.forget_path_dependent();
        assert_eq!(table.get(key(1, true)), None);
        assert_eq!(table.get(key(2, true)), Some(told(4)));
    }
}

#[test]
fn rough_work_rises_with_work() {
    let mut last = 0;
    for bits in 0..63 {
        for work in [1 << bits, (1 << bits) * 3 / 2, (2 << bits) - 1] {
            assert!(rounded_work(work) >= last, "{work}");
            last = rounded_work(work);
        }
    }
    assert_eq!(rounded_work(0), rounded_work(1));
}
