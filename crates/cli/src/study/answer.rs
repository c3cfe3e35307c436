//! Answer of a study: the report of the whole, or of a part.

use anyhow::Result;
use hindsight_study::StudyReport;

use super::part_report::PartReport;
use crate::args::ReportFormat;
use crate::output::{columns, print, print_json, print_text};

/// Report of a study or of a part of it.
pub enum StudyAnswer {
    Whole(StudyReport),
    Part(PartReport),
}

/// Answer of a study, and the error of the files beside it, if any.
pub struct StudyOutcome {
    pub answer: StudyAnswer,
    pub written: Result<()>,
}

impl StudyAnswer {
    pub(super) fn print(&self, format: ReportFormat) -> Result<()> {
        match (self, format) {
            (Self::Whole(report), ReportFormat::Text) => print(&report.text(columns())),
            (Self::Whole(report), ReportFormat::Markdown) => print(&report.markdown()),
            (Self::Whole(report), ReportFormat::Csv) => print(&report.csv()),
            (Self::Whole(report), ReportFormat::Json) => print_json(&report.cells),
            (Self::Part(report), ReportFormat::Json) => print_json(report),
            (Self::Part(report), _) => print_text(&report.text()),
        }
    }
}
