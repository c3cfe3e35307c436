/// Where what a study finds is kept one by one, so that it goes on where it was stopped.
pub trait Keep<T>: Sync {
    /// What was kept before of a series.
    ///
    /// # Errors
    /// A sentence, when it cannot be read.
    fn read(&self, series: &str) -> Result<Vec<T>, String>;

    /// Keeps one more.
    ///
    /// # Errors
    /// A sentence, when it cannot be written.
    fn add(&self, series: &str, found: &T) -> Result<(), String>;
}

/// Keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct Forget;

impl<T> Keep<T> for Forget {
    fn read(&self, _: &str) -> Result<Vec<T>, String> {
        Ok(Vec::new())
    }

    fn add(&self, _: &str, _: &T) -> Result<(), String> {
        Ok(())
    }
}
