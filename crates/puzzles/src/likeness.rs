//! Likeness of puzzles.

use std::hash::{DefaultHasher, Hash, Hasher};

use hindsight_core::{
    BoardCell, DrawnMark, DrawnPiece, Game, MarkKind, Notation, Packed, PackedGame, PieceKind,
};

/// Most places in which two like boards differ. A piece that stands elsewhere makes two: the place
/// that it leaves, and the place that it takes.
pub const MAX_DIFFERENT_PLACES: usize = 2;

/// Features of a puzzle by which it is like another.
///
/// Boards are alike if they differ in at most [`MAX_DIFFERENT_PLACES`] places: cells, marks or
/// fences. Cards and pieces in hand are not looked at. Two puzzles are alike if one of these is
/// true, up to the symmetries of the game:
///
/// 1. The boards are alike.
/// 2. The position of one is on the line of the other.
/// 3. The lines end alike: of the positions that are as far from the end, at least half as many as
///    the shorter line has are alike in their boards.
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleProfile {
    /// Number of the class of the first position.
    start: u64,
    /// Numbers of the classes of the positions before each move, in ascending order.
    classes: Vec<u64>,
    /// Boards of the positions before each move, the last one first; of each first its own, then
    /// its images.
    boards: Vec<Vec<BoardPlaces>>,
}

impl PuzzleProfile {
    /// Returns the profile of a puzzle by the positions before the moves of its line.
    ///
    /// `game` is to know all its symmetries. In the positions no move is to be forbidden: two that
    /// differ in the forbidden move alone then are the same.
    ///
    /// # Panics
    /// If there are no positions.
    #[must_use]
    pub fn new(game: &PackedGame, positions: &[Packed]) -> Self {
        let class = |&position: &Packed| {
            let mut hasher = DefaultHasher::new();
            game.canonical(position).hash(&mut hasher);
            hasher.finish()
        };
        let boards = |&position: &Packed| {
            let mut images = vec![position];
            game.images(position, &mut images);
            let images = images.into_iter();
            images.map(|image| BoardPlaces::new(game, image)).collect::<Vec<_>>()
        };
        let mut classes: Vec<u64> = positions.iter().map(class).collect();
        let start = classes[0];
        classes.sort_unstable();
        classes.dedup();
        Self { start, classes, boards: positions.iter().rev().map(boards).collect() }
    }

    /// Returns true if the puzzles of the two profiles are alike.
    #[must_use]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let is_on = |line: &Self, start: &u64| line.classes.binary_search(start).is_ok();
        let boards = self.boards.last().zip(other.boards.last());
        is_on(self, &other.start)
            || is_on(other, &self.start)
            || boards.is_some_and(|(own, others)| are_like(own, others))
            || self.ends_like(other)
    }

    /// Returns true if the lines end alike.
    fn ends_like(&self, other: &Self) -> bool {
        let shorter = self.boards.len().min(other.boards.len());
        let pairs = self.boards.iter().zip(&other.boards);
        let like = pairs.filter(|(own, others)| are_like(own, others));
        like.take(shorter.div_ceil(2)).count() == shorter.div_ceil(2)
    }
}

/// Returns true if the first of some boards is like one of the others.
fn are_like(boards: &[BoardPlaces], others: &[BoardPlaces]) -> bool {
    others.iter().any(|other| {
        let differences = boards[0].differences(other);
        differences.take(MAX_DIFFERENT_PLACES + 1).count() <= MAX_DIFFERENT_PLACES
    })
}

/// Place of a picture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Cell(BoardCell),
    Mark(BoardCell),
    /// True for a fence between columns.
    Fence(BoardCell, bool),
}

/// Content of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlaceContent {
    Piece(PieceKind),
    Mark(MarkKind),
    Fence,
}

/// Places of a board that are not empty, in ascending order.
#[derive(Clone, PartialEq, Eq, Debug)]
struct BoardPlaces(Vec<(Place, PlaceContent)>);

impl BoardPlaces {
    fn new(game: &PackedGame, position: Packed) -> Self {
        let drawing = game.drawing(position);
        let pieces = drawing.pieces.iter();
        let pieces = pieces
            .map(|piece: &DrawnPiece| (Place::Cell(piece.cell), PlaceContent::Piece(piece.kind())));
        let marks = drawing.marks.iter();
        let marks =
            marks.map(|mark: &DrawnMark| (Place::Mark(mark.cell), PlaceContent::Mark(mark.kind)));
        let fences = drawing.fences.iter();
        let fences = fences.map(|fence| {
            let place = Place::Fence(fence.cell, fence.is_vertical);
            (place, PlaceContent::Fence)
        });
        let mut places: Vec<_> = pieces.chain(marks).chain(fences).collect();
        places.sort_unstable_by_key(|&(place, _)| place);
        Self(places)
    }

    /// Returns the places whose contents differ.
    fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = Place> + 'a {
        let (mut own, mut others) = (self.0.iter().peekable(), other.0.iter().peekable());
        std::iter::from_fn(move || {
            loop {
                match (own.peek(), others.peek()) {
                    (Some((mine, content)), Some((theirs, other))) if mine == theirs => {
                        let (place, is_same) = (*mine, content == other);
                        own.next();
                        others.next();
                        if !is_same {
                            return Some(place);
                        }
                    }
                    (Some((mine, _)), Some((theirs, _))) if mine > theirs => {
                        return others.next().map(|&(place, _)| place);
                    }
                    (Some(_), _) => return own.next().map(|&(place, _)| place),
                    (None, _) => return others.next().map(|&(place, _)| place),
                }
            }
        })
    }
}
