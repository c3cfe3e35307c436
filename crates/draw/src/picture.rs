//! Pictures as lists of shapes, and their form as SVG.

use std::fmt::Write;

/// Letters of pictures. The first is the font of PNG pictures.
const FONTS: &str = "Ubuntu, 'DejaVu Sans', Arial, sans-serif";

/// Colour of letters.
pub(crate) const LETTERS: &str = "#222222";

/// A picture: shapes on a white ground, the later ones over the earlier ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Width and height.
    pub(crate) size: [f64; 2],
    /// True if the unit is a point of paper, 1/72 inch; false for 1/96 inch.
    pub(crate) is_paper: bool,
    /// Name for those who cannot see the picture.
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}

/// A shape of a picture.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    /// Moves the origin, and then scales, up to the `End` that belongs to it.
    Begin {
        x: f64,
        y: f64,
        scale: f64,
    },
    End,
    Rect {
        /// Left, top, width and height.
        place: [f64; 4],
        /// Radius of the corners.
        round: f64,
        paint: Paint,
    },
    Circle {
        middle: [f64; 2],
        radius: f64,
        paint: Paint,
    },
    Path {
        path: String,
        paint: Paint,
    },
    Text(TextLine),
}

/// Fill, outline and width of the outline of a shape.
///
/// A colour is `none` or `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Paint {
    pub(crate) fill: &'static str,
    pub(crate) stroke: &'static str,
    pub(crate) width: f64,
    /// Opacity of the fill, from 0 to 1.
    pub(crate) opacity: f64,
    /// Lengths of the dashes and gaps of an outline; empty if it has no gaps.
    pub(crate) dash: &'static [f32],
}

impl Paint {
    /// Paint without fill and outline.
    pub(crate) const NONE: Self =
        Self { fill: "none", stroke: "none", width: 0.0, opacity: 1.0, dash: &[] };

    pub(crate) const fn new(fill: &'static str, stroke: &'static str, width: f64) -> Self {
        Self { fill, stroke, width, ..Self::NONE }
    }

    pub(crate) const fn line(stroke: &'static str, width: f64) -> Self {
        Self::new("none", stroke, width)
    }

    fn attributes(self) -> String {
        let Self { fill, stroke, .. } = self;
        let mut text = format!("fill=\"{fill}\" stroke=\"{stroke}\"");
        if stroke != "none" || self.width != 0.0 {
            text += &format!(" stroke-width=\"{}\"", self.width);
        }
        if self.opacity < 1.0 {
            text += &format!(" fill-opacity=\"{}\"", self.opacity);
        }
        if !self.dash.is_empty() {
            let lengths: Vec<String> = self.dash.iter().map(f32::to_string).collect();
            text += &format!(" stroke-dasharray=\"{}\"", lengths.join(" "));
        }
        text
    }
}

/// A line of text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TextLine {
    /// Place of the end that `anchor` names, on the line below the letters.
    pub(crate) place: [f64; 2],
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    /// Width of the line in letters of one width; `None` for other letters.
    pub(crate) fixed_width: Option<f64>,
    pub(crate) text: String,
}

/// Point of a line of text that stands at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

impl TextLine {
    fn svg(&self) -> String {
        let Self { size, text, .. } = self;
        let [x, y] = self.place;
        let text = escaped(text);
        match self.fixed_width {
            // The length fixes the width of each letter in any font, so that columns stay aligned.
            Some(width) => format!(
                "<text x=\"{x}\" y=\"{y}\" font-family=\"'DejaVu Sans Mono', monospace\" \
                 font-size=\"{size}\" fill=\"{LETTERS}\" textLength=\"{width:.1}\" \
                 xml:space=\"preserve\">{text}</text>"
            ),
            None => format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{}\" \
                 fill=\"{LETTERS}\">{text}</text>",
                self.anchor.name()
            ),
        }
    }
}

impl Shape {
    fn svg(&self) -> String {
        match self {
            Self::Begin { x, y, scale: 1.0 } => format!("<g transform=\"translate({x} {y})\">"),
            Self::Begin { x, y, scale } => {
                format!("<g transform=\"translate({x} {y}) scale({scale})\">")
            }
            Self::End => String::from("</g>"),
            Self::Rect { place: [x, y, width, height], round, paint } => format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\" \
                 {}/>",
                paint.attributes()
            ),
            Self::Circle { middle: [x, y], radius, paint } => {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {}/>", paint.attributes())
            }
            Self::Path { path, paint } => format!(
                "<path d=\"{path}\" {} stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                paint.attributes()
            ),
            Self::Text(line) => line.svg(),
        }
    }
}

impl Picture {
    /// Returns the picture as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let [width, height] = self.size;
        let (unit, role) = if self.is_paper { ("pt", "") } else { ("", " role=\"img\"") };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}{unit}\" \
             height=\"{height}{unit}\" viewBox=\"0 0 {width} {height}\"{role} \
             font-family=\"{FONTS}\">\n<title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
            escaped(&self.title)
        );
        for shape in &self.shapes {
            // Ignored: writing to a string does not fail.
            let _ = writeln!(svg, "{}", shape.svg());
        }
        svg + "</svg>\n"
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
