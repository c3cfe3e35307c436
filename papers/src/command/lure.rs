//! The study of lures: its options, and the games that it plays.

use crate::lure::{self, LureOptions};
use anyhow::{Result, anyhow, bail};
use hindsight_games::AgentSpec;

use super::games::StudyGames;
use super::settings::StudySettings;
use hindsight_cli::studies::{
    Context, NamedAgent, ResumableStudyArgs, SolveWish, StudyAnswer, StudyArgs, StudyLabel,
    StudyOutcome, ValuesSource, game_and_values,
};

/// Reads the options of the study, and solves its game.
pub(super) fn parse(args: &StudyArgs, context: &Context) -> Result<LureOptions> {
    let named = args.resumable.opponents.iter().map(String::as_str);
    let mut opponents = named.map(parse_opponent).collect::<Result<Vec<_>>>()?;
    if opponents.is_empty() {
        let all = LureOptions::OPPONENTS.map(parse_opponent);
        opponents = all.into_iter().collect::<Result<_>>()?;
    }
    let mut distinct = Vec::new();
    opponents.retain(|opponent| {
        let is_new = !distinct.contains(opponent);
        distinct.extend(is_new.then_some(*opponent));
        is_new
    });
    let table = match &args.solved[..] {
        [] => None,
        [table] => Some(table.as_path()),
        _ => bail!("lure is of one game: give --solved once"),
    };
    let default = table.is_none().then_some(LureOptions::GAME);
    let source =
        ValuesSource { spec: args.game.as_deref().or(default), table, solve: SolveWish::Always };
    let (_, values) = game_and_values(source, context)?;
    let values = values.expect("a game that is solved has values");
    if let Some(fault) = LureOptions::fault_of(&values)? {
        bail!(fault);
    }
    Ok(LureOptions {
        values,
        opponents,
        games: args.resumable.number.unwrap_or(LureOptions::GAMES),
        seed: args.resumable.seed.unwrap_or(1),
        memory_bytes: context.limits().memory / rayon::current_num_threads().max(1) as u64,
    })
}

/// Reads an opponent, which is no program and sees no values.
fn parse_opponent(text: &str) -> Result<AgentSpec> {
    let agent = NamedAgent::parse(text).map_err(|error| anyhow!("--opponent: {error}"))?;
    match agent.spec() {
        Some(spec) if !spec.needs_values() => Ok(spec),
        Some(spec) => bail!("--opponent: an opponent sees no values, and {spec} plays by them"),
        None => bail!("--opponent: a program is no opponent of this study, but of `match`"),
    }
}

fn settings(options: &LureOptions) -> StudySettings {
    let opponents = options.opponents.iter();
    let opponents = opponents.map(|opponent| format!("--opponent {opponent}"));
    let settings = [format!("-n {}", options.games)];
    StudySettings(settings.into_iter().chain(opponents).collect())
}

/// Plays the games and writes the report.
///
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &LureOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<StudyOutcome> {
    let label = StudyLabel::new("lure", options.seed, None);
    let label = label.of_game(options.values.game().spec());
    let games = StudyGames::open(args, &label, settings(options), context.quiet)?;
    let results =
        games.run("games", context, |store, on_progress| lure::run(options, store, on_progress));
    let report = results.report;
    let written = games.finish(results.failure, |folder| folder.write("report.csv", &report.csv()));
    Ok(StudyOutcome { answer: StudyAnswer::Whole(report), written })
}
