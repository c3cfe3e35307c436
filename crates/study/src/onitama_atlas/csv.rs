//! What is known of a board for other programs.

use super::Survey;
use crate::drawing::quoted;

impl Survey {
    /// A line a set, by its number, with a header.
    #[must_use]
    pub fn sets_csv(&self) -> String {
        let mut text = String::from(
            "number,cards,won,lost,drawn,share,mean_plies,positions,positions_won,positions_lost,positions_drawn,longest_win\n",
        );
        for entry in &self.entries {
            let [won, lost, drawn] = entry.outcomes();
            let plies = entry.mean_plies();
            text.push_str(&format!(
                "{},{},{won},{lost},{drawn},{:.4},{},{},{},{},{},{}\n",
                entry.number,
                quoted(&entry.cards.join(",")),
                entry.share(),
                plies.map_or(String::new(), |plies| format!("{plies:.2}")),
                entry.positions(),
                entry.wins,
                entry.losses,
                entry.draws,
                entry.longest,
            ));
        }
        text
    }

    /// A line a deal: the set's number, the spec, and the value of the start for the first player.
    #[must_use]
    pub fn deals_csv(&self) -> String {
        let mut text = String::from("number,spec,value,remoteness\n");
        for entry in &self.entries {
            for (spec, &start) in entry.deals(self.size).iter().zip(&entry.starts) {
                let value = match start {
                    1.. => "win",
                    0 => "draw",
                    _ => "loss",
                };
                let plies = start.unsigned_abs();
                let plies = if start == 0 {
                    String::new()
                } else {
                    plies.to_string()
                };
                let (number, spec) = (entry.number, quoted(spec));
                text.push_str(&format!("{number},{spec},{value},{plies}\n"));
            }
        }
        text
    }
}
