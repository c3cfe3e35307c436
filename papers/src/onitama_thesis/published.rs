use std::collections::HashMap;

use hindsight_testkit::golden;

use super::table::ThesisTable;

const TABLES: &str = include_str!("../../../golden/onitama_thesis_boar_tables.csv");
const TABLE_5: &str = include_str!("../../../golden/onitama_thesis_table5_lower_bound.csv");

/// Numbers as the thesis prints them.
pub(super) struct PublishedThesis {
    /// Key: name of the table in the file, width, height. No entry where the thesis has a dash.
    tables: HashMap<(&'static str, u8, u8), &'static str>,
    /// Key: printed width, printed height.
    table_5: HashMap<(u8, u8), &'static str>,
}

fn number(text: &str) -> u8 {
    text.parse().expect("a golden file has numbers for width and height")
}

impl PublishedThesis {
    pub(super) fn read() -> Self {
        let rows = golden(TABLES).expect("the golden file is in the program").into_iter();
        let tables = rows
            .filter(|row| !row[3].is_empty())
            .map(|row| ((row[0], number(row[1]), number(row[2])), row[3]));
        let rows = golden(TABLE_5).expect("the golden file is in the program").into_iter();
        let table_5 = rows.map(|row| ((number(row[0]), number(row[1])), row[2]));
        Self { tables: tables.collect(), table_5: table_5.collect() }
    }

    /// Returns the number of a table for a board of `n` x `m` squares.
    pub(super) fn cell(&self, table: ThesisTable, n: u8, m: u8) -> Option<String> {
        let name = match table {
            ThesisTable::Winner => "table1_winner",
            ThesisTable::GraphTime => "table2_seconds_retrograde_with_graph",
            ThesisTable::RetrogradeTime => "table3_seconds_retrograde_alone",
            ThesisTable::UpperBound => "table4_upper_bound_boards",
            ThesisTable::States => "table6_reachable_states",
            ThesisTable::Edges => "table7_edges",
            ThesisTable::ForwardTime => "table8_seconds_forward",
            ThesisTable::ForwardStates => "table9_states_visited_forward",
            ThesisTable::SymmetricTime => "table10_seconds_forward_symmetry",
            ThesisTable::SymmetricStates => "table11_states_visited_forward_symmetry",
            ThesisTable::LowerBound
            | ThesisTable::Bounds
            | ThesisTable::Theorem1
            | ThesisTable::Remoteness => return None,
        };
        self.tables.get(&(name, n, m)).map(ToString::to_string)
    }

    /// Returns the number of Table 5 at the printed width `printed_n` and height `printed_m`.
    pub(super) fn lower_bound(&self, printed_n: u8, printed_m: u8) -> Option<String> {
        self.table_5.get(&(printed_n, printed_m)).map(ToString::to_string)
    }
}
