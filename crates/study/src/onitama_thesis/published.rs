use std::collections::HashMap;

use hindsight_testkit::golden;

use super::Table;

const TABLES: &str = include_str!("../../../../golden/onitama_thesis_boar_tables.csv");
const TABLE_5: &str = include_str!("../../../../golden/onitama_thesis_table5_lower_bound.csv");

/// The numbers as the thesis prints them.
pub(super) struct Published {
    /// By the file's name of the table, width and height; no entry where the thesis has a dash.
    tables: HashMap<(&'static str, u8, u8), &'static str>,
    table_5: HashMap<(u8, u8), &'static str>,
}

fn number(text: &str) -> u8 {
    text.parse()
        .expect("a golden file has numbers for width and height")
}

impl Published {
    pub(super) fn read() -> Self {
        let rows = golden(TABLES)
            .expect("the golden file is in the program")
            .into_iter();
        let tables = rows
            .filter(|row| !row[3].is_empty())
            .map(|row| ((row[0], number(row[1]), number(row[2])), row[3]));
        let rows = golden(TABLE_5)
            .expect("the golden file is in the program")
            .into_iter();
        let table_5 = rows.map(|row| ((number(row[0]), number(row[1])), row[2]));
        Self {
            tables: tables.collect(),
            table_5: table_5.collect(),
        }
    }

    /// What the thesis has for a board of n x m squares.
    pub(super) fn cell(&self, table: Table, n: u8, m: u8) -> Option<String> {
        let name = match table {
            Table::Winner => "table1_winner",
            Table::GraphTime => "table2_seconds_retrograde_with_graph",
            Table::RetrogradeTime => "table3_seconds_retrograde_alone",
            Table::UpperBound => "table4_upper_bound_boards",
            Table::States => "table6_reachable_states",
            Table::Edges => "table7_edges",
            Table::ForwardTime => "table8_seconds_forward",
            Table::ForwardStates => "table9_states_visited_forward",
            Table::SymmetricTime => "table10_seconds_forward_symmetry",
            Table::SymmetricStates => "table11_states_visited_forward_symmetry",
            Table::LowerBound | Table::Bounds | Table::Theorem1 | Table::Remoteness => return None,
        };
        self.tables.get(&(name, n, m)).map(ToString::to_string)
    }

    /// Table 5 under the heads it is printed with.
    pub(super) fn lower_bound(&self, printed_n: u8, printed_m: u8) -> Option<String> {
        self.table_5
            .get(&(printed_n, printed_m))
            .map(ToString::to_string)
    }
}
