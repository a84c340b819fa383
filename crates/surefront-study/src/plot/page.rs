//! The page that every figure is drawn on: colours, type and headings, readable on light and dark screens.

use std::fmt::Write;

use crate::words::plain::plain_lines;

/// The left end of the headings and, where nothing wider stands there, of the drawing.
pub const LEFT: f64 = 84.0;

/// The colour of the text.
pub const INK: usize = PALETTE.len();

/// Okabe and Ito's colours, told apart by colour-blind readers, ordered so that neighbours differ most.
const PALETTE: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31"];

/// The head of a figure of this size; the drawing and `</svg>` follow.
pub fn open(title: &str, subtitle: &str, width: f64, height: f64) -> String {
    let mut svg = String::new();
    let title = escaped(title);
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}">"#
    );
    let _ = writeln!(svg, "<style>\n{}</style>", style());
    let _ = writeln!(svg, r#"<rect class="page" width="{width}" height="{height}"/>"#);
    let _ = writeln!(svg, r#"<text class="title" x="{LEFT}" y="34">{title}</text>"#);
    let _ = writeln!(svg, r#"<text class="quiet" x="{LEFT}" y="56">{}</text>"#, escaped(subtitle));
    svg
}

/// The style sheet of every figure, by itself or on a page with others.
pub fn style() -> String {
    let mut css = String::from(
        "text { font-family: system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; font-size: 13px; fill: #333333 }\n\
        .title { font-size: 18px; font-weight: 600 }\n\
        .small { font-size: 12px }\n\
        .strong { font-weight: 600 }\n\
        .quiet { fill: #666666 }\n\
        .halo { paint-order: stroke; stroke: #ffffff; stroke-width: 3px; stroke-linejoin: round }\n\
        .page { fill: #ffffff }\n\
        .grid { stroke: #e4e4e4; stroke-width: 1 }\n\
        .fine { stroke: #f3f3f3; stroke-width: 1 }\n\
        .axis { stroke: #888888; stroke-width: 1; fill: none }\n\
        .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }\n\
        .mark { stroke-width: 1.8 }\n\
        .hollow { fill: #ffffff }\n\
        .crowd { opacity: 0.55; stroke-width: 1.3 }\n\
        .back { stroke: #8c8c8c }\n\
        .fill-back { fill: #8c8c8c }\n\
        .region { fill-opacity: 0.14; stroke-opacity: 0.6; stroke-width: 1 }\n\
        .empty { fill: none; stroke-opacity: 0.35 }\n\
        .shade { fill-opacity: 0.07 }\n",
    );
    for (index, colour) in PALETTE.iter().chain(&["#333333"]).enumerate() {
        let _ = writeln!(css, ".s{index} {{ stroke: {colour} }} .f{index} {{ fill: {colour} }}");
    }
    css += "@media screen and (prefers-color-scheme: dark) {\n\
        text { fill: #e6e6e6 }\n\
        .quiet { fill: #a8a8a8 }\n\
        .halo { stroke: #16181c }\n\
        .page, .hollow { fill: #16181c }\n\
        .grid { stroke: #34373d }\n\
        .fine { stroke: #22252a }\n\
        .axis { stroke: #8a8d93 }\n\
        .region.f0, .region.f1 { fill-opacity: 0.22 }\n\
        .shade { fill-opacity: 0.13 }\n";
    let _ = writeln!(css, ".s0 {{ stroke: #3d9fe0 }} .f0 {{ fill: #3d9fe0 }}");
    let _ = writeln!(css, ".s6 {{ stroke: #b8975a }} .f6 {{ fill: #b8975a }}");
    let _ = writeln!(css, ".s{INK} {{ stroke: #e6e6e6 }} .f{INK} {{ fill: #e6e6e6 }}\n}}");
    css
}

/// What the axis along the bottom shows.
pub fn label_below(svg: &mut String, label: &str, middle: f64, bottom: f64) {
    let _ = writeln!(svg, r#"<text x="{middle}" y="{}" text-anchor="middle">{}</text>"#, bottom + 46.0, escaped(label));
}

/// What the axis along the left shows.
pub fn label_beside(svg: &mut String, label: &str, middle: f64) {
    let _ = writeln!(
        svg,
        r#"<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle">{}</text>"#,
        escaped(label)
    );
}

/// Text that a viewer does not take for a tag, without characters that no SVG may have.
pub fn escaped(text: &str) -> String {
    plain_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
