//! Outlines of shapes, for pictures that are no SVG.

use crate::picture::Shape;

/// Part of an outline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum OutlinePart {
    Move([f64; 2]),
    Line([f64; 2]),
    /// Curve of Bézier with two points between its ends.
    Curve([[f64; 2]; 3]),
    Close,
}

/// Distance of the inner points of a quarter of a circle from its ends, of its radius.
const QUARTER: f64 = 0.552_284_75;

/// Returns the outline of a shape; none of a text.
pub(crate) fn outline(shape: &Shape) -> Vec<OutlinePart> {
    match *shape {
        Shape::Rect { place, round, .. } => rect(place, round),
        Shape::Circle { middle: [x, y], radius, .. } => {
            rect([x - radius, y - radius, 2.0 * radius, 2.0 * radius], radius)
        }
        Shape::Path { ref path, .. } => path_parts(path),
        Shape::Begin { .. } | Shape::End | Shape::Text(_) => Vec::new(),
    }
}

/// Returns the outline of a rectangle with round corners.
fn rect([x, y, width, height]: [f64; 4], round: f64) -> Vec<OutlinePart> {
    let (right, bottom) = (x + width, y + height);
    let corners = [[x, y], [right, y], [right, bottom], [x, bottom]];
    let [first, rest @ ..] = corners;
    if round <= 0.0 {
        let lines = rest.into_iter().map(OutlinePart::Line);
        let parts = [OutlinePart::Move(first)].into_iter().chain(lines);
        return parts.chain([OutlinePart::Close]).collect();
    }
    // Directions along the sides, clockwise from the upper left corner.
    let along = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    let mut parts = Vec::new();
    for (corner, [x, y]) in corners.into_iter().enumerate() {
        let [to, from] = [along[corner], along[(corner + 3) % 4]];
        let before = |far: f64| [x - far * from[0], y - far * from[1]];
        let behind = |far: f64| [x + far * to[0], y + far * to[1]];
        let near = round * (1.0 - QUARTER);
        parts.push(match corner {
            0 => OutlinePart::Move(before(round)),
            _ => OutlinePart::Line(before(round)),
        });
        parts.push(OutlinePart::Curve([before(near), behind(near), behind(round)]));
    }
    parts.push(OutlinePart::Close);
    parts
}

/// Returns the parts of a path of [`Canvas::path`](crate::canvas::Canvas::path).
fn path_parts(path: &str) -> Vec<OutlinePart> {
    let mut words = path.split_whitespace();
    let mut parts = Vec::new();
    let mut last = [0.0; 2];
    while let Some(command) = words.next() {
        let mut number = || {
            let word = words.next().and_then(|word| word.parse().ok());
            word.expect("a number for each coordinate of a path")
        };
        let mut point = || [number(), number()];
        let part = match command {
            "M" => OutlinePart::Move(point()),
            "L" => OutlinePart::Line(point()),
            "H" => OutlinePart::Line([number(), last[1]]),
            "V" => OutlinePart::Line([last[0], number()]),
            "C" => OutlinePart::Curve([point(), point(), point()]),
            "Z" => OutlinePart::Close,
            _ => unreachable!("a path has no command {command}"),
        };
        if let OutlinePart::Move(end) | OutlinePart::Line(end) | OutlinePart::Curve([_, _, end]) =
            part
        {
            last = end;
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{OutlinePart, path_parts, rect};

    #[test]
    fn paths_are_read() {
        let parts = path_parts("M 1 2 H 3 V -4.5 L 0 0 C 1 1 2 2 3 3 Z");
        let expected = [
            OutlinePart::Move([1.0, 2.0]),
            OutlinePart::Line([3.0, 2.0]),
            OutlinePart::Line([3.0, -4.5]),
            OutlinePart::Line([0.0, 0.0]),
            OutlinePart::Curve([[1.0; 2], [2.0; 2], [3.0; 2]]),
            OutlinePart::Close,
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn round_corners_begin_and_end_on_the_sides() {
        let parts = rect([0.0, 0.0, 10.0, 6.0], 2.0);
        assert_eq!(parts[0], OutlinePart::Move([0.0, 2.0]));
        assert!(matches!(parts[1], OutlinePart::Curve([_, _, [2.0, 0.0]])));
        assert_eq!(parts[2], OutlinePart::Line([8.0, 0.0]));
        assert!(matches!(parts[7], OutlinePart::Curve([_, _, [0.0, 4.0]])));
        assert_eq!(parts.len(), 9);
    }
}
