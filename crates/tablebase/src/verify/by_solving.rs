//! Check of a table of positions against a second solve.

use std::cell::RefCell;
use std::collections::BTreeSet;

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::{
    CodesInMemory, Error, Layer, LayerCodes, Limits, Monitor, Poll, Progress, Store, StoreError,
    parallel,
};

use super::memory::comparison_memory;
use super::verifier::{ExpectedHeader, Verifier};
use crate::codec::coder::DecodeScratch;
use crate::error::TableError;
use crate::format::index::{IndexEntry, PAGE_ENTRIES};
use crate::format::layer_file::LayerFile;
use crate::read_at::ReadAt;
use crate::reading::decode::check_tiers;
use crate::reading::table::Table;
use crate::symbols::ordinals::ordinal_runs;
use crate::symbols::symbol::Symbol;
use crate::symbols::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};
use crate::verdict::{MAX_REPORTED, TableVerdict};
use crate::writing::layer_counts::LayerCounts;
use crate::writing::layer_writer::SymbolSource;
use crate::writing::piece_symbols::PieceSymbols;
use crate::writing::shape::{LayerPiece, LayerShape};
use crate::writing::tally::LayerTally;

/// Solve of all positions of a game, whose layers go into a store, which compares them. Returns
/// false, before it begins, if it cannot solve the game within its limits.
pub(crate) type SolveAgain<'a> =
    dyn FnMut(&mut dyn Store, &mut dyn Monitor) -> Result<bool, Error> + 'a;

/// Compares every value with that of a second solve.
pub(super) fn verify_by_solving<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
    solve: &mut SolveAgain<'_>,
) -> Result<TableVerdict, TableError> {
    let header_faults = table.header_faults(game)?;
    let monitor = SharedMonitor(RefCell::new(monitor));
    let (mut of_verifier, mut of_solve) = (&monitor, &monitor);
    Verifier::run(table, header_faults, limits, &mut of_verifier, |verifier| {
        for layer in verifier.layers() {
            verifier.check_checksums(layer)?;
        }
        let mut store = ComparingStore { game, verifier, compared: BTreeSet::new() };
        match solve(&mut store, &mut of_solve) {
            Err(_) if store.has_enough_faults() => {}
            Err(Error::Stopped) => return Err(TableError::Stopped),
            Err(Error::Time { positions, .. }) => return Err(TableError::Time { positions }),
            Err(Error::Store(error)) => return Err(table_error(error)),
            Ok(_) | Err(_) => {}
        }
        if store.has_enough_faults() || store.has_all_layers() {
            Ok(())
        } else {
            Err(TableError::NotSolved)
        }
    })
}

/// Monitor of several steps that take turns.
struct SharedMonitor<'a>(RefCell<&'a mut dyn Monitor>);

impl Monitor for &SharedMonitor<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        self.0.borrow_mut().report(progress)
    }
}

/// Error of the table behind a store's error.
fn table_error(error: StoreError) -> TableError {
    match error.downcast::<TableError>() {
        Ok(error) => *error,
        Err(other) => {
            TableError::Io { doing: "solve the game again", source: std::io::Error::other(other) }
        }
    }
}

/// Store that keeps nothing, and compares each layer with the table's.
struct ComparingStore<'v, 'a, R> {
    game: &'v PackedGame,
    verifier: &'v mut Verifier<'a, R>,
    /// Layers that were compared.
    compared: BTreeSet<u32>,
}

impl<R: ReadAt> ComparingStore<'_, '_, R> {
    fn has_enough_faults(&self) -> bool {
        self.verifier.faults() >= MAX_REPORTED
    }

    fn has_all_layers(&self) -> bool {
        self.verifier.layers().all(|layer| self.compared.contains(&layer))
    }

    /// Compares a piece, unless its layer is damaged.
    fn compare(&mut self, shape: LayerShape<'_>, piece: LayerPiece<'_>) -> Result<(), TableError> {
        let layer = shape.layer();
        if self.verifier.is_damaged(layer) {
            return Ok(());
        }
        let table = self.verifier.table;
        let info = table.info();
        let alphabet = Alphabet {
            symbols: &info.layers[layer as usize].symbols,
            symbol_layout: SymbolLayout::of(info.layout),
        };
        let comparison = LayerComparison {
            file: &table.uncached_layer(layer)?,
            symbols: PieceSymbols::new(shape, alphabet, info.layout, piece),
            shape,
            piece,
        };
        let verdict = self.verifier.decode(layer, |_| comparison.run())?;
        if let Some(verdict) = verdict {
            self.verifier.add_layer(piece.codes.len() as u64, verdict);
        }
        Ok(())
    }

    /// Compares the header of a layer whose values are all counted.
    fn compare_header(&mut self, shape: &LayerShape<'_>, tally: &LayerTally) {
        let layer = shape.layer();
        self.compared.insert(layer);
        if self.verifier.is_damaged(layer) {
            return;
        }
        let layout = self.verifier.table.info().layout;
        if let Some(counts) = LayerCounts::of_tally(shape, tally, layout) {
            let expected =
                ExpectedHeader { name: self.game.layer_name(layer), counts, start: tally.start() };
            self.verifier.compare_header(layer, &expected);
        }
    }
}

impl<R: ReadAt> Store for ComparingStore<'_, '_, R> {
    fn takes(&self, layer: u32, _: u64, _: u64) -> u64 {
        comparison_memory::<R>(self.verifier.table, layer).unwrap_or(0)
    }

    fn put(&mut self, layer: &Layer, poll: &mut Poll<'_>) -> Result<(), Error> {
        let codes = &layer.codes;
        self.put_pieces(layer, &mut CodesInMemory { codes, poll })
    }

    fn put_pieces(&mut self, layer: &Layer, codes: &mut dyn LayerCodes) -> Result<(), Error> {
        let shape = LayerShape::trusted(self.game, layer);
        let mut tally = LayerTally::default();
        codes.for_each_piece(&mut |first, codes| {
            let piece = LayerPiece { first, codes, palette: &layer.palette };
            self.compare(shape, piece)?;
            tally.merge(&LayerTally::count_on_all_threads(&shape, piece));
            Ok(())
        })?;
        self.compare_header(&shape, &tally);
        if self.has_enough_faults() { Err(Error::Stopped) } else { Ok(()) }
    }

    fn has(&mut self, _: u32) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn get(&mut self, layer: u32) -> Result<Layer, StoreError> {
        Err(format!("layer {layer} was not kept").into())
    }
}

/// Comparison of a piece of a solved layer with the table.
struct LayerComparison<'a, R> {
    file: &'a LayerFile<R>,
    symbols: PieceSymbols<'a>,
    shape: LayerShape<'a>,
    piece: LayerPiece<'a>,
}

impl<R: ReadAt> LayerComparison<'_, R> {
    /// Compares all blocks of the piece, on all threads.
    fn run(&self) -> Result<TableVerdict, TableError> {
        let step = u64::from(self.file.info.block_ranks);
        let ordinals = self.piece.ordinals();
        let page_ranks = step * PAGE_ENTRIES as u64;
        let pages = ordinals.start / page_ranks..ordinals.end.div_ceil(page_ranks);
        let verdicts = parallel::try_map(pages, &|page| self.compare_page(page))?;
        let mut verdict = TableVerdict::default();
        for further in verdicts {
            verdict.add(further);
        }
        Ok(verdict)
    }

    /// Compares the blocks of a page of the index that lie in the piece.
    fn compare_page(&self, page: u64) -> Result<TableVerdict, TableError> {
        let mut verdict = TableVerdict::default();
        if page >= self.file.opened()?.index.pages() as u64 {
            return Err(TableError::damaged("the index has too few pages"));
        }
        let mut scratch = DecodeScratch::new()?;
        let first = page * PAGE_ENTRIES as u64;
        let step = u64::from(self.file.info.block_ranks);
        for (number, entry) in (first..).zip(&self.file.page(page as usize)?) {
            let ordinals = ordinal_runs(self.file.info.ranks, step)(number);
            let piece = self.piece.ordinals();
            if piece.start <= ordinals.start && ordinals.end <= piece.end {
                self.compare_block(number, entry, &mut scratch, &mut verdict)?;
            }
        }
        Ok(verdict)
    }

    fn compare_block(
        &self,
        number: u64,
        entry: &IndexEntry,
        scratch: &mut DecodeScratch,
        verdict: &mut TableVerdict,
    ) -> Result<(), TableError> {
        let ordinals =
            ordinal_runs(self.file.info.ranks, self.file.info.block_ranks.into())(number);
        let block = self.file.block(number, entry, None, scratch)?;
        check_tiers(&block, entry, self.shape.tier_pieces(ordinals.clone()))?;
        let codes = self.piece.part(ordinals.clone()).codes;
        let holes = codes.iter().filter(|&&code| self.piece.value(code).is_none());
        verdict.positions_checked += (codes.len() - holes.count()) as u64;
        let layer = Some(self.shape.layer());
        let required = match self.symbols.required_symbols(ordinals.clone()) {
            Ok(required) => required.symbols,
            Err(error) => {
                verdict.push_fault(layer, None, error.with_causes());
                return Ok(());
            }
        };
        let is_wrong =
            |(&wanted, &stored): (&u16, &u8)| wanted != ANY_SYMBOL && wanted != u16::from(stored);
        if !required.iter().zip(&block.symbols).any(is_wrong) {
            return Ok(());
        }
        for (i, pair) in required.iter().zip(&block.symbols).enumerate() {
            let address = self.shape.address(ordinals.start + i as u64);
            if let (true, Some(address)) = (is_wrong(pair), address) {
                let solved = self.piece.value(codes[i]);
                let fault = self.difference(*pair.1, solved);
                verdict.push_fault(layer, Some((address.tier, address.rank)), fault);
            }
        }
        Ok(())
    }

    /// Describes a wrong symbol.
    fn difference(&self, stored: u8, solved: Option<hindsight_core::Value>) -> String {
        let stored = match self.file.info.symbols.get(usize::from(stored)) {
            Some(Symbol::Exact(value)) => value.to_string(),
            Some(Symbol::Win) => String::from("win"),
            Some(&Symbol::LossWithin(n)) => format!("loss in {} or {n} plies", n.saturating_sub(2)),
            Some(Symbol::BestMove(_)) | None => String::from("no value"),
        };
        let solved = solved.map_or(String::from("a hole"), |value| value.to_string());
        format!("the table says {stored}, the successors make it {solved}")
    }
}
