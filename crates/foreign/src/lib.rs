//! Games whose rules live outside: in a program of the user's, or in another language.
//!
//! Whoever reaches such rules implements [`ForeignRules`], over positions as bytes, many a call.
//! [`foreign_game`] makes them a [`PackedGame`](hindsight_core::PackedGame), so that solvers,
//! agents and tables take them as any other game.
//!
//! Cost: solvers ask for up to [`MOST_POSITIONS`] positions a call. Everything else asks for one
//! position and, at once, for its successors; answers are kept for some time.
//!
//! ```
//! use std::sync::Arc;
//!
//! use hindsight_core::{Game, Notation, Symmetry, Wdl};
//! use hindsight_foreign::{
//!     Answers, Description, ForeignRules, RulesFault, Turns, foreign_game,
//! };
//!
//! /// A heap of stones. A move takes one or two; whoever takes the last one wins.
//! struct TakeAway(Description);
//!
//! impl ForeignRules for TakeAway {
//!     fn description(&self) -> &Description {
//!         &self.0
//!     }
//!     fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
//!         for &stones in positions {
//!             let left = (1..=stones.min(2)).map(|taken| stones - taken);
//!             answers.add((stones == 0).then_some(Wdl::Loss), left.map(|left| [left]));
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let description = Description::new("take-away", Turns::Alternate, vec![20]);
//! let game = foreign_game(Arc::new(TakeAway(description)), Symmetry::None);
//! let mut next = Vec::new();
//! game.successors(game.start(), &mut next);
//! assert_eq!(game.format(next[1]), "12 second");
//! assert_eq!(game.parse("12 second"), Ok(next[1]));
//! ```
//!
//! # Faults
//!
//! The methods of a game return no errors, and rules outside may fail in any of them. A fault then
//! unwinds the stack as a [`RulesFault`], and [`catch_faults`] returns it. Nothing that was
//! computed with it is left: what was being solved or written is dropped on the way.
//!
//! # Positions
//!
//! A position of the house is the bytes of the foreign one, the first ones in the upper bits, and
//! where [turns alternate](Turns::Alternate) a byte for the player to move. There the canonical
//! member has player 0 to move, so that solvers keep each foreign position once.

mod description;
mod edges;
mod fault;
mod game;
mod hexadecimal;
mod laws;
mod names;
mod ranks;
mod recent;
mod rules;
mod texts;

pub use description::{Abilities, Description, MOST_BYTES, MOST_RANKS, MOST_TIERS, Turns};
pub use fault::{FaultCause, RulesFault, catch_faults};
pub use game::{bytes_of_packed, foreign_game, packed_position};
pub use hexadecimal::{bytes_of, hexadecimal, push_hexadecimal};
pub use laws::{BrokenLaw, CheckedLaws, check_laws};
pub use rules::{Answers, ForeignRules, MOST_MOVES, MOST_POSITIONS, RankedPositions};
