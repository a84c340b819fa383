//! How arms are drawn by what is known of them: told apart by shape as well as by colour.

use std::fmt::Write;

use surefront::Promise;

/// What is known of an arm, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictMark {
    /// Certainly not on the front.
    Out,
    /// Likely not on the front.
    LikelyOut,
    /// Off the front so far.
    PerhapsOut,
    /// On the front so far.
    PerhapsIn,
    /// Likely on the front.
    LikelyIn,
    /// Certainly on the front.
    In,
}

/// The side of the front that a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Off it, as well as is known.
    Off,
    /// Off it so far.
    PerhapsOff,
    /// On it, perhaps only so far.
    On,
}

impl VerdictMark {
    /// Those that occur together where verdicts are this strong, the most telling first.
    pub const fn all(promise: Promise) -> [VerdictMark; 4] {
        let (within, out) = match promise {
            Promise::Proved => (VerdictMark::In, VerdictMark::Out),
            Promise::Likely => (VerdictMark::LikelyIn, VerdictMark::LikelyOut),
        };
        [within, VerdictMark::PerhapsIn, VerdictMark::PerhapsOut, out]
    }

    /// Where the arm is.
    pub const fn side(self) -> Side {
        match self {
            VerdictMark::Out | VerdictMark::LikelyOut => Side::Off,
            VerdictMark::PerhapsOut => Side::PerhapsOff,
            VerdictMark::PerhapsIn | VerdictMark::LikelyIn | VerdictMark::In => Side::On,
        }
    }

    /// What it means.
    pub fn words(self) -> &'static str {
        match self {
            VerdictMark::In => "certainly on the front",
            VerdictMark::LikelyIn => "likely on the front",
            VerdictMark::PerhapsIn => "undecided, on the front so far",
            VerdictMark::PerhapsOut => "undecided, off the front so far",
            VerdictMark::LikelyOut => "likely not on the front",
            VerdictMark::Out => "certainly not on the front",
        }
    }

    /// The class of its lines.
    pub fn stroke(self) -> &'static str {
        match self {
            VerdictMark::In | VerdictMark::LikelyIn => "s0",
            VerdictMark::PerhapsIn | VerdictMark::PerhapsOut => "s1",
            VerdictMark::Out | VerdictMark::LikelyOut => "back",
        }
    }

    /// The class of its areas.
    pub fn fill(self) -> &'static str {
        match self {
            VerdictMark::In | VerdictMark::LikelyIn => "f0",
            VerdictMark::PerhapsIn | VerdictMark::PerhapsOut => "f1",
            VerdictMark::Out | VerdictMark::LikelyOut => "fill-back",
        }
    }

    /// The class of the mark itself.
    pub fn class(self) -> &'static str {
        match self {
            VerdictMark::In | VerdictMark::PerhapsIn => self.fill(),
            VerdictMark::LikelyIn => "mark hollow s0",
            VerdictMark::PerhapsOut => "mark hollow s1",
            VerdictMark::Out | VerdictMark::LikelyOut => "mark hollow back",
        }
    }

    /// The mark at a place, with words that appear when it is pointed at.
    pub fn draw(self, svg: &mut String, x: f64, y: f64, title: Option<&str>) {
        let (outline, class) = (self.outline(x, y), self.class());
        let _ = match title {
            Some(title) => writeln!(svg, r#"<path class="{class}" d="{outline}"><title>{title}</title></path>"#),
            None => writeln!(svg, r#"<path class="{class}" d="{outline}"/>"#),
        };
    }

    /// The path of the mark.
    pub fn outline(self, x: f64, y: f64) -> String {
        match self {
            // Likely: a ring in place of a disc, a stroke in place of a cross.
            VerdictMark::In | VerdictMark::LikelyIn => {
                format!("M{:.1} {y:.1}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", x - 4.5)
            }
            VerdictMark::PerhapsIn | VerdictMark::PerhapsOut => {
                format!("M{x:.1} {:.1}l5.2 5.2l-5.2 5.2l-5.2 -5.2z", y - 5.2)
            }
            VerdictMark::LikelyOut => format!("M{:.1} {:.1}l6.4 -6.4", x - 3.2, y + 3.2),
            VerdictMark::Out => format!("M{:.1} {:.1}l6.4 6.4m0 -6.4l-6.4 6.4", x - 3.2, y - 3.2),
        }
    }
}
