//! The command `review`: a played game move by move, with what each move gave away.

mod curve;
mod picture;
mod report;
mod source;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use hindsight_answers::ReviewAnswer;
use hindsight_games::{AnalysisStore, AnyGame, GameReview, Options, SolverError, Symmetry, Values};
use hindsight_play::GameRecord;

use crate::args::{ReviewArgs, SearchArgs};
use crate::cache::open_cache;
use crate::context::Context;
use crate::inputs::kept_game::ReplayedGame;
use crate::output::{NamedFile, check_distinct, print_json, print_text, refuse_stdout};
use crate::process::signals::stopped;
use crate::shown::picture_format::PictureFormat;
use crate::shown::progress::ProgressDisplay;
use crate::tables;
use crate::tables::plot::PlotOutput;
use curve::ValueCurve;
use source::GameSource;

pub(crate) fn run(args: &ReviewArgs, context: &Context) -> Result<()> {
    let source = source::read(args)?;
    let picture = open_picture(args, context)?;
    let (game, table) = game_of(&source, args)?;
    let (record, played) = source.replay(game)?;
    if picture.is_some() && played.moves.is_empty() {
        bail!("nothing to draw: the game has no moves");
    }
    let reviewed = ReviewedGame::new(&record, &played, table.as_ref(), &args.search, context)?;
    if context.json {
        print_json(&reviewed.answer)?;
    } else {
        reviewed.print()?;
    }
    if let Some(picture) = picture {
        picture::draw(picture, &reviewed.curve)?;
    }
    if stopped() { Err(SolverError::Stopped.into()) } else { Ok(()) }
}

/// A game with what each of its moves gave away.
pub(crate) struct ReviewedGame {
    pub(crate) answer: ReviewAnswer,
    review: GameReview,
    curve: ValueCurve,
}

impl ReviewedGame {
    /// Reviews a game by known values, or as far as the time of the search allows.
    pub(crate) fn new(
        record: &GameRecord,
        played: &ReplayedGame,
        values: Option<&Values>,
        search: &SearchArgs,
        context: &Context,
    ) -> Result<Self> {
        let begin = Instant::now();
        let review = review(played, values, search, context)?;
        let seconds = begin.elapsed().as_secs_f64();
        let answer = report::answer(record, played, &review, seconds)?;
        let curve = ValueCurve::new(&played.game, &review, report::headings(&answer))?;
        Ok(Self { answer, review, curve })
    }

    /// Prints the moves, the graph and the counts of the players.
    pub(crate) fn print(&self) -> Result<()> {
        print_text(&report::moves_text(&self.answer, &self.review))?;
        picture::print(&self.curve)?;
        print_text(&self.curve.estimates_text().unwrap_or_default())?;
        print_text(&report::summary_text(&self.answer))
    }
}

/// Opens the file of the picture, which is drawn at the end.
fn open_picture(args: &ReviewArgs, context: &Context) -> Result<Option<PlotOutput>> {
    let Some(file) = &args.svg else {
        return Ok(None);
    };
    refuse_stdout("--svg", Some(file))?;
    let game = args.spec.as_ref().filter(|_| args.moves.is_none()).map(PathBuf::from);
    let inputs = [
        NamedFile::optional("the game", game.as_ref()),
        NamedFile::optional("the table", args.table.as_ref()),
    ];
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    check_distinct(&inputs, &[NamedFile::new("--svg", file)])?;
    if PictureFormat::of_ending(file).is_none() {
        bail!("'{}' ends like no picture; end it in .svg or .png", file.display());
    }
    PlotOutput::open(file, context.force).map(Some)
}

/// Returns the game, and the values of the table if one is named.
fn game_of(source: &GameSource, args: &ReviewArgs) -> Result<(AnyGame, Option<Values>)> {
    let named = source.game()?;
    let Some(path) = &args.table else {
        let game = hindsight_games::game_with_symmetry(named.spec(), Symmetry::All);
        return Ok((game?, None));
    };
    let table = tables::open(path)?;
    if !table.game().has_rules_of(&named) {
        let (spec, named) = (table.game().spec(), named.spec());
        bail!("'{}' is a table of {spec}, and the game is of {named}", path.display());
    }
    let table = table.with_names_of(&named)?;
    Ok((table.game().clone(), Some(table.values().clone())))
}

/// Reviews a game by a table, or as far as the time allows.
fn review(
    played: &ReplayedGame,
    table: Option<&Values>,
    search: &SearchArgs,
    context: &Context,
) -> Result<GameReview> {
    let start = &played.positions[0];
    if let Some(values) = table {
        return Ok(values.review(start, &played.moves)?);
    }
    let cache = open_cache(search.cache.as_deref(), context)?;
    let cache = cache.as_ref().map(|cache| cache as &dyn AnalysisStore);
    let memory = context.with_tables_of(played.game.rules()).rest_for_analysis()?;
    context.run_with(ProgressDisplay::new(context.quiet), |options| {
        let options =
            Options { memory: Some(memory), seconds: Some(search.seconds), ..options.clone() };
        played.game.review(start, &played.moves, &options, cache)
    })
}
