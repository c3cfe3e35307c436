//! Elements of an SVG picture.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

/// Letters of pictures. The first is the font of PNG pictures.
const FONTS: &str = "Ubuntu, 'DejaVu Sans', Arial, sans-serif";

/// Width of a letter of [`Canvas::fixed_text`], of its size.
pub(crate) const FIXED_WIDTH: f64 = 0.6;

/// An SVG picture on its way.
pub(crate) struct Canvas {
    svg: String,
}

/// Fill, outline and width of the outline of a shape.
#[derive(Clone, Copy)]
pub(crate) struct Paint<'a> {
    pub(crate) fill: &'a str,
    pub(crate) stroke: &'a str,
    pub(crate) width: f64,
}

impl Paint<'_> {
    fn attributes(self) -> String {
        let Self {
            fill,
            stroke,
            width,
        } = self;
        format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\"")
    }
}

impl Canvas {
    /// Returns an empty page of paper; width and height are in points of 1/72 inch.
    pub(crate) fn page(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        Self { svg }
    }

    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        Self { svg }
    }

    /// Adds text that needs no escapes.
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Ignored: writing to a string does not fail.
        let _ = self.svg.write_fmt(element);
        self.svg.push('\n');
    }

    /// Draws with the origin at a point.
    pub(crate) fn within(&mut self, x: f64, y: f64, draw: impl FnOnce(&mut Self)) {
        self.add(format_args!("<g transform=\"translate({x} {y})\">"));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// Draws with the origin at a point, larger or smaller.
    pub(crate) fn scaled(&mut self, x: f64, y: f64, scale: f64, draw: impl FnOnce(&mut Self)) {
        self.add(format_args!(
            "<g transform=\"translate({x} {y}) scale({scale})\">"
        ));
        draw(self);
        self.add(format_args!("</g>"));
    }

    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], round: f64, paint: Paint<'_>) {
        let paint = paint.attributes();
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" \
             {paint}/>"
        ));
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, paint: Paint<'_>) {
        let paint = paint.attributes();
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>"
        ));
    }

    /// Draws a path with round corners.
    pub(crate) fn path(&mut self, path: &str, paint: Paint<'_>) {
        let paint = paint.attributes();
        self.add(format_args!(
            "<path d=\"{path}\" {paint} stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
        ));
    }

    /// Writes a line of text. `anchor` is `start`, `middle` or `end`.
    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"#222222\">{text}</text>"
        ));
    }

    /// Writes a line of text in letters of one width; nothing for a blank line.
    ///
    /// `textLength` fixes the width of each letter in any font, so that columns stay aligned.
    pub(crate) fn fixed_text(&mut self, x: f64, y: f64, size: f64, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let length = FIXED_WIDTH * size * text.width() as f64;
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"'DejaVu Sans Mono', monospace\" \
             font-size=\"{size}\" fill=\"#222222\" textLength=\"{length:.1}\" \
             xml:space=\"preserve\">{text}</text>"
        ));
    }

    pub(crate) fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

/// Replaces the characters that have a meaning in SVG, and leaves out those that it forbids.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}
