//! Files of the page without the lines that a browser does not need. The build script has this
//! module too.

/// Returns a JavaScript file or a style sheet without blank lines, lines of comment, indentation
/// and types inside of lines. A third of the page's modules are the types of their functions.
///
/// Texts over several lines, and code after the end of a comment in its line, are not allowed in
/// the files of the page; a test of the page holds them to it.
pub(crate) fn lean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        let begins = !in_comment && line.starts_with("/*");
        let is_comment = in_comment || begins || line.starts_with("//");
        if in_comment || begins {
            in_comment = !line.ends_with("*/");
        }
        // A comment with code after it stays.
        let has_code = begins && line.find("*/").is_some_and(|end| end + 2 < line.len());
        in_comment &= !has_code;
        if !line.is_empty() && (!is_comment || has_code) {
            push_without_types(&mut out, line);
            out.push('\n');
        }
    }
    out
}

/// Appends a line without comments that give a type.
fn push_without_types(out: &mut String, line: &str) {
    let mut rest = line;
    while let Some((before, comment)) = rest.split_once("/** @type ") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, code)| code.trim_start());
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::lean;

    #[test]
    fn comments_blank_lines_and_indentation_are_left_out() {
        let text = "// A file.\n\n/**\n * A function.\n * @param {string} a\n */\n\
                    function f(a) {\n  /* one */\n  \
                    const b = /** @type {any} */ (a); // stays\n  \
                    g((/** @type {A} */ c, /** @type {B} */ d) => c);\n\n  \
                    /** @type {Map<string, number>} */\n  return b;\n}\n/* x */ f('/*');\nf(1);\n";
        let expected = "function f(a) {\nconst b = (a); // stays\n\
                        g((c, d) => c);\nreturn b;\n}\n\
                        /* x */ f('/*');\nf(1);\n";
        assert_eq!(lean(text), expected);
        assert_eq!(lean(expected), expected);
        assert_eq!(lean("a {\n  color: red;\n}\n"), "a {\ncolor: red;\n}\n");
    }
}
