//! Text of byte sizes and large numbers.

/// Reads a size such as `500M` or `16G`; K, M, G and T are powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let malformed =
        || format!("'{text}' is no size; write bytes, or a number with K, M, G or T, such as 16G");
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
    let shift = match &upper[digits.len()..] {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err(malformed()),
    };
    let number: f64 = digits.parse().map_err(|_| malformed())?;
    let bytes = number * (1_u64 << shift) as f64;
    if bytes >= u64::MAX as f64 {
        return Err(format!("'{text}' is more than any machine has"));
    }
    if bytes >= 1.0 { Ok(bytes as u64) } else { Err(malformed()) }
}

/// Text of a size with a binary unit, rounded to the nearest: `1.5 GiB`, `120 MiB`.
pub(crate) fn format_size(bytes: u64) -> String {
    format_rounded(bytes, f64::round)
}

/// As [`format_size`], rounded up: a limit of the printed size is enough for `bytes`.
pub(crate) fn format_needed(bytes: u64) -> String {
    format_rounded(bytes, f64::ceil)
}

fn format_rounded(bytes: u64, round: fn(f64) -> f64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes as f64;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if unit == 0 || amount >= 100.0 {
        format!("{:.0} {}", round(amount), units[unit])
    } else {
        format!("{:.1} {}", round(10.0 * amount) / 10.0, units[unit])
    }
}

/// Number with commas between groups of three digits.
pub(crate) fn with_commas(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Text with commas in its whole numbers.
pub(crate) fn numbers_with_commas(text: &str) -> String {
    let grouped = |word: &str| word.parse::<u128>().map_or(word.to_string(), with_commas);
    let words: Vec<String> = text.split(' ').map(grouped).collect();
    words.join(" ")
}

/// Number with its noun in the singular or the plural: `1 ply`, `1,963 positions`.
///
/// The plural of the noun ends in `s`, in `ies` if the noun ends in `y`, or in `es` if in `s`.
pub(crate) fn counted(n: impl Into<u128>, noun: &str) -> String {
    let n = n.into();
    let number = with_commas(n);
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("{number} {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) if noun.ends_with('s') => format!("{number} {noun}es"),
        (_, None) => format!("{number} {noun}s"),
    }
}

/// Text of a rough time: `about 20 s`, `about 4 min`, `about 3 h`.
pub(crate) fn about_time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1.0 => String::from("about a second"),
        seconds if seconds < 90.0 => format!("about {seconds:.0} s"),
        seconds if seconds < 5400.0 => format!("about {:.0} min", seconds / 60.0),
        seconds => format!("about {:.0} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        about_time, counted, format_needed, format_size, numbers_with_commas, parse_size,
        with_commas,
    };

    #[test]
    fn nouns_agree_with_their_numbers() {
        let texts = [0_u64, 1, 2, 1963].map(|n| counted(n, "position"));
        assert_eq!(texts, ["0 positions", "1 position", "2 positions", "1,963 positions"]);
        let texts = [1_u64, 21].map(|n| counted(n, "ply"));
        assert_eq!(texts, ["1 ply", "21 plies"]);
        let source = numbers_with_commas("all 1963 positions, in 2.5 s");
        assert_eq!(source, "all 1,963 positions, in 2.5 s");
    }

    #[test]
    fn sizes_are_read_and_written() {
        assert_eq!(parse_size("16G"), Ok(16 << 30));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(format_size(16 << 30), "16.0 GiB");
        assert_eq!(format_size(999), "999 bytes");
        assert_eq!(format_size((16 << 30) + 1), "16.0 GiB");
        assert_eq!(format_needed((16 << 30) + 1), "16.1 GiB");
        for wrong in ["", "G", "-1G", "16X", "1e30T", "0", "nan", "1.2.3M"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rough_times_have_one_unit() {
        let texts = [0.2, 20.4, 300.0, 7200.0].map(about_time);
        assert_eq!(texts, ["about a second", "about 20 s", "about 5 min", "about 2 h"]);
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (u128::from(u64::MAX) + 1, "18,446,744,073,709,551,616"),
        ] {
            assert_eq!(with_commas(n), text);
        }
    }
}
