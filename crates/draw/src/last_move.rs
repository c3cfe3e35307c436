//! Cells and fences that the text of a move names.

use hindsight_core::{BoardCell, Drawing};

/// Cells and fence of the last move.
#[derive(Default)]
pub(crate) struct LastMove {
    pub(crate) cells: Vec<BoardCell>,
    /// Name of the fence, in lower case.
    pub(crate) fence: Option<String>,
}

impl LastMove {
    /// Reads the names in a text: a fence of the drawing, or else all cells.
    pub(crate) fn read(drawing: &Drawing, text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        if drawing.fences.iter().any(|fence| fence.name == text) {
            return Self { cells: Vec::new(), fence: Some(text) };
        }
        Self { cells: cells_named(drawing, &text), fence: None }
    }
}

/// Returns the cells of the board whose names, a letter and a number, are parts of a text before a
/// colon.
fn cells_named(drawing: &Drawing, text: &str) -> Vec<BoardCell> {
    let text = text.split(':').next().unwrap_or_default();
    let letters: Vec<char> = text.chars().collect();
    let mut cells = Vec::new();
    for (at, letter) in letters.iter().enumerate() {
        let digits: String =
            letters[at + 1..].iter().take_while(|digit| digit.is_ascii_digit()).collect();
        let (Some(column), Ok(row)) = (column_of(*letter), digits.parse::<u8>()) else {
            continue;
        };
        if column < drawing.columns && (1..=drawing.rows).contains(&row) {
            cells.push(BoardCell { column, row: row - 1 });
        }
    }
    cells
}

fn column_of(letter: char) -> Option<u8> {
    let letter = u8::try_from(letter).ok().filter(u8::is_ascii_lowercase)?;
    Some(letter - b'a')
}

#[cfg(test)]
mod tests {
    use super::LastMove;
    use hindsight_core::{BoardCell, Drawing, DrawnFence};

    #[test]
    fn cells_and_fences_are_read_from_the_texts_of_moves() {
        let mut drawing = Drawing::empty(5, 5, ["White", "Black"]);
        let names = |text: &str, drawing: &Drawing| {
            let last = LastMove::read(drawing, text);
            let cells: Vec<String> = last.cells.iter().map(|cell| cell.name()).collect();
            (cells.join(" "), last.fence)
        };
        assert_eq!(names("a1b3:crane", &drawing), ("a1 b3".into(), None));
        assert_eq!(names("c4D", &drawing), ("c4".into(), None));
        assert_eq!(names("z9 a12", &drawing), (String::new(), None));
        drawing.fences.push(DrawnFence {
            name: "b3h".into(),
            cell: BoardCell { column: 1, row: 2 },
            is_vertical: false,
        });
        assert_eq!(names("B3h", &drawing), (String::new(), Some("b3h".into())));
    }
}
