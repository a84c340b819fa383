//! The observations of one arm.

use surefront::Noise;

use super::cell::Cell;
use super::pace::Pace;

/// What is kept of one arm.
#[derive(Clone, Debug)]
pub struct ArmLook {
    pace: Pace,
    /// By objective; `None` where there is no noise, and so nothing to see.
    cells: Vec<Option<Cell>>,
}

impl ArmLook {
    pub fn new(noise: impl IntoIterator<Item = Noise>) -> Self {
        let cell = |noise| match noise {
            Noise::Exact => None,
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

    /// Shows each objective that has noise, with the number of observations.
    pub fn each(&self, mut show: impl FnMut(usize, u64, &Cell)) {
        for (objective, cell) in self.cells.iter().enumerate() {
            if let Some(cell) = cell {
                show(objective, self.pace.n(), cell);
            }
        }
    }
}
