//! What every set of five cards does to a board: who wins from each of the 30 ways to deal it, in how many plies,
//! and how many positions are drawn. For designers, who ask whether a set of cards is fair.
//!
//! Nothing of this was published. A set is solved whole ([`hindsight_bitplanes`]), so that all its deals come out
//! of one solve; the first player moves first whatever the stamps say. Sets come in the order of the seed,
//! so that those of a study that was stopped are a sample.

mod csv;
mod entry;
mod plots;
mod survey;
mod tables;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use hindsight_solve::{Limits, Progress};

use crate::drawing::Drawing;
use crate::keep::Keep;
use crate::report::Report;
pub use entry::Entry;
pub use survey::Survey;

/// The size of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Squares in a row.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl Size {
    /// A board of so many squares in a row, and so many rows.
    #[must_use]
    pub const fn new(width: u8, height: u8) -> Self {
        Self { width, height }
    }

    /// The boards that are studied if none is named: every set in some minutes.
    pub const USUAL: [Self; 3] = [Self::new(2, 4), Self::new(3, 3), Self::new(3, 4)];
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = String;

    /// Reads a board such as `3x4`: up to 32 squares.
    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x');
        let sides = sides.and_then(|(width, height)| {
            Some(Self {
                width: width.parse().ok()?,
                height: height.parse().ok()?,
            })
        });
        let squares = |size: &Self| u32::from(size.width) * u32::from(size.height);
        let fits = |size: &Self| size.width >= 1 && size.height >= 2 && squares(size) <= 32;
        sides.filter(fits).ok_or_else(|| {
            format!("'{text}' is no board of this study: width x height, such as 3x4, at least 1x2, at most 32 squares")
        })
    }
}

/// What to solve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The boards; [`Size::USUAL`] if empty.
    pub boards: Vec<Size>,
    /// The order of the sets.
    pub seed: u64,
    /// Memory for all sets that are solved at once; time after which no further set of a board is begun, however
    /// many were kept.
    pub limits: Limits,
}

/// Is told which board it is, and how many of its sets are solved, of how many that will be in time; `false` stops the
/// study.
pub type Watch<'a> = &'a (dyn Fn(Size, Progress) -> bool + Sync);

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Found {
    /// Each board, its fairest and its least fair sets.
    pub report: Report,
    /// What is known of the sets of each board.
    pub surveys: BTreeMap<Size, Survey>,
    /// Why other boards are missing: a sentence.
    pub failed: Option<String>,
}

/// Solves the sets on all threads. The values of a set depend on nothing; which sets are solved depends on the seed and
/// the time.
pub fn run(options: &Options, keep: &dyn Keep<Entry>, watch: Watch<'_>) -> Found {
    let boards = if options.boards.is_empty() {
        &Size::USUAL[..]
    } else {
        &options.boards
    };
    let mut found = Found::default();
    for &size in boards {
        if found.surveys.contains_key(&size) {
            continue;
        }
        let (survey, halt) = survey::make(size, options, keep, watch);
        found.surveys.insert(size, survey);
        match halt {
            None => {}
            Some(survey::Halt::Stopped) => break,
            Some(survey::Halt::Failed(message)) => {
                found.failed = Some(message);
                break;
            }
        }
    }
    found.surveys.retain(|_, survey| !survey.entries.is_empty());
    found.report = tables::report(&found.surveys);
    found
}

impl Found {
    /// Four figures for each board.
    #[must_use]
    pub fn page(&self, size: Size) -> Vec<Drawing> {
        self.surveys.get(&size).map_or_else(Vec::new, plots::page)
    }
}
