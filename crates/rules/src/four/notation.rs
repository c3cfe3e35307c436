//! Texts and pictures of positions and moves of four in a row.

use alloc::{format, string::String};

use hindsight_core::{
    Drawing, DrawnMove, DrawnSetup, Game, Notation, ParseError, PlacedText, SetupKinds,
    parse_move_by_text,
};

use super::{Four, FourMove, FourPosition, USUAL_LINE};
use crate::crosses_and_rings::{X_AND_O, setup_kinds, text_of};
use hindsight_core::TextToken;

impl Four {
    /// Square of the grid, by a column from the left and a row from the bottom.
    fn square(&self, column: u8, row: u8) -> u8 {
        (self.columns.height - 1 - row) * self.columns.width + column
    }

    /// Squares by their columns from the left and their rows from the bottom.
    fn columns_and_rows(&self) -> impl Iterator<Item = (u8, u8)> {
        let rows = self.columns.height;
        (0..self.columns.width).flat_map(move |column| (0..rows).map(move |row| (column, row)))
    }

    /// Discs of both players as squares of the grid.
    fn grid_sets(&self, position: FourPosition) -> [u64; 2] {
        let discs = self.columns.discs(position.0);
        let sets = [discs & !position.0, discs & position.0];
        sets.map(|set| {
            let squares = self.columns_and_rows().map(|(column, row)| {
                let is_set = set & self.columns.bit(column, row) != 0;
                u64::from(is_set) << self.square(column, row)
            });
            squares.sum()
        })
    }

    /// Position of discs that are given as squares of the grid; the square of a floating disc if
    /// there is one.
    fn stacked(&self, [x, o]: [u64; 2]) -> Result<FourPosition, u8> {
        let mut columns = self.columns.bottom;
        for (column, row) in self.columns_and_rows() {
            let square = self.square(column, row);
            let player = match [x, o].map(|set| set >> square & 1) {
                [0, 0] => continue,
                [_, second] => second as usize,
            };
            let dropped = self.columns.dropped(columns, column, player);
            if self.columns.discs(dropped) & self.columns.bit(column, row) == 0 {
                return Err(square);
            }
            columns = dropped;
        }
        Ok(FourPosition(columns))
    }
}

impl Notation for Four {
    fn spec(&self) -> String {
        let size = format!("four:{}x{}", self.columns.width, self.columns.height);
        match self.line {
            USUAL_LINE => size,
            line => format!("{size}:{line}"),
        }
    }
    fn player_names(&self) -> [&'static str; 2] {
        X_AND_O
    }
    fn format(&self, position: FourPosition) -> String {
        let [x, o] = self.grid_sets(position);
        self.grid().format(&[('x', x), ('o', o)])
    }
    fn parse(&self, text: &str) -> Result<FourPosition, ParseError> {
        let [x, o] = self.grid().parse(text, ['x', 'o'])?;
        let board = TextToken::trimmed(text);
        let position = self.stacked([x, o]).map_err(|square| {
            let width = usize::from(self.columns.width);
            let before = usize::from(square) + usize::from(square) / width;
            let name = self.grid().square_name(square);
            let message = format!("the disc on {name} floats: the square below it is empty");
            ParseError::new(board.at + before, message)
        })?;
        if !matches!(x.count_ones().checked_sub(o.count_ones()), Some(0 | 1)) {
            return board.reject("X begins: as many x as o, or one more");
        }
        let discs = self.columns.discs(position.0);
        let of_second = position.0 & discs;
        let of_players = [discs ^ of_second, of_second];
        if self.has_line(of_players[self.player_to_move(position)]) {
            let line = self.line;
            return board.reject(format!("the game ended with {line} in a row"));
        }
        Ok(position)
    }
    fn format_move(&self, position: FourPosition, mv: FourMove) -> String {
        self.grid().square_name(self.target(position, mv))
    }
    /// Reads a square, or the letter or the number of a column alone.
    fn parse_move(&self, position: FourPosition, text: &str) -> Result<FourMove, ParseError> {
        let is_named = |&column: &u8| {
            let names = [char::from(b'a' + column), char::from(b'1' + column)];
            let is_column = match text.trim().as_bytes() {
                [name] => names.contains(&char::from(name.to_ascii_lowercase())),
                _ => false,
            };
            is_column && self.columns.is_open(position.0, column)
        };
        match (0..self.columns.width).find(is_named) {
            Some(column) if self.terminal(position).is_none() => Ok(FourMove(column)),
            _ => parse_move_by_text(self, position, text),
        }
    }
    fn drawn_move(&self, position: FourPosition, mv: FourMove) -> Option<DrawnMove> {
        Some(DrawnMove {
            to: Some(self.grid().cell(self.target(position, mv))),
            ..DrawnMove::default()
        })
    }
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup> {
        Some(self)
    }
}

impl Four {
    /// Square of the grid on which a new disc comes to lie.
    fn target(&self, position: FourPosition, mv: FourMove) -> u8 {
        let discs = self.columns.discs(position.0);
        let rows = 0..self.columns.height;
        let is_empty = |&row: &u8| discs & self.columns.bit(mv.0, row) == 0;
        let row = rows.into_iter().find(is_empty).expect("a column that is not full");
        self.square(mv.0, row)
    }
}

impl DrawnSetup for Four {
    fn kinds(&self) -> SetupKinds {
        setup_kinds()
    }
    fn text_of(&self, drawing: &Drawing) -> PlacedText {
        text_of(drawing, ['x', 'o'])
    }
}
