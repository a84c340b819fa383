//! Rules and thresholds by name.

use surefront::{Calibrated, Certified, Stopping, Stylized};

/// A rule by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleName {
    /// Follow the evidence.
    Dual,
    /// Learn the optimal allocation by gradient ascent and track it, as published.
    TrackAndStop,
    /// All arms in turn.
    Uniform,
    /// Follow a given allocation.
    Fixed,
    /// Adaptive Pareto exploration (Kone, Kaufmann and Richert 2023).
    Ape,
    /// Serve the claim of a certified stop that is furthest from being proved.
    Weakest,
}

impl RuleName {
    /// All of them.
    pub const ALL: [RuleName; 6] =
        [RuleName::Dual, RuleName::TrackAndStop, RuleName::Uniform, RuleName::Fixed, RuleName::Ape, RuleName::Weakest];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            RuleName::Dual => "dual",
            RuleName::TrackAndStop => "track-and-stop",
            RuleName::Uniform => "uniform",
            RuleName::Fixed => "fixed",
            RuleName::Ape => "ape",
            RuleName::Weakest => "weakest",
        }
    }

    /// The rule of this name.
    pub fn named(name: &str) -> Option<Self> {
        RuleName::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

/// A stopping rule by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThresholdName {
    /// ln(ln(1 + t) / δ): customary, not proved.
    Stylized,
    /// The doubts about all arms together: calibrated by simulation, not proved.
    Calibrated,
    /// Every arm certified to be in or out: proved.
    Certified,
}

impl ThresholdName {
    /// All of them.
    pub const ALL: [ThresholdName; 3] = [ThresholdName::Stylized, ThresholdName::Calibrated, ThresholdName::Certified];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            ThresholdName::Stylized => "stylized",
            ThresholdName::Calibrated => "calibrated",
            ThresholdName::Certified => "certified",
        }
    }

    /// The threshold of this name.
    pub fn named(name: &str) -> Option<Self> {
        ThresholdName::ALL.into_iter().find(|threshold| threshold.name() == name)
    }

    /// The stopping rule for this δ, which was checked where it was read.
    pub fn stopping(self, delta: f64) -> Stopping {
        const CHECKED: &str = "δ was checked where it was read";
        match self {
            ThresholdName::Stylized => Stopping::Stylized(Stylized::new(delta).expect(CHECKED)),
            ThresholdName::Calibrated => Stopping::Calibrated(Calibrated::new(delta).expect(CHECKED)),
            ThresholdName::Certified => Stopping::Certified(Certified::new(delta).expect(CHECKED)),
        }
    }
}
