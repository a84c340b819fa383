//! How columns share the room there is.

use super::Align;

/// What is known of a column before it has its width.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    pub align: Align,
    /// What it takes if nothing is cut or broken.
    pub natural: usize,
    /// What it takes if its name is broken at spaces.
    pub unbroken: usize,
}

/// Who gives way first: down to which width, in this order. Sentences are read well in lines of some length; names are told apart by
/// fewer letters than they have.
const STEPS: [(Align, usize); 5] =
    [(Align::Prose, 40), (Align::Right, 0), (Align::Left, 24), (Align::Prose, 30), (Align::Left, 14)];

impl Measured {
    /// Not narrower than this in a step.
    fn floor(&self, (align, least): (Align, usize)) -> usize {
        match self.align {
            other if other != align => self.natural,
            Align::Right => self.unbroken,
            Align::Left | Align::Prose => self.natural.min(least),
        }
    }

    /// Not narrower than this in any step.
    pub fn least(&self) -> usize {
        STEPS.iter().map(|&step| self.floor(step)).min().unwrap_or(self.natural)
    }
}

/// A width for each column, in all at most `room`; `None` if that is too little.
pub fn widths(columns: &[Measured], room: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = columns.iter().map(|column| column.natural).collect();
    let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
    for step in STEPS {
        while excess > 0 {
            // The widest gives way to the next one, so that none is cut more than it must.
            let wide = |width: usize, column: &Measured| width > column.floor(step);
            let mut giving: Vec<usize> = (0..columns.len()).filter(|&at| wide(widths[at], &columns[at])).collect();
            giving.sort_by_key(|&at| widths[at]);
            let Some(&widest) = giving.last() else { break };
            let next = giving.len().checked_sub(2).map_or(0, |at| widths[giving[at]].saturating_sub(1));
            let given = (widths[widest] - next.max(columns[widest].floor(step))).min(excess);
            widths[widest] -= given;
            excess -= given;
        }
    }
    (excess == 0).then_some(widths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(align: Align, natural: usize, unbroken: usize) -> Measured {
        Measured { align, natural, unbroken }
    }

    #[test]
    fn all_have_what_they_take_where_there_is_room() {
        let columns = [column(Align::Left, 30, 30), column(Align::Right, 9, 5), column(Align::Prose, 60, 60)];
        assert_eq!(widths(&columns, 99), Some(vec![30, 9, 60]));
        assert_eq!(widths(&columns, 90), Some(vec![30, 9, 51]));
        assert_eq!(widths(&columns, 76), Some(vec![30, 6, 40]));
        assert_eq!(widths(&columns, 70), Some(vec![25, 5, 40]));
        assert_eq!(widths(&columns, 60), Some(vec![24, 5, 31]));
        assert_eq!(widths(&columns, 50), Some(vec![15, 5, 30]));
        assert_eq!(widths(&columns, 40), None);
    }

    #[test]
    fn the_longest_names_are_cut_first() {
        let columns = [column(Align::Left, 100, 100), column(Align::Left, 30, 30), column(Align::Left, 20, 20)];
        assert_eq!(widths(&columns, 100), Some(vec![50, 30, 20]));
        let narrow = widths(&columns, 70).unwrap();
        assert_eq!((narrow.iter().sum::<usize>(), narrow[2]), (70, 20));
    }
}
