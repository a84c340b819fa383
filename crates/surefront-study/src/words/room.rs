//! Text in a given room: wrapped at its spaces, or cut in the middle.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns of a terminal a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text in lines of at most so many columns, broken at spaces; a word that is longer is broken anywhere.
pub fn wrapped(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let needed = width(word);
        if used > 0 && used + 1 + needed <= room {
            lines.last_mut().expect("there is a line").push(' ');
            used += 1;
        } else if used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            let needed = c.width().unwrap_or(0);
            if used > 0 && used + needed > room {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("there is a line").push(c);
            used += needed;
        }
    }
    lines
}

/// The text, or its beginning and its end with … between them, in at most so many columns.
pub fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let head = taken(text.chars(), kept.div_ceil(2));
    let tail = taken(text.chars().rev(), kept / 2);
    let tail: String = tail.chars().rev().collect();
    format!("{}…{}", head.trim_end(), tail.trim_start())
}

/// As many characters as there is room for.
fn taken(characters: impl Iterator<Item = char>, room: usize) -> String {
    let mut used = 0;
    characters
        .take_while(|c| {
            used += c.width().unwrap_or(0);
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrapped("seems dominated by \"b\"", 10), ["seems", "dominated", "by \"b\""]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("測定 測定", 4), ["測定", "測定"]);
        assert_eq!(wrapped("", 5), [""]);
        for room in 1..30 {
            for line in wrapped("not dominated; better than its closest rival", room) {
                assert!(width(&line) <= room, "{room}: {line}");
            }
        }
    }

    #[test]
    fn names_are_cut_in_the_middle() {
        assert_eq!(cut("convert --level=3 --in=data.csv", 16), "convert…ata.csv");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("測定測定測定", 6), "測…定");
        assert_eq!(cut("abc", 0), "…");
    }
}
