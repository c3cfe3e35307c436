//! Instruction sets: found once, entered through one function each.
//!
//! An instruction set is a token, the proof that the processor has it. [`token::Simd`] lists the
//! operations, on 16 words. No other folder of the crate has `unsafe` code. [`portable`] has them
//! for every processor, [`avx2`] and [`avx512`] for those that have the instructions.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that the token proves are there")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that the token proves are there")]
pub(crate) mod avx512;
pub(crate) mod byte_permutation;
#[expect(unsafe_code, reason = "chunks seen as bytes")]
pub(crate) mod chunk;
pub(crate) mod dispatch;
pub(crate) mod lane_codec;
#[cfg(target_arch = "x86_64")]
pub(crate) mod packed_lines;
pub(crate) mod portable;
#[cfg(test)]
mod tests;
pub(crate) mod token;
