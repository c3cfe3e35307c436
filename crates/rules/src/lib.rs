//! The rules of the games, and the one list of their names.
//!
//! A game is named by a *spec*, one word such as `tic-tac-toe` or `onitama:3x4:boar`. [`by_name`]
//! reads a spec and returns the game as a [`PackedGame`]. The types of the games are compiled here
//! alone. Rules know nothing of solvers, files or screens, and need only `alloc`.
//!
//! Cost: a position takes 8 to 24 bytes; one of Onitama 8 on boards of up to 16 squares, 12 up to
//! 32, 24 up to 64.
//!
//! ```
//! use hindsight_core::{Game, Notation};
//! use hindsight_rules::{Setup, by_name};
//!
//! let game = by_name("onitama:3x4:boar", &Setup::default())?;
//! let mut moves = Vec::new();
//! game.moves(game.start(), &mut moves);
//! assert_eq!(game.format_move(game.start(), moves[0]), "b4b3:boar");
//! # Ok::<(), hindsight_core::ParseError>(())
//! ```
//!
//! [`GAMES`] is the only list of games: name, help text, and a function from a spec to a
//! [`PackedGame`], whose structure says what a game has beside its rules
//! ([`hindsight_core::Structure`]). A game whose ranks do not fit 64 bits ranks none.
//!
//! # Adding a game
//!
//! A game is a file or folder here, `pub mod` below, and a line in [`GAMES`]. `CONTRIBUTING.md` has
//! the steps. `tic_tac_toe.rs` and `dodgem` are there to copy.
//!
//! **Rules.** [`Game`] needs five methods: `start`, `player_to_move`, `terminal`, `moves`, `play`.
//! The rest has defaults: `images` lists the symmetries, `successors` and `canonical` may have a
//! faster way, `heuristics` serves agents. If positions count as the side to move sees them,
//! `canonical` drops the player, with any symmetry. A board that fills up implements `countdown`,
//! three methods, and is searched for value and plies. A game with captures implements `material`;
//! without it, puzzles say that no piece can be lost. `is_position` refuses what a forged file may
//! hold, such as two pieces on one square.
//!
//! **Texts.** [`Grid`] has names of squares, rows of signs, their reading with errors that point at
//! a letter, diagrams, and images of sets. `image(set, s)` exchanges left and right if `s & 1`,
//! then top and bottom if `s & 2`, then rows and columns if `s & 4`. A sign is a letter: `>` or `*`
//! mean something to a shell. `parse` refuses what breaks the counts or rules of the game, and says
//! what would be right; a position need not be reachable. Pictures show the signs of the board;
//! `drawing` may give forms of pieces, fences or cards instead. `drawn_move` says how a move
//! changes the picture; without it, pages show only the move's text. `drawn_setup` writes the text
//! of a picture; without it, nobody can put a position together by hand.
//!
//! **Entry.** [`Packing`] puts a position into one to six words of 32 bits, and a move into a
//! number. [`GameEntry`] has the form of the specs, their options, a line for `hindsight games`,
//! and the way from a spec to the rules (`grammar::parse_size` reads `3x4`): [`PackedGame::new`],
//! or [`PackedGame::ranked`] for a game with ranks.
//!
//! **Ranks.** A tier is a set of positions that no sequence of moves leaves and enters again, often
//! those with equal numbers of pieces. Tiers ascend: moves lead to lower ones. A rank that is no
//! position is a hole: `unrank` returns `None`. Positions that are over, or whose value
//! `immediate_value` gives, need no rank. `PieceArrangements` numbers sets of pieces on a board,
//! `rank_mixed_radix` any tuple of digits ([`hindsight_core::combinatorics`]). `Retro` appends the
//! predecessors inside the tier, and no hole; its default is for games in which every move leaves
//! its tier. `hindsight solve SPEC --solver tiered` tries the ranks.
//!
//! | game | shows |
//! |---|---|
//! | [`tic_tac_toe`] | all in one file; `countdown` |
//! | [`dodgem`] | sides that play in different directions |
//! | [`l_game`] | neutral pieces, moves of two parts, moves without a picture |
//! | [`four`] | a position in one word; a faster `outlook` for searches |
//! | [`quixo`] | ranks up to eight symmetries (`orbit_run`); faster `summarize_moves` |
//! | [`dobutsu`] | pieces in hand; ranks with mirror images merged, without lions side by side |
//!
//! Games between X and O share texts and pictures (`crosses_and_rings.rs`).
//!
//! [`Game`]: hindsight_core::Game
//! [`Grid`]: hindsight_core::Grid
//! [`PackedGame`]: hindsight_core::PackedGame
//! [`PackedGame::new`]: hindsight_core::PackedGame::new
//! [`PackedGame::ranked`]: hindsight_core::PackedGame::ranked
//! [`Packing`]: hindsight_core::Packing
#![no_std]

extern crate alloc;

mod crosses_and_rings;
pub mod dobutsu;
pub mod dodgem;
pub mod four;
mod game_entry;
mod grammar;
pub mod l_game;
pub mod onitama;
pub mod ostle;
pub mod quixo;
pub mod quoridor;
mod spec;
pub mod tic_tac_toe;
mod words;

pub use game_entry::{GameEntry, RulesOfSpec, Setup, rules_among};
pub use spec::{GAMES, by_name, deal, deck_file, in_published_order};
