//! A picture on its way: shapes are added one by one.

use unicode_width::UnicodeWidthStr;

use crate::picture::{Anchor, Paint, Picture, Shape, TextLine};

/// Width of a letter of [`Canvas::fixed_text`], of its size.
pub(crate) const FIXED_WIDTH: f64 = 0.6;

/// A picture to which shapes are added.
pub(crate) struct Canvas {
    picture: Picture,
}

impl Canvas {
    /// Returns an empty page of paper; width and height are in points of 1/72 inch.
    pub(crate) fn page(width: f64, height: f64, title: &str) -> Self {
        Self::with_unit([width, height], title, true)
    }

    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        Self::with_unit([width, height], title, false)
    }

    fn with_unit(size: [f64; 2], title: &str, is_paper: bool) -> Self {
        let picture = Picture { size, is_paper, title: title.to_string(), shapes: Vec::new() };
        Self { picture }
    }

    /// Draws with the origin at a point.
    pub(crate) fn within(&mut self, x: f64, y: f64, draw: impl FnOnce(&mut Self)) {
        self.scaled(x, y, 1.0, draw);
    }

    /// Draws with the origin at a point, larger or smaller.
    pub(crate) fn scaled(&mut self, x: f64, y: f64, scale: f64, draw: impl FnOnce(&mut Self)) {
        self.add(Shape::Begin { x, y, scale });
        draw(self);
        self.add(Shape::End);
    }

    fn add(&mut self, shape: Shape) {
        self.picture.shapes.push(shape);
    }

    pub(crate) fn rect(&mut self, place: [f64; 4], round: f64, paint: Paint) {
        self.add(Shape::Rect { place, round, paint });
    }

    pub(crate) fn circle(&mut self, x: f64, y: f64, radius: f64, paint: Paint) {
        self.add(Shape::Circle { middle: [x, y], radius, paint });
    }

    /// Draws a path with round corners: `M`, `L`, `H`, `V`, `C` and `Z` of SVG, each with a space
    /// before and behind it.
    pub(crate) fn path(&mut self, path: &str, paint: Paint) {
        self.add(Shape::Path { path: path.to_string(), paint });
    }

    pub(crate) fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, text: &str) {
        self.add(Shape::Text(TextLine {
            place: [x, y],
            size,
            anchor,
            fixed_width: None,
            text: text.to_string(),
        }));
    }

    /// Writes a line of text in letters of one width; nothing for a blank line.
    pub(crate) fn fixed_text(&mut self, x: f64, y: f64, size: f64, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        self.add(Shape::Text(TextLine {
            place: [x, y],
            size,
            anchor: Anchor::Start,
            fixed_width: Some(FIXED_WIDTH * size * text.width() as f64),
            text: text.to_string(),
        }));
    }

    pub(crate) fn finish(self) -> Picture {
        self.picture
    }

    /// Returns the picture with a height that came out as it was drawn.
    pub(crate) fn finish_below(mut self, height: f64) -> Picture {
        self.picture.size[1] = height.ceil();
        self.picture
    }
}
