//! Where names fit beside marks without touching each other.

/// An upright rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
struct Area([f64; 4]);

impl Area {
    fn meets(&self, other: &Area) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        a < g && e < c && b < h && f < d
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
}

/// Whether a name matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It does.
    Strong,
    /// It is shown where nothing is lost by it.
    Faint,
}

/// The free places of a figure.
pub struct LabelRoom {
    frame: Area,
    /// What no name may cover.
    taken: Vec<Area>,
    /// What a name may cover if there is no other way.
    faint: Vec<Area>,
}

/// Half of a mark.
const MARK: f64 = 5.5;
const LINE: f64 = 14.0;

impl LabelRoom {
    /// The inside of this frame: left, top, right, bottom.
    pub fn new(frame: [f64; 4]) -> Self {
        LabelRoom { frame: Area(frame), taken: Vec::new(), faint: Vec::new() }
    }

    /// A mark that must stay visible.
    pub fn keep_clear(&mut self, x: f64, y: f64) {
        self.taken.push(Area([x - MARK, y - MARK, x + MARK, y + MARK]));
    }

    /// A mark that a name may cover if there is no other way.
    pub fn may_cover(&mut self, x: f64, y: f64) {
        self.faint.push(Area([x - MARK, y - MARK, x + MARK, y + MARK]));
    }

    /// A place for a name of this width beside the mark at a point; `None` if there is none. A name that matters may cover marks
    /// that do not.
    pub fn place(&mut self, x: f64, y: f64, width: f64, weight: Weight) -> Option<Placed> {
        let gap = MARK + 3.0;
        let beside = |left: f64, base: f64| Area([left, base - 0.8 * LINE, left + width, base + 0.2 * LINE]);
        let (middle, above, below) = (x - width / 2.0, y - gap, y + gap + 0.7 * LINE);
        let choices = [
            (beside(x + gap, y + 4.0), Placed { x: x + gap, y: y + 4.0, anchor: "start" }),
            (beside(x - gap - width, y + 4.0), Placed { x: x - gap, y: y + 4.0, anchor: "end" }),
            (beside(middle, above), Placed { x, y: above, anchor: "middle" }),
            (beside(middle, below), Placed { x, y: below, anchor: "middle" }),
            (beside(x + 2.0, above), Placed { x: x + 2.0, y: above, anchor: "start" }),
            (beside(x - 2.0 - width, above), Placed { x: x - 2.0, y: above, anchor: "end" }),
            (beside(x + 2.0, below), Placed { x: x + 2.0, y: below, anchor: "start" }),
            (beside(x - 2.0 - width, below), Placed { x: x - 2.0, y: below, anchor: "end" }),
        ];
        let free = |area: &Area, obstacles: &[Area]| !obstacles.iter().any(|other| area.meets(other));
        let open: Vec<_> =
            choices.into_iter().filter(|(area, _)| area.within(&self.frame) && free(area, &self.taken)).collect();
        let clear = open.iter().find(|(area, _)| free(area, &self.faint));
        let covering = if weight == Weight::Strong { open.first() } else { None };
        let (area, placed) = clear.or(covering).cloned()?;
        self.taken.push(area);
        Some(placed)
    }
}

/// About how wide a text is at most, in pixels at 12 pixels to the line: the viewer's letters are not known here.
pub fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c < '\u{1100}' { 7.4 } else { 12.5 }).sum()
}

#[cfg(test)]
mod tests {
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
    fn faint_marks_give_way() {
        let mut room = LabelRoom::new([0.0, 12.0, 60.0, 28.0]);
        room.keep_clear(10.0, 20.0);
        room.may_cover(30.0, 20.0);
        assert!(room.place(10.0, 20.0, 35.0, Weight::Faint).is_none());
        assert!(room.place(10.0, 20.0, 35.0, Weight::Strong).is_some());
    }
}
