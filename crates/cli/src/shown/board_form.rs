//! Choice of the form of boards: pictures on a terminal that can show them, else plain diagrams.

use std::env;
use std::io::{IsTerminal, stdout};

/// Values of `TERM` that stand for no pictures. The console of Linux has no pieces in its font.
const WITHOUT_PICTURES: [&str; 3] = ["", "dumb", "linux"];
/// Languages in whose terminals pieces and lines may be one column wide or two.
const WIDE_LANGUAGES: [&str; 3] = ["ja", "ko", "zh"];

/// Form of boards in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoardForm {
    /// Diagrams of letters.
    Diagram,
    /// Pictures with lines and pieces.
    Picture { has_colors: bool },
}

/// Circumstances that decide on the form of boards. A variable of the environment that is not set
/// is empty.
struct BoardCircumstances<'a> {
    is_terminal: bool,
    is_plain: bool,
    term: &'a str,
    no_color: &'a str,
    /// `LC_ALL`, `LC_CTYPE` and `LANG`, of which the first that is set decides.
    locales: [&'a str; 3],
}

impl BoardForm {
    /// Returns the form of boards on standard output; `is_plain` is the option `--plain`.
    pub(crate) fn on_stdout(is_plain: bool) -> Self {
        let variable = |name| env::var_os(name).unwrap_or_default();
        let text = |name| variable(name).to_string_lossy().into_owned();
        let locales = ["LC_ALL", "LC_CTYPE", "LANG"].map(text);
        Self::chosen(&BoardCircumstances {
            is_terminal: stdout().is_terminal(),
            is_plain,
            term: &text("TERM"),
            no_color: &text("NO_COLOR"),
            locales: [&locales[0], &locales[1], &locales[2]],
        })
    }

    fn chosen(circumstances: &BoardCircumstances<'_>) -> Self {
        let locales = circumstances.locales.iter();
        let locale = locales.copied().find(|locale| !locale.is_empty());
        let locale = locale.unwrap_or_default().to_ascii_lowercase();
        let is_unicode = locale.contains("utf-8") || locale.contains("utf8");
        let language = locale.split(['_', '.']).next().unwrap_or_default();
        let can_draw = is_unicode
            && !WIDE_LANGUAGES.contains(&language)
            && !WITHOUT_PICTURES.contains(&circumstances.term);
        if circumstances.is_terminal && can_draw && !circumstances.is_plain {
            Self::Picture { has_colors: circumstances.no_color.is_empty() }
        } else {
            Self::Diagram
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardCircumstances, BoardForm};

    const TERMINAL: BoardCircumstances<'_> = BoardCircumstances {
        is_terminal: true,
        is_plain: false,
        term: "xterm-256color",
        no_color: "",
        locales: ["", "", "en_US.UTF-8"],
    };

    fn with_locales(locales: [&str; 3]) -> BoardForm {
        BoardForm::chosen(&BoardCircumstances { locales, ..TERMINAL })
    }

    #[test]
    fn a_terminal_shows_pictures_in_colours() {
        let colored = BoardForm::Picture { has_colors: true };
        assert_eq!(BoardForm::chosen(&TERMINAL), colored);
        let without = BoardForm::chosen(&BoardCircumstances { no_color: "1", ..TERMINAL });
        assert_eq!(without, BoardForm::Picture { has_colors: false });
    }

    #[test]
    fn what_cannot_show_pictures_shows_diagrams() {
        for circumstances in [
            BoardCircumstances { is_terminal: false, ..TERMINAL },
            BoardCircumstances { is_plain: true, ..TERMINAL },
            BoardCircumstances { term: "dumb", ..TERMINAL },
            BoardCircumstances { term: "linux", ..TERMINAL },
            BoardCircumstances { term: "", ..TERMINAL },
        ] {
            assert_eq!(BoardForm::chosen(&circumstances), BoardForm::Diagram);
        }
    }

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let colored = BoardForm::Picture { has_colors: true };
        assert_eq!(with_locales(["", "C.utf8", "C"]), colored);
        assert_eq!(with_locales(["de_DE.UTF-8@euro", "C", "C"]), colored);
        assert_eq!(with_locales(["C", "C.UTF-8", "C.UTF-8"]), BoardForm::Diagram);
        assert_eq!(with_locales(["", "", ""]), BoardForm::Diagram);
    }

    #[test]
    fn signs_of_unknown_width_are_not_shown() {
        for locale in ["ja_JP.UTF-8", "zh_CN.utf8", "zh.UTF-8", "ko_KR.UTF-8"] {
            assert_eq!(with_locales(["", "", locale]), BoardForm::Diagram);
        }
        // Choctaw.
        let colored = BoardForm::Picture { has_colors: true };
        assert_eq!(with_locales(["", "", "cho_US.UTF-8"]), colored);
    }
}
