//! Probes of tables of positions.

use hindsight_core::{Answer, Packed, PackedGame, Probe, Ranked, Value};
use rayon::prelude::*;

use super::batch::{AddressedReader, Sources, ValueSource};
use super::block_cache::BlockCache;
use super::table::Table;
use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::symbols::ordinals::value_by_rules;
use crate::symbols::plies_search::PliesSearch;
use crate::symbols::symbol::Symbol;

/// Ranks that a thread reads together.
const PART_RANKS: usize = 1 << 13;

impl<R: ReadAt> Table<R> {
    /// Returns a reader for the values of `game`, which must be the game of
    /// [`TableInfo::spec`](crate::TableInfo::spec); otherwise the answers mean nothing.
    ///
    /// A reader keeps the blocks that it decoded last, so each thread should have its own.
    pub fn with<'a>(&'a self, game: &'a PackedGame) -> TableReader<'a, R> {
        TableReader { game, blocks: BlockCache::new(self) }
    }
}

/// Reads values of a game from a [`Table`].
pub struct TableReader<'a, R> {
    game: &'a PackedGame,
    blocks: BlockCache<'a, R>,
}

impl<R: ReadAt> AddressedReader for TableReader<'_, R> {
    type Position = Packed;
    type Address = Address;

    fn fresh(&self) -> Self {
        Self { game: self.game, blocks: BlockCache::new(self.blocks.table) }
    }

    fn concurrent_reads(&self) -> usize {
        self.blocks.table.reader().concurrent_reads()
    }

    fn source(&self, position: Packed) -> Result<ValueSource<Address>, TableError> {
        if let Some(value) = value_by_rules(self.game, position) {
            return Ok(ValueSource::Rules(Answer::Exact(value)));
        }
        Ok(match self.blocks.table.address_of(self.game, position)? {
            Some((tier, rank)) => ValueSource::Table(Address { tier, rank }),
            None => ValueSource::Rules(Answer::Unknown),
        })
    }

    fn sources(&self, positions: &[Packed]) -> Result<Sources<Address>, TableError> {
        let Some(ranks) = self.blocks.table.reached_ranks(self.game, positions)? else {
            return positions.iter().map(|&position| self.source(position)).collect();
        };
        let source = |(&position, rank): (&Packed, Option<u64>)| match (
            value_by_rules(self.game, position),
            rank,
        ) {
            (Some(value), _) => ValueSource::Rules(Answer::Exact(value)),
            (None, Some(rank)) => ValueSource::Table(Address { tier: 0, rank }),
            (None, None) => ValueSource::Rules(Answer::Unknown),
        };
        Ok(positions.iter().zip(ranks).map(source).collect())
    }

    fn read(&self, position: Packed, address: Address) -> Result<Answer, TableError> {
        match self.stored_symbol(address)? {
            Symbol::Win => self.win(position).map(Answer::Exact),
            Symbol::LossWithin(within) => {
                let loss = self.plies_search().loss(position, within);
                loss.map(Answer::Exact)
            }
            Symbol::Exact(value) => Ok(Answer::Exact(value)),
            Symbol::BestMove(_) => Err(TableError::damaged("a move in the place of a value")),
        }
    }
}

impl<R: ReadAt> TableReader<'_, R> {
    /// Returns the value of a position; `None` if the game gives it no rank.
    ///
    /// # Errors
    /// [`TableError::Damaged`] or [`TableError::Io`] if the table is damaged or cannot be read;
    /// [`TableError::OtherContent`] if it does not store positions.
    pub fn value(&self, position: Packed) -> Result<Option<Value>, TableError> {
        self.probe_one(position).map(Answer::exact)
    }

    /// Returns the values at some ranks of a tier of the game, in their order; unknown for holes.
    ///
    /// # Errors
    /// As [`TableReader::value`].
    pub fn probe_ranks(&self, tier: u64, ranks: &[u64]) -> Result<Vec<Answer>, TableError> {
        if ranks.is_sorted() {
            return self.probe_ascending(tier, ranks);
        }
        let mut places: Vec<usize> = (0..ranks.len()).collect();
        places.par_sort_unstable_by_key(|&place| ranks[place]);
        let sorted: Vec<u64> = places.iter().map(|&place| ranks[place]).collect();
        let mut answers = vec![Answer::Unknown; ranks.len()];
        for (place, answer) in places.into_iter().zip(self.probe_ascending(tier, &sorted)?) {
            answers[place] = answer;
        }
        Ok(answers)
    }

    /// As [`TableReader::probe_ranks`], for ranks that ascend.
    ///
    /// Each part goes down, so that a block is decoded once, up to the last rank that is needed.
    fn probe_ascending(&self, tier: u64, ranks: &[u64]) -> Result<Vec<Answer>, TableError> {
        let parts = ranks.par_chunks(PART_RANKS).map(|part| {
            let reader = self.fresh();
            let answers = part.iter().rev().map(|&rank| reader.answer_at(tier, rank));
            let mut answers = answers.collect::<Result<Vec<Answer>, TableError>>()?;
            answers.reverse();
            Ok(answers)
        });
        let parts: Vec<Vec<Answer>> = parts.collect::<Result<_, TableError>>()?;
        Ok(parts.concat())
    }

    fn answer_at(&self, tier: u64, rank: u64) -> Result<Answer, TableError> {
        let Some(position) = self.game.unrank(tier, rank) else {
            return Ok(Answer::Unknown);
        };
        match value_by_rules(self.game, position) {
            Some(value) => Ok(Answer::Exact(value)),
            None => self.read(position, Address { tier, rank }),
        }
    }

    /// Value of a win, from its lost successors.
    fn win(&self, position: Packed) -> Result<Value, TableError> {
        let win = self.plies_search().win(position, &mut Vec::new())?;
        win.ok_or_else(|| TableError::damaged("a win has no lost successor"))
    }

    fn plies_search(
        &self,
    ) -> PliesSearch<'_, impl Fn(Packed) -> Result<Option<Symbol>, TableError>> {
        PliesSearch {
            game: self.game,
            symbol: |position| match self.source(position)? {
                ValueSource::Rules(answer) => Ok(answer.exact().map(Symbol::Exact)),
                ValueSource::Table(address) => self.stored_symbol(address).map(Some),
            },
        }
    }

    /// Symbol that the table stores at an address.
    fn stored_symbol(&self, address: Address) -> Result<Symbol, TableError> {
        self.blocks.table.info().layout.check_content(Layout::Full)?;
        let symbols = self.blocks.symbols(address)?;
        symbols.map(|[symbol, ..]| symbol).ok_or_else(|| address.missing_error())
    }
}

impl<R: ReadAt> Probe for TableReader<'_, R> {
    type Error = TableError;

    fn probe(&self, position: Packed) -> Result<Answer, TableError> {
        self.probe_one(position)
    }

    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, TableError> {
        self.probe_batch(positions)
    }
}
