//! Analyses of positions.

use std::path::PathBuf;

use hindsight_answers::AnalysisAnswer;
use hindsight_games::{AnalysisCache, AnalysisStore, Options};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::foreign::catch_rules;
use crate::game::Game;
use crate::typed_text::TypedText;
use crate::watch::watched;

/// Analyses a position; returns the JSON of `hindsight analyse`. `cache` is a folder.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the options of an analysis")]
pub(crate) fn analyse(
    py: Python<'_>,
    game: &Game,
    position: TypedText,
    seconds: Option<f64>,
    memory: Option<u64>,
    threads: Option<usize>,
    cache: Option<PathBuf>,
    every_move: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let game = &game.game;
    let position = catch_rules(py, || game.parse(&position))?.or_raise(py)?;
    let cache = cache.map(AnalysisCache::open).transpose().or_raise(py)?;
    let cache = cache.as_ref().map(|cache| cache as &dyn AnalysisStore);
    let analysis = watched(py, threads, progress.as_ref(), |watch| {
        let options = Options { seconds, every_move, ..watch.options(memory) };
        let analysis = game.analyse(&position, &options, cache)?;
        AnalysisAnswer::new(game, &analysis)
    })?;
    let analysis = analysis.or_raise(py)?;
    Ok(serde_json::to_string(&analysis).expect("texts and numbers"))
}
