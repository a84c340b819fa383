//! Where names fit beside marks without touching each other.

/// An upright rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Area([f64; 4]);

impl Area {
    fn meets(&self, other: &Area) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        a < g && e < c && b < h && f < d
    }

    fn grown(&self, margin: f64) -> Area {
        let [a, b, c, d] = self.0;
        Area([a - margin, b - margin, c + margin, d + margin])
    }

    fn within(&self, other: &Area) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        a >= e && b >= f && c <= g && d <= h
    }
}

/// A name beside a mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Where the text begins, ends, or has its middle.
    pub x: f64,
    /// The text's base line.
    pub y: f64,
    /// The value of `text-anchor`.
    pub anchor: &'static str,
    /// Where a line from the mark meets the name, if it stands too far off to be understood without.
    pub leader: Option<(f64, f64)>,
}

/// Whether a name matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It does: it may stand further off.
    Strong,
    /// It is shown where there is room beside its mark.
    Faint,
}

/// The free places of a figure.
pub struct LabelRoom {
    frame: Area,
    /// What no name may cover.
    taken: Vec<Area>,
}

/// Half of a mark.
const MARK: f64 = 5.5;
const LINE: f64 = 14.0;
/// A name is looked for this far from its mark, in steps.
const FURTHEST: usize = 24;
const STEP: f64 = 11.0;
const DIRECTIONS: usize = 16;

impl LabelRoom {
    /// The inside of this frame: left, top, right, bottom.
    pub fn new(frame: [f64; 4]) -> Self {
        LabelRoom { frame: Area(frame), taken: Vec::new() }
    }

    /// A mark that must stay visible.
    pub fn keep_clear(&mut self, x: f64, y: f64) {
        self.taken.push(Area([x - MARK, y - MARK, x + MARK, y + MARK]));
    }

    /// A place for a name of this width near the mark at a point; `None` if there is none. No name covers a mark or another name.
    pub fn place(&mut self, x: f64, y: f64, width: f64, weight: Weight) -> Option<Placed> {
        let free = |area: &Area| area.within(&self.frame) && !self.taken.iter().any(|other| area.meets(other));
        let beside = beside(x, y, width).into_iter().find(|(area, _)| free(area));
        let (area, placed) = match (beside, weight) {
            (Some(found), _) => found,
            (None, Weight::Faint) => return None,
            // Not right beside another mark, whose name it would seem to be.
            (None, Weight::Strong) => further_off(x, y, width)
                .find(|(area, _)| free(&area.grown(4.0)))
                .or_else(|| self.anywhere(x, y, width).find(|(area, _)| free(&area.grown(4.0))))?,
        };
        self.taken.push(area);
        Some(placed)
    }

    /// All places of the figure, the nearest first, unless there is so much in it that none would be understood.
    fn anywhere(&self, x: f64, y: f64, width: f64) -> impl Iterator<Item = (Area, Placed)> + use<> {
        const CROWDED: usize = 200;
        let [left, top, right, bottom] = self.frame.0;
        let steps = |from: f64, to: f64, step: f64| ((to - from) / step).max(0.0) as usize;
        let (columns, rows) = (steps(left, right - width, 5.0), steps(top, bottom, 4.0));
        let mut places: Vec<(f64, f64)> = match self.taken.len() {
            0..CROWDED => (0..=columns)
                .flat_map(|column| (0..=rows).map(move |row| (left + 5.0 * column as f64, top + 4.0 * row as f64)))
                .collect(),
            _ => Vec::new(),
        };
        let near = move |from: f64| x.clamp(from, from + width);
        let distance = move |&(from, base): &(f64, f64)| (near(from) - x).hypot(base - 0.3 * LINE - y);
        places.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
        places.into_iter().map(move |(from, base)| {
            let area = text_area(from, base, width);
            let edge = if base < y { area.0[3] } else { area.0[1] };
            let placed = Placed { x: from, y: base, anchor: "start", leader: Some((near(from), edge)) };
            (area, placed)
        })
    }
}

/// Where a text of this width is that begins here.
fn text_area(left: f64, base: f64, width: f64) -> Area {
    Area([left, base - 0.8 * LINE, left + width, base + 0.2 * LINE])
}

/// The places next to a mark, the best first.
fn beside(x: f64, y: f64, width: f64) -> [(Area, Placed); 8] {
    let gap = MARK + 3.0;
    let (above, below) = (y - gap, y + gap + 0.7 * LINE);
    let place = |x: f64, y: f64, anchor: &'static str| {
        let left = match anchor {
            "start" => x,
            "end" => x - width,
            _ => x - width / 2.0,
        };
        (text_area(left, y, width), Placed { x, y, anchor, leader: None })
    };
    [
        place(x + gap, y + 4.0, "start"),
        place(x - gap, y + 4.0, "end"),
        place(x, above, "middle"),
        place(x, below, "middle"),
        place(x + 2.0, above, "start"),
        place(x - 2.0, above, "end"),
        place(x + 2.0, below, "start"),
        place(x - 2.0, below, "end"),
    ]
}

/// Places in rings around a mark, the nearest first.
fn further_off(x: f64, y: f64, width: f64) -> impl Iterator<Item = (Area, Placed)> {
    let rings = (2..FURTHEST).flat_map(|ring| (0..DIRECTIONS).map(move |direction| (ring as f64 * STEP, direction)));
    rings.map(move |(radius, direction)| {
        let (sin, cos) = (std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64).sin_cos();
        // The nearest point of the name is on the ring.
        let (near_x, middle) = (x + radius * cos, y + radius * sin);
        let (anchor, left) = match cos {
            c if c > 0.3 => ("start", near_x),
            c if c < -0.3 => ("end", near_x - width),
            _ => ("middle", near_x - width / 2.0),
        };
        let base = middle + 0.3 * LINE;
        let area = text_area(left, base, width);
        let meets_at = |edge: f64| if anchor == "middle" { edge } else { middle };
        let leader = (near_x, meets_at(if sin > 0.0 { area.0[1] } else { area.0[3] }));
        (area, Placed { x: near_x, y: base, anchor, leader: Some(leader) })
    })
}

/// About how wide a text is at most, in pixels at 12 pixels to the line: the viewer's letters are not known here.
pub fn text_width(text: &str) -> f64 {
    let width = |c: char| match c {
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '&' | '…' | '→' | '←' => 11.5,
        'i' | 'l' | 'j' | 'I' | '|' | '.' | ',' | ':' | ';' | '\'' | '!' | '(' | ')' | '[' | ']' | ' ' => 5.0,
        c if c.is_ascii_uppercase() => 9.0,
        c if c < '\u{1100}' => 7.6,
        _ => 12.5,
    };
    text.chars().map(width).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_do_not_touch() {
        let mut room = LabelRoom::new([0.0, 0.0, 100.0, 40.0]);
        for (x, y) in [(50.0, 20.0), (52.0, 21.0)] {
            room.keep_clear(x, y);
        }
        let one = room.place(50.0, 20.0, 30.0, Weight::Strong).unwrap();
        let other = room.place(52.0, 21.0, 30.0, Weight::Strong).unwrap();
        assert_ne!(one.anchor, other.anchor);
        assert_eq!(room.place(5.0, 20.0, 200.0, Weight::Strong), None);
    }

    #[test]
    fn only_a_name_that_matters_stands_further_off() {
        // Between marks on all sides.
        let mut room = LabelRoom::new([0.0, 0.0, 300.0, 300.0]);
        for (column, row) in (0..9).flat_map(|column| (0..9).map(move |row| (column, row))) {
            room.keep_clear(110.0 + 10.0 * f64::from(column), 110.0 + 10.0 * f64::from(row));
        }
        assert_eq!(room.place(150.0, 150.0, 35.0, Weight::Faint), None);
        let placed = room.place(150.0, 150.0, 35.0, Weight::Strong).unwrap();
        assert!(placed.leader.is_some());
    }

    proptest! {
        #[test]
        fn no_name_lies_over_a_mark_or_another_name(
            marks in prop::collection::vec((0.0f64..400.0, 0.0f64..300.0, 10.0f64..120.0, prop::bool::ANY), 1..40),
        ) {
            let frame = Area([0.0, 0.0, 400.0, 300.0]);
            let mut room = LabelRoom::new(frame.0);
            let mark = |x: f64, y: f64| Area([x - MARK, y - MARK, x + MARK, y + MARK]);
            marks.iter().for_each(|&(x, y, ..)| room.keep_clear(x, y));
            let mut names: Vec<Area> = Vec::new();
            for &(x, y, width, strong) in &marks {
                let weight = if strong { Weight::Strong } else { Weight::Faint };
                let Some(placed) = room.place(x, y, width, weight) else { continue };
                let left = match placed.anchor {
                    "start" => placed.x,
                    "end" => placed.x - width,
                    _ => placed.x - width / 2.0,
                };
                let area = text_area(left, placed.y, width);
                prop_assert!(area.within(&frame));
                prop_assert!(!marks.iter().any(|&(x, y, ..)| area.meets(&mark(x, y))));
                prop_assert!(!names.iter().any(|other| area.meets(other)));
                names.push(area);
            }
        }

        #[test]
        fn every_name_that_matters_has_a_place_among_a_dozen(
            marks in prop::collection::vec((5.0f64..395.0, 5.0f64..295.0), 1..13),
        ) {
            let mut room = LabelRoom::new([0.0, 0.0, 400.0, 300.0]);
            marks.iter().for_each(|&(x, y)| room.keep_clear(x, y));
            for (x, y) in marks {
                prop_assert!(room.place(x, y, 90.0, Weight::Strong).is_some());
            }
        }
    }
}
