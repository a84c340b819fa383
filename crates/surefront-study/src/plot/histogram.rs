//! Distributions one below the other on one axis, each with its own marks, and a line through all of them.

use std::fmt::Write;

use super::axis::{Axis, round_ticks};
use super::log_log::Stroke;
use super::page::{self, INK, escaped};
use crate::words::number::grouped;

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// What is counted along x.
    pub x_label: String,
    /// What the bars are the height of.
    pub y_label: String,
    /// Where a dashed line runs through all panels.
    pub line: Option<f64>,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// One distribution.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it is, above the bars.
    pub label: String,
    /// Positive values, in any order.
    pub values: Vec<f64>,
    /// Lines of its own.
    pub marks: Vec<Mark>,
}

/// An upright line in one panel.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// How.
    pub stroke: Stroke,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = page::LEFT;
const RIGHT: f64 = 830.0;
const TOP: f64 = 96.0;
/// Between the bars of one panel and those of the next: room for the label.
const GAP: f64 = 42.0;
/// Of the line through all panels; a mark's dashes are short.
const LONG_DASHES: &str = r#" stroke-dasharray="8 5""#;

impl Histogram {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let height = if self.panels.len() <= 1 { 320.0 } else { 150.0 };
        let bottom = TOP + self.panels.len().max(1) as f64 * (height + GAP) - GAP;
        let end = self.end();
        let x = Axis::linear(0.0, end, [LEFT, RIGHT]);

        let mut svg = page::open(&self.title, &self.subtitle, WIDTH, bottom + 64.0);
        let ticks = round_ticks(end, 8.0);
        for &tick in &ticks {
            let label = if end < 8.0 { tick.to_string() } else { grouped(tick as u64) };
            let at = x.at(tick);
            let _ = writeln!(svg, r#"<text x="{at:.1}" y="{}" text-anchor="middle">{label}</text>"#, bottom + 20.0);
        }
        for (index, panel) in self.panels.iter().enumerate() {
            let top = TOP + index as f64 * (height + GAP);
            for &tick in &ticks {
                let _ = writeln!(svg, r#"<path class="grid" d="M{:.1} {top}V{}"/>"#, x.at(tick), top + height);
            }
            panel.draw(&mut svg, index, &x, top, top + height);
            if let Some(at) = self.line {
                upright(&mut svg, x.at(at), top, top + height, LONG_DASHES);
            }
        }
        page::label_below(&mut svg, &self.x_label, (LEFT + RIGHT) / 2.0, bottom);
        page::label_beside(&mut svg, &self.y_label, (TOP + bottom) / 2.0);
        svg += "</svg>\n";
        svg
    }

    /// The end of the axis: past nearly all values and all lines, but not so far that a few stragglers squeeze the rest.
    fn end(&self) -> f64 {
        let nearly_all = self.panels.iter().filter_map(|panel| {
            let mut sorted = panel.values.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.get((sorted.len() * 99) / 100).copied()
        });
        let lines = self.panels.iter().flat_map(|panel| &panel.marks).map(|mark| mark.at).chain(self.line);
        let end = nearly_all.chain(lines).filter(|value| value.is_finite()).fold(0.0, f64::max);
        if end > 0.0 { 1.05 * end } else { 1.0 }
    }
}

impl Panel {
    fn draw(&self, svg: &mut String, colour: usize, x: &Axis, top: f64, bottom: f64) {
        let (shares, beyond) = self.shares(x.high);
        let most = shares.iter().copied().fold(0.0, f64::max);
        let y = Axis::linear(0.0, if most > 0.0 { most } else { 1.0 }, [bottom, top]);
        for tick in round_ticks(y.high, 3.0).into_iter().skip(1) {
            let at = y.at(tick);
            let percent = (1e4 * tick).round() / 100.0;
            let _ = writeln!(svg, r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#);
            let _ =
                writeln!(svg, r#"<text x="{}" y="{:.1}" text-anchor="end">{percent} %</text>"#, LEFT - 10.0, at + 4.5);
        }
        // One outline around all bars.
        let mut outline = format!("M{LEFT:.1} {bottom:.1}");
        for (bin, &share) in shares.iter().enumerate() {
            let right = x.at(x.high * (bin + 1) as f64 / shares.len() as f64);
            let _ = write!(outline, "V{:.1}H{right:.1}", y.at(share));
        }
        let _ = writeln!(svg, r#"<path class="f{colour}" fill-opacity="0.3" d="{outline}V{bottom:.1}Z"/>"#);
        let _ = writeln!(svg, r#"<path class="line s{colour}" style="stroke-width: 1.5" d="{outline}V{bottom:.1}"/>"#);
        for mark in &self.marks {
            upright(svg, x.at(mark.at), top, bottom, mark.stroke.dashes().unwrap_or_default());
        }
        let _ = writeln!(svg, r#"<path class="axis" d="M{LEFT} {top}V{bottom}H{RIGHT}"/>"#);
        let label = escaped(&self.label);
        let _ = writeln!(svg, r#"<circle class="f{colour}" cx="{}" cy="{}" r="5"/>"#, LEFT + 6.0, top - 14.0);
        let _ = writeln!(svg, r#"<text x="{}" y="{}">{label}</text>"#, LEFT + 18.0, top - 9.5);
        if beyond > 0 {
            let runs = if beyond == 1 { "1 run" } else { &format!("{} runs", grouped(beyond)) };
            let y = top - 9.5;
            let _ =
                writeln!(svg, r#"<text class="quiet" x="{RIGHT}" y="{y}" text-anchor="end">{runs} beyond →</text>"#);
        }
    }

    /// The share of the values in each bin of the axis, and how many lie beyond its end.
    fn shares(&self, end: f64) -> (Vec<f64>, u64) {
        // As fine as the number of values bears.
        let bins = (3.0 * (self.values.len() as f64).sqrt()).clamp(12.0, 80.0).round();
        let mut shares = vec![0.0; bins as usize];
        let mut beyond = 0;
        for &value in &self.values {
            match shares.get_mut((value / end * bins) as usize) {
                Some(share) => *share += 1.0 / self.values.len() as f64,
                None => beyond += 1,
            }
        }
        (shares, beyond)
    }
}

fn upright(svg: &mut String, at: f64, top: f64, bottom: f64, dashes: &str) {
    let _ = writeln!(svg, r#"<path class="line s{INK}"{dashes} d="M{at:.1} {top}V{bottom}"/>"#);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: Vec<f64>) -> Histogram {
        let marks = vec![Mark { at: 3.0, stroke: Stroke::Solid }];
        Histogram {
            title: "a & b".into(),
            subtitle: String::new(),
            x_label: "samples".into(),
            y_label: "share of runs".into(),
            line: Some(2.0),
            panels: vec![Panel { label: "x < y".into(), values, marks }],
        }
    }

    #[test]
    fn shares_add_up_to_one_without_stragglers() {
        let panel = &histogram((1..=200).map(f64::from).chain([1e6]).collect()).panels[0];
        let (shares, beyond) = panel.shares(300.0);
        assert_eq!(beyond, 1);
        assert!((shares.iter().sum::<f64>() - 200.0 / 201.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_and_one_value_can_be_drawn() {
        for values in [vec![], vec![5.0], vec![5.0; 9]] {
            let svg = histogram(values).to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("a &amp; b") && svg.contains("x &lt; y"));
        }
    }
}
