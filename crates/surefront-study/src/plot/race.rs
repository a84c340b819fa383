//! How something has grown against what it must reach.

use std::fmt::Write;

use super::axis::{Axis, Room, Ticks};
use super::drawing::Drawing;
use super::label_room::text_width;
use super::page::{INK, escaped};

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Race {
    /// What grows.
    pub grows: String,
    /// What it must reach.
    pub goal: String,
    /// Along the bottom.
    pub x_label: String,
    /// In the order of x.
    pub steps: Vec<RaceStep>,
}

/// One moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceStep {
    /// When.
    pub at: f64,
    /// What has been reached; perhaps infinite.
    pub value: f64,
    /// What must be reached; perhaps infinite.
    pub goal: f64,
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 300.0;
const TOP: f64 = 18.0;
const RIGHT: f64 = WIDTH - 16.0;
const BOTTOM: f64 = HEIGHT - 50.0;

impl Race {
    /// The figure; `None` if there is nothing to join.
    pub fn draw(&self) -> Option<Drawing> {
        let known: Vec<&RaceStep> =
            self.steps.iter().filter(|step| step.value.is_finite() && step.goal.is_finite()).collect();
        let ([_, .., last], [first, ..]) = (&known[..], &known[..]) else { return None };
        if last.at <= first.at {
            return None;
        }
        let high = known.iter().flat_map(|step| [step.value, step.goal]).fold(0.0, f64::max);
        let high = if high > 0.0 { 1.12 * high } else { 1.0 };
        let x_ticks = Ticks::between(0.0, last.at, 5.0);
        let y_ticks = Ticks::between(0.0, high, 5.0);
        let left = 36.0 + y_ticks.values.iter().map(|&tick| text_width(&y_ticks.label(tick))).fold(0.0, f64::max);
        let (x, y) = (Axis::linear(0.0, last.at, [left, RIGHT]), Axis::linear(0.0, high, [BOTTOM, TOP]));

        let mut body = String::new();
        Room { left, right: RIGHT, top: TOP, bottom: BOTTOM }.grid(&mut body, (&x, &x_ticks), (&y, &y_ticks));
        let path = |value: fn(&RaceStep) -> f64| {
            let places = known.iter().map(|step| format!("{:.1} {:.1}", x.at(step.at), y.at(value(step))));
            places.collect::<Vec<_>>().join("L")
        };
        let _ = writeln!(
            body,
            r#"<path class="line s{INK}" style="stroke-width: 1.6" stroke-dasharray="7 5" d="M{}"/>"#,
            path(|step| step.goal)
        );
        let line = path(|step| step.value);
        let _ = writeln!(
            body,
            r#"<path class="shade f0" d="M{line}L{:.1} {BOTTOM}L{:.1} {BOTTOM}Z"/>"#,
            x.at(last.at),
            x.at(first.at)
        );
        let _ = writeln!(body, r#"<path class="line s0" d="M{line}"/>"#);
        let _ =
            writeln!(body, r#"<circle class="f0" cx="{:.1}" cy="{:.1}" r="4.5"/>"#, x.at(last.at), y.at(last.value));
        let _ = writeln!(body, r#"<path class="axis" d="M{left:.1} {TOP}V{BOTTOM}H{RIGHT}"/>"#);
        let top = known.iter().fold(0.0f64, |top, step| top.max(step.goal));
        let _ = writeln!(
            body,
            r#"<text class="small strong halo" x="{:.1}" y="{:.1}">{}</text>"#,
            left + 8.0,
            y.at(top) - 7.0,
            escaped(&self.goal)
        );
        let (middle, below, label) = ((left + RIGHT) / 2.0, BOTTOM + 40.0, escaped(&self.x_label));
        let _ =
            writeln!(body, r#"<text class="strong" x="{middle:.1}" y="{below}" text-anchor="middle">{label}</text>"#);
        let (middle, label) = ((TOP + BOTTOM) / 2.0, escaped(&self.grows));
        let _ = writeln!(
            body,
            r#"<text class="strong" transform="translate(15 {middle}) rotate(-90)" text-anchor="middle">{label}</text>"#
        );
        let label = format!("{} against {} over {}", self.grows, self.goal, self.x_label);
        Some(Drawing { label, width: WIDTH, height: HEIGHT, body })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn race(steps: &[(f64, f64, f64)]) -> Option<String> {
        let steps = steps.iter().map(|&(at, value, goal)| RaceStep { at, value, goal }).collect();
        let words = ["evidence", "threshold", "samples"].map(str::to_owned);
        let [grows, goal, x_label] = words;
        Race { grows, goal, x_label, steps }.draw().map(|drawing| drawing.inline())
    }

    #[test]
    fn what_is_infinite_is_left_out() {
        let infinite = f64::INFINITY;
        let svg = race(&[(1.0, 0.0, infinite), (5.0, 0.1, 4.0), (9.0, 3.0, 4.1), (12.0, infinite, 4.2)]).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn a_single_moment_is_no_line() {
        assert_eq!(race(&[]), None);
        assert_eq!(race(&[(5.0, 0.1, 4.0)]), None);
        assert_eq!(race(&[(5.0, 0.1, 4.0), (5.0, 0.1, 4.0)]), None);
    }
}
