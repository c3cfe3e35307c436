//! Reviews of random games, compared with the values of all positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use hindsight_games::{
    AnalysisMemory, Answer, AnyGame, AnyMove, Error, GameReview, GivenAway, Method, Options,
    Position, Progress, Random, ReviewSource, ReviewedMove, Value, Values,
};
use hindsight_play::SeededRandom;

/// Plays a game at random: its moves, at most `most_plies`.
fn random_game(game: &AnyGame, seed: u64, most_plies: usize) -> Vec<AnyMove> {
    let mut random = SeededRandom::new(&[seed]);
    let (mut position, mut played) = (game.start(), Vec::new());
    while played.len() < most_plies {
        let moves = game.moves(&position).expect("its own position");
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len() as u32) as usize];
        position = game.play(&position, &mv).expect("a legal move");
        played.push(mv);
    }
    played
}

fn value(values: &Values, position: &Position) -> Value {
    let answer = values.probe(position).expect("values");
    answer.exact().expect("an exact value")
}

/// The slow way: what a move gave away, by the values of the position and of its successors.
fn given_away(before: Value, after: Value) -> GivenAway {
    match (before, after) {
        (Value::Win(_), Value::Draw | Value::Loss(_)) => GivenAway::Win,
        (Value::Draw, Value::Loss(_)) => GivenAway::Draw,
        (Value::Win(n), Value::Win(m)) if m > n => GivenAway::Plies(m - n),
        (Value::Loss(n), Value::Loss(m)) if m < n => GivenAway::Plies(n - m),
        _ => GivenAway::Nothing,
    }
}

/// Checks a review of moves from the start against probes of all positions. Returns the number of
/// moves that gave away a result.
fn check_review(values: &Values, review: &GameReview, moves: &[AnyMove]) -> usize {
    let game = values.game();
    let mut position = game.start();
    assert_eq!(review.plies.len(), moves.len());
    for (index, (ply, mv)) in review.plies.iter().zip(moves).enumerate() {
        let next = game.play(&position, mv).expect("a legal move");
        let (before, after) = (value(values, &position), value(values, &next).before());
        assert_eq!((&ply.position, &ply.mv), (&position, mv));
        assert_eq!(ply.before.answer, Answer::Exact(before));
        assert_eq!(ply.after.answer, Answer::Exact(after));
        assert_eq!((ply.before.bound, ply.before.estimate), (None, None));
        assert_eq!(ply.given_away, Some(given_away(before, after)));
        let by_best = game.play(&position, &ply.best).expect("a legal move");
        assert_eq!(value(values, &by_best).before(), before);
        assert_eq!(ply.best == ply.mv, after == before);
        let mover = game.player_to_move(&position).expect("its own position");
        assert_eq!(review.player(index), mover);
        position = next;
    }
    let players = review.players();
    assert_eq!(players[0].moves + players[1].moves, moves.len() as u64);
    assert_eq!(players[0].unknown + players[1].unknown, 0);
    (players[0].gave_away + players[1].gave_away) as usize
}

fn solved(game: &AnyGame) -> Values {
    let solved = game.solve(Method::Reachable, &Options::default());
    solved.expect("a small game").values().clone()
}

#[test]
fn a_review_has_the_values_of_all_positions() -> Result<(), Error> {
    for spec in ["tic-tac-toe", "onitama:3x3:boar", "onitama:3x4:boar", "ostle:3x3:2:1"] {
        let game = hindsight_games::game(spec)?;
        let values = solved(&game);
        let mut errors = 0;
        for seed in 0..20 {
            let moves = random_game(&game, seed, 60);
            let by_values = values.review(&game.start(), &moves)?;
            assert_eq!(by_values.source, ReviewSource::Table);
            errors += check_review(&values, &by_values, &moves);
            if seed < 4 {
                let review = game.review(&game.start(), &moves, &Options::default(), None)?;
                assert_eq!(review.source, ReviewSource::Solve, "{spec}");
                check_review(&values, &review, &moves);
            }
        }
        assert!(errors > 5, "{spec}: {errors} results given away");
    }
    Ok(())
}

/// Checks what an analysis of each position has proved.
fn check_proved(values: &Values, review: &GameReview) -> usize {
    let game = values.game();
    let mut proved = 0;
    for ply in &review.plies {
        let next = game.play(&ply.position, &ply.mv).expect("a legal move");
        let (before, after) = (value(values, &ply.position), value(values, &next).before());
        for (known, value) in [(&ply.before, before), (&ply.after, after)] {
            let is_proved = known.answer != Answer::Unknown;
            assert!(known.answer.exact().is_none_or(|exact| exact == value));
            assert!(known.answer.wdl().is_none_or(|wdl| wdl == value.wdl()));
            assert!(known.bound.is_none_or(|bound| value.remoteness() <= Some(bound)));
            assert!(!is_proved || known.estimate.is_none());
        }
        let is_only = game.moves(&ply.position).expect("its own").len() == 1;
        if let Some(judged) = ply.given_away {
            assert!(is_only || judged == given_away(before, after));
            proved += 1;
        }
    }
    proved
}

#[test]
fn analyses_one_by_one_prove_nothing_wrong() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:3x4:boar")?;
    let values = solved(&game);
    let mut proved = 0;
    for seed in 0..6 {
        let moves = random_game(&game, seed, 40);
        // No time for a solve of the game.
        let options = Options { seconds: Some(0.004 * moves.len() as f64), ..Options::default() };
        let review = game.review(&game.start(), &moves, &options, None)?;
        let pairs = review.plies.windows(2);
        for pair in pairs.clone() {
            assert_eq!(pair[0].after.answer, pair[1].before.answer.before());
            assert_eq!(pair[0].after.estimate, pair[1].before.estimate.map(|x| -x));
        }
        proved += check_proved(&values, &review);
    }
    assert!(proved > 6, "{proved} moves judged");
    Ok(())
}

#[test]
fn a_stopped_review_has_what_is_known() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:5x5:tiger,crab,monkey,crane,dragon")?;
    let moves = random_game(&game, 1, 12);
    let reports = Arc::new(AtomicU32::new(0));
    let heard = Arc::clone(&reports);
    let options = Options {
        seconds: Some(600.0),
        progress: Some(Arc::new(move |progress: Progress| {
            assert_eq!(progress.phase, "reviewing");
            assert_eq!(progress.total, Some(13));
            heard.fetch_add(1, Ordering::Relaxed) < 3
        })),
        ..Options::default()
    };
    let review = game.review(&game.start(), &moves, &options, None)?;
    assert_eq!((review.plies.len(), review.source), (12, ReviewSource::Analyses));
    assert!(reports.load(Ordering::Relaxed) > 3);
    Ok(())
}

/// Returns options of some seconds, whose listener stops the work after some reports.
fn stopped_after(seconds: f64, reports: u32) -> Options {
    let heard = AtomicU32::new(0);
    Options {
        seconds: Some(seconds),
        memory: Some(1 << 28),
        progress: Some(Arc::new(move |_| heard.fetch_add(1, Ordering::Relaxed) < reports)),
        ..Options::default()
    }
}

#[test]
fn a_review_of_a_long_game_ends_in_time() -> Result<(), Error> {
    let game = hindsight_games::game("quoridor:9x9:10")?;
    let moves = random_game(&game, 1, 400);
    assert!(moves.len() > 100, "{} plies", moves.len());
    for (options, is_stopped) in
        [(stopped_after(1.0, u32::MAX), false), (stopped_after(600.0, 20), true)]
    {
        let started = Instant::now();
        let review = game.review(&game.start(), &moves, &options, None)?;
        let seconds = started.elapsed().as_secs_f64();
        assert!(seconds < 30.0, "{seconds} s");
        assert_eq!(review.plies.len(), moves.len());
        let is_unknown = |ply: &&ReviewedMove<Position, AnyMove>| {
            ply.before.answer == Answer::Unknown && ply.before.estimate.is_none()
        };
        let unknown = review.plies.iter().filter(is_unknown).count();
        assert_eq!(unknown > 0, is_stopped, "{unknown} unknown plies");
        assert!(unknown < moves.len(), "{unknown} unknown plies");
    }
    Ok(())
}

#[test]
#[ignore = "solves a billion positions"]
fn the_positions_of_a_review_share_an_endgame() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:5x5:boar,ox,tiger,crab,eel")?;
    let moves = random_game(&game, 3, 12);
    let memory = Arc::new(AnalysisMemory::new(1 << 30));
    // Proofs take some kilobytes.
    let has_endgame = |memory: &AnalysisMemory| memory.bytes() > 1 << 20;
    let watched = Arc::clone(&memory);
    let progress = Arc::new(move |_| !has_endgame(&watched));
    let options = Options { seconds: Some(200.0), progress: Some(progress), ..Options::default() };
    let review = game.review(&game.start(), &moves, &options, Some(&*memory))?;
    assert_eq!(review.plies.len(), moves.len());
    assert!(has_endgame(&memory), "{} bytes", memory.bytes());
    Ok(())
}

#[test]
fn a_game_without_moves_has_an_empty_review() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let review = game.review(&game.start(), &[], &Options::default(), None)?;
    assert!(review.plies.is_empty());
    let moves = random_game(&game, 1, 1);
    let start = game.play(&game.start(), &moves[0])?;
    let twice = game.review(&start, &moves, &Options::default(), None);
    assert!(matches!(twice, Err(Error::IllegalMove { .. })));
    Ok(())
}

/// Returns true if a player wins at once in a position of which the rules tell the value.
fn is_told_by_rules(game: &AnyGame, position: &Position) -> bool {
    let is_over = |at: &Position| game.outcome(at).expect("its own position").is_some();
    let successors = |at: &Position| game.successors(at).expect("its own position");
    let wins = |at: &Position| {
        let lost =
            |to: &Position| game.outcome(to).expect("its own") == Some(hindsight_games::Wdl::Loss);
        successors(at).iter().any(lost)
    };
    is_over(position) || wins(position) || {
        let all = successors(position);
        all.iter().all(|to| !is_over(to) && wins(to))
    }
}

#[test]
fn what_the_rules_tell_is_known_and_all_else_estimated_however_short_the_time_is()
-> Result<(), Error> {
    let mut told = 0;
    for spec in ["four:7x6", "onitama:5x5:boar,ox,tiger,crab,eel", "quoridor:9x9:10", "ostle"] {
        let game = hindsight_games::game(spec)?;
        for seed in 0..3 {
            let moves = random_game(&game, seed, 40);
            let options =
                Options { memory: Some(1 << 28), seconds: Some(1e-6), ..Options::default() };
            let review = game.review(&game.start(), &moves, &options, None)?;
            assert_eq!(review.source, ReviewSource::Analyses);
            for ply in &review.plies {
                let next = game.play(&ply.position, &ply.mv)?;
                for (position, known) in [(&ply.position, ply.before), (&next, ply.after)] {
                    let is_proved = known.answer != Answer::Unknown;
                    assert_eq!(is_proved, known.estimate.is_none(), "{spec} {known:?}");
                    if is_told_by_rules(&game, position) {
                        told += 1;
                        assert!(known.answer.exact().is_some(), "{spec} {known:?}");
                    }
                }
            }
            let last = review.plies.last().expect("a move");
            let end = game.play(&last.position, &last.mv)?;
            if game.outcome(&end)? == Some(hindsight_games::Wdl::Loss) {
                assert_eq!(last.given_away, Some(GivenAway::Nothing), "{spec}");
            }
        }
    }
    assert!(told > 10, "{told} positions");
    Ok(())
}

#[test]
fn a_stopped_review_has_what_the_rules_tell() -> Result<(), Error> {
    let game = hindsight_games::game("four:7x6")?;
    let (mut moves, mut position) = (Vec::new(), game.start());
    for text in ["d1", "a1", "d2", "a2", "d3", "a3", "d4"] {
        moves.push(game.parse_move(&position, text)?);
        position = game.play(&position, &moves[moves.len() - 1])?;
    }
    let options = Options { progress: Some(Arc::new(|_| false)), ..Options::default() };
    let review = game.review(&game.start(), &moves, &options, None)?;
    let [.., lost, won] = &review.plies[..] else {
        panic!("seven moves");
    };
    assert_eq!(won.before.answer, Answer::Exact(Value::Win(1)));
    assert_eq!(won.given_away, Some(GivenAway::Nothing));
    assert_eq!(lost.after.answer, Answer::Exact(Value::Loss(2)));
    Ok(())
}

/// Games that analyses of real Onitama are measured by.
#[test]
fn games_of_a_strong_level_are_won_by_their_last_move() -> Result<(), Error> {
    let text = include_str!("../../../../golden/onitama_level_7_games.csv");
    let rows = text.lines().skip(2);
    assert_eq!(rows.clone().count(), 20);
    for row in rows {
        let (spec, row) = row.trim_start_matches('"').split_once("\",").expect("a spec");
        let (plies, moves) = row.split_once(',').expect("three columns");
        let game = hindsight_games::game(spec)?;
        let played = game.read_moves(&game.start(), moves, 100)?;
        assert!(played.moves.len() >= 22 && played.moves.len().to_string() == plies, "{spec}");
        let options = Options { seconds: Some(1e-6), ..Options::default() };
        let review = game.review(&game.start(), &played.moves, &options, None)?;
        let last = review.plies.last().expect("a move");
        assert_eq!(last.before.answer, Answer::Exact(Value::Win(1)), "{spec}");
        assert_eq!(last.given_away, Some(GivenAway::Nothing), "{spec}");
    }
    Ok(())
}
