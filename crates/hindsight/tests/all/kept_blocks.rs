//! Blocks that readers share: the same values, in any amount of memory.

use hindsight_games::{KeptBlocks, Position, open};
use rayon::prelude::*;

use crate::TestTable;

#[test]
fn values_are_the_same_whatever_is_kept() {
    let specs = ["quoridor:4x4:1", "ostle:4x4:2:1", "onitama:3x3:boar"];
    let tables = specs.map(TestTable::of);
    for bytes in [0, 1, 5_000, 100_000, 1 << 26] {
        let store = KeptBlocks::new(bytes);
        for file in &tables {
            let table = open(&file.path).expect("a table");
            let sample: Vec<Position> = table.values().sample(3000, 7).expect("positions");
            let expected = table.probe_many(&sample).expect("values");
            let keeping = open(&file.path).expect("a table");
            keeping.keep_blocks(&store);
            let one_by_one = sample.par_iter().map(|position| keeping.probe(position));
            let one_by_one: Result<Vec<_>, _> = one_by_one.collect();
            assert_eq!(one_by_one.expect("values"), expected, "{bytes}");
            assert_eq!(keeping.probe_many(&sample).expect("values"), expected, "{bytes}");
        }
        let is_empty = format!("{store:?}").contains("blocks: 0");
        assert_eq!(is_empty, bytes < 5_000, "{bytes}: {store:?}");
    }
}
