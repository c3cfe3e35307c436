use hindsight_core::{BoardCell, Drawing, DrawnCard, DrawnMove, DrawnPiece, MarkKind, Notation};

/// Checks [`Notation::drawn_move`] on the moves from a position: the changes that it names make the
/// picture after the move out of that before it.
///
/// # Panics
/// If a drawn move leads to another picture; `broken` makes the message.
pub(crate) fn check_drawn_moves<G: Notation>(
    game: &G,
    position: G::Position,
    moves: &[G::Move],
    broken: &impl Fn(&str) -> String,
) {
    let before = game.drawing(position);
    let mover = game.player_to_move(position);
    for &mv in moves {
        let Some(drawn) = game.drawn_move(position, mv) else {
            continue;
        };
        let after = game.drawing(game.play(position, mv));
        let text = game.format_move(position, mv);
        let wrong = |fault: &str| {
            let law = broken("a drawn move makes the picture after it");
            format!("{law}: {text}: {fault}: {drawn:?}")
        };
        let mut made = Change { before: &before, drawn: &drawn, mover }
            .made(&after)
            .unwrap_or_else(|fault| panic!("{}", wrong(fault)));
        let mut expected = after;
        sort(&mut made);
        sort(&mut expected);
        assert_eq!(made, expected, "{}", wrong("the pictures differ"));
    }
}

/// A move of a player from one picture to another.
struct Change<'a> {
    before: &'a Drawing,
    drawn: &'a DrawnMove,
    mover: usize,
}

impl Change<'_> {
    /// Returns the picture that the move makes, with the words of the picture after it, or the
    /// fault for which there is none.
    fn made(&self, after: &Drawing) -> Result<Drawing, &'static str> {
        self.check_cells()?;
        let mut made = self.before.clone();
        made.pieces = self.pieces(after)?;
        let has_piece = |cell| self.before.pieces.iter().any(|piece| piece.cell == cell);
        if let (Some(from), Some(to)) = (self.drawn.from, self.drawn.to) {
            let is_moved = |cell, kind| cell == from && kind == MarkKind::Hole && !has_piece(from);
            for mark in &mut made.marks {
                if is_moved(mark.cell, mark.kind) {
                    mark.cell = to;
                }
            }
        }
        made.fences.extend(self.drawn.fence.clone());
        let in_hand = &mut made.seats[self.mover].in_hand;
        if let (Some(_), Some(count)) = (&self.drawn.fence, in_hand) {
            *count = count.checked_sub(1).ok_or("no fence is in hand")?;
        }
        if let Some(card) = &self.drawn.card {
            self.exchange_card(&mut made, card)?;
        }
        made.note = after.note.clone();
        for (seat, seat_after) in made.seats.iter_mut().zip(&after.seats) {
            seat.stock = seat_after.stock.clone();
        }
        Ok(made)
    }

    /// Checks that each cell that is named has what is said of it.
    fn check_cells(&self) -> Result<(), &'static str> {
        let DrawnMove { from, to, leaves, pushed, removed, .. } = self.drawn;
        let has_piece = |cell: &BoardCell| self.piece_on(*cell).is_some();
        let holes = self.before.marks.iter().filter(|mark| mark.kind == MarkKind::Hole);
        let is_hole = |cell: &BoardCell| holes.clone().any(|hole| hole.cell == *cell);
        if !pushed.iter().chain(removed).all(has_piece) {
            return Err("a pushed or removed cell is empty");
        }
        if (1..removed.len()).any(|i| removed[..i].contains(&removed[i])) {
            return Err("a piece is removed twice");
        }
        let distance = |from: BoardCell, cell: &BoardCell| {
            from.column.abs_diff(cell.column) + from.row.abs_diff(cell.row)
        };
        if from.is_some_and(|from| !pushed.is_sorted_by_key(|cell| distance(from, cell))) {
            return Err("a pushed piece comes before a nearer one");
        }
        if from.is_some_and(|from| !has_piece(&from) && !is_hole(&from)) {
            return Err("nothing stands on the first cell");
        }
        if let (Some(from), None) = (from, to)
            && !(leaves.is_some() && removed.contains(from))
        {
            return Err("a piece that goes nowhere is not removed");
        }
        if let Some((right, up)) = *leaves {
            let goes_off = |from| moved(self.before, from, right, up).is_none();
            if !from.is_some_and(goes_off) || to.is_some() {
                return Err("a piece that leaves the board stays on it");
            }
        }
        Ok(())
    }

    fn piece_on(&self, cell: BoardCell) -> Option<DrawnPiece> {
        let mut pieces = self.before.pieces.iter();
        pieces.find(|piece| piece.cell == cell).copied()
    }

    /// Returns the pieces after the move.
    fn pieces(&self, after: &Drawing) -> Result<Vec<DrawnPiece>, &'static str> {
        let DrawnMove { from, to, .. } = self.drawn;
        let mut pieces = Vec::new();
        for piece in &self.before.pieces {
            if !self.drawn.removed.contains(&piece.cell) {
                let cell = self.cell_after(piece.cell)?;
                pieces.push(DrawnPiece { cell, ..*piece });
            }
        }
        if let (None, Some(to)) = (from, to) {
            let put = after.pieces.iter().find(|piece| piece.cell == *to);
            let put = put.filter(|put| put.player.is_none_or(|player| player == self.mover));
            pieces.push(*put.ok_or("no piece of the mover is put")?);
        }
        Ok(pieces)
    }

    /// Returns the cell after the move of a piece that stays on the board.
    fn cell_after(&self, cell: BoardCell) -> Result<BoardCell, &'static str> {
        if self.drawn.from == Some(cell) {
            return self.drawn.to.ok_or("the piece goes nowhere");
        }
        if !self.drawn.pushed.contains(&cell) {
            return Ok(cell);
        }
        let (from, to) = self.drawn.from.zip(self.drawn.to).ok_or("nothing pushes")?;
        let step = |to: u8, from: u8| to.cast_signed() - from.cast_signed();
        let (right, up) = (step(to.column, from.column), step(to.row, from.row));
        let next = moved(self.before, cell, right, up);
        next.ok_or("a pushed piece that is not removed leaves the board")
    }

    /// Puts a card of the mover aside, and the card aside into the hand.
    fn exchange_card(&self, made: &mut Drawing, card: &str) -> Result<(), &'static str> {
        let hand = &mut made.seats[self.mover].cards;
        let place = hand.iter().position(|held| held.name == card);
        let used = hand.remove(place.ok_or("the mover does not have the card")?);
        hand.append(&mut made.cards_aside);
        made.cards_aside.push(used);
        Ok(())
    }
}

/// Returns the cell `right` columns and `up` rows from another, if it is on the board.
fn moved(drawing: &Drawing, cell: BoardCell, right: i8, up: i8) -> Option<BoardCell> {
    let cell = BoardCell {
        column: cell.column.checked_add_signed(right)?,
        row: cell.row.checked_add_signed(up)?,
    };
    (cell.column < drawing.columns && cell.row < drawing.rows).then_some(cell)
}

/// Sorts the lists of a picture whose order has no meaning.
pub(crate) fn sort(drawing: &mut Drawing) {
    let sort_cards = |cards: &mut Vec<DrawnCard>| cards.sort_by(|a, b| a.name.cmp(&b.name));
    drawing.pieces.sort_by_key(|piece| piece.cell);
    drawing.marks.sort_by_key(|mark| mark.cell);
    drawing.fences.sort_by(|a, b| a.name.cmp(&b.name));
    sort_cards(&mut drawing.cards_aside);
    for seat in &mut drawing.seats {
        sort_cards(&mut seat.cards);
    }
}
