use hindsight_answers::report::CsvLine;

/// Data of a figure, ready to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Number or name of the figure, such as `15a`.
    pub figure: String,
    /// Title above the figure.
    pub title: String,
    /// Label of the horizontal axis, with its unit.
    pub x_label: &'static str,
    /// Label of the vertical axis, with its unit. For a map, label of the shades.
    pub y_label: &'static str,
    /// Kind of chart.
    pub kind: ChartKind,
    /// Curves in the order of the legend.
    pub curves: Vec<ChartCurve>,
}

/// Kind of a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChartKind {
    /// Line chart with one line per curve.
    Lines {
        /// True if the horizontal axis is logarithmic.
        log_x: bool,
        /// True if the vertical axis is logarithmic.
        log_y: bool,
    },
    /// Histogram: `x` of a point is the lower end of its bin.
    Steps,
    /// Bar chart with one bar per point.
    Bars,
    /// Board with a shade per square: a curve is a rank, from the top, and a point is a file.
    Map,
}

/// Named points of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartCurve {
    /// Name in the legend.
    pub name: String,
    /// Points from left to right.
    pub points: Vec<ChartPoint>,
}

/// Single number of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct ChartPoint {
    /// Position on the horizontal axis: a number, or the name of a bar.
    pub x: String,
    /// Value on the vertical axis.
    pub y: f64,
    /// Lower and upper bound with a confidence of 95 %, in the unit of `y`; `None` if unknown.
    pub bounds: Option<[f64; 2]>,
}

impl Chart {
    /// Returns the points as CSV, one per line, with a header. Unknown bounds are empty.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::from("figure,curve,x,y,low,high\n");
        for curve in &self.curves {
            for point in &curve.points {
                let [low, high] = point.bounds.map_or([None; 2], |bounds| bounds.map(Some));
                let line = CsvLine::default().field(&self.figure).field(&curve.name);
                let line = line.field(&point.x).field(point.y);
                text.push_str(&line.optional(low).optional(high).end());
            }
        }
        text
    }
}
