use hindsight_core::{
    BoardCell, Drawing, DrawnFence, DrawnMark, DrawnPiece, DrawnPlace, DrawnSetup, Notation,
    SetupKinds,
};

use crate::drawn_moves::sort;
use crate::laws::SplitMix;

/// Pictures with changes that are made of a picture.
const CHANGED_PICTURES: usize = 4;

/// Checks [`Notation::drawn_setup`] on the picture of a position, and on pictures with changes.
///
/// # Panics
/// If a law is broken; `broken` makes the message.
pub(crate) fn check_drawn_setup<G: Notation>(
    game: &G,
    position: G::Position,
    random: &mut SplitMix,
    broken: &impl Fn(&str) -> String,
) {
    let Some(setup) = game.drawn_setup() else {
        return;
    };
    let (kinds, drawing) = (setup.kinds(), picture(game, position));
    check_kinds(&kinds, &drawing, broken);
    let text = setup.text_of(&drawing).to_string();
    let law = broken("the text of a picture is that of its position");
    match game.parse(&text) {
        Ok(parsed) if drawing.note.is_empty() => assert_eq!(parsed, position, "{law}: {text}"),
        Ok(parsed) => assert_eq!(bare(picture(game, parsed)), bare(drawing.clone()), "{law}"),
        Err(error) => panic!("{law}: {text}: {error}"),
    }
    for _ in 0..CHANGED_PICTURES {
        let mut changed = drawing.clone();
        for _ in 0..=random.below(3) {
            change(&mut changed, &kinds, random);
        }
        check_changed(game, setup, changed, broken);
    }
}

/// Checks that a picture is refused, or read as the position whose picture it is.
fn check_changed<G: Notation>(
    game: &G,
    setup: &dyn DrawnSetup,
    changed: Drawing,
    broken: &impl Fn(&str) -> String,
) {
    let written = setup.text_of(&changed);
    let text = written.to_string();
    let law = broken("a picture is refused or shows its position");
    match game.parse(&text) {
        Ok(parsed) => {
            let mut shown = picture(game, parsed);
            if !setup.kinds().has_turn {
                shown.player_to_move = changed.player_to_move;
            }
            assert_eq!(bare(shown), bare(changed), "{law}: {text}");
        }
        Err(error) => {
            if let Some(DrawnPlace::Cell(cell)) = written.place_of(&error) {
                let is_inside = cell.column < changed.columns && cell.row < changed.rows;
                assert!(is_inside, "{law}: {text}: {error}");
            }
        }
    }
}

fn check_kinds(kinds: &SetupKinds, drawing: &Drawing, broken: &impl Fn(&str) -> String) {
    let law = broken("all that is drawn can be put into a picture");
    for piece in &drawing.pieces {
        assert!(kinds.pieces.contains(&piece.kind()), "{law}: {piece:?}");
    }
    for (player, seat) in drawing.seats.iter().enumerate() {
        let most = kinds.most_in_hand.map(|most| most[player]);
        assert_eq!(most.is_some(), seat.in_hand.is_some(), "{law}: {seat:?}");
        assert!(seat.in_hand <= most, "{law}: {seat:?}");
    }
}

/// Returns the picture of a position with the player to move, even if the game is over.
fn picture<G: Notation>(game: &G, position: G::Position) -> Drawing {
    Drawing { player_to_move: Some(game.player_to_move(position)), ..game.drawing(position) }
}

/// Returns a picture without words, whose lists are sorted.
fn bare(mut drawing: Drawing) -> Drawing {
    sort(&mut drawing);
    drawing.note.clear();
    for seat in &mut drawing.seats {
        seat.stock.clear();
    }
    drawing
}

/// Makes one change to a picture, or none where there is nothing to change.
fn change(drawing: &mut Drawing, kinds: &SetupKinds, random: &mut SplitMix) {
    let cell = BoardCell {
        column: small(random.below(drawing.columns.into())),
        row: small(random.below(drawing.rows.into())),
    };
    match random.below(5) {
        0 => change_pieces(drawing, kinds, random, cell),
        1 => change_marks(drawing, kinds, random, cell),
        2 => change_fences(drawing, random, cell),
        3 => change_cards(drawing, random),
        _ => drawing.player_to_move = [Some(0), Some(1), None][random.below(3)],
    }
}

fn change_pieces(
    drawing: &mut Drawing,
    kinds: &SetupKinds,
    random: &mut SplitMix,
    cell: BoardCell,
) {
    let kind = kinds.pieces[random.below(kinds.pieces.len())];
    let added = DrawnPiece { cell, player: kind.player, shape: kind.shape };
    if drawing.pieces.is_empty() {
        return drawing.pieces.push(added);
    }
    let number = random.below(drawing.pieces.len());
    match random.below(4) {
        0 => drawing.pieces.push(added),
        1 => drop(drawing.pieces.remove(number)),
        2 => drawing.pieces[number].cell = cell,
        _ => drawing.pieces[number].player = kind.player,
    }
}

fn change_marks(drawing: &mut Drawing, kinds: &SetupKinds, random: &mut SplitMix, cell: BoardCell) {
    let Some(&kind) = kinds.marks.first() else {
        return;
    };
    let number = drawing.marks.iter().position(|mark| mark.kind == kind);
    match (random.below(3), number) {
        (0, Some(number)) => drop(drawing.marks.remove(number)),
        (1, Some(number)) => drawing.marks[number].cell = cell,
        _ => drawing.marks.push(DrawnMark { cell, kind }),
    }
}

fn change_fences(drawing: &mut Drawing, random: &mut SplitMix, cell: BoardCell) {
    if !drawing.has_fences {
        return;
    }
    let seat = &mut drawing.seats[random.below(2)];
    let in_hand = seat.in_hand.unwrap_or_default();
    match random.below(4) {
        0 => seat.in_hand = Some(in_hand + 1),
        1 => seat.in_hand = in_hand.checked_sub(1),
        2 if !drawing.fences.is_empty() => drop(drawing.fences.pop()),
        _ => drawing.fences.push(DrawnFence::new(cell, random.below(2) == 0)),
    }
}

fn change_cards(drawing: &mut Drawing, random: &mut SplitMix) {
    let [first, second] = &mut drawing.seats;
    let mut piles = [&mut first.cards, &mut second.cards, &mut drawing.cards_aside];
    let (from, to) = (random.below(3), random.below(3));
    if let Some(card) = piles[from].pop() {
        let back = (!piles[to].is_empty()).then(|| piles[to].remove(0));
        piles[to].push(card);
        if random.below(4) > 0 {
            piles[from].extend(back);
        }
    }
}

fn small(number: usize) -> u8 {
    u8::try_from(number).expect("a board has at most 255 columns and rows")
}
