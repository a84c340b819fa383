//! A figure without a page around it: put among text, or with others on one sheet.

use std::fmt::Write;

use super::label_room::text_width;
use super::page::{self, escaped};

/// A finished figure.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What it shows, for those who cannot see it.
    pub label: String,
    /// In pixels, at its natural size.
    pub width: f64,
    /// In pixels, at its natural size.
    pub height: f64,
    /// The elements.
    pub body: String,
}

impl Drawing {
    /// As part of an HTML page, which brings the style sheet.
    pub fn inline(&self) -> String {
        let Drawing { label, width, height, body } = self;
        format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n{body}</svg>\n", escaped(label))
    }

    /// As part of a larger figure.
    fn placed(&self, x: f64, y: f64) -> String {
        let Drawing { width, height, body, .. } = self;
        format!("<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\n{body}</svg>\n")
    }
}

/// Figures on one sheet under a heading, from left to right and from top to bottom.
pub struct Sheet {
    /// The heading.
    pub title: String,
    /// One line below it.
    pub subtitle: String,
    /// At the top.
    pub key: Drawing,
    /// The figures.
    pub drawings: Vec<Drawing>,
    /// A row is not wider than this, unless it is one figure.
    pub width: f64,
}

const MARGIN: f64 = 20.0;
const TOP: f64 = 72.0;

impl Sheet {
    /// The picture, in a file of its own.
    pub fn to_svg(&self) -> String {
        let mut body = self.key.placed(page::LEFT, TOP);
        let (mut x, mut y, mut row, mut width) = (MARGIN, TOP + self.key.height + MARGIN, 0.0f64, self.width);
        for drawing in &self.drawings {
            if x > MARGIN && x + drawing.width > self.width {
                (x, y, row) = (MARGIN, y + row + MARGIN, 0.0);
            }
            body += &drawing.placed(x, y);
            x += drawing.width + MARGIN;
            row = row.max(drawing.height);
            width = width.max(x);
        }
        // At 13 pixels to the line.
        let width = width.max(page::LEFT + text_width(&self.subtitle) * 13.0 / 12.0 + MARGIN);
        let mut svg = page::open(&self.title, &self.subtitle, width, y + row + MARGIN);
        let _ = writeln!(svg, "{body}</svg>");
        svg
    }
}
