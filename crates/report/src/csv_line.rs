use std::fmt::{Display, Write as _};

use hindsight_core::Value;

/// Line of a CSV file, made field by field.
///
/// Fields are quoted by RFC 4180; unlike there, a line ends with `\n` alone.
///
/// # Examples
/// ```
/// use hindsight_report::CsvLine;
///
/// let line = CsvLine::default().field("a, b").quoted("c").field(7).optional(None::<u64>);
/// assert_eq!(line.end(), "\"a, b\",\"c\",7,\n");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a line is added to a file by its `end`"]
pub struct CsvLine {
    /// Fields, each with a comma behind it.
    text: String,
}

impl CsvLine {
    /// Adds a field. It gets quotes only if it has a comma, a quote or a line break.
    ///
    /// # Panics
    /// If the field cannot be formatted.
    pub fn field(mut self, field: impl Display) -> Self {
        let start = self.text.len();
        write!(self.text, "{field}").expect("a field can be formatted");
        let mut bytes = self.text[start..].bytes();
        if bytes.any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
            let field = self.text.split_off(start);
            return self.quoted(&field);
        }
        self.text.push(',');
        self
    }

    /// Adds a field that always has quotes, as positions and moves do.
    pub fn quoted(mut self, field: &str) -> Self {
        // Each quote in the field becomes the end of one part and the start of the next.
        for part in field.split('"') {
            self.text.push('"');
            self.text.push_str(part);
            self.text.push('"');
        }
        self.text.push(',');
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
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads lines with the crate `csv`, which follows RFC 4180.
    fn fields_of(text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).from_reader(text.as_bytes());
        let lines = reader.into_records().map(|line| line.expect("a line"));
        lines
            .map(|line| line.iter().map(String::from).collect())
            .collect()
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
        let fields = [
            "", "plain", "a,b", "\"", "\"\"", ",\"\n", "a\r\nb", "é,漢", " a ",
        ];
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
