//! Rows of dots on one logarithmic axis, around the value one.

use std::fmt::Write;

use super::axis::Axis;
use super::page::{self, INK, escaped};

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct DotPlot {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// What is measured along x.
    pub x_label: String,
    /// What each colour means.
    pub legend: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<DotRow>,
}

/// One row.
#[derive(Clone, Debug)]
pub struct DotRow {
    /// What it is about.
    pub label: String,
    /// What was measured.
    pub dots: Vec<Dot>,
}

/// One measurement.
#[derive(Clone, Copy, Debug)]
pub struct Dot {
    /// Which entry of the legend.
    pub colour: usize,
    /// Positive.
    pub value: f64,
    /// A bar reaches this far to either side.
    pub error: f64,
}

const WIDTH: f64 = 860.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 84.0;
const STEP: f64 = 20.0;
/// Labels that are nearer than this would touch.
const TICK_ROOM: f64 = 44.0;
/// Round numbers in one decade.
const ROUND: [f64; 17] = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

impl DotPlot {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let bottom = TOP + STEP * (self.rows.len().max(1) as f64 + 0.5);
        let (low, high) = self.range();
        let x = Axis::logarithmic(low, high, [LEFT, RIGHT]);

        let mut svg = page::open(&self.title, &self.subtitle, WIDTH, bottom + 64.0);
        let mut last = f64::NEG_INFINITY;
        for tick in (-3..9).flat_map(|decade| ROUND.map(|value| value * 10f64.powi(decade))) {
            let at = x.at(tick);
            // The label of one is always there: its neighbour to the left gives way.
            let clear_of_one = tick >= 1.0 || x.at(1.0) - at >= TICK_ROOM;
            if (LEFT..=RIGHT).contains(&at) && at - last >= TICK_ROOM && clear_of_one {
                let label = (1e4 * tick).round() / 1e4;
                let _ = writeln!(svg, r#"<path class="grid" d="M{at:.1} {TOP}V{bottom}"/>"#);
                let _ = writeln!(svg, r#"<text x="{at:.1}" y="{}" text-anchor="middle">{label}</text>"#, bottom + 20.0);
                last = at;
            }
        }
        for (index, row) in self.rows.iter().enumerate() {
            row.draw(&mut svg, &x, TOP + STEP * (index as f64 + 0.75));
        }
        let _ =
            writeln!(svg, r#"<path class="line s{INK}" stroke-dasharray="2 5" d="M{:.1} {TOP}V{bottom}"/>"#, x.at(1.0));
        let _ = writeln!(svg, r#"<path class="axis" d="M{LEFT} {TOP}V{bottom}H{RIGHT}"/>"#);
        for (colour, label) in self.legend.iter().enumerate() {
            let (left, at) = (RIGHT + 24.0, TOP + 10.0 + 22.0 * colour as f64);
            let _ = writeln!(svg, r#"<circle class="f{colour}" cx="{left}" cy="{at}" r="4.5"/>"#);
            let _ = writeln!(svg, r#"<text x="{}" y="{}">{}</text>"#, left + 14.0, at + 4.5, escaped(label));
        }
        page::label_below(&mut svg, &self.x_label, (LEFT + RIGHT) / 2.0, bottom);
        svg += "</svg>\n";
        svg
    }

    /// The logarithms at the ends: one and all dots lie between them, with a margin.
    fn range(&self) -> (f64, f64) {
        let ends =
            self.rows.iter().flat_map(|row| &row.dots).flat_map(|dot| [dot.value - dot.error, dot.value + dot.error]);
        let logs = ends.filter(|end| *end > 0.0 && end.is_finite()).map(f64::log10);
        let (low, high) = logs.fold((0.0, 0.02), |(low, high): (f64, f64), log| (low.min(log), high.max(log)));
        let margin = 0.05 * (high - low);
        (low - margin, high + margin)
    }
}

impl DotRow {
    fn draw(&self, svg: &mut String, x: &Axis, at: f64) {
        let label = escaped(&self.label);
        let _ = writeln!(svg, r#"<path class="fine" d="M{LEFT} {at}H{RIGHT}"/>"#);
        let _ = writeln!(svg, r#"<text x="{}" y="{}" text-anchor="end">{label}</text>"#, LEFT - 10.0, at + 4.5);
        for dot in self.dots.iter().filter(|dot| dot.value > 0.0 && dot.value.is_finite()) {
            let Dot { colour, value, error } = *dot;
            let bar = [value - error, value + error].map(|end| x.at(end).clamp(LEFT, RIGHT));
            if bar[0] < bar[1] {
                let _ = writeln!(svg, r#"<path class="line s{colour}" d="M{:.1} {at}H{:.1}"/>"#, bar[0], bar[1]);
            }
            let _ = writeln!(svg, r#"<circle class="f{colour}" cx="{:.1}" cy="{at}" r="4.5"/>"#, x.at(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_was_measured_can_be_drawn() {
        for (value, error) in [(1.0, 0.0), (1.02, 0.01), (40.0, 60.0), (f64::NAN, 1.0), (1.0, f64::NAN)] {
            let rows = vec![DotRow { label: "a < b".into(), dots: vec![Dot { colour: 0, value, error }] }];
            let (title, subtitle, x_label) = ("t".into(), "s".into(), "x".into());
            let svg = DotPlot { title, subtitle, x_label, legend: vec!["dual".into()], rows }.to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("a &lt; b"));
        }
    }
}
