//! From values to places on the picture.

/// Maps a range of values onto a line of the picture.
pub struct Axis {
    law: Law,
    /// The value at the beginning: its logarithm on a logarithmic axis.
    pub low: f64,
    /// The value at the end: its logarithm on a logarithmic axis.
    pub high: f64,
    line: [f64; 2],
}

#[derive(Clone, Copy)]
enum Law {
    Linear,
    Logarithmic,
}

impl Axis {
    /// Even steps.
    pub fn linear(low: f64, high: f64, line: [f64; 2]) -> Self {
        Axis { law: Law::Linear, low, high, line }
    }

    /// Even factors, between the powers of ten `low` and `high`.
    pub fn logarithmic(low: f64, high: f64, line: [f64; 2]) -> Self {
        Axis { law: Law::Logarithmic, low, high, line }
    }

    /// The place of `value`.
    pub fn at(&self, value: f64) -> f64 {
        let value = match self.law {
            Law::Linear => value,
            Law::Logarithmic => value.log10(),
        };
        let share = (value - self.low) / (self.high - self.low);
        self.line[0] + share * (self.line[1] - self.line[0])
    }
}

/// About `count` round values from 0 to `high`, a step of 1, 2 or 5 times a power of ten apart.
pub fn round_ticks(high: f64, count: f64) -> Vec<f64> {
    let rough = high / count;
    let decade = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(10.0 * decade);
    (0..).map(|i| f64::from(i) * step).take_while(|&tick| tick <= high * (1.0 + 1e-9)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(round_ticks(23_000.0, 6.0), [0.0, 5000.0, 10_000.0, 15_000.0, 20_000.0]);
        assert_eq!(round_ticks(1.0, 5.0).len(), 6);
    }

    #[test]
    fn the_ends_are_the_ends() {
        let axis = Axis::logarithmic(0.0, 2.0, [100.0, 300.0]);
        assert_eq!([1.0, 10.0, 100.0].map(|value| axis.at(value)), [100.0, 200.0, 300.0]);
        assert_eq!(Axis::linear(0.0, 4.0, [8.0, 0.0]).at(1.0), 6.0);
    }
}
