use hindsight_engine::Progress;

/// Storage of single results of a study, so that a stopped study can be resumed.
///
/// Results are grouped by series. The name of a series is a valid file name.
pub trait ResultStore<T>: Sync {
    /// Returns all stored results of a series.
    ///
    /// # Errors
    /// A sentence, if the series cannot be read.
    fn read(&self, series: &str) -> Result<Vec<T>, String>;

    /// Adds a result to a series.
    ///
    /// # Errors
    /// A sentence, if the result cannot be written.
    fn add(&self, series: &str, result: &T) -> Result<(), String>;
}

/// Store that drops every result.
#[derive(Clone, Copy, Debug)]
pub struct NullResultStore;

impl<T> ResultStore<T> for NullResultStore {
    fn read(&self, _: &str) -> Result<Vec<T>, String> {
        Ok(Vec::new())
    }

    fn add(&self, _: &str, _: &T) -> Result<(), String> {
        Ok(())
    }
}

/// Callback that receives the name of the current series, and the progress of the whole study: in
/// games, or roughly in playouts. Returns `false` to stop the study.
pub type SeriesProgressFn<'a> = &'a (dyn Fn(&str, Progress) -> bool + Sync);
