//! Laws of analyses, of every game and of random positions.

use hindsight_games::{
    Answer, AnyAnalysis, AnyGame, Error, GAMES, Method, Options, Position, Symmetry, Value, Wdl,
    game_with_symmetry,
};
use hindsight_play::SeededRandom;

/// Games beside the examples of the list: some whose positions are not proved at once.
const MORE: [&str; 4] =
    ["onitama:5x5:tiger,crab,monkey,crane,dragon", "quoridor:9x9:10", "four:6x5", "quixo:3x3"];

fn analysis(game: &AnyGame, position: &Position, seconds: f64) -> Result<AnyAnalysis, Error> {
    let options = Options { memory: Some(1 << 27), seconds: Some(seconds), ..Options::default() };
    game.analyse(position, &options, None)
}

/// Proved value of a position or a move.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Claim {
    answer: Answer,
    bound: Option<u16>,
}

impl Claim {
    fn new(answer: Answer, bound: Option<u16>) -> Self {
        Self { answer, bound }
    }

    /// Returns the plies, or the most that there may be.
    fn most_plies(self) -> Option<u16> {
        let exact = self.answer.exact().and_then(Value::remoteness);
        exact.or(self.bound)
    }
}

fn root_of(analysis: &AnyAnalysis) -> Claim {
    Claim::new(analysis.answer, analysis.bound)
}

/// Checks that a later piece of knowledge has all of an earlier one.
fn check_kept(earlier: Claim, later: Claim, place: &str) {
    match earlier.answer {
        Answer::Unknown => {}
        Answer::Exact(_) => assert_eq!(earlier, later, "{place}"),
        Answer::Wdl(wdl) => {
            assert_eq!(Some(wdl), later.answer.wdl(), "{place}");
            assert!(later.most_plies() <= earlier.most_plies(), "{place}: {later:?}");
        }
    }
}

/// Checks that a proved value has a move, a line and a bound.
fn check_claim(game: &AnyGame, found: &AnyAnalysis, place: &str) -> Result<(), Error> {
    let root = root_of(found);
    let moves = found.moves.iter();
    let moves: Vec<Claim> = moves.map(|mv| Claim::new(mv.answer, mv.bound)).collect();
    for claim in moves.iter().chain([&root]) {
        let is_decided = matches!(claim.answer.wdl(), Some(Wdl::Win | Wdl::Loss));
        assert!(!is_decided || claim.most_plies().is_some(), "{place}: {claim:?}");
    }
    match root.answer.wdl() {
        None => assert_ne!(moves[0].answer.wdl(), Some(Wdl::Win), "{place}"),
        Some(wdl) => assert_eq!(moves[0].answer.wdl(), Some(wdl), "{place}"),
    }
    if root.answer.wdl() == Some(Wdl::Win) {
        assert_eq!(root.most_plies(), moves[0].most_plies(), "{place}");
    }
    for (index, a) in found.moves.iter().enumerate() {
        let to = game.canonical(&a.to)?;
        for b in &found.moves[index + 1..] {
            if game.canonical(&b.to)? == to {
                let [a, b] = [a, b].map(|mv| (mv.answer, mv.bound, mv.estimate));
                assert_eq!(a, b, "{place}");
            }
        }
    }
    Ok(())
}

#[test]
fn more_time_never_knows_less_and_a_proof_has_a_move_and_a_bound() -> Result<(), Error> {
    let mut random = SeededRandom::new(&[7]);
    let examples = GAMES.iter().map(|game| game.example);
    for spec in examples.chain(MORE) {
        let game = game_with_symmetry(spec, Symmetry::All)?;
        for plies in [7, 30] {
            let position = game.random_position(plies, &mut random);
            let place = format!("{spec} {}", game.format(&position)?);
            let mut last: Option<AnyAnalysis> = None;
            for seconds in [0.03, 0.002, 0.06] {
                let found = analysis(&game, &position, seconds)?;
                check_claim(&game, &found, &place)?;
                if let Some(last) = last {
                    check_kept(root_of(&last), root_of(&found), &place);
                    for earlier in &last.moves {
                        let later = found.moves.iter().find(|later| later.mv == earlier.mv);
                        let later = later.expect("the same moves");
                        let [earlier, later] =
                            [earlier, later].map(|mv| Claim::new(mv.answer, mv.bound));
                        check_kept(earlier, later, &place);
                    }
                }
                last = Some(found);
            }
            let last = last.expect("an analysis");
            for image in game.images(&position)?.iter().take(2) {
                let found = analysis(&game, image, 0.0005)?;
                let place = format!("{place}, image {}", game.format(image)?);
                check_kept(root_of(&last), root_of(&found), &place);
            }
        }
    }
    Ok(())
}

/// Null-window search gives all moves, not the best alone, and a line to the end.
#[test]
fn analyses_of_four_in_a_row_have_the_values_of_its_graph() -> Result<(), Error> {
    let game = hindsight_games::game("four:4x4")?;
    let solved = game.solve(Method::Reachable, &Options::default())?;
    let mut random = SeededRandom::new(&[9]);
    for plies in [0, 1, 4, 7] {
        let position = game.random_position(plies, &mut random);
        let found = analysis(&game, &position, 60.0)?;
        let value = solved.reached_value(&position)?.map(Answer::Exact);
        assert_eq!(Some(found.answer), value, "{}", game.format(&position)?);
        for mv in &found.moves {
            let after = solved.reached_value(&mv.to)?.map(|value| Answer::Exact(value.before()));
            assert_eq!(Some(mv.answer), after, "{}", game.format(&mv.to)?);
        }
        let plies = found.answer.exact().and_then(Value::remoteness);
        assert!(plies.is_none_or(|plies| found.moves[0].line.len() == usize::from(plies)));
    }
    Ok(())
}
