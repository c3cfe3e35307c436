//! Survey of a board as CSV, for other programs.

use super::survey::Survey;
use crate::chart::quoted;

impl Survey {
    /// Returns a line per set, in the order of their numbers, with a header.
    #[must_use]
    pub fn sets_csv(&self) -> String {
        let mut text = String::from(
            "number,cards,won,lost,drawn,share,mean_plies,positions,positions_won,positions_lost,\
             positions_drawn,longest_win\n",
        );
        for entry in &self.entries {
            let [won, lost, drawn] = entry.start_outcomes();
            let plies = entry.mean_plies();
            text.push_str(&format!(
                "{},{},{won},{lost},{drawn},{:.4},{},{},{},{},{},{}\n",
                entry.number,
                quoted(&entry.cards.join(",")),
                entry.first_player_share(),
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

    /// Returns a line per deal, with a header: number of the set, spec, and value of the start for
    /// the first player.
    #[must_use]
    pub fn deals_csv(&self) -> String {
        let mut text = String::from("number,spec,value,remoteness\n");
        for entry in &self.entries {
            for (spec, &start) in entry.deal_specs(self.size).iter().zip(&entry.starts) {
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
