//! Analyses positions whose values a table knows: `held_out SPEC TABLE COUNT SECONDS [SEED]`.
//!
//! The positions are those of random play in the game of the table, read by the game of SPEC, which
//! may be larger. Prints the number of positions that were proved, and each fault. `-` for the
//! table compares with nothing.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use hindsight_core::Random;
use hindsight_games::{AnalysisCache, Answer, AnyGame, Error, Options, Position, Values};
use hindsight_play::SeededRandom;

/// Most plies of random play.
const MAX_PLIES: usize = 200;

/// Returns a position of random play that is not over.
fn random_position(game: &AnyGame, random: &mut SeededRandom) -> Result<Position, Error> {
    let mut line = vec![game.start()];
    while line.len() < MAX_PLIES {
        let last = line.last().expect("it begins with the start");
        let next = game.successors(last)?;
        if next.is_empty() {
            line.pop();
            break;
        }
        line.push(next[random.below(next.len() as u32) as usize]);
    }
    Ok(line.swap_remove(random.below(line.len() as u32) as usize))
}

/// Checks an answer against the value; returns a fault.
fn fault(answer: Answer, bound: Option<u16>, truth: Answer) -> Option<String> {
    let is_wrong = match answer {
        Answer::Unknown => false,
        Answer::Exact(_) => answer != truth,
        Answer::Wdl(_) => {
            let plies = truth.exact().and_then(hindsight_games::Value::remoteness);
            let is_longer = bound.zip(plies).is_some_and(|(bound, plies)| bound < plies);
            answer.wdl() != truth.wdl() || is_longer
        }
    };
    is_wrong.then(|| format!("{answer} within {bound:?}, by the table {truth}"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [spec, table, count, seconds] = [0, 1, 2, 3].map(|i| args.get(i).ok_or("four arguments"));
    let (spec, table) = (spec?, table?);
    let (count, seconds): (u32, f64) = (count?.parse()?, seconds?.parse()?);
    let seed = args.get(4).map_or(Ok(1), |seed| seed.parse())?;
    let game = hindsight_games::game_with_symmetry(spec, hindsight_games::Symmetry::All)?;
    let table = match table.as_str() {
        "-" => None,
        path => Some(hindsight_games::open(path)?),
    };
    let known: Option<&Values> = table.as_ref().map(hindsight_games::Tablebase::values);
    let drawn_from = table.as_ref().map_or(&game, |table| table.game());
    let cache = AnalysisCache::default_folder().ok_or("a folder for the cache")?;
    let cache = AnalysisCache::open(cache)?;
    let options = Options { seconds: Some(seconds), ..Options::default() };
    let mut random = SeededRandom::new(&[seed]);
    let ([mut proved, mut exact], mut faults) = ([0; 2], 0);
    let begin = Instant::now();
    for number in 0..count {
        let position = random_position(drawn_from, &mut random)?;
        let text = drawn_from.format(&position)?;
        let here = game.parse(&text)?;
        let analysis = game.analyse(&here, &options, Some(&cache))?;
        proved += u32::from(analysis.answer != Answer::Unknown);
        exact += u32::from(analysis.is_exact());
        let mut found = Vec::new();
        if let Some(known) = known {
            found.extend(fault(analysis.answer, analysis.bound, known.probe(&position)?));
            for mv in &analysis.moves {
                let to = drawn_from.parse(&game.format(&mv.to)?)?;
                let truth = known.probe(&to)?.before();
                found.extend(fault(mv.answer, mv.bound, truth));
            }
        }
        faults += found.len();
        let sources: Vec<String> = analysis.sources.iter().map(ToString::to_string).collect();
        println!(
            "{number}: {text}: {} in {:.2} s; {} {}",
            analysis.answer,
            analysis.elapsed.as_secs_f64(),
            sources.join(", "),
            found.join("; ")
        );
    }
    println!(
        "{count} positions: {proved} proved, {exact} with their plies, {faults} wrong, \
         {:.2} s each",
        begin.elapsed().as_secs_f64() / f64::from(count)
    );
    Ok(())
}
