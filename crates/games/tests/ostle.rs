//! Ostle: specs, laws, the theorems of the paper, moves taken back, notation.

use std::collections::{HashMap, HashSet};

use game::{Game, Notation, Symmetry, Wdl};
use games::ostle::{Base, Board, Move, Ostle, OstleSetup, Position, Rule8, Unrestricted};
use games::{Setup, Visitor, by_name};
use proptest::prelude::*;
use testkit::{check_laws, check_notation};

const SPECS: [&str; 12] = [
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

const RULES: [Rule8; 2] = [Rule8::Exact, Rule8::Paper];

fn ostle(spec: &str) -> Ostle {
    Ostle::new(spec.parse().unwrap(), Symmetry::None)
}

fn unrestricted(spec: &str) -> Unrestricted {
    Unrestricted::new(spec.parse().unwrap(), Symmetry::None)
}

fn moves_of<G: Game>(game: &G, position: G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

/// Every position with Black to move, finished ones included.
fn all_bases(game: &Unrestricted) -> Vec<Base> {
    let OstleSetup {
        pieces, lost_at, ..
    } = *game.setup();
    let squares = game.board().squares();
    let counts = u32::from(lost_at)..=u32::from(pieces);
    let sides = || (0..1_u32 << squares).filter(|side| counts.contains(&side.count_ones()));
    let mut bases = Vec::new();
    for own in sides() {
        for other in sides().filter(|other| own & other == 0) {
            let holes = (0..squares).filter(|hole| (own | other) >> hole & 1 == 0);
            bases.extend(holes.map(|hole| Base {
                own,
                other,
                hole,
                white: false,
            }));
        }
    }
    let both = 2 * u32::from(lost_at);
    bases.retain(|base| base.pieces().count_ones() > both);
    bases
}

/// Random positions that are not over, Black to move, the same each time.
fn random_bases(game: &Unrestricted, count: usize) -> Vec<Base> {
    let mut state = 7_u64;
    let mut below = move |n: u32| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
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
        Base {
            own,
            other,
            hole,
            white: false,
        }
    };
    (0..count).map(|_| base()).collect()
}

/// Positions that are not over: all of some boards of 3x3, and random ones of the official board.
fn many_bases() -> Vec<(Unrestricted, Vec<Base>)> {
    let boards = ["ostle:3x3:1:0", "ostle:3x3:2:0", "ostle:3x3:3:1", "ostle"];
    let with_bases = boards.map(|spec| {
        let game = unrestricted(spec);
        let mut bases = if spec == "ostle" {
            random_bases(&game, 2_000)
        } else {
            all_bases(&game)
        };
        bases.retain(|&base| game.terminal(base).is_none());
        (game, bases)
    });
    with_bases.into()
}

#[test]
fn laws_hold_on_every_kind_of_board() {
    struct Laws;
    impl Visitor for Laws {
        type Output = ();
        fn visit<G: Game + Notation>(self, game: G) {
            check_laws(&game, 600, 7);
            check_notation(&game, 300, 7);
        }
    }
    for spec in SPECS {
        for symmetry in [Symmetry::None, Symmetry::Swap, Symmetry::All] {
            let setup = Setup {
                symmetry,
                ..Setup::default()
            };
            by_name(spec, &setup, Laws).unwrap();
            check_laws(
                &Unrestricted::new(spec.parse().unwrap(), symmetry),
                1_000,
                7,
            );
        }
    }
}

#[test]
fn symmetries_are_a_group_of_eight() {
    for size in 3..=5 {
        let board = Board::new(size);
        let all = (1 << board.squares()) - 1;
        for symmetry in 0..board.symmetries() {
            let back = Board::inverse(symmetry);
            assert_eq!(board.map_squares(symmetry, all), all);
            for square in 0..board.squares() {
                let image = board.map_square(symmetry, square);
                assert_eq!(board.map_square(back, image), square);
                assert_eq!(board.map_squares(symmetry, 1 << square), 1 << image);
                for direction in 0..4 {
                    let mv = board.map_move(symmetry, Move::new(square, direction));
                    assert_eq!(mv.square(), image);
                    let step = board.step(square, direction);
                    let image_of_step = step.map(|to| board.map_square(symmetry, to));
                    assert_eq!(board.step(image, mv.direction()), image_of_step);
                }
            }
        }
        // An L of three squares has eight images.
        let l = 0b111 | 1 << size;
        let images: HashSet<u32> = (0..8).map(|s| board.map_squares(s, l)).collect();
        assert_eq!(images.len(), 8);
    }
    // Algorithm 2: left and right, then up and down, then files and ranks exchanged. Square a2.
    let images: Vec<u8> = (0..8).map(|s| Board::new(5).map_square(s, 1)).collect();
    assert_eq!(images, [1, 21, 3, 23, 5, 9, 15, 19]);
}

/// A board as one sees it, file by file: 'x' for the mover's pieces, 'o' for the other's, '#' for the
/// hole.
type Drawn = Vec<Vec<char>>;

fn drawn(size: u8, own: u32, other: u32, hole: u8) -> Drawn {
    let letter = |square: u8| match () {
        () if own >> square & 1 == 1 => 'x',
        () if other >> square & 1 == 1 => 'o',
        () if hole == square => '#',
        () => ' ',
    };
    let file = |file: u8| (0..size).map(|rank| letter(file * size + rank)).collect();
    (0..size).map(file).collect()
}

/// Puts a piece on a square, which pushes what stands there one step on.
fn put(board: &mut Drawn, at: (i32, i32), step: (i32, i32), piece: char) {
    let on_board = 0..board.len() as i32;
    if !on_board.contains(&at.0) || !on_board.contains(&at.1) {
        return;
    }
    let there = board[at.0 as usize][at.1 as usize];
    if there == '#' {
        return;
    }
    if there != ' ' {
        put(board, (at.0 + step.0, at.1 + step.1), step, there);
    }
    board[at.0 as usize][at.1 as usize] = piece;
}

/// Every move, in the order of Algorithm 1, and the board after it.
fn naive_moves(board: &Drawn) -> Vec<(Move, Drawn)> {
    let size = board.len();
    let mut found = Vec::new();
    for file in 0..size {
        for rank in 0..size {
            let piece = board[file][rank];
            for (direction, step) in [(0, 1), (0, -1), (-1, 0), (1, 0)].into_iter().enumerate() {
                let to = (file as i32 + step.0, rank as i32 + step.1);
                let beside = board
                    .get(to.0 as usize)
                    .and_then(|file| file.get(to.1 as usize));
                if piece != 'x' && (piece != '#' || beside != Some(&' ')) {
                    continue;
                }
                let mut after = board.clone();
                after[file][rank] = ' ';
                put(&mut after, to, step, piece);
                found.push((
                    Move::new((file * size + rank) as u8, direction as u8),
                    after,
                ));
            }
        }
    }
    found
}

#[test]
fn moves_are_those_of_a_naive_program() {
    let small = unrestricted("ostle:3x3:3:1");
    let official = unrestricted("ostle");
    let bases = [all_bases(&small), random_bases(&official, 100_000)];
    for (game, bases) in [small, official].into_iter().zip(bases) {
        let size = game.setup().size;
        for base in bases {
            let naive = naive_moves(&drawn(size, base.own, base.other, base.hole));
            if game.terminal(base).is_none() {
                let moves: Vec<Move> = naive.iter().map(|&(mv, _)| mv).collect();
                assert_eq!(moves_of(&game, base), moves, "{base:?}");
            }
            for (mv, after) in naive {
                let (own, other, hole) = game.slide(base.own, base.other, base.hole, mv);
                assert_eq!(drawn(size, own, other, hole), after, "{base:?} {mv:?}");
                let pieces = (own | other).count_ones();
                assert_eq!(game.removes(base, mv), pieces < base.pieces().count_ones());
            }
        }
    }
}

/// As the start is drawn in Figure 1 of the paper, and its text: a1D, a1L and a1R do the same there.
#[test]
fn the_start_has_24_moves() {
    let game = ostle("ostle");
    assert_eq!(
        game.format(game.start()),
        "WWWWW/...../..O../...../BBBBB black -"
    );
    let moves = moves_of(&game, game.start());
    let texts: Vec<String> = moves
        .iter()
        .map(|&mv| game.format_move(game.start(), mv))
        .collect();
    assert_eq!(
        texts.join(" "),
        "a1U a1D a1L a1R b1U b1D b1L b1R c1U c1D c1L c1R c3U c3D c3L c3R d1U d1D d1L d1R e1U e1D e1L e1R"
    );
    let played = |text: &str| {
        let mv = game.parse_move(game.start(), text).unwrap();
        game.format(game.play(game.start(), mv))
    };
    assert_eq!(played("a1L"), "WWWWW/...../..O../...../.BBBB white -");
    assert_eq!(played("a1D"), played("a1L"));
    // Pushed by a1, the piece on e1 falls.
    assert_eq!(played("a1R"), played("a1L"));
    assert_eq!(played("c3U"), "WWWWW/..O../...../...../BBBBB white c4D");
    let start = |spec| ostle(spec).format(ostle(spec).start());
    assert_eq!(start("ostle:4x4:3:1"), "WWW./..../.O../BBB. black -");
    assert_eq!(start("ostle:3x3:1:0"), "W../.O./B.. black -");
}

/// Rule 7 and rule 8 as Figures 2B, 2C and 2D show them. The text says where the hole goes and what
/// stands in its way; the other squares are ours. (The move of Figure 2B is printed as a3U, but a4 is
/// occupied: it is a3D.)
#[test]
fn the_hole_may_not_go_back() {
    let game = ostle("ostle");
    let before = game.parse(".W.../WW.W./OB.B./...../..BBB white -").unwrap();
    let of_hole = |position| -> Vec<String> {
        let moves = moves_of(&game, position).into_iter();
        let of_hole = moves.filter(|mv| mv.square() == position.base.hole);
        of_hole.map(|mv| game.format_move(position, mv)).collect()
    };
    assert_eq!(of_hole(before), ["a3D"]);
    let down = game.parse_move(before, "a3d").unwrap();
    let after = game.play(before, down);
    assert_eq!(
        game.format(after),
        ".W.../WW.W./.B.B./O..../..BBB black a2U"
    );
    assert_eq!(of_hole(after), ["a2D", "a2R"]);
    assert!(game.parse_move(after, "a2U").is_err());
    let win = game.parse_move(after, "b3U").unwrap();
    let won = game.play(after, win);
    assert_eq!(game.terminal(won), Some(Wdl::Loss));
    assert_eq!(game.format(won), ".W.../WB.W./...B./O..../..BBB white -");
}

#[test]
fn a_player_may_push_the_own_last_piece_out() {
    let game = ostle("ostle:3x3:1:0");
    let left = game.parse_move(game.start(), "a1L").unwrap();
    let over = game.play(game.start(), left);
    assert_eq!(game.format(over), "W../.O./... white -");
    assert_eq!(game.terminal(over), Some(Wdl::Win));
    assert!(moves_of(&game, over).is_empty());
}

/// Theorem 1: a move that removes a piece is never forbidden. Theorem 2: nor is one that wins. Theorem
/// 6: at most one move leads back, and it is the one that is forbidden.
#[test]
fn theorems_1_2_and_6() {
    for (game, bases) in many_bases() {
        for before in bases {
            for mv in moves_of(&game, before) {
                let after = game.play(before, mv);
                let forbidden = game.forbidden_after(before, mv);
                let replies = moves_of(&game, after).into_iter();
                let back: Vec<Move> = replies
                    .filter(|&reply| game.play(after, reply) == before)
                    .collect();
                assert!(back.len() <= 1, "{before:?} {mv:?}");
                assert_eq!(back.first().copied(), forbidden, "{before:?} {mv:?}");
                let Some(forbidden) = forbidden else { continue };
                assert!(!game.removes(after, forbidden));
                assert!(game.terminal(game.play(after, forbidden)).is_none());
            }
        }
    }
}

/// Theorem 3: whatever is forbidden, a position with a move that wins has one still.
#[test]
fn theorem_3() {
    for rule8 in RULES {
        let setup = OstleSetup {
            rule8,
            ..OstleSetup::new(3, 3, 1)
        };
        let game = Ostle::new(setup, Symmetry::None);
        let wins = |position: Position| {
            let mut successors = Vec::new();
            game.successors(position, &mut successors);
            let lost = |&next: &Position| game.terminal(next) == Some(Wdl::Loss);
            successors.iter().any(lost)
        };
        for base in all_bases(game.unrestricted()) {
            let free = Position {
                base,
                forbidden: None,
            };
            for mv in moves_of(&game, free) {
                let after = game.play(free, mv);
                let unforbidden = Position {
                    forbidden: None,
                    ..after
                };
                assert_eq!(wins(after), wins(unforbidden), "{after:?}");
            }
        }
    }
}

/// Theorem 4: moves from different squares do different things. Theorem 5: so do moves that remove
/// nothing.
#[test]
fn theorems_4_and_5() {
    for (game, bases) in many_bases() {
        for base in bases {
            let mut first: HashMap<Base, Move> = HashMap::new();
            for mv in moves_of(&game, base) {
                let Some(same) = first.insert(game.play(base, mv), mv) else {
                    continue;
                };
                assert_eq!(same.square(), mv.square(), "{base:?}");
                assert!(
                    game.removes(base, same) && game.removes(base, mv),
                    "{base:?}"
                );
            }
        }
    }
}

/// What the paper's Algorithm 6 forbids: the first move of the successor's representative that leads to
/// the representative of the position before.
#[test]
fn the_papers_reading_is_algorithm_6() {
    for (spec, count) in [
        ("ostle:3x3:2:1:rule8=paper", usize::MAX),
        ("ostle:rule8=paper", 1_000),
    ] {
        let setup: OstleSetup = spec.parse().unwrap();
        let rules = Unrestricted::new(setup, Symmetry::All);
        let game = Ostle::new(setup, Symmetry::All);
        let bases = if count == usize::MAX {
            all_bases(&rules)
        } else {
            random_bases(&rules, count)
        };
        for before in bases {
            for mv in moves_of(&rules, before) {
                let after = rules.canonical(rules.play(before, mv));
                let replies = moves_of(&rules, after);
                let wanted = rules.canonical(before);
                let leads_back =
                    |&reply: &Move| rules.canonical(rules.play(after, reply)) == wanted;
                let state = Position {
                    base: after,
                    forbidden: replies.into_iter().find(leads_back),
                };
                let from = Position {
                    base: before,
                    forbidden: None,
                };
                assert_eq!(game.canonical(game.play(from, mv)), state, "{before:?}");
            }
        }
    }
}

/// Images of a position and a move give images of the successor, in both readings.
#[test]
fn rule_8_does_not_depend_on_the_side_one_sits_on() {
    for rule8 in RULES {
        let setup = OstleSetup {
            rule8,
            ..OstleSetup::new(4, 3, 1)
        };
        let game = Ostle::new(setup, Symmetry::All);
        for base in random_bases(game.unrestricted(), 1_000) {
            let position = Position {
                base,
                forbidden: None,
            };
            for mv in moves_of(&game, position) {
                let after = game.canonical(game.play(position, mv));
                for symmetry in 0..8 {
                    let image = Position {
                        base: game.board().map_base(symmetry, base),
                        forbidden: None,
                    };
                    let mv = game.board().map_move(symmetry, mv);
                    assert_eq!(game.canonical(game.play(image, mv)), after, "{base:?}");
                }
            }
        }
    }
}

/// Classes of positions with their forbidden moves, not over, after 0, 1, .. plies at least.
fn layers<G: Game>(
    game: &G,
    plies: usize,
    successors: impl Fn(G::Position, &mut Vec<G::Position>),
) -> Vec<usize> {
    let start = game.canonical(game.start());
    let mut seen = HashSet::from([start]);
    let mut layer = vec![start];
    let mut counts = vec![1];
    for _ in 0..plies {
        let mut next = Vec::new();
        for position in layer {
            successors(position, &mut next);
        }
        for position in &mut next {
            *position = game.canonical(*position);
        }
        next.retain(|&position| game.terminal(position).is_none() && seen.insert(position));
        counts.push(next.len());
        layer = next;
    }
    counts
}

/// Table 3 of H. Takizawa (2023), first rows: its search goes on by forbidden moves too. With rule 8
/// obeyed: a second program's numbers.
#[test]
fn positions_by_plies_from_the_start() {
    let game = |rule8| {
        let setup = OstleSetup {
            rule8,
            ..OstleSetup::OFFICIAL
        };
        Ostle::new(setup, Symmetry::All)
    };
    let paper = game(Rule8::Paper);
    let unrestricted = |position: Position, out: &mut Vec<Position>| {
        let free = Position {
            forbidden: None,
            ..position
        };
        paper.successors(free, out);
    };
    let published = [1, 9, 102, 954, 6_329, 33_052];
    assert_eq!(layers(&paper, 5, unrestricted), published);
    let obeyed = |game: Ostle| layers(&game, 3, |position, out| game.successors(position, out));
    assert_eq!(obeyed(paper), [1, 9, 99, 932]);
    assert_eq!(obeyed(game(Rule8::Exact)), [1, 9, 99, 924]);
}

/// Every ply of a board, by the position that it leads to.
fn plies_by_successor(game: &Unrestricted) -> HashMap<Base, Vec<(Base, Move)>> {
    let mut plies: HashMap<Base, Vec<(Base, Move)>> = HashMap::new();
    for base in all_bases(game) {
        let before = Base {
            white: true,
            ..base
        };
        for mv in moves_of(game, before) {
            let after = game.play(before, mv);
            plies.entry(after).or_default().push((before, mv));
        }
    }
    plies
}

#[test]
fn predecessors_are_all_plies_taken_back() {
    for spec in ["ostle:3x3:1:0", "ostle:3x3:2:0", "ostle:3x3:3:1"] {
        let game = unrestricted(spec);
        let plies = plies_by_successor(&game);
        for after in all_bases(&game) {
            let mut quiet = Vec::new();
            Unrestricted::predecessors(&game, after, &mut quiet);
            let mut removing = Vec::new();
            game.predecessors_by_removal(after, &mut removing);
            let (mut all_removing, mut all_quiet): (Vec<_>, Vec<_>) = plies
                .get(&after)
                .into_iter()
                .flatten()
                .copied()
                .partition(|&(before, mv)| game.removes(before, mv));
            for list in [&mut quiet, &mut removing, &mut all_quiet, &mut all_removing] {
                list.sort_unstable();
            }
            assert_eq!(quiet, all_quiet, "{after:?}");
            assert_eq!(removing, all_removing, "{after:?}");
        }
    }
}

#[test]
fn what_a_move_reaches_is_known_and_can_be_read() {
    for rule8 in RULES {
        let setup = OstleSetup {
            rule8,
            ..OstleSetup::new(3, 2, 1)
        };
        let game = Ostle::new(setup, Symmetry::None);
        let rules = game.unrestricted();
        let plies = plies_by_successor(rules);
        for base in all_bases(rules) {
            let reached: HashSet<Option<Move>> = plies
                .get(&base)
                .into_iter()
                .flatten()
                .map(|&(before, mv)| rules.forbidden_after(before, mv))
                .collect();
            let codes = 0..4 * game.board().squares();
            for forbidden in codes.map(Move::from_code).map(Some).chain([None]) {
                let position = Position { base, forbidden };
                let is_reached = reached.contains(&forbidden);
                assert_eq!(game.reachable_in_one(position), is_reached, "{position:?}");
                let read = game.parse(&game.format(position));
                if is_reached || forbidden.is_none() {
                    assert_eq!(read, Ok(position));
                } else {
                    assert!(read.is_err(), "{position:?}");
                }
            }
        }
    }
}

/// Members that `canonical` chooses are read back too, in both readings.
#[test]
fn canonical_positions_are_read_back() {
    for rule8 in RULES {
        let setup = OstleSetup {
            rule8,
            ..OstleSetup::new(3, 3, 1)
        };
        let game = Ostle::new(setup, Symmetry::All);
        for base in all_bases(game.unrestricted()).into_iter().step_by(7) {
            let position = Position {
                base,
                forbidden: None,
            };
            for mv in moves_of(&game, position) {
                let next = game.canonical(game.play(position, mv));
                assert_eq!(game.parse(&game.format(next)), Ok(next));
            }
        }
    }
}

#[test]
fn the_papers_reading_forbids_more() {
    let [exact, paper] = ["ostle:3x3:2:1", "ostle:3x3:2:1:rule8=paper"].map(ostle);
    let rules = exact.unrestricted();
    let (mut plies, mut more, mut others) = (0, 0, 0);
    for base in all_bases(rules) {
        for mv in moves_of(rules, base) {
            let by_rule = rules.forbidden_after(base, mv);
            let by_paper = paper.unrestricted().forbidden_after(base, mv);
            assert!(by_rule.is_none() || by_paper.is_some());
            plies += 1;
            more += u32::from(by_rule.is_none() && by_paper.is_some());
            others += u32::from(by_rule.is_some() && by_rule != by_paper);
        }
    }
    assert_eq!((plies, more, others), (35_280, 48, 130));
    for (game, after) in [
        (exact, "W../BO./.BW white c1L"),
        (paper, "W../BO./.BW white a3D"),
    ] {
        let position = game.parse("W../BO./BW. black -").unwrap();
        let mv = game.parse_move(position, "a1R").unwrap();
        assert_eq!(game.format(game.play(position, mv)), after);
    }
}

proptest! {
    #[test]
    fn almost_positions_are_read_back_or_errors(
        board in "([BW.O.é]{3}/){2}[BW.o.]{2,4}",
        turn in "white|black",
        forbidden in "-|[a-d][0-4][UDLRx]",
    ) {
        let game = ostle("ostle:3x3:3:0");
        let text = format!("{board} {turn} {forbidden}");
        match game.parse(&text) {
            Ok(position) => prop_assert_eq!(game.parse(&game.format(position)), Ok(position)),
            Err(error) => prop_assert!(error.at <= text.len()),
        }
    }
}
