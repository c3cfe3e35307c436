//! Tables of positions and of states.

use std::fs;

use hindsight_games::{Error, Method, Options, Symmetry, Value, game_with_symmetry};

use crate::TestTable;

const GAMES: [&str; 2] = ["quoridor:3x3:1", "ostle:3x3:2:1"];

#[test]
fn a_table_has_the_values_of_a_solve() -> Result<(), Error> {
    for spec in GAMES {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let game = game_with_symmetry(table.game().spec(), Symmetry::All)?;
        let solved = game.solve(Method::Reachable, &Options::default())?;
        let mut positions = vec![game.start()];
        for ply in 0..12 {
            let last = &positions[positions.len() - 1];
            let Some(next) = game.successors(last)?.into_iter().nth(ply % 2) else {
                break;
            };
            positions.push(next);
        }
        assert_eq!(table.probe_many(&positions)?, solved.probe_many(&positions)?);
        for position in &positions {
            assert_eq!(table.rated_moves(position)?, solved.rated_moves(position)?);
            assert_eq!(table.line(position)?, solved.line(position)?);
        }
    }
    Ok(())
}

#[test]
fn rows_are_the_positions_of_the_header() -> Result<(), Error> {
    for spec in GAMES {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let game = table.game();
        for (layer, counts) in (0..).zip(table.stats()) {
            assert_eq!(table.layer_name(layer).as_ref(), Some(&counts.name));
            let rows: Vec<_> = table.rows(layer, |_| true)?.flatten().collect();
            for row in rows.iter().step_by(37) {
                let position = game.parse(&row.position)?;
                assert_eq!(table.probe(&position)?.exact(), Some(row.value), "{row:?}");
                let player = game.player_names()[game.player_to_move(&position)?];
                assert_eq!(row.player, player);
            }
            if counts.states.is_none() {
                let positions: u64 = rows.iter().map(|row| row.copies).sum();
                assert_eq!(positions, counts.histogram.positions());
            }
            let is_quick = |value| matches!(value, Value::Win(1));
            let quick = table.rows(layer, is_quick)?.flatten().count();
            assert_eq!(quick, rows.iter().filter(|row| is_quick(row.value)).count());
            let longest = counts.longest_win.expect("a win");
            let position = table.position_at(longest.tier, longest.rank).expect("a position");
            assert_eq!(table.probe(&position)?.exact(), Some(longest.value));
        }
        let layers = 0..table.stats().len() as u32;
        assert!(table.rows(layers.end, |_| true).is_err());
        assert_eq!(table.layer_name(layers.end), None);
        table.check_rows(layers.clone(), &Options::default())?;
        let small = Options { memory: Some(1 << 10), ..Options::default() };
        let error = table.check_rows(layers, &small).unwrap_err();
        assert!(matches!(error, Error::Memory { limit: 1024, .. }), "{error}");
    }
    Ok(())
}

#[test]
fn tables_are_compared_and_verified() -> Result<(), Error> {
    for spec in GAMES {
        let file = TestTable::of(spec);
        let first = hindsight_games::open(&file.path)?;
        let copy = file.folder.path().join("copy.table");
        fs::copy(&file.path, &copy).expect("a copy");
        let second = hindsight_games::open(copy)?;
        let same = first.compare(&second, &Options::default())?;
        assert_eq!(same.different, 0);
        assert!(same.positions > 100 && same.differences.is_empty());
        let verdict = first.verify(&Options::default())?;
        assert_eq!((verdict.faults.len(), verdict.positions_checked > 100), (0, true));
        let small = Options { memory: Some(1 << 10), ..Options::default() };
        assert!(matches!(first.verify(&small), Err(Error::Memory { .. })));
        assert!(matches!(first.compare(&second, &small), Err(Error::Memory { .. })));
    }
    let files = GAMES.map(TestTable::of);
    let [first, second] = files.each_ref().map(|file| hindsight_games::open(&file.path));
    let error = first?.compare(&second?, &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("tables of different games"), "{error}");
    Ok(())
}
