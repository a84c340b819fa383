//! Arms in many objectives: one upright axis for each, the better end on top, one line for each arm.

use std::fmt::Write;

use super::axis::{Axis, Scale, Ticks};
use super::drawing::Drawing;
use super::label_room::text_width;
use super::page::escaped;
use super::scatter::Direction;
use super::short_names::{short_names, shortened};
use super::verdict_mark::{Side, VerdictMark};
use crate::words::plural::counted;

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// The axes, from left to right.
    pub directions: Vec<Direction>,
    /// The arms.
    pub lines: Vec<ParallelLine>,
}

/// One arm.
#[derive(Clone, Debug)]
pub struct ParallelLine {
    /// Its name.
    pub name: String,
    /// Its means, one for each axis.
    pub at: Vec<f64>,
    /// How far the confidence intervals reach to either side, where that can be said.
    pub reach: Vec<Option<f64>>,
    /// What is known of it.
    pub mark: VerdictMark,
}

const TOP: f64 = 52.0;
const BOTTOM: f64 = 352.0;
const LEFT: f64 = 56.0;
/// Between two axes, if there are so many that the figure grows with them.
const LEAST_STEP: f64 = 112.0;
const MOST_STEP: f64 = 200.0;
/// The width with fewer axes.
const WIDTH: f64 = 900.0;
/// With more arms that may be on the front, their intervals would hide each other.
const MOST_INTERVALS: usize = 8;
/// For the names at the right end.
const NAMES: f64 = 186.0;
const LONGEST_NAME: usize = 19;
/// Between two names.
const LINE: f64 = 15.0;

impl Parallel {
    /// The figure.
    pub fn draw(&self) -> Drawing {
        let axes: Vec<Axis> = (0..self.directions.len()).map(|j| self.axis(j)).collect();
        let step = self.step();
        let place = |j: usize| LEFT + step * j as f64;
        let mut body = String::new();
        let mut lines: Vec<&ParallelLine> = self.lines.iter().collect();
        lines.sort_by_key(|line| line.mark);
        let out = lines.iter().filter(|line| line.mark.side() == Side::Off).count();
        // Many lines on top of each other are still to be seen as many.
        let faint = (12.0 / out.max(1) as f64).clamp(0.06, 0.5);
        for line in &lines {
            let places: Vec<String> =
                line.at.iter().enumerate().map(|(j, &at)| format!("{:.1} {:.1}", place(j), axes[j].at(at))).collect();
            let (path, stroke) = (places.join("L"), line.mark.stroke());
            let opacity = if line.mark.side() == Side::Off { faint } else { 0.9 };
            let dashes = if line.mark.side() == Side::PerhapsOff { " stroke-dasharray=\"5 4\"" } else { "" };
            let title = escaped(&line.name);
            let _ = writeln!(
                body,
                r#"<path class="line {stroke}" style="stroke-opacity: {opacity:.2}"{dashes} d="M{path}"><title>{title}</title></path>"#
            );
        }
        for (j, (direction, axis)) in self.directions.iter().zip(&axes).enumerate() {
            direction.draw_axis(&mut body, axis, self.scale(j), place(j), step);
        }
        let telling = lines.iter().filter(|line| line.mark.side() != Side::Off);
        let with_intervals = telling.clone().count() <= MOST_INTERVALS;
        for line in telling {
            for (j, (&at, reach)) in line.at.iter().zip(&line.reach).enumerate() {
                let y = axes[j].at(at);
                if let Some(reach) = reach.filter(|reach| reach.is_finite() && with_intervals) {
                    let [low, high] = [at - reach, at + reach].map(|end| axes[j].at(end).clamp(TOP, BOTTOM));
                    let (x, stroke) = (place(j), line.mark.stroke());
                    let style = "stroke-width: 5; stroke-opacity: 0.3; stroke-linecap: butt";
                    let _ = writeln!(
                        body,
                        r#"<path class="line {stroke}" style="{style}" d="M{x:.1} {low:.1}V{high:.1}"/>"#
                    );
                }
                line.mark.draw(&mut body, place(j), y, Some(&escaped(&line.name)));
            }
        }
        self.names(&mut body, &lines, &axes);
        Drawing {
            label: format!(
                "{} in {} objectives; the better end of each axis is on top",
                counted(self.lines.len(), "arm", "arms"),
                axes.len()
            ),
            width: place(self.directions.len().max(1) - 1) + NAMES,
            height: BOTTOM + 34.0,
            body,
        }
    }

    /// Between two axes.
    fn step(&self) -> f64 {
        let gaps = self.directions.len().saturating_sub(1).max(1) as f64;
        ((WIDTH - LEFT - NAMES) / gaps).clamp(LEAST_STEP, MOST_STEP)
    }

    fn axis(&self, j: usize) -> Axis {
        let ends = self.lines.iter().flat_map(|line| {
            let reach = match line.mark.side() {
                Side::Off => 0.0,
                _ => line.reach[j].filter(|reach| reach.is_finite()).unwrap_or(0.0),
            };
            [line.at[j] - reach, line.at[j] + reach]
        });
        let least = self.lines.iter().map(|line| line.at[j]).fold(f64::INFINITY, f64::min);
        let line = if self.directions[j].more_is_better { [BOTTOM, TOP] } else { [TOP, BOTTOM] };
        Axis::fitting(self.scale(j), self.scale(j).range(ends, least, 0.03), line)
    }

    fn scale(&self, j: usize) -> Scale {
        Scale::of(self.lines.iter().map(|line| line.at[j]))
    }

    /// Names at the right end, moved apart; those that do not fit are left out.
    fn names(&self, svg: &mut String, lines: &[&ParallelLine], axes: &[Axis]) {
        let Some((last, axis)) = axes.len().checked_sub(1).zip(axes.last()) else { return };
        let x = LEFT + self.step() * last as f64;
        let mut taken: Vec<f64> = Vec::new();
        let names = short_names(lines.iter().map(|line| line.name.as_str()), LONGEST_NAME);
        for (line, name) in lines.iter().zip(&names).rev().filter(|(line, _)| line.mark.side() != Side::Off) {
            let end = axis.at(line.at[last]);
            let shifts = (0..).map(|step| if step % 2 == 0 { f64::from(step / 2) } else { -f64::from(step / 2 + 1) });
            let mut places =
                shifts.map(|shift| end + shift * LINE / 3.0).take_while(|y| (y - end).abs() <= BOTTOM - TOP);
            let free =
                |y: &f64| *y > TOP - 6.0 && *y < BOTTOM + 6.0 && taken.iter().all(|other| (other - y).abs() >= LINE);
            let Some(y) = places.find(free) else { continue };
            taken.push(y);
            let (text, name) = (x + 40.0, escaped(name));
            let _ = writeln!(
                svg,
                r#"<path class="line {}" style="stroke-width: 1; stroke-opacity: 0.6" d="M{:.1} {end:.1}L{:.1} {y:.1}"/>"#,
                line.mark.stroke(),
                x + 7.0,
                text - 4.0
            );
            let _ = writeln!(svg, r#"<text class="small strong" x="{text:.1}" y="{:.1}">{name}</text>"#, y + 4.0);
        }
    }
}

impl Direction {
    /// An upright axis with its name above it.
    fn draw_axis(&self, svg: &mut String, axis: &Axis, scale: Scale, x: f64, room: f64) {
        let _ = writeln!(svg, r#"<path class="axis" d="M{x:.1} {TOP}V{BOTTOM}"/>"#);
        let ends = match scale {
            Scale::Linear => (axis.low, axis.high),
            Scale::Logarithmic => (10f64.powf(axis.low), 10f64.powf(axis.high)),
        };
        let ticks = Ticks::along(scale, ends, 4.0);
        for &tick in &ticks.values {
            let (at, label) = (axis.at(tick), ticks.label(tick));
            let _ = writeln!(svg, r#"<path class="axis" d="M{:.1} {at:.1}h4"/>"#, x - 4.0);
            let _ = writeln!(
                svg,
                r#"<text class="small quiet halo" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                x - 7.0,
                at + 4.0
            );
        }
        let mut name = self.name.clone();
        for most in (4..=40).rev() {
            name = shortened(&self.name, most);
            if text_width(&name) <= room - 8.0 {
                break;
            }
        }
        let goal = if self.more_is_better { "↑ more is better" } else { "↑ less is better" };
        if scale == Scale::Logarithmic {
            let below = BOTTOM + 20.0;
            let _ = writeln!(
                svg,
                r#"<text class="small quiet" x="{x:.1}" y="{below}" text-anchor="middle">log scale</text>"#
            );
        }
        let _ = writeln!(
            svg,
            r#"<text class="small strong" x="{x:.1}" y="{}" text-anchor="middle">{}<title>{}</title></text>"#,
            TOP - 32.0,
            escaped(&name),
            escaped(&self.name)
        );
        let _ = writeln!(
            svg,
            r#"<text class="small quiet" x="{x:.1}" y="{}" text-anchor="middle">{goal}</text>"#,
            TOP - 16.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_end_is_on_top() {
        let direction = |more_is_better| Direction { name: "a < b".into(), more_is_better };
        let line = |name: &str, value: f64, mark| ParallelLine {
            name: name.into(),
            at: vec![value; 4],
            reach: vec![Some(0.1), None, Some(0.0), Some(f64::INFINITY)],
            mark,
        };
        let directions = vec![direction(true), direction(false), direction(true), direction(false)];
        let lines = vec![line("good & cheap", 1.0, VerdictMark::In), line("bad", 0.0, VerdictMark::Out)];
        let svg = Parallel { directions, lines }.draw().inline();
        assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("good &amp; cheap"));
        let path = svg.lines().find(|line| line.contains("<title>good")).unwrap().split("d=\"M").nth(1).unwrap();
        let heights: Vec<f64> = path
            .split('"')
            .next()
            .unwrap()
            .split('L')
            .map(|place| place.split_once(' ').unwrap().1.parse().unwrap())
            .collect();
        assert!(heights[0] < 100.0 && heights[1] > 300.0 && heights[2] < 100.0 && heights[3] > 300.0, "{heights:?}");
    }

    #[test]
    fn nothing_can_be_drawn() {
        let directions = vec![Direction { name: "x".into(), more_is_better: true }; 5];
        let svg = Parallel { directions, lines: Vec::new() }.draw().inline();
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
