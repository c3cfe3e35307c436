//! Proofs that the attacker does not win, whatever the path.

use hindsight_core::{Game, Packed};

use super::candidates::{PATH_DEPENDENT, PATH_INDEPENDENT};
use super::search::{ProofSearch, SearchNode};
use crate::position_table::PositionTable;

/// Result of a check that a position is no win for the attacker.
enum Defence {
    /// The attacker wins.
    Fails,
    /// No win, proved on one search path only.
    OnOnePath,
    /// No win on any search path.
    Proved,
}

impl ProofSearch<'_> {
    /// Verifies on all paths that the attacker does not win from `root`.
    ///
    /// Builds a set of positions that contains `root` and that the defender never has to leave. In
    /// the set the defender does not lose. Each position was found to be no win on some path; the
    /// result is wrong if an earlier position of the path was a win after all. `None` if the search
    /// was stopped or the set is too large.
    ///
    /// With `replies`, also records the defender's move in each position of the set. Without
    /// `replies`, the defender may leave the set for positions that are no win, whatever the path.
    pub(super) fn verify_defence(
        &mut self,
        root: Packed,
        attacks: bool,
        mut replies: Option<&mut Vec<(Packed, Packed)>>,
    ) -> Option<bool> {
        let mut defended =
            PositionTable::new(self.game.words(), SearchNode { position: root, attacks });
        let mut next = 0;
        while let Some(SearchNode { position, attacks }) = defended.get(next) {
            next += 1;
            if self.is_stopped() {
                return None;
            }
            let moves = self.canonical_successors(position);
            let after = |position| SearchNode { position, attacks: !attacks };
            if attacks {
                for to in moves {
                    let to = after(to);
                    match self.check_defence(to)? {
                        Defence::Fails => return Some(false),
                        Defence::Proved if replies.is_none() => {}
                        _ => self.add_to_defence(&mut defended, to, replies.is_some())?,
                    }
                }
            } else if self.game.terminal(position).is_none() {
                let stays = |to: &&Packed| defended.find(&after(**to)).is_some();
                let (mut kept, mut leads_out) = (moves.iter().find(stays).copied(), None);
                if kept.is_none() && replies.is_some() {
                    leads_out = self.known_defence(&moves);
                }
                for to in moves {
                    if kept.is_some() || replies.is_some() && leads_out.is_some() {
                        break;
                    }
                    match self.check_defence(after(to))? {
                        Defence::Fails => {}
                        Defence::Proved if replies.is_none() => kept = Some(to),
                        _ => leads_out = leads_out.or(Some(to)),
                    }
                }
                let Some(to) = kept.or(leads_out) else {
                    return Some(false);
                };
                if kept.is_none() {
                    self.add_to_defence(&mut defended, after(to), replies.is_some())?;
                }
                if let Some(replies) = &mut replies {
                    replies.push((position, to));
                }
                if next == 1 {
                    self.best = Some(to);
                }
            }
        }
        Some(true)
    }

    /// Adds a position to the set; `None` if there is no memory for it. Replies take as much again.
    fn add_to_defence(
        &self,
        defended: &mut PositionTable<SearchNode>,
        node: SearchNode,
        has_replies: bool,
    ) -> Option<()> {
        let allowed = self.defence_bytes / (1 + u64::from(has_replies));
        let left = allowed.checked_sub(defended.bytes())?;
        defended.reserve_within(1, left).ok()?;
        defended.insert(node);
        Some(())
    }

    /// Returns a move of the defender that is known to prevent a win.
    fn known_defence(&self, moves: &[Packed]) -> Option<Packed> {
        let prevents = |to: &&Packed| self.successor(self.key(**to, true)).numbers.disproof == 0;
        moves.iter().find(prevents).copied()
    }

    /// Checks that the attacker does not win from a position; searches it if need be.
    fn check_defence(&mut self, node: SearchNode) -> Option<Defence> {
        let SearchNode { position, attacks } = node;
        let mut successor = self.successor(self.key(position, attacks));
        if !successor.numbers.is_known() {
            let best = self.best;
            let entry = self.search_root(position, attacks)?;
            self.best = best;
            successor.numbers = entry.numbers;
            successor.depends_on =
                if entry.path_dependent { PATH_DEPENDENT } else { PATH_INDEPENDENT };
        }
        let wins = (successor.numbers.proof == 0) == attacks;
        Some(match (wins, successor.depends_on) {
            (true, _) => Defence::Fails,
            (false, PATH_INDEPENDENT) => Defence::Proved,
            (false, _) => Defence::OnOnePath,
        })
    }
}
