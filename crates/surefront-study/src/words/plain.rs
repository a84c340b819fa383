//! Text that a terminal shows and does not obey: names come from files that anybody may have written.

use std::borrow::Cow;

/// The text on one line, with every character that would move the cursor, change colours or turn the direction of writing shown as
/// it is escaped in source code. What is plain already stays as it is.
pub fn plain(text: &str) -> Cow<'_, str> {
    shown(text, acts)
}

/// The same for a screen, of which the line ends are meant.
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| c != '\n' && acts(c))
}

fn shown(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !hidden(c) => plain.push(c),
            '\n' | '\r' | '\t' => plain.extend(c.escape_default()),
            c => plain.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(plain)
}

/// Whether a terminal does something else with a character than show it.
pub fn acts(c: char) -> bool {
    // Control characters, separators of lines, and marks of direction.
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_any_more() {
        assert_eq!(plain("a\nb\t\u{1b}[31mred\u{7f}"), "a\\nb\\t\\u{1b}[31mred\\u{7f}");
        assert_eq!(plain("\u{202e}exe.\u{9b}0m"), "\\u{202e}exe.\\u{9b}0m");
        for text in ["ChAd/ChAd + m1273", "größe \\ ↓ 測定", ""] {
            assert!(matches!(plain(text), Cow::Borrowed(same) if same == text));
        }
        let once = plain("\r\u{7}").into_owned();
        assert_eq!(plain(&once), once);
        assert_eq!(plain_lines("a\n\u{1b}b\n"), "a\n\\u{1b}b\n");
    }
}
