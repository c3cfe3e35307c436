//! Successors of a position during its expansion, and the choice among them.

use std::cmp::Reverse;

use hindsight_core::Packed;

use super::leaf_numbers::UNIT;
use super::table::{ANY_PLIES, IMPOSSIBLE, ProofNumbers, TableEntry};

/// Part of its disproof number that makes a successor less preferable, if another worker is below.
const BUSY_DIVISOR: u32 = 2;

/// A successor during expansion, seen from its side to move.
#[derive(Clone, Copy)]
pub(super) struct Successor {
    pub(super) position: Packed,
    pub(super) numbers: ProofNumbers,
    /// Dependency of a result "no win": the earliest ply of the search path, counted from 1, that
    /// it rests on.
    pub(super) depends_on: usize,
    /// See [`TableEntry::plies`].
    pub(super) plies: u16,
    /// True if another worker is below the position.
    pub(super) is_busy: bool,
}

impl Successor {
    /// Disproof number by which the next successor is chosen: greater if another worker is below.
    fn preference(&self) -> u32 {
        let disproof = self.numbers.disproof;
        if self.is_busy && disproof < IMPOSSIBLE {
            let more = disproof / BUSY_DIVISOR + 1;
            return disproof.saturating_add(more).min(IMPOSSIBLE - 1);
        }
        disproof
    }
}

/// Dependency of a result that holds on every path.
pub(super) const PATH_INDEPENDENT: usize = usize::MAX;
/// Dependency on a path that was cut off or forgotten.
pub(super) const PATH_DEPENDENT: usize = 0;

/// Surplus for each further open move, added to the greatest proof number.
const OPEN_SURPLUS: u32 = UNIT * 7 / 10;
/// Sum up to which proof numbers are added: beyond it positions are counted too often by far.
const MOST_SUM: u32 = 1 << 28;

/// Surplus for open moves.
const fn open_surplus(open: u32) -> u32 {
    (open - 1).saturating_mul(OPEN_SURPLUS)
}

/// Way in which the disproof number of a position follows from the proof numbers of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Combination {
    /// The greatest of them, plus [`OPEN_SURPLUS`] per further open move. A sum would count a
    /// position twice if several moves lead to it.
    Greatest,
    /// Their sum, up to [`MOST_SUM`]. It tells more where leaves tell little.
    Sum,
}

impl Combination {
    /// Returns by what part of it the number of a successor may exceed the next best, before that
    /// is searched: so successors do not alternate too often.
    const fn margin_divisor(self) -> u32 {
        match self {
            Self::Greatest => 8,
            Self::Sum => 2,
        }
    }
}

/// Choice of the successor to search next.
pub(super) struct MostProving {
    pub(super) numbers: ProofNumbers,
    /// Index of the best successor.
    pub(super) best: usize,
    /// Disproof number of the second-best successor.
    second: u32,
    /// Part of the disproof number that comes from other moves than the best.
    added: u32,
    combination: Combination,
}

impl MostProving {
    /// Proof number: the least disproof number of the successors. Disproof number: their proof
    /// numbers, combined.
    ///
    /// The best successor is the one with the least [`Successor::preference`], among those that
    /// `limits` let search.
    pub(super) fn among(
        candidates: &[Successor],
        limits: ProofNumbers,
        combination: Combination,
    ) -> Self {
        let (mut best, mut preferred, mut second) = (0, IMPOSSIBLE, IMPOSSIBLE);
        let (mut least, mut most, mut open, mut sum) = (IMPOSSIBLE, 0, 0_u32, 0_u32);
        for (i, candidate) in candidates.iter().enumerate() {
            let ProofNumbers { proof, disproof } = candidate.numbers;
            least = least.min(disproof);
            most = most.max(proof);
            open += u32::from(proof > 0);
            sum = sum.saturating_add(proof);
            if disproof >= limits.proof {
                continue;
            }
            let preference = candidate.preference();
            if preference < preferred {
                second = preferred;
                (best, preferred) = (i, preference);
            } else {
                second = second.min(preference);
            }
        }
        let (disproof, added) = if most == IMPOSSIBLE || most == 0 {
            (most, 0)
        } else {
            let surplus = open_surplus(open);
            let greatest = most.saturating_add(surplus).min(IMPOSSIBLE - 1);
            match combination {
                Combination::Greatest => (greatest, surplus),
                Combination::Sum => {
                    let sum = sum.min(greatest.max(MOST_SUM));
                    (sum, sum - candidates[best].numbers.proof)
                }
            }
        };
        let numbers = ProofNumbers { proof: least, disproof };
        Self { numbers, best, second, added, combination }
    }

    /// Limits for the search of the best successor.
    pub(super) fn successor_limits(&self, limits: ProofNumbers) -> ProofNumbers {
        let margin = self.second / self.combination.margin_divisor();
        let second = self.second.saturating_add(margin);
        ProofNumbers {
            proof: limits.disproof - self.added,
            disproof: limits.proof.min(second.saturating_add(1)),
        }
    }
}

/// Dependency of an entry of the table.
pub(super) fn dependency(entry: TableEntry) -> usize {
    if entry.path_dependent { PATH_DEPENDENT } else { PATH_INDEPENDENT }
}

/// Returns the most plies to a proved win: one more than by the quickest of the winner's moves, or
/// by the slowest of the loser's.
pub(super) fn plies_of_win(candidates: &[Successor], winner_moves: bool) -> u16 {
    let plies = if winner_moves {
        let winning = candidates.iter().filter(|candidate| candidate.numbers.disproof == 0);
        winning.map(|candidate| candidate.plies).min()
    } else {
        candidates.iter().map(|candidate| candidate.plies).max()
    };
    plies.unwrap_or(ANY_PLIES).saturating_add(1)
}

/// Dependency of a result "no win". For the attacker to move, all moves must fail. For the defender
/// to move, one move suffices.
pub(super) fn path_dependency(candidates: &[Successor], attacks: bool) -> usize {
    let depends = |candidate: &Successor| candidate.depends_on;
    if attacks {
        candidates.iter().map(depends).min().unwrap_or(PATH_INDEPENDENT)
    } else {
        let preventing = candidates.iter().filter(|candidate| candidate.numbers.disproof == 0);
        preventing.map(depends).max().unwrap_or(PATH_INDEPENDENT)
    }
}

/// Returns the successor by which the side to move reaches its goal, once it is known: of all that
/// do, one whose result rests on the latest plies of the path, as [`path_dependency`] counts, and
/// then the quickest.
pub(super) fn best_successor(candidates: &[Successor]) -> Option<Packed> {
    let wanted = candidates.iter().filter(|candidate| candidate.numbers.disproof == 0);
    let best = wanted.min_by_key(|candidate| (Reverse(candidate.depends_on), candidate.plies));
    best.map(|candidate| candidate.position)
}

#[cfg(test)]
mod tests {
    use hindsight_core::Packed;

    use super::{
        Combination, IMPOSSIBLE, MOST_SUM, MostProving, OPEN_SURPLUS, PATH_DEPENDENT,
        PATH_INDEPENDENT, Successor, UNIT, best_successor, path_dependency,
    };
    use crate::proof::table::{ANY_PLIES, ProofNumbers};

    fn decided(position: u32, is_goal: bool, depends_on: usize, plies: u16) -> Successor {
        Successor {
            position: Packed::new([position]),
            // Numbers of the opponent, who is to move.
            numbers: ProofNumbers::known(!is_goal),
            depends_on,
            plies,
            is_busy: false,
        }
    }

    fn open(proof: u32, disproof: u32) -> Successor {
        let numbers = ProofNumbers { proof, disproof };
        Successor { numbers, ..decided(1, true, PATH_INDEPENDENT, ANY_PLIES) }
    }

    /// However large the numbers are, a position below its limits has a successor below its own.
    #[test]
    fn the_best_successor_is_below_its_limits() {
        let sizes = [1, UNIT, 1 << 20, MOST_SUM - 1, MOST_SUM, 1 << 31];
        for combination in [Combination::Greatest, Combination::Sum] {
            for numbers in 0..6_usize.pow(4) {
                let size = |place: u32| sizes[numbers / 6_usize.pow(place) % 6];
                let candidates = [open(size(0), size(1)), open(size(2), size(3)), open(1, 1 << 30)];
                let no_limits = ProofNumbers { proof: IMPOSSIBLE - 1, disproof: IMPOSSIBLE - 1 };
                let MostProving { numbers, .. } =
                    MostProving::among(&candidates, no_limits, combination);
                assert!(!numbers.is_known() && numbers.disproof < IMPOSSIBLE - 1);
                let limits =
                    ProofNumbers { proof: numbers.proof + 1, disproof: numbers.disproof + 1 };
                let choice = MostProving::among(&candidates, limits, combination);
                let (best, limits) =
                    (candidates[choice.best].numbers, choice.successor_limits(limits));
                assert!(best.proof < limits.proof && best.disproof < limits.disproof);
            }
        }
    }

    #[test]
    fn sums_are_taken_up_to_a_limit() {
        let disproof = |proofs: [u32; 2], combination| {
            let candidates = proofs.map(|proof| open(proof, 5));
            let no_limits = ProofNumbers { proof: IMPOSSIBLE - 1, disproof: IMPOSSIBLE - 1 };
            MostProving::among(&candidates, no_limits, combination).numbers.disproof
        };
        assert_eq!(disproof([100, 200], Combination::Sum), 300);
        assert_eq!(disproof([100, 200], Combination::Greatest), 200 + OPEN_SURPLUS);
        assert_eq!(disproof([MOST_SUM - 100, 200], Combination::Sum), MOST_SUM);
        assert_eq!(disproof([MOST_SUM; 2], Combination::Sum), MOST_SUM + OPEN_SURPLUS);
        assert_eq!(disproof([0, 0], Combination::Sum), 0);
        assert_eq!(disproof([IMPOSSIBLE, 7], Combination::Sum), IMPOSSIBLE);
    }

    /// The dependency of the position is that of its best move: another move may be wrong on other
    /// paths.
    #[test]
    fn the_best_move_holds_on_all_paths_if_one_does() {
        let defence = [
            decided(1, false, PATH_INDEPENDENT, 3),
            decided(2, true, PATH_DEPENDENT, ANY_PLIES),
            decided(3, true, PATH_INDEPENDENT, ANY_PLIES),
        ];
        assert_eq!(path_dependency(&defence, false), PATH_INDEPENDENT);
        assert_eq!(best_successor(&defence), Some(Packed::new([3])));
        let wins = [7, 5, 9].map(|plies| decided(plies.into(), true, PATH_INDEPENDENT, plies));
        assert_eq!(best_successor(&wins), Some(Packed::new([5])));
        assert_eq!(best_successor(&defence[..1]), None);
    }
}
