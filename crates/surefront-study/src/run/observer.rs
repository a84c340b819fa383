//! Who is told how a study that is being measured is getting on.

use surefront::Study;

use super::note::Note;

/// Hears of a study while it is being measured.
pub trait Observer {
    /// The study was taken up where the store has it.
    fn begin(&mut self, _study: &Study) {}

    /// Something was measured, or time has passed. Called often: whoever shows it decides how often to look.
    fn show(&mut self, study: &mut Study);

    /// Something that people should know.
    fn note(&mut self, note: &Note);
}

/// Nobody listens.
impl Observer for () {
    fn show(&mut self, _: &mut Study) {}

    fn note(&mut self, _: &Note) {}
}
