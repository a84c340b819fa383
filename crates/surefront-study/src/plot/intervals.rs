//! Arms in one objective, one below the other, each with its confidence interval.

use std::fmt::Write;

use super::axis::{Axis, Room, Scale, Ticks};
use super::drawing::Drawing;
use super::label_room::text_width;
use super::page::escaped;
use super::scatter::Direction;
use super::short_names::short_names;
use super::verdict_mark::{Side, VerdictMark};
use crate::words::plural::counted;

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Intervals {
    /// Along the bottom.
    pub x: Direction,
    /// From top to bottom.
    pub rows: Vec<Interval>,
}

/// One arm.
#[derive(Clone, Debug)]
pub struct Interval {
    /// Its name.
    pub name: String,
    /// Its mean.
    pub at: f64,
    /// Between which numbers it lies; `None` where nothing can be said.
    pub ends: Option<[f64; 2]>,
    /// What is known of it.
    pub mark: VerdictMark,
}

const WIDTH: f64 = 560.0;
const TOP: f64 = 10.0;
const STEP: f64 = 22.0;
const RIGHT: f64 = WIDTH - 16.0;

impl Intervals {
    /// The figure.
    pub fn draw(&self) -> Drawing {
        let names = short_names(self.rows.iter().map(|row| row.name.as_str()), 26);
        let left = 20.0 + names.iter().map(|name| text_width(name)).fold(30.0, f64::max);
        let bottom = TOP + STEP * self.rows.len().max(1) as f64;
        let ends = self.rows.iter().flat_map(|row| {
            let known = row.ends.filter(|ends| ends.iter().all(|end| end.is_finite()) && row.mark.side() != Side::Off);
            known.unwrap_or([row.at; 2])
        });
        let scale = Scale::of(self.rows.iter().map(|row| row.at));
        let least = self.rows.iter().map(|row| row.at).fold(f64::INFINITY, f64::min);
        let ends = scale.range(ends, least, 0.05);
        let axis = Axis::fitting(scale, ends, [left, RIGHT]);
        let ticks = Ticks::along(scale, ends, 6.0);
        let mut body = String::new();
        Room { left, right: RIGHT, top: TOP, bottom }.uprights(&mut body, (&axis, &ticks));
        for (index, (row, name)) in self.rows.iter().zip(&names).enumerate() {
            let y = TOP + STEP * (index as f64 + 0.5);
            let class = if row.mark.side() == Side::Off { "small quiet" } else { "small strong" };
            let name = escaped(name);
            let _ = writeln!(
                body,
                r#"<text class="{class}" x="{:.1}" y="{:.1}" text-anchor="end">{name}</text>"#,
                left - 10.0,
                y + 4.0
            );
            if let Some(ends) = row.ends.filter(|ends| ends.iter().all(|end| end.is_finite())) {
                let [from, to] = ends.map(|end| axis.at(end).clamp(left, RIGHT));
                let stroke = row.mark.stroke();
                let _ = writeln!(body, r#"<path class="line {stroke}" d="M{from:.1} {y:.1}H{to:.1}"/>"#);
            }
            row.mark.draw(&mut body, axis.at(row.at), y, Some(&escaped(&row.name)));
        }
        let _ = writeln!(body, r#"<path class="axis" d="M{left:.1} {TOP}V{bottom}H{RIGHT}"/>"#);
        let title = escaped(&self.x.title(RIGHT - left, scale));
        let (middle, below) = ((left + RIGHT) / 2.0, bottom + 40.0);
        let _ =
            writeln!(body, r#"<text class="strong" x="{middle:.1}" y="{below}" text-anchor="middle">{title}</text>"#);
        let label = format!("{} in {}", counted(self.rows.len(), "arm", "arms"), self.x.name);
        Drawing { label, width: WIDTH, height: bottom + 52.0, body }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_measured_can_be_drawn() {
        let around = |at: f64, reach: f64| Some([at - reach, at + reach]);
        for (at, ends) in
            [(1.0, around(1.0, 0.2)), (0.0, None), (5.0, around(5.0, f64::INFINITY)), (-3.0, Some([-3.0, 4.0]))]
        {
            let rows = vec![Interval { name: "a < b".into(), at, ends, mark: VerdictMark::PerhapsOut }; 2];
            let svg = Intervals { x: Direction { name: "x".into(), more_is_better: false }, rows }.draw().inline();
            assert!(!svg.contains("NaN") && !svg.contains("inf") && svg.contains("a &lt; b"), "{svg}");
        }
    }
}
