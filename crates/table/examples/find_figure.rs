//! Scratch: looks for figure 1B.
use game::{Game, Notation, Restricting, Symmetry, Value};
use games::ostle::{Base, Move, Ostle, OstleSetup};
use rayon::prelude::*;

fn mv(text: &str) -> Move {
    let b = text.as_bytes();
    let square = (b[0] - b'a') * 5 + (b[1] - b'1');
    Move::new(
        square,
        b"UDLR".iter().position(|&c| c == b[2]).unwrap() as u8,
    )
}

fn main() {
    let game = Ostle::new(OstleSetup::new(5, 5, 3), Symmetry::None);
    let table =
        table::Table::open(std::fs::File::open(std::env::args().nth(1).unwrap()).unwrap()).unwrap();
    let line: Vec<Move> = ["d2L", "a1R", "c2L", "b1R", "b2R", "c1U", "c3U"]
        .map(mv)
        .to_vec();
    let other_first = mv("e2L");
    let sets: Vec<u32> = (0..1_u32 << 25)
        .filter(|s| (4..=5).contains(&s.count_ones()))
        .collect();
    let need = 1 << line[0].square() | 1 << other_first.square();
    let owns: Vec<u32> = sets.iter().copied().filter(|s| s & need == need).collect();
    let found: Vec<Base> = owns
        .par_iter()
        .flat_map_iter(|&own| {
            let game = &game;
            let line = &line;
            let mut out = Vec::new();
            for &other in &sets {
                if other & own != 0 {
                    continue;
                }
                for hole in 0..25_u8 {
                    if (own | other) >> hole & 1 == 1 {
                        continue;
                    }
                    let base = Base {
                        own,
                        other,
                        hole,
                        white: false,
                    };
                    let mut state = game.join(base, None);
                    let mut ok = true;
                    for (i, &m) in line.iter().enumerate() {
                        if game.terminal(state).is_some()
                            || Some(m) == state.forbidden
                            || !game.unrestricted().is_move(state.base, m)
                        {
                            ok = false;
                            break;
                        }
                        let next = game.play(state, m);
                        if i == 0 && next.base.other.count_ones() >= own.count_ones() {
                            ok = false;
                            break;
                        }
                        state = next;
                    }
                    if !ok {
                        continue;
                    }
                    if game.terminal(state) != Some(game::Wdl::Loss) {
                        continue;
                    }
                    let e = game.play(game.join(base, None), other_first);
                    if e.base.other.count_ones() >= own.count_ones() {
                        continue;
                    }
                    out.push(base);
                }
            }
            out
        })
        .collect();
    eprintln!("{} candidates", found.len());
    let reader = table.with_states(&game);
    for base in found {
        let state = game.join(base, None);
        if reader.value(state).unwrap() != Some(Value::Win(7)) {
            continue;
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let wins: Vec<(Move, Value)> = moves
            .iter()
            .filter_map(|&m| {
                let v = reader.value(game.play(state, m)).unwrap().unwrap().before();
                matches!(v, Value::Win(_)).then_some((m, v))
            })
            .collect();
        let expected = [(line[0], Value::Win(7)), (other_first, Value::Win(9))];
        if wins.len() == 2 && expected.iter().all(|e| wins.contains(e)) {
            println!("{}", game.format(state));
        }
    }
}
