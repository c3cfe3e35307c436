//! tmp
use crate::error::ClusterError;
use crate::journal::Journal;
use crate::tier::TierPart;
pub(crate) struct LayerParts<'a> { journal: Journal, x: std::marker::PhantomData<&'a ()> }
impl LayerParts<'_> {
    pub(crate) fn journal(&mut self) -> &mut Journal { &mut self.journal }
    pub(crate) fn keep_pass(&mut self, _: &TierPart, _l: u32, _p: u32) -> Result<(), ClusterError> { Ok(()) }
    pub(crate) fn commit(&mut self, _l: u32, _p: u32) -> Result<(), ClusterError> { Ok(()) }
    pub(crate) fn forget_before(&mut self, _l: u32, _p: u32) -> Result<(), ClusterError> { Ok(()) }
}
