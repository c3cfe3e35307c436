//! Planes of a finished solve, in memory and as a blob.

use hindsight_core::{Placement, TwoSidedRules, Wdl};
use hindsight_engine::checkpoint::bytes::{Cursor, put_text, put_varint};
use hindsight_engine::checkpoint::packed::{self, PackedArray};
use hindsight_engine::checkpoint::{Blobs, CheckpointError};

use crate::planes::Planes;
use crate::space::plan::BitplanePlan;

/// Longest fields in bytes: the rules, and lengths of the planes.
const MAX_FIELDS: usize = 1 << 22;

/// Planes of a finished solve: who wins each position, but not in how many plies.
pub struct SolvedPlanes {
    /// Longest win or loss of any position, in plies.
    pub longest: u16,
    pub(crate) planes: Planes,
}

impl SolvedPlanes {
    /// Returns the value of a position for its mover; `None` if it has more followers than the
    /// plan.
    ///
    /// Costs two cache misses. The pieces must be on different squares of the board, no leader on
    /// its goal.
    #[must_use]
    pub fn known(&self, position: Placement) -> Option<Wdl> {
        self.planes.known(position)
    }

    /// Bytes of memory that the planes take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.planes.bytes()
    }

    /// Stores the planes under a key, compressed.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if the blob cannot be stored.
    pub fn put(
        &self,
        rules: &TwoSidedRules,
        blobs: &dyn Blobs,
        key: &str,
    ) -> Result<(), CheckpointError> {
        let parts = self.planes.plane_bytes();
        let mut fields = Vec::new();
        put_varint(&mut fields, self.longest.into());
        put_varint(&mut fields, self.planes.undecided.into());
        put_varint(&mut fields, parts.len() as u64);
        for part in &parts {
            put_varint(&mut fields, part.len() as u64);
        }
        put_text(&mut fields, &format!("{rules:?}"));
        packed::put(blobs, key, &fields, PackedArray::Bytes(&parts))
    }

    /// Reads the planes of a plan that were stored under a key; `None` if there are none.
    ///
    /// # Errors
    /// [`CheckpointError`] if the blob is damaged, of other rules or of another plan.
    pub fn get(
        rules: &TwoSidedRules,
        plan: BitplanePlan,
        blobs: &dyn Blobs,
        key: &str,
    ) -> Result<Option<Self>, CheckpointError> {
        let Some(blob) = packed::get(blobs, key, MAX_FIELDS)? else {
            return Ok(None);
        };
        let mut cursor = Cursor::new(&blob.fields, &blob.name);
        let longest = u16::try_from(cursor.varint()?);
        let longest = longest.map_err(|_| cursor.fail("too many plies"))?;
        let undecided = cursor.varint()? == 1;
        let count = cursor.count()?;
        let lengths: Vec<u64> = (0..count).map(|_| cursor.varint()).collect::<Result<_, _>>()?;
        let is_of_rules = cursor.text()? == format!("{rules:?}");
        cursor.end()?;
        let mut planes = Planes::new(plan).without_scratch();
        planes.undecided = undecided;
        let mut parts = planes.plane_bytes_mut();
        if !is_of_rules || !parts.iter().map(|part| part.len() as u64).eq(lengths) {
            return Err(CheckpointError::damaged(&blob.name, "of another game"));
        }
        blob.read_bytes(&mut parts)?;
        Ok(Some(Self { longest, planes }))
    }
}
