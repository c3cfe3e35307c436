//! Choice of the puzzles that are shown, in bounded memory. The pool of a length loses first the
//! puzzles that are like a harder one in it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::likeness::PuzzleProfile;
use crate::mix::choose_mix;
use crate::puzzle::{Puzzle, PuzzleGrade, in_portions};

/// Fewest puzzles of a length that stay to be chosen from.
const LEAST_POOL: usize = 64;

/// Way to choose among the puzzles found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PuzzleChoice {
    /// The hardest of which no two are alike ([`PuzzleProfile`]), hardest first: from hard to easy,
    /// each that is like none before.
    #[default]
    Different,
    /// The hardest, alike or not, hardest first.
    Hardest,
    /// Puzzles of which no two are alike, from easy to hard. Their difficulty
    /// ([`PuzzleGrade::points`]) grows by about the same factor from one to the next, up to that of
    /// the hardest puzzle.
    Mixed,
}

impl PuzzleChoice {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Different, Self::Hardest, Self::Mixed];

    /// Returns the fewest plies of a solution where nothing else is asked for: a mix has no wins in
    /// one move, which are no puzzles beside longer ones.
    #[must_use]
    pub const fn fewest_plies(self) -> u16 {
        match self {
            Self::Different | Self::Hardest => 1,
            Self::Mixed => 3,
        }
    }

    /// Returns the word for the way: `different`, `hardest` or `mixed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Different => "different",
            Self::Hardest => "hardest",
            Self::Mixed => "mixed",
        }
    }

    /// Checks that `count` puzzles can be chosen.
    ///
    /// # Errors
    /// A sentence with the limit.
    pub fn check_count(self, count: usize) -> Result<(), String> {
        let most = self.most();
        let ways = match self {
            Self::Mixed => "in a mix",
            _ => "of which no two are alike",
        };
        if count > most {
            return Err(format!("{count} puzzles are too many {ways}: at most {most} are chosen"));
        }
        if self == Self::Mixed && count == 1 {
            return Err(String::from("a mix needs two puzzles or more"));
        }
        Ok(())
    }

    /// Most puzzles that can be chosen in this way, in reasonable time.
    #[must_use]
    const fn most(self) -> usize {
        match self {
            Self::Different => 1000,
            Self::Hardest => usize::MAX,
            Self::Mixed => 100,
        }
    }
}

/// Function that returns the profile of a puzzle.
pub(crate) type ProfileOf<'a> = &'a (dyn Fn(&Puzzle) -> PuzzleProfile + Sync);

/// Collects puzzles; keeps those to choose from, and counts all.
///
/// If no two are to be alike, a pool of each length stays; for a mix one of each number of points.
/// A pool that is full loses first the puzzles that are like a harder one in it, then the easiest.
/// The result depends on the order of the puzzles alone.
pub struct PuzzleSelection<'a> {
    choice: PuzzleChoice,
    count: usize,
    profile_of: ProfileOf<'a>,
    found: u64,
    /// Pools by length or by points; a single one for [`PuzzleChoice::Hardest`].
    pools: BTreeMap<Option<u32>, PuzzlePool>,
}

impl<'a> PuzzleSelection<'a> {
    /// Returns an empty selection of at most `count` puzzles.
    #[must_use]
    pub fn new(choice: PuzzleChoice, count: usize, profile_of: ProfileOf<'a>) -> Self {
        Self { choice, count, profile_of, found: 0, pools: BTreeMap::new() }
    }

    /// Adds puzzles.
    ///
    /// Memory: at most `2 * max(count, 64)` puzzles stay in each pool.
    pub fn add(&mut self, puzzles: Vec<Puzzle>) {
        self.found += puzzles.len() as u64;
        let most = self.count.max(LEAST_POOL);
        for puzzle in puzzles {
            let (key, profile_of) = match self.choice {
                PuzzleChoice::Hardest => (None, None),
                PuzzleChoice::Different => {
                    (puzzle.grade.plies.map(u32::from), Some(self.profile_of))
                }
                PuzzleChoice::Mixed => (Some(puzzle.grade.points()), Some(self.profile_of)),
            };
            let pool = self.pools.entry(key).or_default();
            pool.add(puzzle, most, profile_of);
        }
    }

    /// Number of puzzles added, kept or not.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Returns the chosen puzzles. Of equally hard ones the first added comes first.
    #[must_use]
    pub fn finish(self) -> Vec<Puzzle> {
        let pools = self.pools.into_values().rev();
        let mut kept: Vec<Candidate> = pools.flat_map(|pool| pool.candidates).collect();
        kept.sort_by_key(|candidate| Reverse(candidate.puzzle.grade));
        let chosen = match self.choice {
            PuzzleChoice::Hardest => {
                kept.truncate(self.count);
                kept
            }
            PuzzleChoice::Different => differing(kept, self.count, self.profile_of),
            PuzzleChoice::Mixed => choose_mix(kept, self.count, self.profile_of),
        };
        let chosen = chosen.into_iter();
        chosen.map(|candidate| candidate.puzzle).collect()
    }
}

/// A puzzle that may be chosen, with its profile once that was needed.
pub(crate) struct Candidate {
    pub(crate) puzzle: Puzzle,
    profile: Option<PuzzleProfile>,
}

impl Candidate {
    /// Returns the profile, and keeps it.
    fn profile(&mut self, profile_of: ProfileOf<'_>) -> &PuzzleProfile {
        let puzzle = &self.puzzle;
        self.profile.get_or_insert_with(|| profile_of(puzzle))
    }

    /// Returns true if the puzzle is like one of those chosen, whose profiles are known.
    pub(crate) fn is_like_any(&mut self, chosen: &[Self], profile_of: ProfileOf<'_>) -> bool {
        let profile = self.profile(profile_of);
        let mut others = chosen.iter().filter_map(|other| other.profile.as_ref());
        others.any(|other| profile.is_like(other))
    }
}

/// Returns the first `most` candidates that are like none before.
fn differing(candidates: Vec<Candidate>, most: usize, profile_of: ProfileOf<'_>) -> Vec<Candidate> {
    let mut chosen = Vec::new();
    for mut candidate in candidates {
        if chosen.len() == most {
            break;
        }
        if !candidate.is_like_any(&chosen, profile_of) {
            chosen.push(candidate);
        }
    }
    chosen
}

/// Puzzles of a length.
#[derive(Default)]
struct PuzzlePool {
    candidates: Vec<Candidate>,
    /// Grade of the easiest puzzle of a full pool; one that is not harder is not taken.
    least: Option<PuzzleGrade>,
}

impl PuzzlePool {
    /// Adds a puzzle. Of more than `2 * most` the hardest `most` stay; with `profile_of`, of those
    /// that are like none that is harder.
    fn add(&mut self, puzzle: Puzzle, most: usize, profile_of: Option<ProfileOf<'_>>) {
        if self.least.is_some_and(|least| puzzle.grade <= least) {
            return;
        }
        self.candidates.push(Candidate { puzzle, profile: None });
        if self.candidates.len() / 2 < most {
            return;
        }
        self.candidates.sort_by_key(|candidate| Reverse(candidate.puzzle.grade));
        if let Some(profile_of) = profile_of {
            self.find_profiles(profile_of);
            let candidates = std::mem::take(&mut self.candidates);
            self.candidates = differing(candidates, most, profile_of);
            // Kept for all pools, profiles would take much more memory than puzzles.
            for candidate in &mut self.candidates {
                candidate.profile = None;
            }
        }
        self.candidates.truncate(most);
        let is_full = self.candidates.len() == most;
        let least = self.candidates.last().filter(|_| is_full);
        self.least = least.map(|candidate| candidate.puzzle.grade);
    }

    /// Finds the profiles of all candidates, on all threads.
    fn find_profiles(&mut self, profile_of: ProfileOf<'_>) {
        let new = self.candidates.iter();
        let new = new.filter(|candidate| candidate.profile.is_none());
        let puzzles: Vec<&Puzzle> = new.map(|candidate| &candidate.puzzle).collect();
        let profiles = in_portions(&puzzles, &|puzzles: &[&Puzzle]| {
            let profiles = puzzles.iter().map(|puzzle| profile_of(puzzle));
            Ok::<_, std::convert::Infallible>(profiles.collect::<Vec<_>>())
        });
        let Ok(profiles) = profiles;
        let mut profiles = profiles.into_iter().flatten();
        for candidate in &mut self.candidates {
            if candidate.profile.is_none() {
                candidate.profile = profiles.next();
            }
        }
    }
}
