//! Rules of games that a spec names.

use hindsight_draw::Picture;
use hindsight_foreign::catch_faults;
use hindsight_games::{
    AnyGame, Error, GameText, Options, Position, Symmetry, Wdl, game_without_files,
};
use pyo3::prelude::*;

use crate::errors::{OrRaise, exception};
use crate::exit::detached;
use crate::foreign::{catch_rules, exception_of_fault};
use crate::typed_text::TypedText;

/// Rules of a game that a spec names.
#[pyclass(frozen)]
pub(crate) struct Game {
    pub(crate) game: AnyGame,
    symmetry: bool,
}

/// Returns 1, 0 or -1.
pub(crate) fn wdl_number(wdl: Wdl) -> i8 {
    match wdl {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(py: Python<'_>, spec: TypedText, seed: u64, symmetry: bool) -> PyResult<Self> {
        let counted = if symmetry { Symmetry::All } else { Symmetry::None };
        let dealt = hindsight_games::deal(&spec, seed, 0).or_raise(py)?;
        let spec = dealt.as_deref().unwrap_or(&spec);
        let game = hindsight_games::game_with_symmetry(spec, counted);
        let game = game.or_raise(py)?;
        Ok(Self { game, symmetry })
    }

    #[getter]
    fn spec(&self) -> &str {
        self.game.spec()
    }

    #[getter]
    fn symmetry(&self) -> bool {
        self.symmetry
    }

    #[getter]
    fn players(&self) -> [&str; 2] {
        self.game.player_names()
    }

    /// Raises if the positions are too many to be solved without a table.
    fn check_solvable(&self, py: Python<'_>) -> PyResult<()> {
        let checked =
            detached(py, || catch_faults(|| self.game.check_solvable(&Options::default())));
        checked.map_err(|fault| exception_of_fault(py, fault))?.or_raise(py)
    }

    fn start(&self, py: Python<'_>) -> PyResult<String> {
        catch_rules(py, || self.game.format(&self.game.start()))?.or_raise(py)
    }

    /// Returns the position in its normal form.
    fn normal(&self, py: Python<'_>, position: TypedText) -> PyResult<String> {
        self.on(py, &position, |position| self.game.format(position))
    }

    fn moves(&self, py: Python<'_>, position: TypedText) -> PyResult<Vec<String>> {
        self.on(py, &position, |position| {
            let moves = self.game.moves(position)?.into_iter();
            moves.map(|mv| self.game.format_move(position, &mv)).collect()
        })
    }

    fn play(&self, py: Python<'_>, position: TypedText, text: TypedText) -> PyResult<String> {
        self.on(py, &position, |position| {
            let mv = self.game.parse_move(position, &text)?;
            self.game.format(&self.game.play(position, &mv)?)
        })
    }

    /// Returns the player to move, 0 or 1.
    fn player(&self, py: Python<'_>, position: TypedText) -> PyResult<usize> {
        self.on(py, &position, |position| self.game.player_to_move(position))
    }

    /// Returns 1, 0 or -1 for the side to move, or `None` if the game goes on.
    fn result(&self, py: Python<'_>, position: TypedText) -> PyResult<Option<i8>> {
        let outcome = self.on(py, &position, |position| self.game.outcome(position));
        Ok(outcome?.map(wdl_number))
    }

    fn diagram(&self, py: Python<'_>, position: TypedText) -> PyResult<String> {
        self.on(py, &position, |position| self.game.diagram(position))
    }

    fn svg(&self, py: Python<'_>, position: TypedText, last_move: TypedText) -> PyResult<String> {
        Ok(self.picture(py, &position, &last_move)?.svg())
    }

    fn png(
        &self,
        py: Python<'_>,
        position: TypedText,
        last_move: TypedText,
        scale: f32,
    ) -> PyResult<Vec<u8>> {
        let picture = self.picture(py, &position, &last_move)?;
        let png = detached(py, || picture.png(scale));
        png.map_err(|error| exception(py, "SolveError", &error.to_string()))
    }

    #[getter]
    fn default_agent(&self) -> String {
        self.game.default_agent().to_string()
    }
}

impl Game {
    /// Returns a game of rules in Python, with their symmetries.
    pub(crate) fn of_own(game: &AnyGame) -> Self {
        Self { game: game.clone(), symmetry: true }
    }

    /// Returns a game of some values, whose positions are all there.
    pub(crate) fn of_values(game: &AnyGame) -> Self {
        Self { game: game.clone(), symmetry: false }
    }

    /// Reads a position and applies a function to it.
    pub(crate) fn on<T>(
        &self,
        py: Python<'_>,
        position: &str,
        apply: impl FnOnce(&Position) -> Result<T, Error>,
    ) -> PyResult<T> {
        let applied = catch_rules(py, || {
            let position = self.game.parse(position);
            position.and_then(|position| apply(&position))
        });
        applied?.or_raise(py)
    }

    fn picture(&self, py: Python<'_>, position: &str, last_move: &str) -> PyResult<Picture> {
        self.on(py, position, |typed| {
            let drawing = self.game.drawing(typed)?;
            let title = format!("{}, {position}", self.game.spec());
            Ok(hindsight_draw::picture(&drawing, &title, last_move))
        })
    }
}

/// Game, players, moves, positions and result of a text.
type PlayedGame = (Game, [Option<String>; 2], Vec<String>, Vec<String>, Option<String>);

/// Reads a game as people write it: one of a given game, or of that which the text names.
#[pyfunction]
pub(crate) fn read_game(
    py: Python<'_>,
    text: TypedText,
    given: Option<PyRef<'_, Game>>,
) -> PyResult<PlayedGame> {
    let read = GameText::read(&text).or_raise(py)?;
    // A text makes no file be read.
    let named = read.game.as_deref().map(|spec| game_without_files(spec, Symmetry::None));
    let named = named.transpose().or_raise(py)?;
    let Some(game) = given.as_ref().map(|given| given.game.clone()).or_else(|| named.clone())
    else {
        let text = "the text does not name its game: begin it with [Game \"SPEC\"], or say game=..";
        return Err(exception(py, "SpecError", text));
    };
    if let Some(named) = named.filter(|named| !named.has_rules_of(&game)) {
        let text = format!("the text is a game of {}, not of {}", named.spec(), game.spec());
        return Err(exception(py, "SpecError", &text));
    }
    let (moves, positions, result) = catch_rules(py, || {
        let start = read.start.as_deref().map_or_else(|| Ok(game.start()), |text| game.parse(text));
        let played = game.read_moves(&start?, &read.moves, usize::MAX)?;
        let moves = played.moves.iter().zip(&played.positions);
        let moves = moves.map(|(mv, position)| game.format_move(position, mv));
        let positions = played.positions.iter().map(|position| game.format(position));
        let positions = positions.collect::<Result<_, _>>()?;
        Ok((moves.collect::<Result<_, _>>()?, positions, played.result))
    })?
    .or_raise(py)?;
    let symmetry = given.is_some_and(|given| given.symmetry);
    Ok((Game { game, symmetry }, read.players, moves, positions, result))
}
