//! The nulls of two arms of which one has a head start: a line, and where on it each of them is.
//!
//! Without a head start both arms have the same mean under the null. With one, T, the mean of the other is T of the first. Either is a function of one parameter from zero on, along which the
//! logarithm of the mixture stays convex: a stretch and a shift do no harm, and for times, where the null is a rate, the arm that is said to have more events has the rate t / (1 + ε t) for the
//! other's t, a concave function of it, and its logarithm falls with its rate, linearly for each tilt (docs/certified.md, "Margins").

use super::heap::Point;
use crate::margin::Raise;

/// Where the null of one arm is, by the parameter p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Track {
    /// shift + scale · p.
    Straight { shift: f64, scale: f64 },
    /// p / (1 + by · p): the rate of what takes longer by this.
    Later { by: f64 },
}

/// The nulls of two arms, from p = 0 up to an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Of the one that is said to have more.
    pub upper: Track,
    pub lower: Track,
    /// Negative if no two means are as the null has them.
    pub end: f64,
}

impl Track {
    const SAME: Track = Track::Straight { shift: 0.0, scale: 1.0 };

    /// The null.
    #[inline]
    pub fn at(self, p: f64) -> f64 {
        match self {
            Track::Straight { shift, scale } => shift + scale * p,
            Track::Later { by } => p / (1.0 + by * p),
        }
    }

    /// The parameter at which the null is this.
    pub fn back(self, x: f64) -> f64 {
        match self {
            Track::Straight { shift, scale } => (x - shift) / scale,
            Track::Later { by } if by * x < 1.0 => x / (1.0 - by * x),
            Track::Later { .. } => f64::INFINITY,
        }
    }

    /// How fast the null moves with p, and how fast that changes.
    #[inline]
    pub fn pace(self, p: f64) -> (f64, f64) {
        match self {
            Track::Straight { scale, .. } => (scale, 0.0),
            Track::Later { by } => {
                let pace = (1.0 + by * p).recip().powi(2);
                (pace, -2.0 * by * pace / (1.0 + by * p))
            }
        }
    }

    /// What a point of an arm at its null is as a function of p.
    #[inline]
    pub fn seen(self, p: f64, point: Point) -> Point {
        if self == Track::SAME {
            return point;
        }
        let (pace, turn) = self.pace(p);
        Point {
            value: point.value,
            slope: point.slope * pace,
            curve: (point.curve * pace * pace + point.slope * turn).max(0.0),
            pull: point.pull * pace,
        }
    }
}

impl Line {
    /// Both have the same mean, from 0 to this.
    pub fn same(end: f64) -> Self {
        Line { upper: Track::SAME, lower: Track::SAME, end }
    }

    /// The null of the first arm is a stretch and a shift of that of the second; both are from 0 to `end`.
    pub fn stretched(scale: f64, shift: f64, end: f64, first_has_more: bool) -> Self {
        let (low, high) = ((-shift / scale).max(0.0), ((end - shift) / scale).min(end));
        let first = Track::Straight { shift: shift + scale * low, scale };
        let second = Track::Straight { shift: low, scale: 1.0 };
        let (upper, lower) = if first_has_more { (first, second) } else { (second, first) };
        Line { upper, lower, end: high - low }
    }

    /// Means of values or counts, as they are turned by `sign`, up to `end`; the first is raised.
    pub fn of_means(raise: Raise, sign: f64, end: f64) -> Self {
        if raise == Raise::NONE {
            return Line::same(end);
        }
        Line::stretched(raise.factor.recip(), -sign * raise.by / raise.factor, end, sign > 0.0)
    }

    /// One over the means of times; the first is raised. The one that is said to have more events takes longer under the null.
    pub fn of_rates(raise: Raise, sign: f64) -> Self {
        if raise.by > 0.0 {
            return Line { upper: Track::Later { by: raise.by }, ..Line::same(f64::INFINITY) };
        }
        if raise == Raise::NONE {
            return Line::same(f64::INFINITY);
        }
        Line::stretched(raise.factor, 0.0, f64::INFINITY, sign < 0.0)
    }

    /// Whether both arms have the same mean.
    #[inline]
    pub fn is_same(self) -> bool {
        self.upper == Track::SAME && self.lower == Track::SAME
    }

    /// A parameter within the line.
    pub fn within(self, p: f64) -> f64 {
        // Written so that NaN is at the start.
        if p > 0.0 { p.min(self.end) } else { 0.0 }
    }
}
