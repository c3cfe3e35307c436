use std::fmt::Display;

use csv_core::{QuoteStyle, Writer, WriterBuilder};
use hindsight_core::Value;

/// Line of a CSV file, made field by field by the crate `csv-core`.
///
/// Fields are quoted by RFC 4180; unlike there, a line ends with `\n` alone.
///
/// # Examples
/// ```
/// use hindsight_answers::report::CsvLine;
///
/// let line = CsvLine::default().field("a, b").quoted("c").field(7).optional(None::<u64>);
/// assert_eq!(line.end(), "\"a, b\",\"c\",7,\n");
/// ```
#[derive(Clone, Debug)]
#[must_use = "a line is added to a file by its `end`"]
pub struct CsvLine {
    /// Fields, each with a comma behind it.
    text: Vec<u8>,
    plain: Writer,
    quoting: Writer,
}

impl Default for CsvLine {
    fn default() -> Self {
        let writer = |style| WriterBuilder::new().quote_style(style).build();
        Self {
            text: Vec::new(),
            plain: writer(QuoteStyle::Necessary),
            quoting: writer(QuoteStyle::Always),
        }
    }
}

impl CsvLine {
    /// Adds a field. It gets quotes only if it has a comma, a quote or a line break.
    pub fn field(mut self, field: impl Display) -> Self {
        add(&mut self.text, &mut self.plain, &field.to_string());
        self
    }

    /// Adds a field that always has quotes, as positions and moves do.
    pub fn quoted(mut self, field: &str) -> Self {
        add(&mut self.text, &mut self.quoting, field);
        self
    }

    /// Adds a field that is empty for `None`.
    pub fn optional(self, field: Option<impl Display>) -> Self {
        match field {
            Some(field) => self.field(field),
            None => self.field(""),
        }
    }

    /// Adds two fields: `win`, `draw` or `loss`, and the remoteness, which a draw leaves empty.
    pub fn value(self, value: Value) -> Self {
        self.field(value.wdl()).optional(value.remoteness())
    }

    /// Returns the line with its line break.
    #[must_use]
    pub fn end(mut self) -> String {
        self.text.pop();
        self.text.push(b'\n');
        String::from_utf8(self.text).expect("fields are texts, and quotes are ASCII")
    }
}

/// Appends a field and a comma.
fn add(line: &mut Vec<u8>, writer: &mut Writer, field: &str) {
    let start = line.len();
    // Each byte is a quote at most, which is doubled; two quotes and a comma are around them.
    line.resize(start + 2 * field.len() + 3, 0);
    let (_, _, written) = writer.field(field.as_bytes(), &mut line[start..]);
    let (_, closed) = writer.delimiter(&mut line[start + written..]);
    line.truncate(start + written + closed);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads lines with the crate `csv`, which follows RFC 4180.
    fn fields_of(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).from_reader(text.as_bytes());
        let lines = reader.into_records().map(|line| line.expect("a line"));
        lines.map(|line| line.iter().map(String::from).collect()).collect()
    }

    #[test]
    fn only_fields_that_need_quotes_get_them() {
        for plain in ["", "win", "1.5", "xo. .x.", "a;b", "a'b", "ä\tö"] {
            assert_eq!(CsvLine::default().field(plain).end(), format!("{plain}\n"));
        }
        for (field, text) in [
            ("a,b", "\"a,b\"\n"),
            ("say \"a\"", "\"say \"\"a\"\"\"\n"),
            ("a\nb", "\"a\nb\"\n"),
            ("a\rb", "\"a\rb\"\n"),
            ("\"", "\"\"\"\"\n"),
        ] {
            assert_eq!(CsvLine::default().field(field).end(), text);
            assert_eq!(CsvLine::default().quoted(field).end(), text);
        }
        assert_eq!(CsvLine::default().quoted("win").end(), "\"win\"\n");
    }

    #[test]
    fn every_field_is_read_back() {
        let fields = ["", "plain", "a,b", "\"", "\"\"", ",\"\n", "a\r\nb", "é,漢", " a "];
        let add = |line: CsvLine, field: &&str| line.field(field).quoted(field);
        let line = fields.iter().fold(CsvLine::default(), add).end();
        let twice: Vec<_> = fields.iter().flat_map(|&field| [field, field]).collect();
        assert_eq!(fields_of(&line.repeat(2)), [twice.clone(), twice]);
    }

    #[test]
    fn values_fill_two_fields() {
        for (value, text) in [
            (Value::Win(3), "win,3,x\n"),
            (Value::Loss(0), "loss,0,x\n"),
            (Value::Draw, "draw,,x\n"),
        ] {
            assert_eq!(CsvLine::default().value(value).field('x').end(), text);
        }
    }
}
