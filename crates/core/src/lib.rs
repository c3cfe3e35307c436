//! Traits and values shared by all crates of Hindsight, which solves board games exactly.
//!
//! Cost: a [`Value`] has 4 bytes, a [`Packed`] position of any game 36, and a call of the rules
//! through a [`PackedGame`] takes some nanoseconds (`docs/decisions/0023-rules-as-objects.md`).
//!
//! ```
//! use hindsight_core::Value;
//!
//! // If the successors are Loss(4) and Draw for the opponent, the position is a win in five plies.
//! let best = [Value::Loss(4), Value::Draw].map(Value::before).into_iter().max();
//! assert_eq!(best, Some(Value::Win(5)));
//! ```
//!
//! # Words
//!
//! | Word | Meaning |
//! |---|---|
//! | position | all that affects the rest of a game, including the side to move |
//! | move | one action of the side to move |
//! | ply | one move of one side; the unit of all distances |
//! | terminal | said of a position: the game is over there |
//! | successor, predecessor | position one ply later, one ply earlier |
//! | remoteness | plies to the end if the winner hurries and the loser delays |
//! | value | win, draw or loss for the side to move, with its remoteness |
//! | class, canonical | set of positions equal by symmetry; its chosen member |
//! | tier | set of positions solved together; no sequence of moves leaves a tier and returns |
//! | layer | group of tiers; a move stays in its tier or leads to an earlier layer |
//! | rank | number of a position in its tier, from 0 |
//! | hole | rank without a position |
//!
//! # Traits of a game
//!
//! [`Game`] holds the rules and comes first. Each other trait adds an ability:
//!
//! | Trait | Adds | Unlocks |
//! |---|---|---|
//! | [`Notation`] | text for positions and moves | command line, golden files, exports |
//! | [`DrawnSetup`] | texts of pictures | positions put together by hand |
//! | [`Heuristics`] | estimates, random games | better and faster agents and searches |
//! | [`Material`] | captures and sacrifices | themes of puzzles |
//! | [`Countdown`] | plies that are left, safe moves | null-window search |
//! | [`Tiers`] | an order in which positions can be solved | see [`Ranked`] |
//! | [`Ranked`] | dense numbering of positions | values of *all* positions, tables on disk |
//! | [`Retro`] | moves taken back | retrograde analysis without a reverse graph |
//! | [`PawnPairs`] | one moving pawn a side, as in Quoridor | solver on rows of bits |
//! | [`Subgames`] | games of [`PawnPairs`] from a position on | the same, for huge games |
//! | [`States`] | a position may forbid one move, as in Ostle | see [`ForbiddenMove`] |
//! | [`ForbiddenMove`] | numbers of forbidden moves | solver on base positions |
//! | [`TwoSided`] | leaders and followers, as in Onitama | solver on bit planes |
//!
//! Solvers and tables answer through [`Probe`], with a [`Value`]; [`rated_moves`] compares moves.
//!
//! Beside the traits are boards and texts for authors ([`Grid`], [`TextToken`], [`SpecOptions`]),
//! and counting and ranking ([`combinatorics`]).
//!
//! The crate uses `alloc` but not the standard library, and no other crate.
#![no_std]
#![warn(clippy::cast_possible_truncation)]

extern crate alloc;

pub mod combinatorics;
mod expansion;
mod forbidden_move;
mod game;
mod grid;
mod notation;
mod optional_traits;
mod packed;
mod pawn_pairs;
mod pictures;
mod playout_queue;
mod probe;
mod random;
mod ranked;
mod rated_move;
mod states;
mod text;
mod tiers;
mod two_sided;
mod value;

pub use expansion::{ExpandedPosition, Expansion, Look};
pub use forbidden_move::{
    ForbiddableMoveSummary, ForbiddenMove, InEdge, OutEdge, edges_between, edges_from_by_moves,
    edges_to_by_moves, forbiddable_ids_by_moves, forbiddable_summary_by_moves, is_unreached,
    state_at, states_at,
};
pub use game::{Game, Symmetry};
pub use grid::{Grid, square_name};
pub use notation::{Notation, Scope, diagram_of_rows, drawing_of, parse_move_by_text};
pub use optional_traits::{
    Countdown, Heuristics, Material, Outlook, SafeMove, leaves_piece_en_prise, outlook_by_moves,
    playout_by_moves,
};
pub use packed::{
    CountdownRules, MOST_WORDS, Packed, PackedGame, PackedMove, Packing, RetroRules, Rules,
    Structure,
};
pub use pawn_pairs::{PawnJump, PawnPairRules, PawnPairSymmetry, PawnPairs, Subgames};
pub use pictures::board_cell::BoardCell;
pub use pictures::drawing::{
    Drawing, DrawnCard, DrawnFence, DrawnMark, DrawnPiece, DrawnSeat, MarkKind, PieceShape,
};
pub use pictures::drawn_move::DrawnMove;
pub use pictures::drawn_setup::{DrawnPlace, DrawnSetup, PieceKind, PlacedText, SetupKinds};
pub use playout_queue::{PlayoutQueue, playouts_in_turn};
pub use probe::{Answer, Probe};
pub use random::Random;
pub use ranked::{
    MoveSummary, RankSummaries, RankSummary, Ranked, Retro, position_at,
    predecessor_ranks_by_moves, summary_by_moves,
};
pub use rated_move::{RatedMove, rated_moves};
pub use states::States;
pub use text::nearest_name::nearest_name;
pub use text::parse_error::ParseError;
pub use text::shown_text::{shown, without_middle, without_passwords};
pub use text::spec_options::{SpecOption, SpecOptions};
pub use text::text_token::TextToken;
pub use tiers::{OrbitRun, Tiers, orbit_runs};
pub use two_sided::{Placement, TwoSided, TwoSidedMirror, TwoSidedRules};
pub use value::{Value, Wdl};
