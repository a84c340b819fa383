//! Who is told how a study that is being measured is getting on.

use std::time::Duration;

use surefront::Study;

/// Hears of a study while it is being measured.
pub trait Observer {
    /// Something was measured, or time has passed. Called often: whoever shows it decides how often to look.
    fn show(&mut self, study: &mut Study);

    /// An arm has been measured for so long now that somebody might want to know.
    fn slow(&mut self, arm: &str, took: Duration);

    /// Something that people should know.
    fn note(&mut self, sentence: &str);
}

/// Nobody listens.
impl Observer for () {
    fn show(&mut self, _: &mut Study) {}

    fn slow(&mut self, _: &str, _: Duration) {}

    fn note(&mut self, _: &str) {}
}
