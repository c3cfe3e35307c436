use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Returns a name that lives as long as the process, as names of players do. Equal names are kept
/// once.
pub(crate) fn lasting(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    match names.get(name) {
        Some(known) => known,
        None => {
            let kept: &'static str = String::from(name).leak();
            names.insert(kept);
            kept
        }
    }
}
