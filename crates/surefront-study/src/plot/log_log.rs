//! Lines with markers on two logarithmic axes.

use std::fmt::Write;

use super::axis::Axis;
use super::page::{self, escaped};

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Which of the palette's colours; [`INK`](super::INK) is that of the text.
    pub colour: usize,
    /// The line between the points.
    pub stroke: Stroke,
    /// The points.
    pub marker: Marker,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Unbroken.
    Solid,
    /// In dashes.
    Dashed,
    /// None.
    Absent,
}

impl Stroke {
    /// The attribute that makes the dashes; `None` if there is no line.
    pub fn dashes(self) -> Option<&'static str> {
        match self {
            Stroke::Solid => Some(""),
            Stroke::Dashed => Some(r#" stroke-dasharray="2 5""#),
            Stroke::Absent => None,
        }
    }
}

/// A point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    Disc,
    /// An empty circle.
    Ring,
    /// An empty diamond.
    Diamond,
    /// None.
    Absent,
}

/// Points to be joined, in the order of x.
#[derive(Clone, Debug)]
pub struct Series {
    /// How they are drawn.
    pub look: Look,
    /// Positive coordinates.
    pub points: Vec<(f64, f64)>,
}

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// What x is.
    pub x_label: String,
    /// What y is.
    pub y_label: String,
    /// The labelled values of x.
    pub x_ticks: Vec<f64>,
    /// The words for a power of ten of y.
    pub y_tick: fn(f64) -> String,
    /// What is drawn.
    pub series: Vec<Series>,
    /// What each look means.
    pub legend: Vec<(String, Look)>,
}

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 560.0;
const LEFT: f64 = page::LEFT;
const RIGHT: f64 = 660.0;
const TOP: f64 = 78.0;
const BOTTOM: f64 = 496.0;

impl Plot {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let (x_low, x_high) = range(self.x_ticks.iter().copied().chain(points().map(|point| point.0)));
        let (y_low, y_high) = range(points().map(|point| point.1));
        let (y_low, y_high) = (y_low.floor(), y_high.ceil().max(y_low.floor() + 1.0));
        let margin = 0.03 * (x_high - x_low);
        let x = Axis::logarithmic(x_low - margin, x_high + margin, [LEFT, RIGHT]);
        let y = Axis::logarithmic(y_low, y_high, [BOTTOM, TOP]);

        let mut svg = page::open(&self.title, &self.subtitle, WIDTH, HEIGHT);
        self.axes(&mut svg, &x, &y);
        for series in &self.series {
            draw_series(&mut svg, series, &x, &y);
        }
        self.draw_legend(&mut svg);
        svg += "</svg>\n";
        svg
    }

    fn axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        for decade in y.low as i32..=y.high as i32 {
            let value = 10f64.powi(decade);
            for step in 2..10 {
                let fine = y.at(value * f64::from(step));
                if fine > TOP {
                    let _ = writeln!(svg, r#"<path class="fine" d="M{LEFT} {fine:.1}H{RIGHT}"/>"#);
                }
            }
            let at = y.at(value);
            let _ = writeln!(svg, r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#);
            let label = escaped(&(self.y_tick)(value));
            let _ = writeln!(svg, r#"<text x="{}" y="{:.1}" text-anchor="end">{label}</text>"#, LEFT - 10.0, at + 4.5);
        }
        for &tick in &self.x_ticks {
            let at = x.at(tick);
            let _ = writeln!(svg, r#"<path class="grid" d="M{at:.1} {TOP}V{BOTTOM}"/>"#);
            let _ = writeln!(svg, r#"<text x="{at:.1}" y="{}" text-anchor="middle">{tick}</text>"#, BOTTOM + 20.0);
        }
        let _ = writeln!(svg, r#"<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>"#);
        page::label_below(svg, &self.x_label, (LEFT + RIGHT) / 2.0, BOTTOM);
        page::label_beside(svg, &self.y_label, (TOP + BOTTOM) / 2.0);
    }

    fn draw_legend(&self, svg: &mut String) {
        const STEP: f64 = 22.0;
        for (index, (label, look)) in self.legend.iter().enumerate() {
            let (left, at) = (RIGHT + 24.0, TOP + 10.0 + STEP * index as f64);
            draw_line(svg, *look, &[(left, at), (left + 30.0, at)]);
            draw_marker(svg, *look, left + 15.0, at);
            let _ = writeln!(svg, r#"<text x="{}" y="{}">{}</text>"#, left + 40.0, at + 4.5, escaped(label));
        }
    }
}

fn draw_series(svg: &mut String, series: &Series, x: &Axis, y: &Axis) {
    let places: Vec<(f64, f64)> = series.points.iter().map(|point| (x.at(point.0), y.at(point.1))).collect();
    draw_line(svg, series.look, &places);
    for &(x, y) in &places {
        draw_marker(svg, series.look, x, y);
    }
}

fn draw_line(svg: &mut String, look: Look, places: &[(f64, f64)]) {
    let Some(dashes) = look.stroke.dashes() else { return };
    let line: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(svg, r#"<polyline class="line s{}"{dashes} points="{}"/>"#, look.colour, line.join(" "));
}

fn draw_marker(svg: &mut String, look: Look, x: f64, y: f64) {
    let colour = look.colour;
    let _ = match look.marker {
        Marker::Absent => Ok(()),
        Marker::Disc => writeln!(svg, r#"<circle class="f{colour}" cx="{x:.1}" cy="{y:.1}" r="4"/>"#),
        Marker::Ring => writeln!(svg, r#"<circle class="mark hollow s{colour}" cx="{x:.1}" cy="{y:.1}" r="3.6"/>"#),
        Marker::Diamond => {
            writeln!(svg, r#"<path class="mark hollow s{colour}" d="M{x:.1} {:.1}l5 5l-5 5l-5 -5z"/>"#, y - 5.0)
        }
    };
}

/// The least and the largest logarithm, apart even if there is only one value.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .filter(|value| *value > 0.0)
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low < high {
        (low, high)
    } else if low.is_finite() {
        (low - 0.5, low + 0.5)
    } else {
        (0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        let look = Look { colour: 0, stroke: Stroke::Dashed, marker: Marker::Diamond };
        Plot {
            title: "a < b & \"c\"".into(),
            subtitle: String::new(),
            x_label: "x".into(),
            y_label: "y".into(),
            x_ticks: vec![1.0, 10.0],
            y_tick: |value| format!("{value}"),
            series: vec![Series { look, points }],
            legend: vec![("one".into(), look)],
        }
    }

    #[test]
    fn text_is_escaped() {
        let svg = plot(vec![(1.0, 1.0)]).to_svg();
        assert!(svg.contains("a &lt; b &amp; &quot;c&quot;") && !svg.contains("a < b"));
    }

    #[test]
    fn nothing_one_point_and_a_level_line_can_be_drawn() {
        for points in [vec![], vec![(2.0, 5.0)], vec![(1.0, 1.0), (10.0, 1.0)]] {
            let svg = plot(points).to_svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn points_lie_inside_the_axes() {
        let svg = plot(vec![(1.0, 0.3), (10.0, 4000.0)]).to_svg();
        let line = svg.lines().find(|line| line.starts_with("<polyline")).unwrap();
        let places = line.split("points=\"").nth(1).unwrap().trim_end_matches("\"/>");
        for place in places.split(' ') {
            let (x, y) = place.split_once(',').unwrap();
            assert!((LEFT..=RIGHT).contains(&x.parse().unwrap()), "{place}");
            assert!((TOP..=BOTTOM).contains(&y.parse().unwrap()), "{place}");
        }
    }
}
