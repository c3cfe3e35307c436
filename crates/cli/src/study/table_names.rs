//! Names of tables, figures and boards in the option `--table`.

use anyhow::{Result, anyhow};

use crate::args::StudyArgs;

/// Tables of `--table`, each read by `parse`.
pub fn parse_tables<T>(args: &StudyArgs, parse: fn(&str) -> Result<T, String>) -> Result<Vec<T>> {
    let tables = args.tables.iter();
    tables.map(|name| parse(name).map_err(|message| anyhow!("--table: {message}"))).collect()
}
