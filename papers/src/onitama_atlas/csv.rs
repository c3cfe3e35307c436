//! Survey of a board as CSV, for other programs.

use hindsight_answers::report::CsvLine;
use hindsight_core::Value;

use super::survey::Survey;

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
            let line = CsvLine::default()
                .field(entry.number)
                .field(entry.cards.join(","))
                .field(won)
                .field(lost)
                .field(drawn)
                .field(format_args!("{:.4}", entry.first_player_share()))
                .optional(plies.map(|plies| format!("{plies:.2}")))
                .field(entry.positions())
                .field(entry.wins)
                .field(entry.losses)
                .field(entry.draws)
                .field(entry.longest);
            text.push_str(&line.end());
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
                let plies = start.unsigned_abs();
                let value = match start {
                    1.. => Value::Win(plies),
                    0 => Value::Draw,
                    _ => Value::Loss(plies),
                };
                let line = CsvLine::default().field(entry.number).field(spec);
                text.push_str(&line.value(value).end());
            }
        }
        text
    }
}
