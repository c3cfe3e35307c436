//! Report of a part of a study: how much of it is done.

use hindsight_answers::report::TextTable;
use hindsight_study::{BoardSize, StudyPart};
use serde::Serialize;

use crate::output::fitted;

/// Progress of a part, and the share of this run in it.
#[derive(Serialize)]
pub struct PartReport {
    pub study: &'static str,
    pub part: StudyPart,
    /// Plural noun for what is solved.
    #[serde(skip)]
    pub unit: &'static str,
    pub boards: Vec<BoardShare>,
    pub seconds: f64,
}

/// Solves of a part on one board.
#[derive(Serialize)]
pub struct BoardShare {
    pub board: BoardSize,
    /// Number of solves in the part.
    pub solves: u64,
    /// Number of those that are done.
    pub done: u64,
    /// Number of those that this run did.
    pub new: u64,
}

impl PartReport {
    pub(super) fn text(&self) -> String {
        let mut table = TextTable::new("rrrr");
        table.push(["board", self.unit, "done", "now"]);
        for share in &self.boards {
            let counts = [share.solves, share.done, share.new].map(|count| count.to_string());
            let [solves, done, new] = counts;
            table.push([share.board.to_string(), solves, done, new]);
        }
        let is_complete = self.boards.iter().all(|share| share.done == share.solves);
        let end = if is_complete {
            "The part is complete: `hindsight study merge` takes it."
        } else {
            "The part is not complete: the same call goes on."
        };
        format!(
            "{}, part {}, after {:.1} seconds\n{}{end}\n",
            self.study,
            self.part,
            self.seconds,
            fitted(&table)
        )
    }
}
