use hindsight_core::Ranked;
use hindsight_rules::quoridor::{Quoridor, QuoridorPlayer, QuoridorPosition, QuoridorSetup};
use hindsight_solve::{MemoryStore, StrongSolution};

use super::{Cells, Found, Table, Watch, solve_down};
use crate::report::Cell;

/// A game with a smaller stock: the positions where White has placed at most so many fences, and Black.
struct Set {
    game: Quoridor,
    solved: StrongSolution,
    kept: MemoryStore,
}

pub(super) fn cells(found: &Found<'_>, watch: &mut Watch<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Stocks);
    let [first, second] = found.setup.stock;
    let solve = |stock: [u8; 2], watch: &mut Watch<'_>| {
        let setup = QuoridorSetup {
            stock,
            ..*found.setup
        };
        let (game, solved, kept) = solve_down(setup, found.limits, watch)?;
        Some(Set { game, solved, kept })
    };
    // The row with one fence of White less.
    let mut fewer: Vec<Option<Set>> = Vec::new();
    for white in 0..=first {
        let mut row: Vec<Option<Set>> = Vec::new();
        for black in 0..=second {
            let set = solve([white, black], watch);
            let name = format!("White {white}, Black {black}");
            let positions = set.as_ref().map(|set| set.solved.summary.positions);
            cells.add(&name, "positions", positions);
            let start = set.as_ref().map(|set| set.solved.start);
            cells.add(&name, "start", start);
            if white > 0 {
                let smaller = fewer[usize::from(black)].as_ref();
                cells.add(&name, "by White's fence", changed(smaller, set.as_ref()));
            }
            if black > 0 {
                let smaller = row[usize::from(black) - 1].as_ref();
                cells.add(&name, "by Black's fence", changed(smaller, set.as_ref()));
            }
            row.push(set);
        }
        fewer = row;
    }
    cells.cells
}

/// How many positions of the smaller set have another win, draw or loss in the larger one, of how many.
fn changed(smaller: Option<&Set>, larger: Option<&Set>) -> Option<String> {
    let (smaller, larger) = (smaller?, larger?);
    let [[white, black], [fewer_white, fewer_black]] = [larger, smaller].map(Set::stock);
    let more = [white - fewer_white, black - fewer_black];
    // With equal stocks a tier stands for those with the players exchanged, which the other game tells
    // apart. At most one of the two games has equal stocks.
    let changed = if fewer_white == fewer_black {
        larger.differing(smaller, |hands| {
            Some([
                hands[0].checked_sub(more[0])?,
                hands[1].checked_sub(more[1])?,
            ])
        })
    } else {
        smaller.differing(larger, |hands| {
            Some([hands[0] + more[0], hands[1] + more[1]])
        })
    };
    let all = smaller.solved.summary.positions;
    Some(format!("{changed} of {all}"))
}

impl Set {
    fn stock(&self) -> [u8; 2] {
        self.game.setup().stock
    }

    /// How many positions have another win, draw or loss in another game, where the fences in hand are
    /// as given; `None` for positions that are none there.
    fn differing(&self, other: &Self, hands: impl Fn([u8; 2]) -> Option<[u8; 2]>) -> u64 {
        let mut differing = 0;
        for layer in &self.kept.0 {
            for (i, &tier) in layer.tiers.iter().enumerate() {
                let copies = self.game.tier_orbit_size(tier);
                for (rank, &code) in (0..).zip(layer.tier_codes(i)) {
                    let Some(value) = layer.palette[usize::from(code)] else {
                        continue;
                    };
                    let position = self.game.unrank(tier, rank);
                    let position = position.expect("a rank with a value has a position");
                    let own = [QuoridorPlayer::White, QuoridorPlayer::Black]
                        .map(|player| position.hand(player));
                    if let Some(hands) = hands(own) {
                        let there = other.value(position.with_hands(hands));
                        differing += copies * u64::from(there.wdl() != value.wdl());
                    }
                }
            }
        }
        differing
    }

    fn value(&self, position: QuoridorPosition) -> hindsight_core::Value {
        let (tier, rank) = self.game.rank(position).expect("every position has a rank");
        let mut layers = self.kept.0.iter();
        let value = layers.find_map(|layer| layer.value(tier, rank));
        value.expect("a position of one game is one of the other")
    }
}
