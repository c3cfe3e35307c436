//! Games and positions that the tests share.

use std::collections::HashMap;

use hindsight_core::{Game, Symmetry};
use hindsight_rules::ostle::{
    BasePosition, Ostle, OstleMove, OstleSetup, Rule8, UnrestrictedOstle,
};

pub(crate) const SPECS: [&str; 12] = [
    "ostle",
    "ostle:rule8=paper",
    "ostle:3x3:1:0",
    "ostle:3x3:2:1",
    "ostle:3x3:3:0",
    "ostle:3x3:3:1",
    "ostle:3x3:3:2:rule8=paper",
    "ostle:4x4:4:2",
    "ostle:4x4:4:2:rule8=paper",
    "ostle:4x4:1:0:rule8=paper",
    "ostle:5x5:2:1",
    "ostle:5x5:5:0",
];

pub(crate) const RULES: [Rule8; 2] = [Rule8::Exact, Rule8::Paper];

pub(crate) fn ostle(spec: &str) -> Ostle {
    Ostle::new(spec.parse().unwrap(), Symmetry::None)
}

pub(crate) fn unrestricted(spec: &str) -> UnrestrictedOstle {
    UnrestrictedOstle::new(spec.parse().unwrap(), Symmetry::None)
}

pub(crate) fn moves_of<G: Game>(game: &G, position: G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// All positions with Black to move, terminal ones included. At most one side has lost.
pub(crate) fn all_bases(game: &UnrestrictedOstle) -> Vec<BasePosition> {
    let OstleSetup { pieces, lost_at, .. } = *game.setup();
    let squares = game.board().squares();
    let counts = u32::from(lost_at)..=u32::from(pieces);
    let sides = || (0..1_u32 << squares).filter(|side| counts.contains(&side.count_ones()));
    let mut bases = Vec::new();
    for own in sides() {
        for other in sides().filter(|other| own & other == 0) {
            let holes = (0..squares).filter(|hole| (own | other) >> hole & 1 == 0);
            bases.extend(holes.map(|hole| BasePosition { own, other, hole, white: false }));
        }
    }
    let both = 2 * u32::from(lost_at);
    bases.retain(|base| base.pieces().count_ones() > both);
    bases
}

/// `count` random positions that are not over, Black to move; the same in each run.
pub(crate) fn random_bases(game: &UnrestrictedOstle, count: usize) -> Vec<BasePosition> {
    let mut state = 7_u64;
    let mut below = move |n: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((state >> 33) % u64::from(n)) as u32
    };
    let setup = *game.setup();
    let more = u32::from(setup.pieces - setup.lost_at);
    let mut base = || {
        let mut free: Vec<u8> = (0..game.board().squares()).collect();
        let mut take = |below: &mut dyn FnMut(u32) -> u32| {
            let i = below(free.len() as u32) as usize;
            free.swap_remove(i)
        };
        let hole = take(&mut below);
        let mut side = || -> u32 {
            let pieces = u32::from(setup.lost_at) + 1 + below(more);
            (0..pieces).map(|_| 1 << take(&mut below)).sum()
        };
        let (own, other) = (side(), side());
        BasePosition { own, other, hole, white: false }
    };
    (0..count).map(|_| base()).collect()
}

/// Positions that are not over: all positions of some 3x3 games, and 2,000 random positions of the
/// official game.
pub(crate) fn many_bases() -> Vec<(UnrestrictedOstle, Vec<BasePosition>)> {
    let boards = ["ostle:3x3:1:0", "ostle:3x3:2:0", "ostle:3x3:3:1", "ostle"];
    let with_bases = boards.map(|spec| {
        let game = unrestricted(spec);
        let mut bases = if spec == "ostle" { random_bases(&game, 2_000) } else { all_bases(&game) };
        bases.retain(|&base| game.terminal(base).is_none());
        (game, bases)
    });
    with_bases.into()
}

/// Every ply by White of a game, as `(position, move)`, by its successor.
pub(crate) fn plies_by_successor(
    game: &UnrestrictedOstle,
) -> HashMap<BasePosition, Vec<(BasePosition, OstleMove)>> {
    let mut plies: HashMap<BasePosition, Vec<(BasePosition, OstleMove)>> = HashMap::new();
    for base in all_bases(game) {
        let before = BasePosition { white: true, ..base };
        for mv in moves_of(game, before) {
            let after = game.play(before, mv);
            plies.entry(after).or_default().push((before, mv));
        }
    }
    plies
}
