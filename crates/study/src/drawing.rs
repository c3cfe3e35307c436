/// The data of a figure, ready to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    /// The figure, such as `15a`.
    pub figure: String,
    /// What it shows.
    pub title: String,
    /// What the horizontal axis shows, with its unit.
    pub x: &'static str,
    /// What the vertical axis shows, or the shades of a map, with its unit.
    pub y: &'static str,
    /// How it is drawn.
    pub form: Form,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// How a figure is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A line for each curve.
    Lines {
        /// Whether the horizontal axis is logarithmic.
        log_x: bool,
        /// Whether the vertical axis is.
        log_y: bool,
    },
    /// A distribution over classes of numbers.
    Steps,
    /// A bar for each point.
    Bars,
    /// Squares of a board in shades: a curve is a rank, from the top, and a point a file.
    Map,
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// What they have in common.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// One number of a figure.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Where it stands: a number, or the name of a bar.
    pub x: String,
    /// The number.
    pub y: f64,
    /// Bounds with a confidence of 95 %, where they make sense.
    pub bounds: Option<[f64; 2]>,
}

impl Drawing {
    /// One line a point, with a header; bounds are empty where there are none.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("figure,curve,x,y,low,high\n");
        for curve in &self.curves {
            for point in &curve.points {
                let [low, high] = point
                    .bounds
                    .map_or_else(Default::default, |bounds| bounds.map(|b| b.to_string()));
                text.push_str(&format!(
                    "{},{},{},{},{low},{high}\n",
                    self.figure,
                    quoted(&curve.name),
                    quoted(&point.x),
                    point.y,
                ));
            }
        }
        text
    }
}

/// A field of a CSV line, in quotes if it has a comma or a quote.
pub(crate) fn quoted(field: &str) -> String {
    if field.contains([',', '"']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}
