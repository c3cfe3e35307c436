//! Proofs of earlier analyses: more time never knows less.

use std::fs;

use hindsight_games::{
    AnalysisCache, AnalysisStore, Answer, AnyAnalysis, AnyGame, Error, Options, Value,
};

const REAL_GAME: &str = "onitama:5x5:tiger,crab,monkey,crane,dragon";
const WON: &str = "r1R1r/r2r1/5/4B/bb1bb crane,dragon crab,monkey tiger red";
/// The same after a half turn of the board, with the other side to move.
const WON_BY_BLUE: &str = "rr1rr/R4/5/1b2b/b1B1b crab,monkey crane,dragon tiger blue";
const OTHER: &str = "r1R1r/r2r1/5/4B/bb1bb crane,dragon crab,monkey tiger blue";

fn analysis(
    game: &AnyGame,
    position: &str,
    seconds: f64,
    cache: Option<&dyn AnalysisStore>,
) -> Result<AnyAnalysis, Error> {
    let options = Options { memory: Some(1 << 27), seconds: Some(seconds), ..Options::default() };
    game.analyse(&game.parse(position)?, &options, cache)
}

/// Analyses for longer and longer until the win is proved with its plies.
fn proved(game: &AnyGame, cache: Option<&dyn AnalysisStore>) -> Result<AnyAnalysis, Error> {
    let mut last = None;
    for seconds in [0.4, 1.0, 2.0, 4.0, 8.0, 16.0] {
        let found = analysis(game, WON, seconds, cache)?;
        if let Some(Answer::Wdl(_) | Answer::Exact(_)) = last {
            assert_ne!(found.answer, Answer::Unknown, "a longer analysis knows less");
        }
        last = Some(found.answer);
        if found.answer == Answer::Exact(Value::Win(7)) {
            return Ok(found);
        }
    }
    panic!("a win in 7 plies was not found: {last:?}");
}

/// Values of the moves by their order, each with the length of its line.
fn values(analysis: &AnyAnalysis) -> Vec<(Answer, Option<u16>, usize)> {
    let moves = analysis.moves.iter();
    let proved = moves.filter(|found| found.answer != Answer::Unknown);
    let values = proved.map(|found| (found.answer, found.bound, found.line.len()));
    values.collect()
}

/// Returns true if each proved move of an analysis is one of a later analysis, which may know more.
fn knows_as_much(later: &AnyAnalysis, found: &AnyAnalysis) -> bool {
    let known = values(later);
    values(found).iter().all(|value| known.contains(value))
}

#[test]
fn a_game_keeps_what_was_proved() -> Result<(), Error> {
    let game = hindsight_games::game(REAL_GAME)?;
    let found = proved(&game, None)?;
    let best = &found.moves[0];
    assert_eq!((best.answer, best.line.len()), (found.answer, 7));
    // Whoever asks again, of the position or of its image, begins with that.
    for position in [WON, WON_BY_BLUE] {
        let later = analysis(&game, position, 0.001, None)?;
        assert_eq!(later.answer, found.answer, "{position}");
        assert!(knows_as_much(&later, &found), "{position}: {:?}", values(&later));
    }
    let other = hindsight_games::game(REAL_GAME)?;
    assert_eq!(analysis(&other, WON, 0.001, None)?.answer, Answer::Unknown);
    Ok(())
}

#[test]
fn a_cache_keeps_what_was_proved_and_believes_nothing_else() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = AnalysisCache::open(folder.path())?;
    let found = proved(&hindsight_games::game(REAL_GAME)?, Some(&cache))?;
    let fresh = || hindsight_games::game(REAL_GAME);
    let later = analysis(&fresh()?, WON, 0.001, Some(&cache))?;
    assert_eq!(later.answer, found.answer);
    assert!(knows_as_much(&later, &found), "{:?}", values(&later));
    let files = cache.files()?;
    let mut findings = files.iter().filter(|file| file.name.starts_with("findings-"));
    let file = findings.next().expect("kept findings");
    assert!(findings.next().is_none() && file.bytes < 1 << 16, "{files:?}");
    let path = folder.path().join(&file.name);
    let text = fs::read(&path).expect("a file");
    // Findings of another position are not used, though the file has the name of this one's.
    let elsewhere = AnalysisCache::open(folder.path().join("other"))?;
    analysis(&fresh()?, OTHER, 0.5, Some(&elsewhere))?;
    let other = elsewhere.files()?;
    for file in other.iter().filter(|file| file.name.starts_with("findings-")) {
        let text = fs::read(elsewhere.folder().join(&file.name)).expect("a file");
        fs::write(&path, text).expect("a file");
        assert_eq!(analysis(&fresh()?, WON, 0.001, Some(&cache))?.answer, Answer::Unknown);
    }
    for damage in 0..20 {
        let mut bytes = text.clone();
        let place = bytes.len() * damage / 20;
        match damage % 2 {
            0 => bytes[place] ^= 1,
            _ => bytes.truncate(place),
        }
        fs::write(&path, bytes).expect("a file");
        let later = analysis(&fresh()?, WON, 0.001, Some(&cache))?;
        assert_eq!(later.answer, Answer::Unknown, "damage {damage}");
    }
    Ok(())
}
