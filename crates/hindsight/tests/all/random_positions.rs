//! Positions drawn at random, by their values.

use std::collections::HashSet;

use hindsight_games::{
    DrawError, Error, Method, Options, PositionFilter, Symmetry, Value, Values, Wdl,
    game_with_symmetry,
};

use crate::TestTable;

/// Games solved by each method that keeps values.
const SOLVES: [(&str, Method); 8] = [
    ("tic-tac-toe", Method::Reachable),
    ("tic-tac-toe", Method::Tiered),
    ("dodgem:3x3", Method::Tiered),
    ("quoridor:3x3:1", Method::Tiered),
    ("onitama:3x3:boar", Method::Tiered),
    ("onitama:3x3:boar", Method::Reachable),
    ("ostle:3x3:2:1", Method::Tiered),
    ("ostle:3x3:2:1", Method::Reachable),
];

fn of_value(value: Value) -> PositionFilter {
    PositionFilter { wdl: Some(value.wdl()), remoteness: value.remoteness(), layer: None }
}

/// Draws a position of each value that any position has; values in `present` are all of these.
fn check_values(values: &Values, present: &[Value], name: &str) -> Result<(), Error> {
    assert!(!present.is_empty(), "{name}");
    for &value in present {
        for seed in 0..3 {
            let position = values.draw(&of_value(value), seed)?;
            let position = position.unwrap_or_else(|| panic!("{name} has a {value}"));
            assert_eq!(values.probe(&position)?.exact(), Some(value), "{name}");
            assert!(!values.game().is_unreached(&position)?, "{name}");
            assert_eq!(values.draw(&of_value(value), seed)?, Some(position));
        }
    }
    for plies in 0..200 {
        for absent in [Value::Win(plies), Value::Loss(plies)] {
            if !present.contains(&absent) {
                assert_eq!(values.draw(&of_value(absent), 1)?, None, "{name}: {absent}");
            }
        }
    }
    let never = PositionFilter { wdl: Some(Wdl::Draw), remoteness: Some(0), layer: None };
    assert_eq!(values.draw(&never, 1)?, None, "a draw has no plies");
    Ok(())
}

#[test]
fn every_value_of_a_solved_game_is_drawn() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let game = game_with_symmetry(spec, Symmetry::All)?;
        let solved = game.solve(method, &Options::default())?;
        let histogram = match solved.states() {
            Some(counts) => counts.states.clone(),
            None => solved.histogram().expect("a histogram"),
        };
        let present: Vec<Value> = histogram.rows().iter().map(|&(value, _)| value).collect();
        check_values(solved.values(), &present, &format!("{spec} {method:?}"))?;
    }
    Ok(())
}

#[test]
fn every_value_of_a_table_is_drawn_from_each_layer() -> Result<(), Error> {
    for spec in ["dodgem:3x3", "quoridor:4x4:1", "onitama:3x4:boar", "ostle:4x4:3:1"] {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let histogram = match table.info().states() {
            Some(states) => states.all,
            None => table.info().histogram(),
        };
        let present: Vec<Value> = histogram.rows().iter().map(|&(value, _)| value).collect();
        check_values(table.values(), &present, spec)?;
        for (layer, info) in (0..).zip(table.stats()) {
            let mut rows = info.histogram.rows();
            rows.retain(|(value, _)| value.remoteness().is_some());
            let Some((longest, _)) = rows.pop() else {
                continue;
            };
            let wanted = PositionFilter { layer: Some(layer), ..of_value(longest) };
            let position = table.values().draw(&wanted, 7)?.expect("a position");
            assert_eq!(table.probe(&position)?.exact(), Some(longest));
            let text = table.game().format(&position)?;
            let rows = table.rows(layer, move |value| value == longest)?;
            let is_row = rows.flatten().any(|row| row.position == text);
            assert!(is_row || info.states.is_some(), "{text} is in layer {layer}");
        }
    }
    Ok(())
}

#[test]
fn a_layer_that_does_not_exist_is_an_error() -> Result<(), Error> {
    let file = TestTable::of("quoridor:3x3:1");
    let table = hindsight_games::open(&file.path)?;
    let wanted = PositionFilter { layer: Some(3), ..PositionFilter::default() };
    let error = table.values().draw(&wanted, 1).unwrap_err();
    assert!(matches!(error, Error::Draw(DrawError::NoLayer { layer: 3, last: 2 })));
    assert_eq!(error.to_string(), "there is no layer 3; the table has layers 0 to 2");
    Ok(())
}

#[test]
fn seeds_draw_different_positions() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:3x4:boar")?;
    let solved = game.solve(Method::Tiered, &Options::default())?;
    let wins = PositionFilter { wdl: Some(Wdl::Win), ..PositionFilter::default() };
    let draw = |seed| solved.values().draw(&wins, seed);
    let drawn = (0..50).map(draw).collect::<Result<HashSet<_>, _>>()?;
    assert!(drawn.len() > 40, "{}", drawn.len());
    Ok(())
}

/// All places of a small game are drawn about equally often.
#[test]
fn a_draw_is_uniform() -> Result<(), Error> {
    let game = game_with_symmetry("tic-tac-toe", Symmetry::All)?;
    let solved = game.solve(Method::Reachable, &Options::default())?;
    let wanted = of_value(Value::Win(5));
    let histogram = solved.histogram().expect("a histogram");
    let count = histogram.rows().iter().find(|row| row.0 == Value::Win(5)).expect("wins").1;
    let mut drawn = std::collections::HashMap::new();
    let draws = 100 * count;
    for seed in 0..draws {
        let position = solved.values().draw(&wanted, seed)?.expect("a win");
        *drawn.entry(position).or_insert(0) += 1;
    }
    assert_eq!(drawn.len() as u64, count);
    assert!(drawn.values().all(|times| (50..150).contains(times)), "{drawn:?}");
    Ok(())
}

#[test]
fn samples_are_different_positions_with_values() -> Result<(), Error> {
    for spec in ["quoridor:4x4:1", "onitama:3x4:boar", "ostle:4x4:3:1"] {
        let file = TestTable::of(spec);
        let table = hindsight_games::open(&file.path)?;
        let sample = table.values().sample(1000, 3)?;
        assert!(sample.len() > 500, "{spec}: {}", sample.len());
        assert_eq!(sample, table.values().sample(1000, 3)?);
        assert_ne!(sample, table.values().sample(1000, 4)?);
        let different: HashSet<_> = sample.iter().collect();
        assert_eq!(different.len(), sample.len(), "{spec}");
        let answers = table.probe_many(&sample)?;
        assert!(answers.iter().all(|answer| answer.exact().is_some()), "{spec}");
    }
    Ok(())
}

#[test]
fn without_values_nothing_is_drawn() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let solved = game.solve(Method::Forward, &Options::default())?;
    let error = solved.values().draw(&PositionFilter::default(), 1).unwrap_err();
    assert!(matches!(error, Error::NoValues), "{error}");
    assert!(matches!(solved.values().sample(3, 1), Err(Error::NoValues)));
    Ok(())
}
