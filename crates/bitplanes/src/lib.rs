//! Every position of a two-sided game ([`hindsight_core::TwoSided`]), solved in planes of bits.
//!
//! A position is a set of followers and a leader of each side, a context, and a side to move. One
//! bit says who wins it; hundreds of positions pass through one instruction. Three solvers share
//! the layout: [`solve`] keeps all planes in memory, [`solve_out_of_core`] keeps them in tiles
//! elsewhere, [`solve_acyclic`] keeps bytes instead of bits where no piece can go back.
//!
//! Cost: 2.3 bits a position of Onitama 5 x 5; a byte more for a solve that keeps values
//! ([`solve_and_store`]), or new bits in a log of the checkpoint where that does not fit.
//! [`BitplanePlan`] tells the bytes before a solve begins. Planes and tiles are blobs of a
//! checkpoint.
//!
//! Source: our own. `docs/bitplanes.md` explains it with pictures, and has the measurements;
//! `docs/decisions/0009-planes.md` has the choices.
//!
//! ```
//! use hindsight_bitplanes::{BitplanePlan, InMemoryOptions, Instructions, solve};
//! use hindsight_engine::{Limits, NoMonitor};
//!
//! let game = hindsight_rules::by_name("onitama:2x3:boar", &Default::default())?;
//! let plan = BitplanePlan::new(&game);
//! let options = InMemoryOptions {
//!     instructions: Instructions::detect(),
//!     limits: Limits::default(),
//!     monitor: &mut NoMonitor,
//!     checkpoint: None,
//! };
//! let solved = solve(&game, plan, options, &mut |_, _| Ok(()))?;
//! assert_eq!(solved.histogram.positions(), solved.summary.positions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Two planes a subproblem
//!
//! Side 0 with `i` followers against side 1 with `j` is subproblem `(i, j)`. It has two planes:
//!
//! - W, a bit for each position with side 0 to move: 1 until side 0 is found to win it;
//! - L, a bit for each position with side 1 to move: 1 once side 1 is found to lose it.
//!
//! W of `(i, j)` reads L of `(i, j)`, and of `(i, j - 1)` after a capture. L of `(i, j)` reads W of
//! `(i, j)` and of `(i - 1, j)`. Seen from its mover, each position has its win in one W and its
//! loss in one L, so the subproblems together are all positions. Passes alternate: pass 1 over all
//! W, pass 2 over all L, pass 3 over all W. A position that pass `n` decides is won or lost in
//! exactly `n` plies; a position that no pass decides is a draw.
//!
//! # A plane
//!
//! ```text
//! plane   row 0 | row 1 | row 2 | ...    a row for each canonical follower set of the major side
//! row     block 0 | block 1 | ...        a block for each follower set of the minor side
//! block   lane 0 | lane 1 | ...          a lane for each context; begins with a byte
//! lane    line | line | ...              a line for each free square of side 0's leader
//! line    bit | bit | ...                a bit for each free square of side 1's leader
//! ```
//!
//! The major side is the side that does not move. A quiet move leads to followers that are also a
//! block of the same row, so a pass can go row by row. A block with `f` free squares has
//! `lanes * ceil(f * f / 8)` bytes. In *board order* a line is a word of 32 bits with a bit for
//! each square, free or not, and a lane has a word for each square.
//!
//! # Glossary
//!
//! | word | meaning |
//! |---|---|
//! | leader, follower | the piece that must not be captured; any other piece of a side |
//! | context | anything else that the position holds: in Onitama, the cards of each hand |
//! | kind of move | moves with one table of targets: in Onitama, the moves of one card |
//! | mover | the side to move: 0 in W, 1 in L |
//! | major, minor side | sides whose followers choose the row, and the block in it |
//! | subproblem | all positions with `i` followers of side 0 and `j` of side 1 |
//! | plane | one bit for each position of a subproblem with one side to move |
//! | row, block, lane, line | the parts of a plane, as drawn above |
//! | free square | a square without a follower |
//! | board order | unpacked lane: a word for every square, a bit for every square |
//! | set rank | number of a follower set among the sets of equal size, colexicographic |
//! | canonical row | of a row and its mirror image the one that a plane keeps |
//! | orbit size | number of rows that a canonical row stands for: 1 or 2 |
//! | exchanged, half-turn | the position from the other side: sides exchanged, board turned |
//! | sweep | a pass that goes over every block |
//! | frontier | positions that a pass decides, recorded for the next pass |
//! | incremental pass | a pass that takes back moves from the frontier, instead of a sweep |
//! | undecided plane | in memory it replaces L: `U = N & !L`, with N the W of exchanged positions |
//! | | out of core it replaces W and L, and its mover is side 0 |
//! | escape | a move of side 1 to a position that side 0 is not known to win |
//! | stuck | without a move of any piece: the context alone changes |
//! | tile | part of a plane: one slice of rows and one slice of blocks |
//! | pattern | squares of a follower set above a cut; its sets follow each other in a row |
//! | explicit graph | undecided positions as numbers with their successors, once they are few |
//! | height | most moves from a square that no piece can take back |
//! | tier (acyclic) | positions whose followers stand at given heights |
//! | wide, chunk | 16 words, 64 bytes: one register of AVX-512 |
//! | kernel | code that is compiled once for each instruction set |
//! | token | proof that the processor has an instruction set |

pub(crate) mod acyclic;
pub(crate) mod decided;
pub(crate) mod in_memory;
pub(crate) mod out_of_core;
pub(crate) mod pass;
pub(crate) mod plane;
pub(crate) mod planes;
mod sample;
#[cfg(test)]
mod seams;
pub(crate) mod simd;
mod solved_planes;
pub(crate) mod space;
pub(crate) mod stage;
pub(crate) mod thread_scratch;
pub(crate) mod values;

pub use acyclic::plan::AcyclicPlan;
pub use acyclic::run::{AcyclicOptions, solve_acyclic};
pub use decided::layer_codes::LONGEST_STORED;
pub use in_memory::{InMemoryOptions, solve, solve_and_store, solve_planes};
pub use out_of_core::plan::OutOfCorePlan;
pub use out_of_core::run::{OutOfCoreOptions, solve_out_of_core};
pub use out_of_core::stage::OutOfCoreStage;
pub use planes::Planes;
pub use sample::{Sample, SampleFault, SampleReport};
pub use simd::dispatch::Instructions;
pub use solved_planes::SolvedPlanes;
pub use space::plan::BitplanePlan;
pub use stage::PlaneStage;
