//! The doubt about an arm: the chance that noise alone would show as much as there is for its standing.
//!
//! A lead of x standard errors shows where there is none with probability Φ(−x). That an arm is not dominated takes a lead in one
//! objective, whichever: the doubt is the harmonic mean of those of the objectives, which holds about whatever the objectives' noise has
//! to do with each other. That an arm is dominated takes a lead of another in every objective: the doubt is the largest of them.

use super::ln_sum::ln_add;
use crate::front::covers;
use crate::normal::ln_cdf;
use crate::question::Question;
use crate::side::{Contrast, Side};

/// The doubt about one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubt {
    /// The logarithm of its probability.
    pub ln: f64,
    /// The arm that decides; `None` if there is no other.
    pub rival: Option<usize>,
    /// The objective that decides.
    pub objective: usize,
}

impl Doubt {
    /// Nothing can change the arm's standing.
    const NONE: Doubt = Doubt { ln: f64::NEG_INFINITY, rival: None, objective: 0 };

    /// The doubt about where `arm` stands. Where leads that cost more than `enough` settle it, it may come out as none.
    pub fn about(question: &Question<'_>, arm: usize, enough: f64) -> Doubt {
        if question.front().contains(arm) {
            Doubt::about_in(question, arm, question.front().members(), enough)
        } else {
            about_out(question, arm, enough)
        }
    }

    /// The doubt that `arm`, of the front, is dominated by none of these.
    pub fn about_in(question: &Question<'_>, arm: usize, rivals: &[usize], enough: f64) -> Doubt {
        let one = question.side(arm);
        let mut largest = Doubt::NONE;
        for &rival in rivals {
            let other = question.side(rival);
            if rival == arm || one.against(other).any(|contrast| contrast.gap > 0.0 && contrast.cost() > enough) {
                continue;
            }
            let (ln, objective) = not_ahead(one, other);
            if largest.rival.is_none() || ln > largest.ln {
                largest = Doubt { ln, rival: Some(rival), objective };
            }
        }
        largest
    }
}

/// ln of the chance that `one` would show such leads if it were ahead of `other` nowhere, and the objective of its surest lead.
fn not_ahead(one: Side<'_>, other: Side<'_>) -> (f64, usize) {
    // Of 1 / doubt: the sum over the objectives, how many there are, and the largest.
    let (mut sum, mut objectives, mut surest) = (f64::NEG_INFINITY, 0.0, (f64::NEG_INFINITY, 0));
    for (j, contrast) in one.against(other).enumerate() {
        if !contrast.is_movable() {
            // Their order is not in doubt: this objective decides, or has no say.
            if contrast.gap > 0.0 {
                return (f64::NEG_INFINITY, j);
            }
            continue;
        }
        let inverse = if contrast.gap > 0.0 { -by_chance(contrast) } else { 0.0 };
        objectives += 1.0;
        sum = ln_add(sum, inverse);
        if inverse > surest.0 {
            surest = (inverse, j);
        }
    }
    if objectives == 0.0 { (f64::NEG_INFINITY, 0) } else { (f64::ln(objectives) - sum, surest.1) }
}

/// An arm off the front is dominated if any arm of it dominates it: the surest counts.
fn about_out(question: &Question<'_>, arm: usize, enough: f64) -> Doubt {
    let own = question.side(arm);
    let mut least = Doubt { ln: 0.0, ..Doubt::NONE };
    let mut best = 0.0;
    for &rival in question.front().members() {
        let other = question.side(rival);
        if !covers(other.mean, own.mean) {
            continue;
        }
        let narrowest = other
            .against(own)
            .enumerate()
            .filter(|(_, contrast)| contrast.is_movable())
            .map(|(j, contrast)| (contrast.cost(), j, contrast))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((cost, objective, contrast)) = narrowest else { return Doubt { rival: Some(rival), ..Doubt::NONE } };
        if cost > enough {
            return Doubt { rival: Some(rival), objective, ..Doubt::NONE };
        }
        if least.rival.is_none() || cost > best {
            best = cost;
            least = Doubt { ln: by_chance(contrast), rival: Some(rival), objective };
        }
    }
    least
}

/// ln of the chance of such a lead where there is none.
fn by_chance(contrast: Contrast) -> f64 {
    ln_cdf(-(2.0 * contrast.cost()).sqrt()).0
}
