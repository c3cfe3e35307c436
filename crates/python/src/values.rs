//! Values of positions, of a solve or a table.

use hindsight_answers::{LineAnswer, PuzzlesAnswer};
use hindsight_games::{
    Answer, Error, Options, Position, PositionFilter, PuzzleChoice, PuzzleCriteria, PuzzleSearch,
    PuzzleTheme, Uniqueness, Value, Wdl,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use rayon::prelude::*;

use crate::errors::{OrRaise, exception_of, named};
use crate::foreign::catch_rules;
use crate::game::wdl_number;
use crate::reading::{read_here, read_in_parts};
use crate::typed_text::TypedText;
use crate::watch::watched;

/// Value as `(wdl, plies)`.
pub(crate) type ValuePair = (i8, Option<u16>);

/// Move, its value, and the position after it.
type RatedMoveTuple = (String, Option<ValuePair>, String);

/// Results and plies of some positions.
pub(crate) type ValueArrays<'py> = (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<u16>>);

/// Plies in arrays where there are none or they are not known.
const NO_PLIES: u16 = u16::MAX;
/// Result in arrays where it is not known.
const UNKNOWN: i8 = i8::MIN;

/// Values of positions.
#[pyclass(frozen)]
pub(crate) struct Values {
    pub(crate) values: hindsight_games::Values,
    /// True for those of a table on a web server.
    pub(crate) is_on_server: bool,
}

/// Returns a value as a pair, or `None` if it is not known.
pub(crate) fn pair(answer: Answer) -> Option<ValuePair> {
    let plies = answer.exact().and_then(Value::remoteness);
    Some((wdl_number(answer.wdl()?), plies))
}

#[pymethods]
impl Values {
    /// Returns the value of a position.
    fn probe(&self, py: Python<'_>, position: TypedText) -> PyResult<Option<ValuePair>> {
        let answer = self.on(py, &position, |position| self.values.probe(position));
        answer.map(pair)
    }

    /// Returns the position in its normal form, its value and its moves, best first.
    fn probe_with_moves(
        &self,
        py: Python<'_>,
        position: TypedText,
    ) -> PyResult<(String, Option<ValuePair>, Vec<RatedMoveTuple>)> {
        self.on(py, &position, |position| {
            let game = self.values.game();
            let mut moves = Vec::new();
            for rated in self.values.rated_moves(position)? {
                let text = game.format_move(position, &rated.mv)?;
                moves.push((text, pair(rated.value), game.format(&rated.next)?));
            }
            Ok((game.format(position)?, pair(self.values.probe(position)?), moves))
        })
    }

    /// Returns a best line as the JSON of `hindsight line`.
    fn line(&self, py: Python<'_>, position: TypedText) -> PyResult<String> {
        self.on(py, &position, |position| {
            let line = self.values.line(position)?;
            let game = self.values.game();
            let value = self.values.probe(position)?.exact();
            let value = value.ok_or(Error::Inconsistent)?;
            let answer = LineAnswer::new(game, position, value, &line)?;
            Ok(serde_json::to_string(&answer).expect("texts and numbers"))
        })
    }

    /// Returns the values of positions as arrays. With `mask`, a text that is no position has an
    /// unknown value.
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<TypedText>,
        mask: bool,
    ) -> PyResult<ValueArrays<'py>> {
        prepare_arrays(py)?;
        let answers =
            read_in_parts(py, self.is_on_server, &positions, |texts| self.answers(texts, mask));
        value_arrays(py, &answers?)
    }

    /// Returns different positions of wanted values drawn at random.
    fn sample_where(
        &self,
        py: Python<'_>,
        count: usize,
        seed: u64,
        wdl: Option<i8>,
        min_plies: u16,
        max_plies: u16,
    ) -> PyResult<Vec<String>> {
        let plies = min_plies..=max_plies;
        let is_wanted = |value: Value| {
            let has_plies = value.remoteness().map(|remoteness| plies.contains(&remoteness));
            wdl.is_none_or(|wdl| wdl == wdl_number(value.wdl()))
                && has_plies.unwrap_or(min_plies == 0 && max_plies == NO_PLIES)
        };
        let game = self.values.game();
        let sample = watched(py, None, None, |watch| {
            let sample = self.values.sample_where(count, seed, &is_wanted, &watch.options(None))?;
            let texts = sample.par_iter().map(|position| game.format(position));
            texts.collect::<Result<_, Error>>()
        })?;
        sample.or_raise(py)
    }

    /// Returns the proof of a value as JSON: positions with their moves.
    fn proof(
        &self,
        py: Python<'_>,
        position: TypedText,
        all_replies: bool,
        max_positions: usize,
    ) -> PyResult<String> {
        let proof = watched(py, None, None, |_| {
            let position = self.values.game().parse(&position)?;
            self.values.proof(&position, all_replies, max_positions)
        })?;
        let proof = proof.or_raise(py)?;
        Ok(serde_json::to_string(&proof).expect("texts and numbers"))
    }

    /// Returns puzzles as the JSON of `hindsight puzzles`, among positions drawn at random.
    #[expect(clippy::too_many_arguments, reason = "the options of a search")]
    fn puzzles(
        &self,
        py: Python<'_>,
        theme: Option<TypedText>,
        unique: TypedText,
        choice: &str,
        count: usize,
        min_plies: u16,
        max_plies: u16,
        sample: usize,
        seed: u64,
        seconds: Option<f64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        let search = PuzzleSearch {
            criteria: PuzzleCriteria {
                unique: named(&unique, &Uniqueness::ALL.map(|kind| (kind.name(), kind)))?,
                theme: theme
                    .map(|theme| named(&theme, &PuzzleTheme::ALL.map(|kind| (kind.name(), kind))))
                    .transpose()?,
                plies: min_plies..=max_plies,
            },
            choice: named(choice, &PuzzleChoice::ALL.map(|way| (way.name(), way)))?,
            count,
            sample: Some(sample),
            seed,
        };
        let found = watched(py, None, progress.as_ref(), |watch| {
            let options = Options { seconds, ..watch.options(None) };
            let found = self.values.puzzles(&search, &options)?;
            PuzzlesAnswer::of_sample(self.values.game(), &search, &found)
        })?;
        let found = found.or_raise(py)?;
        Ok(serde_json::to_string(&found).expect("texts and numbers"))
    }

    /// Returns a position of a wanted value, or `None` if there is none.
    fn draw(
        &self,
        py: Python<'_>,
        wdl: Option<i8>,
        plies: Option<u16>,
        layer: Option<u32>,
        seed: u64,
    ) -> PyResult<Option<String>> {
        let wanted = PositionFilter { wdl: wdl.map(wdl_of), remoteness: plies, layer };
        let drawn = watched(py, None, None, |_| self.values.draw(&wanted, seed))?.or_raise(py)?;
        let game = self.values.game();
        let text = catch_rules(py, || drawn.map(|position| game.format(&position)))?;
        text.transpose().map_err(|error| exception_of(py, &error))
    }
}

impl Values {
    /// Reads a position and applies a function to it, which may read values.
    fn on<T: Send>(
        &self,
        py: Python<'_>,
        position: &str,
        apply: impl FnOnce(&Position) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let position = catch_rules(py, || self.values.game().parse(position))?.or_raise(py)?;
        read_here(py, self.is_on_server, || apply(&position))?.or_raise(py)
    }

    /// Returns the values of some positions; with `mask`, unknown ones for other texts.
    fn answers(&self, texts: &[TypedText], mask: bool) -> Result<Vec<Answer>, Error> {
        let game = self.values.game();
        let parsed: Vec<_> = texts.par_iter().map(|text| game.parse(text)).collect();
        if !mask {
            return self.values.probe_many(&parsed.into_iter().collect::<Result<Vec<_>, _>>()?);
        }
        let known: Vec<_> = parsed.iter().flatten().cloned().collect();
        let mut answers = self.values.probe_many(&known)?.into_iter();
        let answer = |parsed: &Result<_, _>| match parsed {
            Ok(_) => answers.next().expect("an answer for each position"),
            Err(_) => Answer::Unknown,
        };
        Ok(parsed.iter().map(answer).collect())
    }
}

/// Returns the result of a number: a win for a positive one.
fn wdl_of(number: i8) -> Wdl {
    match number {
        1.. => Wdl::Win,
        0 => Wdl::Draw,
        _ => Wdl::Loss,
    }
}

/// Returns the results and the plies of some values.
pub(crate) fn value_arrays<'py>(py: Python<'py>, answers: &[Answer]) -> PyResult<ValueArrays<'py>> {
    prepare_arrays(py)?;
    let pair = |answer: &Answer| {
        let plies = answer.exact().and_then(Value::remoteness);
        let wdl = answer.wdl().map_or(UNKNOWN, wdl_number);
        (wdl, plies.unwrap_or(NO_PLIES))
    };
    let (wdl, plies): (Vec<_>, Vec<_>) = answers.iter().map(pair).unzip();
    Ok((wdl.into_pyarray(py), plies.into_pyarray(py)))
}

/// Loads NumPy, whose absence or a signal meanwhile would be a panic when an array is made.
pub(crate) fn prepare_arrays(py: Python<'_>) -> PyResult<()> {
    static LOADED: PyOnceLock<()> = PyOnceLock::new();
    let load = || {
        py.check_signals()?;
        py.import("numpy").map(|_| ())
    };
    LOADED.get_or_try_init(py, load).map(|_| ())
}
