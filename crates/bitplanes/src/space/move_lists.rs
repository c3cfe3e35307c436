use hindsight_combinatorics::{Subsets, subset_count};

use crate::space::board_tables::{BoardTables, MoveKind};
use crate::space::sets::{set_rank, squares};

/// For each set of a side's followers the sets that one of them makes of it by a kind of move, wherever the other side's are.
pub(crate) struct MoveLists {
    /// Where the sets begin that each leads to, and where the last ones end.
    begins: Vec<u32>,
    sets: Vec<u32>,
}

impl MoveLists {
    /// For so many followers of a side.
    #[inline]
    pub(crate) fn new(
        tables: &BoardTables,
        group: &MoveKind,
        mover: usize,
        followers: u32,
    ) -> Self {
        let all = Subsets::new(tables.squares as u32, followers);
        let mut begins = vec![0];
        let mut sets = Vec::new();
        for n in 0..all.len() {
            let own = all.unrank(n) as u32;
            for from in squares(own) {
                let rest = own & !(1 << from);
                let targets = group.moves[mover].targets[from] & !rest;
                sets.extend(squares(targets).map(|to| set_rank(rest | 1 << to) as u32));
            }
            begins.push(sets.len() as u32);
        }
        Self { begins, sets }
    }

    /// The bytes of such lists.
    #[inline]
    pub(crate) fn bytes(
        tables: &BoardTables,
        group: &MoveKind,
        mover: usize,
        followers: u32,
    ) -> u64 {
        let squares = tables.squares as u32;
        let Some(others) = followers.checked_sub(1) else {
            return 8;
        };
        let leads = |(from, set): (usize, &u32)| {
            let stays = u64::from(set >> from & 1);
            // The other followers are on neither square.
            let moves = u64::from(set.count_ones()) - stays;
            stays * subset_count(squares - 1, others) + moves * subset_count(squares - 2, others)
        };
        let targets = group.moves[mover].targets[..tables.squares].iter();
        let sets: u64 = targets.enumerate().map(leads).sum();
        4 * (sets + subset_count(squares, followers) + 1)
    }

    /// What a set leads to.
    #[inline(always)]
    pub(crate) fn successors(&self, set: usize) -> &[u32] {
        &self.sets[self.begins[set] as usize..self.begins[set + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Game, Notation, Retro, TwoSided};
    use hindsight_rules::{Setup, Visitor, by_name};

    use super::{BoardTables, MoveLists};

    struct ByteCounts;

    impl Visitor for ByteCounts {
        type Output = ();

        fn visit<G: Game + Notation>(self, game: G) {
            panic!("{} has no arrangements", game.spec())
        }

        fn two_sided<G: TwoSided + Retro + Notation>(self, game: G) {
            let tables = BoardTables::new(&game.two_sided_rules());
            let sides = (0..4).flat_map(|n| [(0, n), (1, n)]);
            for (mover, followers) in sides {
                for group in &tables.kinds {
                    let all = MoveLists::new(&tables, group, mover, followers);
                    let bytes = 4 * (all.begins.len() + all.sets.len()) as u64;
                    let told = MoveLists::bytes(&tables, group, mover, followers);
                    assert_eq!(told, bytes, "{}, {followers}", game.spec());
                }
            }
        }
    }

    #[test]
    fn what_rearrangements_take_is_known_before() {
        for spec in [
            "onitama:3x4:boar,ox,elephant,horse,crab",
            "onitama:2x4:(0,0)(1,0),boar,ox,(0,0),crab:stay=yes",
        ] {
            by_name(spec, &Setup::default(), ByteCounts).expect("a game");
        }
    }
}
