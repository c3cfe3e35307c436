//! Solves that are possible on this machine, by their plans: what a message may advise.

use std::path::Path;

use hindsight_solve::plan::{Method, SolveNeeds};

use crate::games::game::AnyGame;
use crate::memory::free_disk_bytes;
use crate::positions::any_value::Position;
use crate::tasks::options::Options;

impl AnyGame {
    /// Returns the needs of a solve from a position, if its plan fits in the memory of the options
    /// and on the disk of its files. `None` for the start.
    ///
    /// ```
    /// use hindsight_games::{Method, Options};
    ///
    /// let (four, options) = (hindsight_games::game("four:7x6")?, Options::default());
    /// let possible = |method| four.possible_solve(None, method, &options);
    /// assert_eq!(possible(Method::Auto).map(|needs| needs.method), Some(Method::Search));
    /// assert_eq!(possible(Method::Tiered), None);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn possible_solve(
        &self,
        start: Option<&Position>,
        method: Method,
        options: &Options,
    ) -> Option<SolveNeeds> {
        let needs = self.needs_from(start, method, options).ok()?;
        let file = options.checkpoint.as_deref().or(options.table.as_deref());
        let free = free_disk_bytes(nearest_folder(file.unwrap_or(Path::new("."))));
        let has_disk = free.is_none_or(|free| needs.disk.total() <= free);
        (has_disk && needs.memory <= options.limits().memory).then_some(needs)
    }

    /// Returns true if a table of the game can be written here, within the memory of the options.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let possible = |spec| {
    ///     let game = hindsight_games::game(spec)?;
    ///     Ok::<_, hindsight_games::Error>(game.has_possible_table(&Options::default()))
    /// };
    /// assert!(possible("quoridor:4x4:1")? && !possible("four:7x6")?);
    /// assert!(!possible("onitama:5x5:tiger,crab,monkey,crane,dragon")?);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn has_possible_table(&self, options: &Options) -> bool {
        let options =
            Options { table: Some("new.table".into()), checkpoint: None, ..options.clone() };
        self.possible_solve(None, Method::Auto, &options).is_some()
    }
}

/// Returns the nearest folder above a file that exists.
fn nearest_folder(file: &Path) -> &Path {
    let mut folders = file.ancestors().filter(|path| path.is_dir());
    folders.next().unwrap_or(Path::new("."))
}
