//! Who is told how an experiment is getting on.

use std::ops::ControlFlow;

use surefront::Run;

/// What is counted while something long goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Steps {
    /// Rows of a table of findings.
    Rows,
    /// Rows written to a file.
    WrittenRows,
    /// Rounds of studies: ask, measure, tell.
    Rounds,
    /// Simulated studies.
    Runs,
}

impl Steps {
    /// As people say it.
    pub fn name(self) -> &'static str {
        match self {
            Steps::Rows | Steps::WrittenRows => "rows",
            Steps::Rounds => "rounds",
            Steps::Runs => "runs",
        }
    }
}

/// Hears of an experiment while it goes on, from any of its threads.
pub trait Observer: Sync {
    /// Something begins that takes this many steps.
    fn begin(&self, count: u64, steps: Steps);

    /// So many more of them are done.
    fn advance(&self, count: u64);

    /// What is under way.
    fn message(&self, text: &str);

    /// What began last is over, finished or not.
    fn end(&self);

    /// A simulated study under this rule is finished. With `Break` no further one is begun: runs that cannot be kept are not worth
    /// making.
    fn run(&self, rule: &'static str, run: &Run) -> ControlFlow<()> {
        let _ = (rule, run);
        ControlFlow::Continue(())
    }
}

/// Nobody listens.
impl Observer for () {
    fn begin(&self, _: u64, _: Steps) {}

    fn advance(&self, _: u64) {}

    fn message(&self, _: &str) {}

    fn end(&self) {}
}
