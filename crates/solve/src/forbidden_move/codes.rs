//! Codes of the values of a tier.

use hindsight_core::Value;
use hindsight_engine::Error;

use super::word::MAX_CODE;

/// Values by code: codes count from 1 in the order of first use. Code 0 stands for no value yet,
/// and at the end for a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateCodes(Vec<Value>);

impl StateCodes {
    /// Returns the code of a value, and assigns one if need be.
    #[inline]
    pub(super) fn add(&mut self, value: Value) -> Result<u16, Error> {
        if let Some(code) = self.find(value) {
            return Ok(code);
        }
        if self.0.len() >= usize::from(MAX_CODE) {
            let plies = value.remoteness().unwrap_or(0);
            return Err(Error::TooLong(plies.saturating_sub(1)));
        }
        self.0.push(value);
        Ok(self.0.len() as u16)
    }

    /// Returns the code of a value, if it has one. Recent codes are compared first.
    #[inline]
    pub(super) fn find(&self, value: Value) -> Option<u16> {
        let i = self.0.iter().rposition(|&known| known == value)?;
        Some(i as u16 + 1)
    }

    /// Returns the value of a code; `None` for 0.
    #[inline]
    pub(super) fn value(&self, code: u16) -> Option<Value> {
        self.0.get(usize::from(code).checked_sub(1)?).copied()
    }

    #[inline]
    pub(super) fn list(&self) -> &[Value] {
        &self.0
    }
}
