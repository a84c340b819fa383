//! The oracle where the readings of one observation are correlated: pieces no longer fall apart into objectives.

mod basin;
mod crossing;
mod meeting;

pub(crate) use self::basin::Basin;
pub(crate) use self::crossing::Crossing;
pub(crate) use self::meeting::Meeting;
use super::closest::{Closest, Piece, better};
use super::{Oracle, add, lower};
use crate::bowl::half_square;
use crate::correlation::Coupling;
use crate::law::Gaussian;
use crate::question::Question;

/// Room for the solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct Coupled {
    meeting: Meeting,
    crossing: Crossing,
    /// Of the best *add* piece so far.
    force: Vec<f64>,
}

impl Oracle {
    /// The closest model with another front.
    pub(super) fn closest_coupled(&mut self, coupling: &Coupling, question: &Question<'_>) -> Option<&Closest> {
        self.start(question);
        let mut best: Option<(f64, Piece)> = None;
        let members = question.front().members();
        for &arm in members {
            for through in question.coverers(arm) {
                let (one, two) = (question.raised(arm), question.side(through));
                if best.is_some_and(|best| Meeting::lower_bound(one, two) > best.0) {
                    continue;
                }
                let offer = (self.coupled.meeting.cost(coupling, one, two), Piece::Remove { arm, through });
                if offer.0 < f64::INFINITY && better(offer, best) {
                    best = Some(offer);
                }
            }
        }
        // From the least lower bound on: a front arm alone is passed as if the noise were independent.
        let roster = question.roster();
        self.queue.clear();
        for arm in (0..question.model().arm_count()).filter(|&arm| !question.front().contains(arm)) {
            let (lower, _) = add::lower_bound(Gaussian, roster, members, arm, f64::INFINITY);
            self.queue.push((lower, arm));
        }
        self.queue.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for place in 0..self.queue.len() {
            let (lower, arm) = self.queue[place];
            let below = best.map_or(f64::INFINITY, |best| best.0);
            if lower >= below {
                break;
            }
            if let Some(cost) = self.cross(coupling, question, arm, below) {
                best = Some((cost, Piece::Add { arm }));
                self.keep_crossing();
            }
        }
        let (_, piece) = best?;
        self.complete_coupled(coupling, question, piece);
        Some(&self.best)
    }

    /// The closest model within one piece.
    pub(super) fn closest_in_coupled(
        &mut self,
        coupling: &Coupling,
        question: &Question<'_>,
        piece: Piece,
    ) -> Option<&Closest> {
        self.start(question);
        let cost = match piece {
            Piece::Remove { arm, through } => {
                self.coupled.meeting.cost(coupling, question.raised(arm), question.side(through))
            }
            Piece::Add { arm } => self.cross(coupling, question, arm, f64::INFINITY).unwrap_or(f64::INFINITY),
            Piece::Infeasible { .. } => f64::INFINITY,
        };
        if cost == f64::INFINITY {
            return None;
        }
        self.keep_crossing();
        self.complete_coupled(coupling, question, piece);
        Some(&self.best)
    }

    /// Calls `visit` with the closest alternative of every piece that costs less than `below`.
    pub(super) fn each_below_coupled(
        &mut self,
        coupling: &Coupling,
        question: &Question<'_>,
        below: f64,
        mut visit: impl FnMut(&Closest),
    ) {
        self.start(question);
        for &arm in question.front().members() {
            for through in question.coverers(arm) {
                let cost = self.coupled.meeting.cost(coupling, question.raised(arm), question.side(through));
                if cost < below {
                    self.complete_coupled(coupling, question, Piece::Remove { arm, through });
                    visit(&self.best);
                }
            }
        }
        for arm in (0..question.model().arm_count()).filter(|&arm| !question.front().contains(arm)) {
            if self.cross(coupling, question, arm, below).is_some() {
                self.keep_crossing();
                self.complete_coupled(coupling, question, Piece::Add { arm });
                visit(&self.best);
            }
        }
    }

    fn cross(&mut self, coupling: &Coupling, question: &Question<'_>, arm: usize, below: f64) -> Option<f64> {
        self.effort.pieces += 1;
        let cost = self.coupled.crossing.solve(coupling, question, arm, below);
        self.effort.nodes += self.coupled.crossing.nodes();
        cost
    }

    /// Keeps where the last *add* piece was found to move its arm.
    fn keep_crossing(&mut self) {
        self.x.clear();
        self.x.extend_from_slice(self.coupled.crossing.x());
        self.coupled.force.clear();
        self.coupled.force.extend_from_slice(self.coupled.crossing.force());
    }

    /// Writes the alternative and the gradient of a piece; for an *add* piece the arm moves as was last kept.
    fn complete_coupled(&mut self, coupling: &Coupling, question: &Question<'_>, piece: Piece) {
        let d = question.model().objective_count();
        let best = &mut self.best;
        best.begin(piece, d);
        match piece {
            Piece::Remove { arm, through } => {
                best.arms.extend([arm, through]);
                best.rows.resize(2 * d, 0.0);
                let (arm_to, through_to) = best.rows.split_at_mut(d);
                let sides = (question.raised(arm), question.side(through));
                let gradient = self.coupled.meeting.closest(coupling, sides.0, sides.1, arm_to, through_to);
                best.gradient.extend([gradient.0, gradient.1]);
                if let Some(raises) = question.problem().raises() {
                    lower(raises, question.side(arm).mean, sides.0.mean, arm_to);
                }
            }
            Piece::Add { arm } => {
                let own = question.side(arm);
                best.arms.push(arm);
                best.shift.extend_from_slice(&self.x);
                best.rows.extend(own.mean.iter().zip(&self.x).map(|(mean, x)| mean + x));
                let moved: f64 = self.x.iter().zip(&self.coupled.force).map(|(x, force)| 0.5 * x * force).sum();
                // The force is that on the arm at its weight, or at a weight of one if it was not measured.
                best.gradient.push(if own.weight > 0.0 { moved / own.weight } else { moved });
                for &k in question.front().members() {
                    let other = question.raised(k);
                    let (mut cost, mut place, mut ahead) = (f64::INFINITY, 0, 0.0);
                    for (j, (contrast, x)) in other.against(own).zip(&self.x).enumerate() {
                        let gap = contrast.gap - x;
                        let passed = if contrast.is_movable() { gap <= 0.0 } else { contrast.gap < 0.0 };
                        let step = if passed { 0.0 } else { half_square(other.precision[j], gap) };
                        if step < cost && (passed || contrast.is_movable()) {
                            (cost, place, ahead) = (step, j, gap);
                        }
                    }
                    debug_assert!(cost < f64::INFINITY, "an arm that cannot be passed makes the cost infinite");
                    if ahead <= 0.0 {
                        continue;
                    }
                    let from = best.rows.len();
                    best.arms.push(k);
                    best.gradient.push(cost);
                    best.rows.extend_from_slice(other.mean);
                    for i in 0..d {
                        // The other coordinates follow.
                        let along = coupling.covariance(other.precision, i, place) * other.precision[place];
                        best.rows[from + i] -= along * ahead;
                    }
                    best.rows[from + place] = best.rows[place];
                    if let Some(raises) = question.problem().raises() {
                        lower(raises, question.side(k).mean, other.mean, &mut best.rows[from..]);
                    }
                }
            }
            Piece::Infeasible { .. } => unreachable!("there are no limits where readings are correlated"),
        }
        self.found = true;
        self.best.settle(question);
    }
}
