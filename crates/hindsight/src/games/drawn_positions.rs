//! Positions put together from pictures.

use hindsight_core::{Drawing, Notation, SetupKinds};

use super::game::AnyGame;
use crate::error::GamesError;
use crate::positions::any_value::Position;

impl AnyGame {
    /// Returns what can be put into a picture from which [`AnyGame::parse_drawing`] makes a
    /// position; `None` if the game has only texts.
    ///
    /// ```
    /// let game = hindsight_games::game("quoridor:5x5:2")?;
    /// let kinds = game.setup_kinds().expect("Quoridor has pictures");
    /// assert_eq!(kinds.most_in_hand, Some([2, 2]));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn setup_kinds(&self) -> Option<SetupKinds> {
        self.rules().drawn_setup().map(|setup| setup.kinds())
    }

    /// Returns the position of a picture. The words below the board are not looked at: no move is
    /// forbidden.
    ///
    /// # Errors
    /// [`Error::Picture`](crate::Error::Picture), which says what is wrong and where, if the
    /// picture shows no position; [`Error::NoSetup`](crate::Error::NoSetup) if the game has only
    /// texts.
    ///
    /// ```
    /// use hindsight_games::DrawnPlace;
    ///
    /// let game = hindsight_games::game("dodgem:3x3")?;
    /// let mut drawing = game.drawing(&game.start())?;
    /// drawing.player_to_move = Some(1);
    /// let position = game.parse_drawing(&drawing)?;
    /// assert_eq!(game.format(&position)?, "R../R../.UU up");
    /// drawing.player_to_move = None;
    /// let Err(hindsight_games::Error::Picture { text, place, .. }) = game.parse_drawing(&drawing)
    /// else {
    ///     panic!("nobody is to move");
    /// };
    /// assert_eq!((text.as_str(), place), ("R../R../.UU -", Some(DrawnPlace::Turn)));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn parse_drawing(&self, drawing: &Drawing) -> Result<Position, GamesError> {
        let no_setup = || GamesError::NoSetup(self.spec().to_string());
        let written = self.rules().drawn_setup().ok_or_else(no_setup)?.text_of(drawing);
        let text = written.to_string();
        let position = self.rules().parse(&text).map(|position| self.position_of(position));
        position.map_err(|fault| GamesError::Picture {
            place: written.place_of(&fault).cloned(),
            text,
            fault,
        })
    }
}
