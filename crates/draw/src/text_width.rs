//! Widths of texts in pictures.

/// Widths of the letters from the space to `~`, in hundredths of their size: the greatest in DejaVu
/// Sans, Arial and Ubuntu.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 36, //  !"#$%&'()*+,-./
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 56, // 0123456789:;<=>?
    102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, // @ABCDEFGHIJKLMNO
    67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 36, 40, 84, 56, // PQRSTUVWXYZ[\]^_
    50, 62, 64, 55, 64, 62, 38, 64, 64, 28, 28, 58, 28, 98, 64, 62, // `abcdefghijklmno
    64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84, // pqrstuvwxyz{|}~
];

/// Width of any other letter: few of these fonts are wider.
const OTHER_WIDTH: f64 = 1.0;

/// Returns the width of a text in letters of size 1; few fonts need more.
pub(crate) fn text_width(text: &str) -> f64 {
    let widths = text.chars().map(|letter| {
        let index = (letter as usize).checked_sub(usize::from(b' '));
        let width = index.and_then(|index| WIDTHS.get(index));
        width.map_or(OTHER_WIDTH, |&width| f64::from(width) / 100.0)
    });
    widths.sum()
}

/// Returns the size of the letters, in tenths, of a text that fits some room; `width` is its width
/// in letters of size 1.
pub(crate) fn fitting_size(width: f64, room: f64) -> f64 {
    (10.0 * room / width.max(0.1)).floor() / 10.0
}

#[cfg(test)]
mod tests {
    use super::{fitting_size, text_width};

    #[test]
    fn letters_are_measured() {
        assert!((text_width("wi w") - 2.24).abs() < 1e-9);
        assert!((text_width("\u{e9}\u{8c93}~") - 2.84).abs() < 1e-9);
        assert_eq!(text_width(""), 0.0);
    }

    #[test]
    fn wide_letters_are_smaller() {
        let [wide, narrow] = ["w", "i"].map(|letter| text_width(&letter.repeat(32)));
        assert_eq!(fitting_size(narrow, 76.0), 8.4);
        let size = fitting_size(wide, 76.0);
        assert!(size * wide <= 76.0 && size == 2.8, "{size}");
    }
}
