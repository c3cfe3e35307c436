use std::fmt;

/// Parses a golden file and returns its rows, each as a list of fields.
///
/// Line 1 is a comment `# source`, line 2 names the columns, and each further line is a row. Fields
/// are separated by commas. A field with commas is enclosed in double quotes and contains no quote.
/// Empty lines are skipped.
///
/// # Errors
/// If line 1 does not begin with `#`, or line 2 is missing. Also if a quote is out of place, or a
/// row has more or fewer fields than line 2.
pub fn golden(text: &str) -> Result<Vec<Vec<&str>>, GoldenError> {
    let mut lines = (1..).zip(text.lines());
    let source = lines.next().filter(|(_, line)| line.starts_with('#'));
    source.ok_or(GoldenError { line: 1, problem: "no '# source'" })?;
    let (_, header) = lines.next().ok_or(GoldenError { line: 2, problem: "no header" })?;
    let columns = header.split(',').count();
    let rows = lines.filter(|(_, line)| !line.is_empty()).map(|(line, text)| {
        let error = |problem| GoldenError { line, problem };
        let fields = split_fields(text).ok_or(error("a quote out of place"))?;
        if fields.len() == columns {
            Ok(fields)
        } else {
            Err(error("another number of fields than the header"))
        }
    });
    rows.collect()
}

/// Splits a line into its fields, without their quotes; `None` if a quote is out of place.
fn split_fields(mut line: &str) -> Option<Vec<&str>> {
    let mut fields = Vec::new();
    loop {
        let (field, after) = match line.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => line.split_at(line.find(',').unwrap_or(line.len())),
        };
        fields.push(field);
        if after.is_empty() {
            return Some(fields);
        }
        line = after.strip_prefix(',')?;
    }
}

/// Fault in a golden file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoldenError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the fault.
    pub problem: &'static str,
}

impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "golden file, line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for GoldenError {}

#[cfg(test)]
mod tests {
    use super::golden;

    #[test]
    fn rows_without_source_and_header() {
        let text = "# a paper, Table 1\nwidth,boards\n3,15\n4,111\n";
        assert_eq!(golden(text).unwrap(), [["3", "15"], ["4", "111"]]);
    }

    #[test]
    fn commas_in_quotes_separate_nothing() {
        let text = "# us\nspec,positions,note\n\"3x3:2,1\",96,\n";
        assert_eq!(golden(text).unwrap(), [["3x3:2,1", "96", ""]]);
    }

    #[test]
    fn faults_have_a_line() {
        assert_eq!(golden("width,boards\n3,15\n").unwrap_err().line, 1);
        assert_eq!(golden("# source").unwrap_err().line, 2);
        assert_eq!(golden("# source\na,b\n1,2\n3\n").unwrap_err().line, 4);
        for wrong in ["\"1,2", "\"1\"2,3", "1,\"2\" "] {
            let text = format!("# source\na,b\n{wrong}\n");
            assert_eq!(golden(&text).unwrap_err().line, 3, "{wrong}");
        }
    }
}
