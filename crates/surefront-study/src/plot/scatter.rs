//! Arms in two objectives, with their confidence regions.

use std::fmt::Write;

use super::axis::{Axis, Room, Scale, Ticks};
use super::drawing::Drawing;
use super::label_room::{LabelRoom, Weight, text_width};
use super::page::escaped;
use super::short_names::{short_names, shortened};
use super::verdict_mark::{Side, VerdictMark};
use crate::words::plural::counted;

/// Everything that is drawn.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// Along the bottom.
    pub x: Direction,
    /// Along the left.
    pub y: Direction,
    /// The arms.
    pub points: Vec<ScatterPoint>,
    /// Whether these are all objectives, so that the area dominated by the front can be shown.
    pub complete: bool,
    /// In pixels.
    pub width: f64,
    /// In pixels.
    pub height: f64,
    /// What is to be seen, if it is not everything.
    pub window: Option<Window>,
}

/// A part of the plane of two objectives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    x: (f64, f64),
    y: (f64, f64),
}

impl Window {
    /// From the first to the second value along each axis; `None` if that is nothing that could be drawn.
    pub fn new(x: (f64, f64), y: (f64, f64)) -> Option<Self> {
        let drawable = |(low, high): (f64, f64)| {
            let size = low.abs().max(high.abs());
            // Closer together, the numbers along the axis would be the same.
            low < high && size <= 1e100 && high - low > 1e-9 * size && high - low > 1e-100
        };
        (drawable(x) && drawable(y)).then_some(Window { x, y })
    }

    fn holds(&self, at: [f64; 2]) -> bool {
        let within = |(low, high): (f64, f64), value: f64| low <= value && value <= high;
        within(self.x, at[0]) && within(self.y, at[1])
    }
}

/// An objective along an axis.
#[derive(Clone, Debug)]
pub struct Direction {
    /// Its name.
    pub name: String,
    /// Whether more of it is better.
    pub more_is_better: bool,
}

/// One arm.
#[derive(Clone, Debug)]
pub struct ScatterPoint {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub at: [f64; 2],
    /// The half axes of its confidence region; zero where it is exactly known, `None` where nothing can be said.
    pub region: [Option<f64>; 2],
    /// What is known of it.
    pub mark: VerdictMark,
}

const TOP: f64 = 14.0;
const BELOW: f64 = 50.0;
const FAR: f64 = 14.0;
/// More arms of a kind are drawn as one shape, without regions that would hide each other.
pub const CROWD: usize = 80;
/// With more arms, those off the front have no names.
const NAMED: usize = 30;
const LONGEST_NAME: usize = 24;
/// With more arms on the front in a narrow figure, their names are cut to be all there.
const ROOMY: usize = 6;
const NARROW: f64 = 400.0;
const SHORT_NAME: usize = 12;

/// The two axes on the picture.
struct Frame {
    x: Axis,
    y: Axis,
    scales: [Scale; 2],
    left: f64,
    right: f64,
    bottom: f64,
}

impl Scatter {
    /// The figure.
    pub fn draw(&self) -> Drawing {
        let scales = [0, 1].map(|side| self.scale(side));
        let [x_range, y_range] = match self.window {
            Some(Window { x, y }) => [x, y],
            None => [0, 1].map(|side| self.range(side, scales[side])),
        };
        let y_ticks = Ticks::along(scales[1], y_range, (self.height / 60.0).max(2.0));
        let widest = y_ticks.values.iter().map(|&tick| text_width(&y_ticks.label(tick))).fold(0.0, f64::max);
        let (left, right, bottom) = (34.0 + widest, self.width - FAR, self.height - BELOW);
        let x_ticks = Ticks::along(scales[0], x_range, ((right - left) / 70.0).max(2.0));
        let x = Axis::fitting(scales[0], x_range, [left, right]);
        let y = Axis::fitting(scales[1], y_range, [bottom, TOP]);
        let frame = Frame { x, y, scales, left, right, bottom };

        let mut body = String::new();
        self.axes(&mut body, &frame, &x_ticks, &y_ticks);
        // What lies beyond the frame is cut off there.
        let (inner_width, inner_height) = (right - left, bottom - TOP);
        let _ = writeln!(
            body,
            r#"<svg class="area" data-x="{} {}" data-y="{} {}" x="{left:.1}" y="{TOP}" width="{inner_width:.1}" height="{inner_height:.1}" viewBox="{left:.1} {TOP} {inner_width:.1} {inner_height:.1}">"#,
            x_range.0, x_range.1, y_range.0, y_range.1
        );
        if self.complete {
            self.dominated(&mut body, &frame);
        }
        self.regions(&mut body, &frame);
        self.marks(&mut body, &frame);
        body += "</svg>\n";
        self.names(&mut body, &frame);
        let label = format!("{} in {} and {}", counted(self.points.len(), "arm", "arms"), self.x.name, self.y.name);
        Drawing { label, width: self.width, height: self.height, body }
    }

    /// All means, and the regions of all arms that may be on the front.
    fn range(&self, side: usize, scale: Scale) -> (f64, f64) {
        let ends = self.points.iter().flat_map(|point| {
            let reach = match point.mark.side() {
                Side::Off => 0.0,
                _ => point.region[side].filter(|reach| reach.is_finite()).unwrap_or(0.0),
            };
            [point.at[side] - reach, point.at[side] + reach]
        });
        let least = self.points.iter().map(|point| point.at[side]).fold(f64::INFINITY, f64::min);
        scale.range(ends, least, 0.06)
    }

    fn axes(&self, svg: &mut String, frame: &Frame, x_ticks: &Ticks, y_ticks: &Ticks) {
        let Frame { x, y, scales, left, right, bottom } = frame;
        let room = Room { left: *left, right: *right, top: TOP, bottom: *bottom };
        room.grid(svg, (x, x_ticks), (y, y_ticks));
        let _ = writeln!(svg, r#"<path class="axis" d="M{left:.1} {TOP}V{bottom}H{right}"/>"#);
        let (middle, below) = ((left + right) / 2.0, bottom + 40.0);
        let title = escaped(&self.x.title(right - left, scales[0]));
        let _ =
            writeln!(svg, r#"<text class="strong" x="{middle:.1}" y="{below}" text-anchor="middle">{title}</text>"#);
        let (middle, title) = ((TOP + bottom) / 2.0, escaped(&self.y.title(bottom - TOP, scales[1])));
        let _ = writeln!(
            svg,
            r#"<text class="strong" transform="translate(15 {middle:.1}) rotate(-90)" text-anchor="middle">{title}</text>"#
        );
    }

    /// The area that the front dominates.
    fn dominated(&self, svg: &mut String, frame: &Frame) {
        // Turned so that larger is better along both axes, as places on the picture.
        let turn = |better: bool| if better { 1.0 } else { -1.0 };
        let (right, up) = (turn(self.x.more_is_better), turn(self.y.more_is_better));
        let turned = |point: &ScatterPoint| (right * frame.x.at(point.at[0]), -up * frame.y.at(point.at[1]));
        let back = |(u, v): (f64, f64)| format!("{:.1} {:.1}", right * u, -up * v);
        let front = self.points.iter().filter(|point| point.mark.side() == Side::On);
        let mut stairs: Vec<(f64, f64)> = front.map(turned).collect();
        stairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let [Some(first), Some(last)] = [stairs.first(), stairs.last()] else { return };
        let worst = ((right * frame.left).min(right * frame.right), (-up * TOP).min(-up * frame.bottom));
        let mut line = format!("M{}", back((worst.0, first.1)));
        for (place, &(u, v)) in stairs.iter().enumerate() {
            let _ = write!(line, "L{}", back((u, v)));
            let next = stairs.get(place + 1).map_or(worst.1, |next| next.1);
            let _ = write!(line, "L{}", back((u, next)));
        }
        let _ = writeln!(svg, r#"<path class="shade f0" d="{line}L{}Z"/>"#, back((worst.0, worst.1)));
        debug_assert!(last.0 >= first.0);
        let _ = writeln!(svg, r#"<path class="line s0" style="stroke-width: 1.2; stroke-opacity: 0.6" d="{line}"/>"#);
    }

    fn regions(&self, svg: &mut String, frame: &Frame) {
        for point in self.in_order().into_iter().filter(|point| !self.is_crowd(point.mark)) {
            let [Some(rx), Some(ry)] = point.region else { continue };
            let (cx, cy) = (frame.x.at(point.at[0]), frame.y.at(point.at[1]));
            if frame.scales.contains(&Scale::Logarithmic) {
                uneven_region(svg, frame, point, [rx, ry]);
                continue;
            }
            let rx = (frame.x.at(point.at[0] + rx) - cx).abs();
            let ry = (frame.y.at(point.at[1] + ry) - cy).abs();
            if !(rx.is_finite() && ry.is_finite()) || (rx < 0.5 && ry < 0.5) {
                continue;
            }
            let stroke = point.mark.stroke();
            let fill = if point.mark.side() == Side::On { point.mark.fill() } else { "empty" };
            // An objective without noise makes the region a line.
            let _ = if rx < 0.05 || ry < 0.05 {
                writeln!(
                    svg,
                    r#"<path class="region {stroke}" style="stroke-width: 2" d="M{:.1} {:.1}L{:.1} {:.1}"/>"#,
                    cx - rx,
                    cy - ry,
                    cx + rx,
                    cy + ry
                )
            } else {
                writeln!(
                    svg,
                    r#"<ellipse class="region {fill} {stroke}" cx="{cx:.1}" cy="{cy:.1}" rx="{rx:.1}" ry="{ry:.1}"/>"#
                )
            };
        }
    }

    fn marks(&self, svg: &mut String, frame: &Frame) {
        let points = self.in_order();
        for kind in points.chunk_by(|a, b| a.mark == b.mark) {
            let mark = kind[0].mark;
            let places = kind.iter().map(|point| (frame.x.at(point.at[0]), frame.y.at(point.at[1])));
            if self.is_crowd(mark) {
                let crowd: String = places.map(|(x, y)| mark.outline(x, y)).collect();
                let _ = writeln!(svg, r#"<path class="{} crowd" d="{crowd}"/>"#, mark.class());
            } else {
                for (point, (x, y)) in kind.iter().zip(places) {
                    mark.draw(svg, x, y, Some(&escaped(&point.name)));
                }
            }
        }
    }

    fn is_crowd(&self, mark: VerdictMark) -> bool {
        self.seen().filter(|point| point.mark == mark).count() > CROWD
    }

    /// How an axis is divided: by the values of all arms, unless a window reaches where there are no factors.
    fn scale(&self, side: usize) -> Scale {
        let low = self.window.map_or(f64::INFINITY, |window| [window.x, window.y][side].0);
        if low > 0.0 { Scale::of(self.points.iter().map(|point| point.at[side])) } else { Scale::Linear }
    }

    /// The arms within the frame.
    fn seen(&self) -> impl Iterator<Item = &ScatterPoint> {
        self.points.iter().filter(|point| self.window.is_none_or(|window| window.holds(point.at)))
    }

    /// Names where they fit, those that may be on the front first.
    fn names(&self, svg: &mut String, frame: &Frame) {
        let mut room = LabelRoom::new([frame.left + 2.0, TOP, frame.right + 10.0, frame.bottom - 2.0]);
        let place = |point: &ScatterPoint| (frame.x.at(point.at[0]), frame.y.at(point.at[1]));
        for point in self.seen() {
            let (x, y) = place(point);
            room.keep_clear(x, y);
        }
        let points = self.in_order();
        let on_front = points.iter().filter(|point| point.mark.side() == Side::On).count();
        let longest = if on_front > ROOMY && self.width < NARROW { SHORT_NAME } else { LONGEST_NAME };
        let names = short_names(points.iter().map(|point| point.name.as_str()), longest);
        for (point, name) in points.iter().zip(&names).rev() {
            if point.mark.side() != Side::On && points.len() > NAMED {
                continue;
            }
            let (x, y) = place(point);
            let (class, weight) = match point.mark.side() {
                Side::Off => ("small halo quiet", Weight::Faint),
                Side::PerhapsOff => ("small halo", Weight::Faint),
                Side::On => ("small halo strong", Weight::Strong),
            };
            if let Some(placed) = room.place(x, y, text_width(name), weight) {
                if let Some((to_x, to_y)) = placed.leader {
                    let stroke = point.mark.stroke();
                    let style = "stroke-width: 0.8; stroke-opacity: 0.7";
                    let _ = writeln!(
                        svg,
                        r#"<path class="line {stroke}" style="{style}" d="M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}"/>"#
                    );
                }
                let (x, y, anchor, name) = (placed.x, placed.y, placed.anchor, escaped(name));
                let _ = writeln!(
                    svg,
                    r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{name}</text>"#
                );
            }
        }
    }

    /// The most telling last, so that they lie on top.
    fn in_order(&self) -> Vec<&ScatterPoint> {
        let mut points: Vec<&ScatterPoint> = self.seen().collect();
        points.sort_by_key(|point| point.mark);
        points
    }
}

/// A region along a logarithmic axis reaches further to one side than to the other.
fn uneven_region(svg: &mut String, frame: &Frame, point: &ScatterPoint, reach: [f64; 2]) {
    if !reach.iter().all(|reach| reach.is_finite()) {
        return;
    }
    let ([x, y], [rx, ry]) = (point.at, reach);
    let (cx, cy) = (frame.x.at(x), frame.y.at(y));
    let [left, right] = [x - rx, x + rx].map(|end| (frame.x.at(end) - cx).abs().max(0.05));
    let [down, up] = [y - ry, y + ry].map(|end| (frame.y.at(end) - cy).abs().max(0.05));
    if left.max(right) < 0.5 && up.max(down) < 0.5 {
        return;
    }
    let stroke = point.mark.stroke();
    let fill = if point.mark.side() == Side::On { point.mark.fill() } else { "empty" };
    let _ = writeln!(
        svg,
        r#"<path class="region {fill} {stroke}" d="M{:.1} {cy:.1}a{left:.1} {up:.1} 0 0 1 {left:.1} {:.1}a{right:.1} {up:.1} 0 0 1 {right:.1} {up:.1}a{right:.1} {down:.1} 0 0 1 {:.1} {down:.1}a{left:.1} {down:.1} 0 0 1 {:.1} {:.1}z"/>"#,
        cx - left,
        -up,
        -right,
        -left,
        -down
    );
}

impl Direction {
    /// The name with an arrow to the better end, and what to know of the scale, in at most this many pixels.
    pub(super) fn title(&self, room: f64, scale: Scale) -> String {
        let words = scale.words();
        let most = ((room - 78.0 - text_width(words)) / 8.2).max(8.0) as usize;
        let name = shortened(&self.name, most) + words;
        if self.more_is_better { format!("{name} → better") } else { format!("better ← {name}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scatter(points: Vec<ScatterPoint>) -> String {
        let direction = |name: &str, more_is_better| Direction { name: name.into(), more_is_better };
        let (x, y) = (direction("a < b", true), direction("cost", false));
        Scatter { x, y, points, complete: true, width: 440.0, height: 400.0, window: None }.draw().inline()
    }

    fn point(at: [f64; 2], region: [Option<f64>; 2], mark: VerdictMark) -> ScatterPoint {
        ScatterPoint { name: "x & y".into(), at, region, mark }
    }

    #[test]
    fn whatever_was_measured_can_be_drawn() {
        let huge = f64::INFINITY;
        for points in [
            vec![],
            vec![point([1.0, 2.0], [None, None], VerdictMark::In)],
            vec![point([1.0, 2.0], [Some(0.0), Some(0.1)], VerdictMark::Out); 3],
            vec![point([0.0, 0.0], [Some(huge), Some(0.1)], VerdictMark::PerhapsIn)],
        ] {
            let svg = scatter(points);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("a &lt; b → better") && svg.contains("better ← cost") && !svg.contains("x & y"));
        }
    }

    #[test]
    fn values_that_span_decades_have_a_logarithmic_axis() {
        let region = [Some(0.2), Some(3.0)];
        let at = |x: f64, y: f64| point([x, y], region, VerdictMark::In);
        let svg = scatter(vec![at(1.0, 2.0), at(2.0, 90.0), at(3.0, 5000.0)]);
        assert!(svg.contains("a &lt; b → better") && svg.contains("better ← cost, log scale"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn every_arm_of_the_front_has_its_name() {
        let mark = VerdictMark::In;
        let near = (0..10).map(|i| ScatterPoint {
            name: format!("variant {i}"),
            at: [10.0 + 0.01 * f64::from(i), 5.0 - 0.01 * f64::from(i % 3)],
            region: [None, None],
            mark,
        });
        let far = point([20.0, 1.0], [None, None], mark);
        let svg = scatter(near.chain([far]).collect());
        for i in 0..10 {
            assert!(svg.contains(&format!(">variant {i}</text>")), "{i}");
        }
    }

    #[test]
    fn a_crowd_is_one_shape() {
        let region = [Some(9.0), Some(9.0)];
        let crowd = (0..1000).map(|i| point([f64::from(i), f64::from(i % 37)], region, VerdictMark::Out));
        let single = point([1500.0, -1.0], region, VerdictMark::In);
        let svg = scatter(crowd.chain([single]).collect());
        assert_eq!((svg.matches("crowd").count(), svg.matches("<ellipse").count()), (1, 1));
        assert!(svg.len() < 60_000, "{}", svg.len());
    }

    #[test]
    fn a_window_shows_what_is_in_it() {
        let direction = |name: &str| Direction { name: name.into(), more_is_better: true };
        let named = |name: &str, at| ScatterPoint { name: name.into(), ..point(at, [None, None], VerdictMark::In) };
        let points = vec![named("near", [1.0, 1.0]), named("far", [9.0, 9.0])];
        let window = Window::new((0.0, 2.0), (0.5, 1.5));
        let scatter = Scatter {
            x: direction("x"),
            y: direction("y"),
            points,
            complete: true,
            width: 440.0,
            height: 400.0,
            window,
        };
        let svg = scatter.draw().inline();
        assert!(
            svg.contains(r#"data-x="0 2" data-y="0.5 1.5""#) && svg.contains("near") && !svg.contains("far"),
            "{svg}"
        );
        for (x, y) in [((1.0, 1.0), (0.0, 1.0)), ((2.0, 1.0), (0.0, 1.0)), ((f64::NAN, 1.0), (0.0, 1.0))] {
            assert_eq!((Window::new(x, y), Window::new(y, x)), (None, None), "{x:?}");
        }
        assert_eq!(Window::new((0.0, f64::INFINITY), (0.0, 1.0)), None);
        assert_eq!(Window::new((1.0, 1.0 + 1e-12), (0.0, 1.0)), None);
    }

    #[test]
    fn the_stairs_bend_towards_the_better_corner() {
        let mark = VerdictMark::In;
        let svg = scatter(vec![point([1.0, 1.0], [None, None], mark), point([2.0, 2.0], [None, None], mark)]);
        let line = svg.lines().find(|line| line.contains("shade")).unwrap();
        let path = line.split("d=\"").nth(1).unwrap();
        let steps: Vec<(f64, f64)> = path
            .trim_start_matches('M')
            .split(['L', 'Z'])
            .filter_map(|place| place.split_once(' '))
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        // Less cost is better: the second arm, with more of both, lies below and to the right of the first.
        assert!(steps[1].0 < steps[3].0 && steps[1].1 > steps[3].1, "{steps:?}");
        assert_eq!(steps[2], (steps[1].0, steps[3].1));
    }
}
