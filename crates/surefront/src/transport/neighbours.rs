//! The costs of *remove* pieces in two objectives, where only neighbours along the front matter, kept as one arm changes at a time.

use super::{Piece, better, remove};
use crate::law::Laws;
use crate::question::Question;

/// What is known of two neighbours.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// In their order along the front; `usize::MAX` twice once one of them has been observed.
    arms: [usize; 2],
    /// Of removing the first through the second, and the other way round.
    costs: [f64; 2],
}

impl Known {
    const NOTHING: Known = Known { arms: [usize::MAX; 2], costs: [f64::INFINITY; 2] };
}

/// By place along the front: an arm and the next one, as they were when their costs were last asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    known: Vec<Known>,
}

impl Neighbours {
    /// Follows a change of the means or the weight of `arm`.
    pub fn follow(&mut self, arm: usize) {
        for known in &mut self.known {
            if known.arms.contains(&arm) {
                *known = Known::NOTHING;
            }
        }
    }

    /// The cheapest removal, the first among equals, of a front that is `sorted` along the first objective.
    pub fn least(&mut self, laws: impl Laws, question: &Question<'_>, sorted: &[usize]) -> Option<(f64, Piece)> {
        let mut least = None;
        self.known.resize(sorted.len().saturating_sub(1), Known::NOTHING);
        for (known, pair) in self.known.iter_mut().zip(sorted.windows(2)) {
            let [one, two] = [pair[0], pair[1]];
            if known.arms != [one, two] {
                let roster = question.roster();
                let (there, back) = remove::costs(laws, roster.side(one), roster.side(two));
                *known = Known { arms: [one, two], costs: [there, back] };
            }
            for (cost, arm, through) in [(known.costs[0], one, two), (known.costs[1], two, one)] {
                let offer = (cost, Piece::Remove { arm, through });
                if cost < f64::INFINITY && better(offer, least) {
                    least = Some(offer);
                }
            }
        }
        least
    }
}
