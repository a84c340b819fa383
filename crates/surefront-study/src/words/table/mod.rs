//! Tables for people, as wide as there is room for.

mod layout;

use self::layout::{Measured, widths};
use super::plain::plain;
use super::room::{cut, width, wrapped};

/// How a column's cells are set, and how they give way where room is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words: a long name is cut in the middle.
    Left,
    /// Numbers: never cut nor broken.
    Right,
    /// Sentences: broken at spaces, and put below their rows where there is no room beside them. Only for the last column.
    Prose,
}

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Any: for files and other programs, so that a row is a line.
    Unlimited,
    /// This many columns of a terminal.
    Columns(usize),
}

/// Between two columns.
const GAP: &str = "   ";
/// At the left of all.
const MARGIN: &str = "  ";
/// At the left of a sentence below its row.
const INDENT: &str = "      ";

/// Rows of cells under a header, set in columns.
#[derive(Clone, Debug)]
pub struct TextTable {
    names: Vec<String>,
    aligns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub fn new(columns: &[(&str, Align)]) -> Self {
        TextTable {
            names: columns.iter().map(|(name, _)| plain(name).into_owned()).collect(),
            aligns: columns.iter().map(|(_, align)| *align).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.names.len(), "a cell for each column");
        self.rows.push(cells.iter().map(|cell| plain(cell).into_owned()).collect());
    }

    /// The lines, one for each row, without white space at their ends.
    pub fn render(&self) -> String {
        self.render_within(Width::Unlimited)
    }

    /// The lines, as wide as there is room for. Where not all columns have room side by side, they follow in several blocks, each of
    /// which begins with the first column.
    pub fn render_within(&self, room: Width) -> String {
        let measured: Vec<Measured> = (0..self.names.len()).map(|column| self.measured(column)).collect();
        let all: Vec<usize> = (0..self.names.len()).collect();
        let Width::Columns(room) = room else {
            let natural: Vec<usize> = measured.iter().map(|column| column.natural).collect();
            return self.block(&all, &natural, None, usize::MAX);
        };
        let fitting = |columns: &[usize]| {
            let measured: Vec<Measured> = columns.iter().map(|&column| measured[column]).collect();
            widths(&measured, room.saturating_sub(MARGIN.len() + GAP.len() * columns.len().saturating_sub(1)))
        };
        if let Some(widths) = fitting(&all) {
            return self.block(&all, &widths, None, room);
        }
        let (columns, below) = match all.split_last() {
            Some((&last, others)) if self.aligns[last] == Align::Prose && !others.is_empty() => (others, Some(last)),
            _ => (&all[..], None),
        };
        let mut blocks: Vec<Vec<usize>> = vec![columns[..1].to_vec()];
        for &column in &columns[1..] {
            let block = blocks.last_mut().expect("there is a block");
            block.push(column);
            if block.len() > 2 && fitting(block).is_none() {
                block.pop();
                blocks.push(vec![columns[0], column]);
            }
        }
        let last = blocks.len() - 1;
        let texts = blocks.iter().enumerate().map(|(place, block)| {
            // What cannot be narrower is shown as narrow as it can be.
            let widths =
                fitting(block).unwrap_or_else(|| block.iter().map(|&column| measured[column].least()).collect());
            self.block(block, &widths, below.filter(|_| place == last), room)
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    fn measured(&self, column: usize) -> Measured {
        let cells = self.rows.iter().map(|row| width(&row[column]));
        let longest_word = self.names[column].split(' ').map(width).max().unwrap_or(0);
        let widest = cells.max().unwrap_or(0);
        Measured {
            align: self.aligns[column],
            natural: widest.max(width(&self.names[column])),
            unbroken: widest.max(longest_word),
        }
    }

    /// Some of the columns, of these widths, perhaps with another one below each row.
    fn block(&self, columns: &[usize], widths: &[usize], below: Option<usize>, room: usize) -> String {
        let mut text = String::new();
        let header = columns.iter().zip(widths).map(|(&column, &width)| wrapped(&self.names[column], width)).collect();
        self.lines(&mut text, columns, widths, header, Side::Bottom);
        sentence(&mut text, below.map(|column| self.names[column].as_str()), room);
        let total = widths.iter().sum::<usize>() + GAP.len() * (columns.len() - 1) + 2 * MARGIN.len();
        text += &"─".repeat(total.min(room));
        text.push('\n');
        for row in &self.rows {
            let cells = columns.iter().zip(widths).map(|(&column, &width)| match self.aligns[column] {
                Align::Right => vec![row[column].clone()],
                Align::Left => vec![cut(&row[column], width)],
                Align::Prose => wrapped(&row[column], width),
            });
            self.lines(&mut text, columns, widths, cells.collect(), Side::Top);
            sentence(&mut text, below.map(|column| row[column].as_str()), room);
        }
        text
    }

    /// One row of cells, each of which may have several lines.
    fn lines(&self, text: &mut String, columns: &[usize], widths: &[usize], cells: Vec<Vec<String>>, side: Side) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut whole = String::from(MARGIN);
            for (place, (cell, (&column, &room))) in cells.iter().zip(columns.iter().zip(widths)).enumerate() {
                let at = match side {
                    Side::Top => Some(line),
                    Side::Bottom => (line + cell.len()).checked_sub(height),
                };
                let part = at.and_then(|at| cell.get(at)).map_or("", String::as_str);
                let blank = " ".repeat(room.saturating_sub(width(part)));
                whole += if place == 0 { "" } else { GAP };
                whole += &match self.aligns[column] {
                    Align::Right => blank + part,
                    Align::Left | Align::Prose => part.to_owned() + &blank,
                };
            }
            text.push_str(whole.trim_end());
            text.push('\n');
        }
    }
}

/// Where cells with fewer lines than their neighbours stand.
#[derive(Clone, Copy)]
enum Side {
    Top,
    Bottom,
}

/// A sentence below its row.
fn sentence(text: &mut String, sentence: Option<&str>, room: usize) {
    let lines = sentence.filter(|sentence| !sentence.is_empty());
    for line in lines.into_iter().flat_map(|sentence| wrapped(sentence, room.saturating_sub(INDENT.len()))) {
        text.push_str(INDENT);
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let mut table = TextTable::new(&[
            ("arm", Align::Left),
            ("n", Align::Right),
            ("mean quality", Align::Right),
            ("why", Align::Prose),
        ]);
        for (arm, n, mean, why) in [
            ("a", "1", "0.91 ± 0.02", "not dominated; better than its closest rival \"b\""),
            ("an arm with a name that is far too long", "12,345", "0.5", ""),
        ] {
            table.push([arm, n, mean, why].map(str::to_owned).to_vec());
        }
        table
    }

    #[test]
    fn a_row_is_a_line_where_room_is_unlimited() {
        insta::assert_snapshot!(table().render());
    }

    #[test]
    fn sentences_are_broken_then_names_cut_then_sentences_go_below() {
        let screens = [100, 80, 60, 50, 30].map(|room| table().render_within(Width::Columns(room)));
        insta::assert_snapshot!(screens.join("\n"));
    }

    #[test]
    fn no_line_is_wider_than_the_room_unless_a_number_is() {
        for room in 30..140 {
            for line in table().render_within(Width::Columns(room)).lines() {
                assert!(width(line) <= room, "{room}: {line}");
            }
        }
        assert!(table().render_within(Width::Columns(1)).contains("0.91 ± 0.02"));
    }

    #[test]
    fn numbers_that_have_no_room_side_by_side_follow_in_blocks() {
        let mut table = TextTable::new(&[("rule", Align::Left), ("5 %", Align::Right), ("95 %", Align::Right)]);
        table.push(["dual", "123,456", "1,234,567"].map(str::to_owned).to_vec());
        insta::assert_snapshot!(table.render_within(Width::Columns(20)));
    }

    #[test]
    fn names_do_not_act() {
        let mut table = TextTable::new(&[("a\u{1b}b", Align::Left)]);
        table.push(vec!["x\ny".to_owned()]);
        assert_eq!(table.render(), "  a\\u{1b}b\n────────────\n  x\\ny\n");
    }
}
