//! Instructions of the processor: found once, entered through one function for each kind.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that were found")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that were found")]
pub(crate) mod avx512;
pub(crate) mod byte_permutation;
#[expect(unsafe_code, reason = "chunks seen as bytes")]
pub(crate) mod chunk;
pub(crate) mod dispatch;
pub(crate) mod lane_codec;
pub(crate) mod portable;
pub(crate) mod token;
