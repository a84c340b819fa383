//! From values to places on the picture.

use std::fmt::Write;

use crate::words::number::significant;

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

    /// Even steps, or even factors where the values ask for it.
    pub fn fitting(scale: Scale, range: (f64, f64), line: [f64; 2]) -> Self {
        match scale {
            Scale::Linear => Axis::linear(range.0, range.1, line),
            Scale::Logarithmic => Axis::logarithmic(range.0.log10(), range.1.log10(), line),
        }
    }

    /// The place of `value`; of what a logarithmic axis does not have, far before its beginning.
    pub fn at(&self, value: f64) -> f64 {
        let value = match self.law {
            Law::Linear => value,
            Law::Logarithmic if value > 0.0 => value.log10(),
            Law::Logarithmic => self.low - 2.0 * (self.high - self.low),
        };
        let share = (value - self.low) / (self.high - self.low);
        self.line[0] + share * (self.line[1] - self.line[0])
    }
}

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Even steps.
    Linear,
    /// Even factors.
    Logarithmic,
}

impl Scale {
    /// Values that span more than two decades are spread by factors: by steps, the small ones would lie on top of each other.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
        if low > 0.0 && high.is_finite() && high >= 100.0 * low { Scale::Logarithmic } else { Scale::Linear }
    }

    /// What the axis says of it.
    pub fn words(self) -> &'static str {
        match self {
            Scale::Linear => "",
            Scale::Logarithmic => ", log scale",
        }
    }

    /// The ends of an axis for these values, of which `least` is the least mean.
    pub fn range(self, values: impl Iterator<Item = f64>, least: f64, margin: f64) -> (f64, f64) {
        match self {
            Scale::Linear => range(values, margin),
            Scale::Logarithmic => {
                // An interval that reaches down to zero does not take the figure with it.
                let logs = values.map(|value| value.max(0.3 * least).log10());
                let (low, high) = range(logs, margin);
                (10f64.powf(low), 10f64.powf(high))
            }
        }
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

/// The rectangle that values are drawn in.
pub struct Room {
    /// Its left side, behind the words of the vertical axis.
    pub left: f64,
    /// Its right side.
    pub right: f64,
    /// Its upper side.
    pub top: f64,
    /// Its lower side, above the words of the horizontal axis.
    pub bottom: f64,
}

impl Room {
    /// Lines at the ticks of both axes, with their words.
    pub fn grid(&self, svg: &mut String, x: (&Axis, &Ticks), y: (&Axis, &Ticks)) {
        self.uprights(svg, x);
        let Room { left, right, .. } = self;
        let (y, ticks) = y;
        for &tick in &ticks.values {
            let (at, label) = (y.at(tick), ticks.label(tick));
            let _ = writeln!(svg, r#"<path class="grid" d="M{left:.1} {at:.1}H{right}"/>"#);
            let _ = writeln!(
                svg,
                r#"<text class="small" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                left - 7.0,
                at + 4.0
            );
        }
    }

    /// Lines at the ticks of the horizontal axis, with their words.
    pub fn uprights(&self, svg: &mut String, (x, ticks): (&Axis, &Ticks)) {
        let Room { top, bottom, .. } = self;
        for &tick in &ticks.values {
            let (at, label) = (x.at(tick), ticks.label(tick));
            let _ = writeln!(svg, r#"<path class="grid" d="M{at:.1} {top}V{bottom}"/>"#);
            let _ = writeln!(
                svg,
                r#"<text class="small" x="{at:.1}" y="{}" text-anchor="middle">{label}</text>"#,
                bottom + 18.0
            );
        }
    }
}

/// Round values between two others, and their words.
pub struct Ticks {
    /// The values, ascending.
    pub values: Vec<f64>,
    /// Between two of them; zero where each stands for itself.
    step: f64,
}

impl Ticks {
    /// Round values along an axis of this scale.
    pub fn along(scale: Scale, range: (f64, f64), count: f64) -> Self {
        match scale {
            Scale::Linear => Ticks::between(range.0, range.1, count),
            Scale::Logarithmic => Ticks::factors(range.0, range.1, count),
        }
    }

    /// Powers of ten from `low` to `high`, with twos and fives between them where there is room.
    fn factors(low: f64, high: f64, count: f64) -> Self {
        let decades = (high / low).log10();
        let within: &[f64] = if 2.0 * decades <= count { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = (decades / (1.5 * count)).ceil().max(1.0) as usize;
        let powers = (low.log10().floor() as i32..=high.log10().ceil() as i32).step_by(every);
        let values = powers.flat_map(|power| within.iter().map(move |factor| factor * 10f64.powi(power)));
        Ticks { values: values.filter(|value| (low..=high).contains(value)).collect(), step: 0.0 }
    }

    /// About `count` values from `low` to `high`, a step of 1, 2 or 5 times a power of ten apart.
    pub fn between(low: f64, high: f64, count: f64) -> Self {
        let rough = (high - low) / count;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0].map(|factor| factor * decade).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * decade);
        let first = (low / step - 1e-9).ceil();
        let values = (0..).map(|i| (first + f64::from(i)) * step).take_while(|&tick| tick <= high + 1e-9 * step);
        // Values that rounding cannot tell apart would go on for ever.
        Ticks { values: values.take(4 * count as usize).collect(), step }
    }

    /// The words for one of the values: as many decimals as the step needs, thousands and millions by their letters.
    pub fn label(&self, value: f64) -> String {
        if self.step == 0.0 {
            let (unit, suffix) = match value {
                v if v >= 1e12 => (1.0, ""),
                v if v >= 1e9 => (1e9, "G"),
                v if v >= 1e6 => (1e6, "M"),
                v if v >= 1e4 => (1e3, "k"),
                _ => (1.0, ""),
            };
            return significant(value / unit, 2) + suffix;
        }
        let largest = self.values.iter().fold(0.0f64, |largest, value| largest.max(value.abs()));
        let (unit, suffix) = match largest {
            v if !(1e-3..1e12).contains(&v) => {
                let digits = (largest / self.step).log10().max(0.0).ceil() as usize + 1;
                return if value.abs() < 0.5 * self.step { "0".to_owned() } else { significant(value, digits.min(15)) };
            }
            v if v >= 1e9 => (1e9, "G"),
            v if v >= 1e6 => (1e6, "M"),
            v if v >= 1e4 => (1e3, "k"),
            _ => (1.0, ""),
        };
        let decimals = (-(self.step / unit).log10().floor()).clamp(0.0, 9.0) as usize;
        // Adding zero turns negative zero into zero.
        let text = format!("{:.decimals$}", (value / unit * 1e9).round() / 1e9 + 0.0);
        if value.abs() < 0.5 * self.step { "0".to_owned() } else { text + suffix }
    }
}

/// The least and the largest of some values with a margin, apart even if there is only one value.
pub fn range(values: impl Iterator<Item = f64>, margin: f64) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let size = low.abs().max(high.abs());
    if !low.is_finite() {
        (0.0, 1.0)
    } else if high - low > 1e-12 * size {
        let margin = margin * (high - low);
        (low - margin, high + margin)
    } else {
        let margin = if size > 0.0 { 0.1 * size } else { 1.0 };
        (low - margin, high + margin)
    }
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
    fn ticks_between_any_two_values() {
        let labels = |low, high| {
            let ticks = Ticks::between(low, high, 5.0);
            ticks.values.iter().map(|&value| ticks.label(value)).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.27, 0.61), ["0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(labels(-1.1, 1.2), ["-1.0", "-0.5", "0", "0.5", "1.0"]);
        assert_eq!(labels(3.9, 5.2), ["4.0", "4.5", "5.0"]);
        assert_eq!(labels(1e-5, 4.1e-5), ["1e-5", "2e-5", "3e-5", "4e-5"]);
        assert_eq!(labels(9900.0, 31_000.0), ["10k", "15k", "20k", "25k", "30k"]);
        assert_eq!(labels(1_000_000.2, 1_000_003.0)[0], "1.000001M");
        assert_eq!(labels(2e6, 9e6), ["2M", "4M", "6M", "8M"]);
        assert!(labels(1.0, 1.0 + 1e-15).len() <= 20);
    }

    #[test]
    fn values_that_span_decades_are_spread_by_factors() {
        assert_eq!(Scale::of([1.0, 50.0].into_iter()), Scale::Linear);
        assert_eq!(Scale::of([0.0, 1000.0].into_iter()), Scale::Linear);
        assert_eq!(Scale::of([-1.0, 1000.0].into_iter()), Scale::Linear);
        assert_eq!(Scale::of([0.02, 5.0].into_iter()), Scale::Logarithmic);
        let labels = |low, high| {
            let ticks = Ticks::along(Scale::Logarithmic, (low, high), 6.0);
            ticks.values.iter().map(|&value| ticks.label(value)).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.8, 120.0), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(labels(0.5, 2e6), ["1", "10", "100", "1000", "10k", "100k", "1M"]);
        assert!(labels(1e-30, 1e30).len() <= 10);
    }

    #[test]
    fn a_range_is_never_empty() {
        for values in [vec![], vec![0.0], vec![7.0, 7.0], vec![-1e9, f64::NAN], vec![f64::INFINITY]] {
            let (low, high) = range(values.into_iter(), 0.05);
            assert!(low < high && low.is_finite() && high.is_finite());
        }
    }

    #[test]
    fn the_ends_are_the_ends() {
        let axis = Axis::logarithmic(0.0, 2.0, [100.0, 300.0]);
        assert_eq!([1.0, 10.0, 100.0].map(|value| axis.at(value)), [100.0, 200.0, 300.0]);
        assert_eq!(Axis::linear(0.0, 4.0, [8.0, 0.0]).at(1.0), 6.0);
    }
}
