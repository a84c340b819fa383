//! What all pages have in common: head, way around, and where the content begins.

use axum::response::Html;
use surefront_study::plot::escaped;

use crate::address::of_study;

/// A page about something.
#[derive(Clone, Debug)]
pub struct Layout {
    title: String,
    kind: &'static str,
    /// The study that it is about: its id, its name, and the number of its snapshot.
    study: Option<(String, String, u64)>,
}

/// The pages of a study, by kind: the end of the address, and what leads there.
const OF_STUDY: [(&str, &str, &str); 4] = [
    ("study", "", "Answer"),
    ("measure", "/measure", "Measure"),
    ("log", "/log", "Log"),
    ("worklist", "/worklist", "Worklist"),
];

impl Layout {
    /// Of this kind, which the script and the style sheet know.
    pub fn new(title: impl Into<String>, kind: &'static str) -> Self {
        Layout { title: title.into(), kind, study: None }
    }

    /// About a study, as it was when this snapshot was made.
    pub fn about(mut self, id: &str, name: &str, sequence: u64) -> Self {
        self.study = Some((id.to_owned(), name.to_owned(), sequence));
        self
    }

    /// The page around its content.
    pub fn page(&self, body: &str) -> Html<String> {
        let (title, kind) = (escaped(&self.title), self.kind);
        let data = self.study.as_ref().map_or_else(String::new, |(id, _, sequence)| {
            format!(" data-study=\"{}\" data-sequence=\"{sequence}\"", escaped(&of_study(id)))
        });
        Html(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} – surefront</title>\n\
             <link rel=\"icon\" href=\"/assets/icon.svg\" type=\"image/svg+xml\">\n\
             <link rel=\"stylesheet\" href=\"/assets/style.css\">\n<script src=\"/assets/script.js\" defer></script>\n</head>\n\
             <body data-page=\"{kind}\"{data}>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
             <div class=\"top\">\n<nav aria-label=\"Pages\">\n<ul>\n<li><a href=\"/\"{}>Studies</a></li>\n{}</ul>\n</nav>\n\
             <p id=\"live\" class=\"live\" role=\"status\"></p>\n</div>\n<main id=\"main\">\n{body}</main>\n</body>\n</html>\n",
            current(self.kind == "list"),
            self.around()
        ))
    }

    /// The way to the other pages of the study.
    fn around(&self) -> String {
        let Some((id, name, _)) = &self.study else { return String::new() };
        let address = escaped(&of_study(id));
        let mut html = format!("<li class=\"of\" aria-hidden=\"true\">{}</li>\n", escaped(name));
        for (kind, end, words) in OF_STUDY {
            html += &format!("<li><a href=\"{address}{end}\"{}>{words}</a></li>\n", current(kind == self.kind));
        }
        html
    }
}

fn current(is: bool) -> &'static str {
    if is { " aria-current=\"page\"" } else { "" }
}
