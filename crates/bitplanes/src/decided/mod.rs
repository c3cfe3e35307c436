//! Positions that each pass decides, kept until they become the codes of a table.
//!
//! Passes find positions row by row of a plane. A table wants them in the order of ranks. So a pass
//! hands over the new bits of each row ([`new_bits`]). They are kept in the order of the planes, in
//! memory ([`row_passes`]) or in a checkpoint ([`pass_log`], [`logged_plane`]). Once all passes are
//! over, they are put in the order of ranks ([`layer_codes`]), a layer or a piece of it at a time,
//! and handed to the store. In memory a pass is a byte for each bit of the planes.

pub(crate) mod layer_codes;
mod logged_plane;
pub(crate) mod needs;
pub(crate) mod new_bits;
pub(crate) mod pass_log;
pub(crate) mod row_passes;
