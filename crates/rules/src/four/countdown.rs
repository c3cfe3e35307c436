//! Four in a row as a game in which every move uses up a ply: each fills a square.

use alloc::vec::Vec;

use hindsight_core::{Countdown, Outlook, SafeMove};

use super::{Four, FourPosition};

/// Urgency of a threat, above that of any column.
const THREAT: u32 = 64;

/// Discs of a position, as the player to move sees them.
struct Discs {
    own: u64,
    other: u64,
    empty: u64,
    /// Lowest bit above the discs of each column.
    tops: u64,
}

impl Four {
    #[inline]
    fn discs_of(&self, position: FourPosition, second_moves: bool) -> Discs {
        let discs = self.columns.discs(position.0);
        let of_second = position.0 & discs;
        let own = if second_moves { of_second } else { of_second ^ discs };
        Discs {
            own,
            other: own ^ discs,
            empty: self.columns.squares ^ discs,
            tops: discs + self.columns.bottom,
        }
    }

    /// False if the player to move cannot win, since the other player has a defence: to let no
    /// line be possible, or to answer each disc with one above it.
    ///
    /// If all columns have an even number of empty squares, the player to move gets the first,
    /// third, .. of each by these answers.
    #[inline]
    fn can_win(&self, discs: &Discs) -> bool {
        let as_first = self.columns.alternate;
        let all_even = discs.tops & !as_first & self.columns.squares == 0;
        let squares = if all_even { discs.empty & as_first } else { discs.empty };
        self.has_line(discs.own | squares)
    }
}

impl Countdown for Four {
    #[inline]
    fn plies_left(&self, position: FourPosition) -> u32 {
        let discs = self.columns.discs(position.0);
        (self.columns.squares ^ discs).count_ones()
    }

    fn key_bits(&self) -> u32 {
        u32::from(self.columns.width) * (u32::from(self.columns.height) + 1)
    }

    #[inline]
    fn key(&self, position: FourPosition) -> u64 {
        position.0
    }

    #[inline]
    fn class_key(&self, position: FourPosition) -> u64 {
        position.0.min(self.columns.mirrored(position.0))
    }

    /// A move is the more urgent, the more squares would then complete a line, and the nearer it
    /// is to the middle.
    fn outlook(
        &self,
        position: FourPosition,
        plies_left: u32,
        out: &mut Vec<SafeMove<FourPosition>>,
    ) -> Outlook {
        let squares = u32::from(self.columns.width) * u32::from(self.columns.height);
        let second_moves = (squares - plies_left) % 2 == 1;
        let discs = self.discs_of(position, second_moves);
        let open = discs.tops & self.columns.squares;
        if self.columns.completing(discs.own, self.line) & open != 0 {
            return Outlook::WinsAtOnce;
        }
        let threats = self.columns.completing(discs.other, self.line) & discs.empty;
        let must_be_met = threats & open;
        let one_answer = must_be_met & must_be_met.wrapping_sub(1) == 0;
        let answers = match must_be_met {
            0 => open,
            met if one_answer => met,
            _ => 0,
        };
        let mut safe = answers & !(threats >> 1);
        if safe == 0 {
            return Outlook::LosesAtOnce;
        }
        let outlook = Outlook::Open {
            can_win: self.can_win(&discs),
            can_lose: self.has_line(discs.other | discs.empty),
        };
        while safe != 0 {
            let disc = safe & safe.wrapping_neg();
            safe ^= disc;
            let own = self.columns.completing(discs.own | disc, self.line);
            let own_threats = (own & (discs.empty ^ disc)).count_ones();
            let after = position.0 + disc + disc * u64::from(second_moves);
            out.push(SafeMove {
                position: FourPosition(after),
                key: after,
                urgency: THREAT * own_threats + self.columns.centrality(disc),
            });
        }
        outlook
    }
}
