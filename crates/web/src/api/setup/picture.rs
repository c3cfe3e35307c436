//! Pictures of requests: each name is known, and stands for one thing of the game.

use hindsight_answers::{PieceKindAnswer, mark_word};
use hindsight_games::{
    AnyGame, BoardCell, Drawing, DrawnCard, DrawnFence, DrawnMark, DrawnPiece, Error, PieceKind,
    SetupKinds,
};

use super::{MarkRequest, PieceRequest, SetupRequest};
use crate::faults::problem_of;
use crate::{Problem, ProblemKind};

/// Returns the picture that a request describes.
pub(super) fn picture(game: &AnyGame, request: &SetupRequest) -> Result<Drawing, Problem> {
    let no_setup = || problem_of(Error::NoSetup(game.spec().to_string()));
    let kinds = game.setup_kinds().ok_or_else(no_setup)?;
    let start = game.drawing(&game.start()).map_err(problem_of)?;
    let mut drawing = start.clone();
    let reader = PictureReader { kinds, start };
    reader.put_pieces(&mut drawing, request)?;
    reader.put_fences(&mut drawing, request)?;
    reader.deal_cards(&mut drawing, request)?;
    match request.player_to_move {
        Some(player @ (0 | 1)) => drawing.player_to_move = Some(player),
        Some(player) => return Err(fault("player_to_move", format!("0 or 1, not {player}"))),
        None => {}
    }
    Ok(drawing)
}

/// Returns the problem of a key, whose value should be something else.
fn fault(key: &str, what: impl AsRef<str>) -> Problem {
    Problem::new(ProblemKind::Body, format!("{key}: {}", what.as_ref()))
}

/// Reader of the names in a request, which are those of a game.
struct PictureReader {
    /// Things that can be put into a picture.
    kinds: SetupKinds,
    /// Start of the game.
    start: Drawing,
}

impl PictureReader {
    /// Puts pieces and special cells on the board.
    fn put_pieces(&self, drawing: &mut Drawing, request: &SetupRequest) -> Result<(), Problem> {
        let pieces = request.pieces.iter();
        drawing.pieces = pieces.map(|piece| self.piece(piece)).collect::<Result<_, _>>()?;
        if let Some(marks) = &request.marks {
            let is_fixed = |mark: &DrawnMark| !self.kinds.marks.contains(&mark.kind);
            drawing.marks.retain(is_fixed);
            for mark in marks {
                drawing.marks.push(self.mark(mark)?);
            }
        }
        let movable = drawing.marks.iter();
        let movable = movable.filter(|mark| self.kinds.marks.contains(&mark.kind));
        let pieces = drawing.pieces.iter().map(|piece| ("pieces", piece.cell));
        let things = pieces.chain(movable.map(|mark| ("marks", mark.cell)));
        let mut taken = Vec::new();
        for (key, cell) in things {
            if taken.contains(&cell) {
                let what = format!("{} has two things; a cell has one", cell.name());
                return Err(fault(key, what));
            }
            taken.push(cell);
        }
        Ok(())
    }

    fn piece(&self, piece: &PieceRequest) -> Result<DrawnPiece, Problem> {
        let fits = |kind: &&PieceKind| {
            let words = PieceKindAnswer::new(**kind);
            words.player == piece.player
                && words.shape == piece.shape
                && (piece.step.is_none() || piece.step == words.step)
                && (piece.sign.is_none() || piece.sign == words.sign)
        };
        let kind = self.kinds.pieces.iter().find(fits);
        let kind = kind.ok_or_else(|| self.no_piece(piece))?;
        Ok(DrawnPiece {
            cell: self.cell("pieces", &piece.cell)?,
            player: kind.player,
            shape: kind.shape,
        })
    }

    /// Returns the problem of a piece that is of no kind.
    fn no_piece(&self, piece: &PieceRequest) -> Problem {
        let kinds = self
            .kinds
            .pieces
            .iter()
            .copied()
            .map(PieceKindAnswer::new)
            .map(|kind| serde_json::to_string(&kind).unwrap_or_default())
            .collect::<Vec<_>>()
            .join(", ");
        let cell = &piece.cell;
        fault("pieces", format!("{cell} has a piece that is none of: {kinds}"))
    }

    fn mark(&self, mark: &MarkRequest) -> Result<DrawnMark, Problem> {
        let mut kinds = self.kinds.marks.iter();
        let Some(&kind) = kinds.find(|kind| mark_word(**kind) == mark.kind) else {
            let words = self.kinds.marks.iter().map(|kind| mark_word(*kind));
            let words: Vec<&str> = words.collect();
            let what = if words.is_empty() {
                "this game has none that can be moved".to_string()
            } else {
                format!("\"{}\" is none of: {}", mark.kind, words.join(", "))
            };
            return Err(fault("marks", what));
        };
        let cell = self.cell("marks", &mark.cell)?;
        Ok(DrawnMark { cell, kind })
    }

    /// Puts fences on the board and into the hands.
    fn put_fences(&self, drawing: &mut Drawing, request: &SetupRequest) -> Result<(), Problem> {
        for name in request.fences.iter().flatten() {
            let fence = self.fence(name)?;
            if drawing.fences.contains(&fence) {
                return Err(fault("fences", format!("{name} is named twice")));
            }
            drawing.fences.push(fence);
        }
        let Some(in_hand) = request.in_hand else {
            return Ok(());
        };
        if self.kinds.most_in_hand.is_none() {
            return Err(fault("in_hand", "this game has no fences; leave the key out"));
        }
        for (seat, number) in drawing.seats.iter_mut().zip(in_hand) {
            seat.in_hand = Some(number);
        }
        Ok(())
    }

    fn fence(&self, name: &str) -> Result<DrawnFence, Problem> {
        if !self.start.has_fences {
            return Err(fault("fences", "this game has none; leave the key out"));
        }
        let (columns, rows) = (self.start.columns - 1, self.start.rows - 1);
        let is_inside = |cell: BoardCell| cell.column < columns && cell.row < rows;
        let found = DrawnFence::named(name).filter(|fence| is_inside(fence.cell));
        found.ok_or_else(|| {
            let last = BoardCell { column: columns - 1, row: rows - 1 };
            let form = "the cell south-west of its middle, and h or v";
            let what = format!("\"{name}\" is no fence: a1 to {}, {form}", last.name());
            fault("fences", what)
        })
    }

    /// Gives the cards to the players and aside.
    fn deal_cards(&self, drawing: &mut Drawing, request: &SetupRequest) -> Result<(), Problem> {
        if let Some(hands) = &request.cards {
            for (seat, names) in drawing.seats.iter_mut().zip(hands) {
                seat.cards = self.cards("cards", names)?;
            }
        }
        if let Some(names) = &request.cards_aside {
            drawing.cards_aside = self.cards("cards_aside", names)?;
        }
        Ok(())
    }

    fn cards(&self, key: &str, names: &[String]) -> Result<Vec<DrawnCard>, Problem> {
        let hands = self.start.seats.iter().flat_map(|seat| &seat.cards);
        let known: Vec<&DrawnCard> = hands.chain(&self.start.cards_aside).collect();
        if names.len() > known.len() {
            let (named, count) = (names.len(), known.len());
            return Err(fault(key, format!("{named} are named; the game has {count}")));
        }
        let card = |name: &String| {
            let found = known.iter().find(|card| card.name.eq_ignore_ascii_case(name));
            found.map(|card| (*card).clone()).ok_or_else(|| {
                let all: Vec<&str> = known.iter().map(|card| card.name.as_str()).collect();
                let all = all.join(", ");
                fault(key, format!("\"{name}\" is no card of this game, which has {all}"))
            })
        };
        names.iter().map(card).collect()
    }

    /// Reads the name of a cell.
    fn cell(&self, key: &str, name: &str) -> Result<BoardCell, Problem> {
        let (columns, rows) = (self.start.columns, self.start.rows);
        let is_inside = |cell: &BoardCell| cell.column < columns && cell.row < rows;
        BoardCell::named(name).filter(is_inside).ok_or_else(|| {
            let last = BoardCell { column: columns - 1, row: rows - 1 };
            let last = last.name();
            fault(key, format!("\"{name}\" is no cell of this board, a1 to {last}"))
        })
    }
}
