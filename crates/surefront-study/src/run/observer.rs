//! Who is told how a study that is being measured is getting on.

use surefront::Study;

use super::note::Note;
use crate::answer::Waiting;

/// Hears of a study while it is being measured.
pub trait Observer {
    /// The study was taken up where the store has it.
    fn begin(&mut self, _study: &Study) {}

    /// Before the study is shown: the results that do not count yet, since an earlier one is missing, if there are any.
    fn waiting(&mut self, _waiting: Option<Waiting>) {}

    /// Before the study is shown: the arms that are being measured, each as often as it is; none where they are simulated.
    fn measuring(&mut self, _arms: &[usize]) {}

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
