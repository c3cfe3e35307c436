//! `export`: the positions of a table as CSV and Parquet.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::files::tables::{GAMES, LAYOUTS, csv_rows};
use crate::harness::{TestFolder, json, refusal};

/// Exports a table to CSV and returns its rows, each by the names of the columns.
pub(crate) fn export(file: &str, options: &[&str]) -> Vec<BTreeMap<String, String>> {
    let out = PathBuf::from(file).with_extension("csv");
    let out = out.to_str().unwrap();
    let report = json(&[&["export", file, "--out", out, "--force"], options].concat());
    let rows = csv_rows(&fs::read(out).unwrap());
    assert_eq!(report["positions"], rows.len() as u64, "{options:?}");
    rows
}

#[test]
fn exports_have_every_position() {
    let tables = TestFolder::new();
    for spec in GAMES {
        let mut exports = Vec::new();
        for layout in LAYOUTS {
            let (file, solved) = tables.solve(spec, &["--layout", layout]);
            let rows = export(&file, &[]);
            let mut counts = BTreeMap::new();
            for row in &rows {
                let value = (row["value"].clone(), row["remoteness"].clone());
                *counts.entry(value).or_default() += row["copies"].parse::<u64>().unwrap();
            }
            let histogram = solved["histogram"].as_array().unwrap().iter().map(|row| {
                let plies = row["remoteness"].as_u64();
                let value = row["value"].as_str().unwrap().to_string();
                let plies = plies.map_or(String::new(), |plies| plies.to_string());
                ((value, plies), row["positions"].as_u64().unwrap())
            });
            assert_eq!(counts, histogram.collect(), "{spec} {layout}");
            exports.push(rows);
        }
        assert_eq!(exports[0], exports[1], "{spec}");
        // A few positions are solved on their own and compared.
        for row in exports[0].iter().step_by(exports[0].len() / 7) {
            let probed = json(&["probe", spec, &row["position"]]);
            assert_eq!(probed["position"], row["position"]);
            assert_eq!(probed["value"], row["value"], "{row:?}");
            let plies = probed["remoteness"].as_u64();
            assert_eq!(plies.map_or(String::new(), |plies| plies.to_string()), row["remoteness"]);
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_the_rows_of_csv() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    let tables = TestFolder::new();
    for spec in GAMES {
        let (file, _) = tables.solve(spec, &["--layout", "full"]);
        let out = tables.path("rows.parquet");
        let report = json(&["export", &file, "--out", &out, "--force"]);
        let reader = SerializedFileReader::new(fs::File::open(&out).unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(|row| {
            let row = row.expect("a row");
            let cells = row.get_column_iter().map(|(name, cell)| match cell {
                Field::Null => (name.clone(), String::new()),
                Field::Str(text) => (name.clone(), text.clone()),
                number => (name.clone(), number.to_string()),
            });
            cells.collect::<BTreeMap<_, _>>()
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(report["positions"], rows.len(), "{spec}");
        assert_eq!(rows, export(&file, &[]), "{spec}");
    }
}

#[test]
fn probes_and_lines_are_the_same_from_both_layouts_and_without_a_table() {
    let tables = TestFolder::new();
    for spec in GAMES {
        let [(full, _), (compact, _), _] =
            LAYOUTS.map(|layout| tables.solve(spec, &["--layout", layout]));
        let rows = export(&full, &[]);
        for row in rows.iter().step_by(rows.len() / 9) {
            let position = row["position"].as_str();
            for command in ["probe", "line"] {
                let from_spec = json(&[command, spec, position]);
                assert_eq!(from_spec["value"], row["value"], "{spec} {position}");
                for file in [&full, &compact] {
                    let from_table = json(&[command, file, position]);
                    assert_eq!(from_table, from_spec, "{command} {file} {position}");
                }
            }
        }
    }
}

#[test]
fn exports_choose_positions() {
    let tables = TestFolder::new();
    let (file, _) = tables.solve("onitama:3x3:boar", &["--layout", "compact"]);
    let all = export(&file, &[]);
    let draws = export(&file, &["--value", "draw"]);
    assert_eq!(draws.len(), 28);
    assert!(draws.iter().all(|row| row["remoteness"].is_empty()));
    let wins = export(&file, &["--value", "win", "--remoteness", "13"]);
    assert_eq!(wins.len(), 2);
    assert_eq!(export(&file, &["--value", "loss", "--remoteness", "13"]).len(), 0);
    let by_layer = (0..6).flat_map(|layer| export(&file, &["--layer", &layer.to_string()]));
    assert_eq!(by_layer.collect::<Vec<_>>(), all);
}

#[test]
fn exports_are_refused_with_a_reason() {
    let tables = TestFolder::new();
    let (file, _) = tables.solve("quoridor:3x3:1", &["--layout", "full"]);
    let out = tables.path("out.csv");
    let call = |more: &[&str]| refusal(&[&["export", &file, "--out", &out], more].concat());
    assert!(call(&["--max-positions", "100"]).contains("--max-positions"));
    assert!(call(&["--layer", "7"]).contains("layers 0 to 2"));
    assert!(call(&["--memory", "10"]).contains("--memory"));
    assert!(!Path::new(&out).exists());
    fs::write(&out, "mine").unwrap();
    assert!(call(&[]).contains("--force"));
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
    assert!(refusal(&["export", &file, "--out", &tables.path("out.txt")]).contains(".csv"));
    // No unfinished file is left.
    let left = fs::read_dir(tables.0.path()).unwrap().count();
    assert_eq!(left, 2);
}
