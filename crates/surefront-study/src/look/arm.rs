//! The observations of one arm.

use surefront::{Family, Noise};

use super::cell::Cell;
use super::pace::Pace;

/// What is kept of one arm.
#[derive(Clone, Debug)]
pub struct ArmLook {
    pace: Pace,
    /// By objective; `None` where there is no noise, and so nothing to see, or noise that is not taken for Gaussian.
    cells: Vec<Option<Cell>>,
}

impl ArmLook {
    pub fn new(noise: impl IntoIterator<Item = Noise>) -> Self {
        let cell = |noise| match noise {
            Noise::Exact => None,
            noise if noise.family() != Some(Family::Gaussian) || noise.range().is_some() => None,
            noise => Some(Cell::new(noise.variance())),
        };
        ArmLook { pace: Pace::new(), cells: noise.into_iter().map(cell).collect() }
    }

    /// Takes in an observation; whether there may be something new to see.
    #[inline]
    pub fn add(&mut self, values: &[f64]) -> bool {
        let step = self.pace.step();
        let mut stirred = step.look.is_some();
        for (cell, &value) in self.cells.iter_mut().zip(values) {
            if let Some(cell) = cell {
                stirred |= cell.add(&step, value);
            }
        }
        stirred
    }

    /// Nothing more is to be seen of an objective.
    pub fn forget(&mut self, objective: usize) {
        self.cells[objective] = None;
    }

    /// How many observations there are.
    pub fn n(&self) -> u64 {
        self.pace.n()
    }

    /// What is kept of an objective, if it has noise.
    pub fn cell(&self, objective: usize) -> Option<&Cell> {
        self.cells[objective].as_ref()
    }
}
