//! An erased game is the same game.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use hindsight_core::{Game, Notation, PackedGame};
use hindsight_games::{
    AnyGame, AnyMove, Error, LayerRows, Method, Options, Position, SolveOutcome, SolvedGame,
    StartDistances, Tablebase, Values, ValuesReader,
};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::graph;

const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "dodgem:4x4",
    "onitama:3x3:boar",
    "onitama:5x5:boar,ox,crab,horse,tiger",
    "quoridor:3x3:1",
    "ostle:3x3:2:1",
];

/// Plies of the games that are played.
const PLIES: usize = 30;

/// Plays a game by its rules and as an erased game, and compares all that they say.
fn check_same_game(rules: &PackedGame, game: &AnyGame) -> Result<(), Error> {
    assert_eq!(game.spec(), rules.spec());
    assert_eq!(game.player_names(), rules.player_names());
    let (mut packed, mut erased) = (rules.start(), game.start());
    for ply in 0..PLIES {
        assert_eq!(game.format(&erased)?, rules.format(packed));
        assert_eq!(game.parse(&rules.format(packed))?, erased);
        assert_eq!(game.diagram(&erased)?, rules.diagram(packed));
        assert_eq!(game.player_to_move(&erased)?, rules.player_to_move(packed));
        assert_eq!(game.outcome(&erased)?, rules.terminal(packed));
        assert_eq!(game.canonical(&erased)?, erased, "no symmetry is used");
        let mut moves = Vec::new();
        rules.moves(packed, &mut moves);
        let erased_moves = game.moves(&erased)?;
        assert_eq!(erased_moves.len(), moves.len());
        let successors = game.successors(&erased)?;
        for ((&mv, erased_mv), successor) in moves.iter().zip(&erased_moves).zip(&successors) {
            let text = rules.format_move(packed, mv);
            assert_eq!(game.format_move(&erased, erased_mv)?, text);
            assert_eq!(&game.parse_move(&erased, &text)?, erased_mv);
            assert_eq!(&game.play(&erased, erased_mv)?, successor);
            assert_eq!(game.format(successor)?, rules.format(rules.play(packed, mv)));
        }
        let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else {
            break;
        };
        erased = successors[ply * 7 % moves.len()];
        packed = rules.play(packed, mv);
    }
    Ok(())
}

#[test]
fn an_erased_game_says_what_its_rules_say() -> Result<(), Error> {
    for spec in GAMES {
        let game = hindsight_games::game(spec)?;
        check_same_game(&by_name(spec, &Setup::default()).expect("a game"), &game)?;
    }
    Ok(())
}

/// Compares an erased solve with one by the solver itself.
fn check_same_solve(rules: &PackedGame, solved: &SolvedGame) -> Result<(), Error> {
    let limits = hindsight_engine::Limits::default();
    let graph = graph::solve(rules, limits, &mut hindsight_engine::NoMonitor)?;
    assert_eq!(solved.summary(), graph.summary());
    assert_eq!(solved.histogram(), Some(graph.histogram()));
    let game = solved.values().game();
    for (number, position) in graph.positions().enumerate().step_by(997) {
        let position = game.parse(&rules.format(position))?;
        let answer = solved.probe(&position)?;
        assert_eq!(answer.exact(), Some(graph.value(number)));
        let best = solved.rated_moves(&position)?.into_iter().next();
        assert!(best.is_none_or(|best| best.value == answer));
    }
    Ok(())
}

#[test]
fn an_erased_solve_has_the_values_of_its_solver() -> Result<(), Error> {
    for spec in ["tic-tac-toe", "dodgem:3x3", "onitama:3x3:boar", "quoridor:3x3:1", "ostle:3x3:2:1"]
    {
        let solved = hindsight_games::game(spec)?.solve(Method::Reachable, &Options::default())?;
        check_same_solve(&by_name(spec, &Setup::default()).expect("a game"), &solved)?;
    }
    Ok(())
}

#[test]
fn a_solve_from_a_position_reaches_what_follows_it() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let position = game.parse("xx./oo./...")?;
    let solved = game.solve_from(&position, &Options::default())?;
    assert_eq!(solved.start_value().to_string(), "win in 1 ply");
    assert_eq!(solved.probe(&game.start())?.to_string(), "unknown");
    let error = solved.line(&game.start()).unwrap_err();
    assert_eq!(error.to_string(), "the value of .../.../... is not known");
    let over = game.parse("xxx/oo./...")?;
    let solved = game.solve_from(&over, &Options::default())?;
    assert_eq!(solved.probe(&over)?.to_string(), "loss in 0 plies");
    assert_eq!(solved.rated_moves(&over)?, []);
    assert_eq!(solved.line(&over)?.plies.len(), 0);
    Ok(())
}

#[test]
fn moves_of_unknown_value_come_last() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let solved = game.solve_from(&game.parse("x../.../...")?, &Options::default())?;
    let rated = solved.rated_moves(&game.start())?;
    let texts: Vec<String> = rated.iter().map(|rated| rated.value.to_string()).collect();
    assert_eq!(texts[0], "draw");
    assert!(texts[1..].iter().all(|text| text == "unknown"), "{texts:?}");
    Ok(())
}

#[test]
fn positions_and_moves_are_values() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let start = game.start();
    let mut ends = HashSet::new();
    for mv in game.moves(&start)? {
        for reply in game.moves(&game.play(&start, &mv)?)? {
            let next = game.play(&start, &mv)?;
            ends.insert(game.play(&next, &reply)?);
        }
    }
    assert_eq!(ends.len(), 72);
    let again = hindsight_games::game("TIC-TAC-TOE")?;
    let hasher = RandomState::new();
    assert_eq!(start, again.start());
    assert_eq!(hasher.hash_one(start), hasher.hash_one(again.start()));
    let moves = [&game, &again].map(|game| game.moves(&start).expect("moves"));
    assert_eq!(moves[0], moves[1]);
    assert_eq!(hasher.hash_one(moves[0][3]), hasher.hash_one(moves[1][3]));
    assert_ne!(moves[0][3], moves[1][4]);
    Ok(())
}

#[test]
fn all_can_be_sent_to_other_threads() {
    fn is_shared<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}
    is_shared::<AnyGame>();
    is_shared::<Position>();
    is_shared::<AnyMove>();
    is_shared::<SolvedGame>();
    is_shared::<Tablebase>();
    is_shared::<Options>();
    is_shared::<Values>();
    is_shared::<StartDistances>();
    fn is_sent<T: Send + 'static>() {}
    is_sent::<LayerRows>();
    is_sent::<ValuesReader<'static>>();
    is_sent::<SolveOutcome>();
    is_sent::<Error>();
}
