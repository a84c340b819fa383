//! The oracle where there are limits: the answer is the front of the arms that keep them.
//!
//! An arm of the front may also leave it by breaking a limit. An arm comes onto the front if it keeps all limits, and every arm of the front steps aside in some objective
//! *or breaks a limit*: one more way for each, at a price that does not depend on where the arm goes. So an *add* piece has one more coordinate, in which the arm stands still and
//! the arms in its way are one unit ahead; a limit on what is optimised is one more arm in the way, which has to be passed in that objective. With margins, an arm that breaks its limits may
//! also come to keep them and beat one of the front.

use std::cell::Cell;

use super::add::{AddPiece, is_in_the_way};
use super::closest::{Closest, Piece, better};
use super::pair::Pair;
use super::remove::{self, removal};
use super::toll::{Toll, Tolls};
use super::{Method, Oracle, lower};
use crate::family::Family;
use crate::law::{Gaussian, Kind, Kinds, Law, Laws, RaisedKinds};
use crate::margin::Raise;
use crate::question::Question;
use crate::side::Side;

/// Calls what is written for any laws with those of a problem, and a Gaussian one more.
macro_rules! with_wide_laws {
    ($question:expr, $laws:ident => $body:expr) => {
        match ($question.problem().kinds().map(widened), $question.problem().raises()) {
            (None, _) => {
                let $laws = Gaussian;
                $body
            }
            (Some(wide), None) => {
                let $laws = Kinds(&wide);
                $body
            }
            (Some(wide), Some(raises)) => {
                let raises: Vec<Raise> = raises.iter().copied().chain([Raise::NONE]).collect();
                let $laws = RaisedKinds(&wide, &raises);
                $body
            }
        }
    };
}

/// One more coordinate, which is Gaussian.
fn widened(kinds: &[Kind]) -> Vec<Kind> {
    kinds.iter().copied().chain([Kind { family: Family::Gaussian, sign: 1.0 }]).collect()
}

/// Room for the rows of a piece with its further coordinate.
#[derive(Clone, Debug, Default)]
pub(super) struct Limited {
    offset: Vec<f64>,
    weight: Vec<f64>,
    /// Of every arm of the front, in the order of the oracle: its cheapest limit to break.
    exits: Vec<Toll>,
}

impl Oracle {
    /// The closest model with another answer.
    pub(super) fn closest_limited(&mut self, question: &Question<'_>) -> Option<&Closest> {
        with_wide_laws!(question, laws => self.closest_limited_by(laws, question))
    }

    fn closest_limited_by(&mut self, laws: impl Laws, question: &Question<'_>) -> Option<&Closest> {
        let tolls = self.start_limited(question);
        let mut best: Option<(f64, Piece)> = None;
        let mut offer = |piece: Piece, cost: f64| {
            if cost < f64::INFINITY && better((cost, piece), best) {
                best = Some((cost, piece));
            }
        };
        self.each_loss(laws, question, tolls, &mut offer);
        self.queue.clear();
        let mut queue = std::mem::take(&mut self.queue);
        let others = (0..question.model().arm_count()).filter(|&arm| !question.front().contains(arm));
        queue.extend(others.map(|arm| (self.least_addition(laws, question, tolls, arm), arm)));
        queue.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(least, arm) in &queue {
            let below = best.map_or(f64::INFINITY, |best| best.0);
            if least >= below {
                break;
            }
            if let Some(cost) = self.add_limited(laws, question, tolls, arm, below) {
                best = Some((cost, Piece::Add { arm }));
            }
        }
        self.queue = queue;
        let (_, piece) = best?;
        self.complete_limited(laws, question, tolls, piece);
        Some(&self.best)
    }

    /// The closest model within one piece.
    pub(super) fn closest_in_limited(&mut self, question: &Question<'_>, piece: Piece) -> Option<&Closest> {
        with_wide_laws!(question, laws => self.closest_in_limited_by(laws, question, piece))
    }

    fn closest_in_limited_by(&mut self, laws: impl Laws, question: &Question<'_>, piece: Piece) -> Option<&Closest> {
        let tolls = self.start_limited(question);
        let cost = match piece {
            Piece::Remove { arm, through } => removal(laws, question, tolls, arm, through),
            Piece::Infeasible { arm } => tolls.exit(arm).cost,
            Piece::Add { arm } => self.add_limited(laws, question, tolls, arm, f64::INFINITY).unwrap_or(f64::INFINITY),
        };
        if cost == f64::INFINITY {
            return None;
        }
        self.complete_limited(laws, question, tolls, piece);
        Some(&self.best)
    }

    /// Calls `visit` with the closest alternative of every piece that costs less than `below`.
    pub(super) fn each_below_limited(&mut self, question: &Question<'_>, below: f64, visit: impl FnMut(&Closest)) {
        with_wide_laws!(question, laws => self.each_below_limited_by(laws, question, below, visit));
    }

    fn each_below_limited_by(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        below: f64,
        mut visit: impl FnMut(&Closest),
    ) {
        let tolls = self.start_limited(question);
        let mut pieces = Vec::new();
        self.each_loss(laws, question, tolls, &mut |piece, cost| {
            if cost < below {
                pieces.push(piece);
            }
        });
        for piece in pieces {
            self.complete_limited(laws, question, tolls, piece);
            visit(&self.best);
        }
        for arm in (0..question.model().arm_count()).filter(|&arm| !question.front().contains(arm)) {
            if self.add_limited(laws, question, tolls, arm, below).is_some() {
                self.complete_limited(laws, question, tolls, Piece::Add { arm });
                visit(&self.best);
            }
        }
    }

    fn start_limited<'a>(&mut self, question: &Question<'a>) -> Tolls<'a> {
        self.start(question);
        let tolls = Tolls::new(question).expect("there are limits");
        self.limited.exits.clear();
        self.limited.exits.extend(self.sorted.iter().map(|&arm| tolls.exit(arm)));
        tolls
    }

    /// Every way in which an arm of the front leaves it, with its cost.
    fn each_loss(
        &self,
        laws: impl Laws,
        question: &Question<'_>,
        tolls: Tolls<'_>,
        visit: &mut impl FnMut(Piece, f64),
    ) {
        for (&arm, exit) in self.sorted.iter().zip(&self.limited.exits) {
            visit(Piece::Infeasible { arm }, exit.cost);
        }
        if question.problem().has_margins() {
            for &arm in &self.sorted {
                for through in question.coverers(arm) {
                    visit(Piece::Remove { arm, through }, removal(laws, question, tolls, arm, through));
                }
            }
        } else {
            // Those of the front keep their limits, and meet between two places that do.
            self.each_removal(laws, question, &Cell::new(f64::INFINITY), visit);
        }
    }

    /// A lower bound on the cost of adding `arm`: what it takes to keep its limits, and to get past the dearest single arm.
    fn least_addition(&self, laws: impl Laws, question: &Question<'_>, tolls: Tolls<'_>, arm: usize) -> f64 {
        let roster = question.roster();
        let own = roster.side(arm);
        let entry: f64 = tolls.entries(arm).map(|toll| toll.cost).sum();
        let own_weights: Vec<f64> = own.weights().collect();
        let bounds = tolls.bounds(arm).map(|(j, by)| laws.law(j, own.mean).price(own_weights[j], 0.0, by));
        let mut dearest: f64 = bounds.sum();
        for (&k, exit) in self.sorted.iter().zip(&self.limited.exits) {
            let other = roster.raised(k);
            if exit.cost <= dearest || !is_in_the_way(question, own, other) {
                continue;
            }
            let steps = own.against(other).enumerate().filter(|(_, contrast)| contrast.is_movable());
            let steps = steps.map(|(j, contrast)| contrast.cost_by(laws.law(j, own.mean)));
            dearest = dearest.max(steps.fold(exit.cost, f64::min));
        }
        entry + dearest
    }

    /// The cost of adding `arm` if it is below `below`; `self.x` is then where it moves to.
    fn add_limited(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        tolls: Tolls<'_>,
        arm: usize,
        below: f64,
    ) -> Option<f64> {
        let entry: f64 = tolls.entries(arm).map(|toll| toll.cost).sum();
        if !(entry < below) {
            return None;
        }
        self.effort.pieces += 1;
        self.piece.set(question, &self.sorted, arm);
        let limited = &mut self.limited;
        let exit =
            |k: usize| limited.exits[self.sorted.iter().position(|&member| member == k).expect("it is of the front")];
        let roster = question.roster();
        let toll = |k: usize| is_in_the_way(question, roster.side(arm), roster.raised(k)).then(|| exit(k));
        widen(&mut self.piece, toll, tolls.bounds(arm), &mut limited.offset, &mut limited.weight);
        let (cost, x) = if !self.piece.passable {
            return None;
        } else if self.asked == Method::Auto && Pair::fits(&self.piece) {
            (self.pair.solve(laws, &self.piece, below - entry), self.pair.x())
        } else {
            let cost = self.branch.solve(laws, &self.piece, below - entry);
            self.effort.nodes += self.branch.nodes();
            (cost, self.branch.x())
        };
        let cost = cost?;
        self.x.clear();
        self.x.extend_from_slice(&x[..question.model().objective_count()]);
        Some(entry + cost)
    }

    /// Writes the alternative and the gradient of a piece; for an *add* piece the arm moves by `self.x`.
    fn complete_limited(&mut self, laws: impl Laws, question: &Question<'_>, tolls: Tolls<'_>, piece: Piece) {
        let d = question.model().objective_count();
        self.found = true;
        let best = &mut self.best;
        best.begin(piece, d);
        let roster = question.roster();
        match piece {
            Piece::Infeasible { arm } => {
                best.arms.push(arm);
                best.rows.extend_from_slice(roster.mean(arm));
                let exit = tolls.exit(arm);
                best.gradient.push(exit.rate);
                leave(best, question, 0, exit);
            }
            Piece::Remove { arm, through } => {
                best.arms.extend([arm, through]);
                best.rows.resize(2 * d, 0.0);
                let (arm_to, through_to) = best.rows.split_at_mut(d);
                let (one, two) = (roster.raised(arm), roster.side(through));
                let mut gradient = remove::closest(laws, one, two, arm_to, through_to);
                for (j, by) in tolls.bounds(through) {
                    let law = laws.law(j, two.mean);
                    let meeting = through_to[j] - two.mean[j];
                    if meeting < by {
                        // The one goes up to its limit, and the other no further down than that.
                        let gap = one.mean[j] - two.mean[j];
                        if gap > 0.0 {
                            gradient.0 -= law.step(one.precision[j], gap, meeting - gap);
                            gradient.1 -= law.price(two.precision[j], 0.0, meeting);
                        }
                        let down = (by - gap).min(0.0);
                        gradient.0 += law.step(one.precision[j], gap, down);
                        gradient.1 += law.price(two.precision[j], 0.0, by);
                        // The place itself, which the sum may miss by a rounding error.
                        through_to[j] = tolls.limit_in(j);
                        arm_to[j] = if down < 0.0 { through_to[j] } else { one.mean[j] };
                    }
                }
                for toll in tolls.entries(through) {
                    gradient.1 += toll.rate;
                    best.readings.push((1, toll.objective, toll.to));
                }
                best.gradient.extend([gradient.0, gradient.1]);
                if let Some(raises) = question.problem().raises() {
                    lower(raises, roster.mean(arm), one.mean, arm_to);
                }
            }
            Piece::Add { arm } => {
                let own = roster.side(arm);
                best.arms.push(arm);
                best.shift.extend_from_slice(&self.x);
                let moved = own.mean.iter().zip(&self.x).map(|(mean, x)| mean + x);
                // What goes up to a limit keeps it: the sum may miss it by a rounding error.
                best.rows.extend(moved.enumerate().map(|(j, to)| to.max(tolls.limit_in(j))));
                let law = |j: usize| laws.law(j, own.mean);
                let moved = own.precision.iter().zip(&self.x).enumerate().map(|(j, (&p, &x))| law(j).price(p, 0.0, x));
                let mut rate: f64 = moved.sum();
                for toll in tolls.entries(arm) {
                    rate += toll.rate;
                    best.readings.push((0, toll.objective, toll.to));
                }
                best.gradient.push(rate);
                for (&k, &exit) in self.sorted.iter().zip(&self.limited.exits) {
                    let other = roster.raised(k);
                    if !is_in_the_way(question, own, other) {
                        continue;
                    }
                    let (step, place) = cheapest_step(laws, own, other, &self.x);
                    if step == 0.0 {
                        continue;
                    }
                    let place_of = best.arms.len();
                    best.arms.push(k);
                    best.rows.extend_from_slice(roster.mean(k));
                    if exit.rate < step {
                        best.gradient.push(exit.rate);
                        leave(best, question, place_of, exit);
                    } else {
                        debug_assert!(step < f64::INFINITY, "an arm that cannot be passed makes the cost infinite");
                        best.gradient.push(step);
                        let to = best.rows[place];
                        let raises = question.problem().raises();
                        best.rows[place_of * d + place] = raises.map_or(to, |raises| raises[place].down(to));
                    }
                }
            }
        }
        best.settle(question);
    }
}

/// The cheapest step aside for `other`, once `own` has moved by `x`, by unit of weight, and where that is; infinite if there is none.
fn cheapest_step(laws: impl Laws, own: Side, other: Side, x: &[f64]) -> (f64, usize) {
    let mut cheapest = (f64::INFINITY, 0);
    for (j, (contrast, x)) in other.against(own).zip(x).enumerate() {
        let gap = contrast.gap - x;
        let step = if gap > 0.0 { laws.law(j, own.mean).step(other.precision[j], contrast.gap, -gap) } else { 0.0 };
        if step < cheapest.0 && contrast.is_movable() {
            cheapest = (step, j);
        }
    }
    cheapest
}

/// Brings the arm in this place of an alternative to the limit that it breaks.
fn leave(best: &mut Closest, question: &Question<'_>, place: usize, exit: Toll) {
    let is_idle = question.problem().limit_layout().is_some_and(|layout| layout.is_idle(exit.objective));
    if is_idle {
        best.readings.push((place, exit.objective, exit.to));
    } else {
        best.rows[place * best.d + exit.objective] = exit.to;
    }
}

/// Gives a piece its further coordinate, and the limits that the arm has to keep in what is optimised.
fn widen(
    piece: &mut AddPiece,
    exit: impl Fn(usize) -> Option<Toll>,
    bounds: impl Iterator<Item = (usize, f64)>,
    offset: &mut Vec<f64>,
    weight: &mut Vec<f64>,
) {
    let d = piece.d;
    offset.clear();
    weight.clear();
    let mut kept = 0;
    piece.passable = true;
    for place in 0..piece.arms.len() {
        let (k, row) = (piece.arms[place], place * d..(place + 1) * d);
        // It is out of the way for nothing.
        let Some(toll) = exit(k).filter(|toll| toll.cost > 0.0) else { continue };
        piece.arms[kept] = k;
        kept += 1;
        let is_closed = toll.cost == f64::INFINITY;
        piece.passable &= !is_closed || piece.offset[row.clone()].iter().any(|&a| a < f64::INFINITY);
        offset.extend_from_slice(&piece.offset[row.clone()]);
        weight.extend_from_slice(&piece.weight[row]);
        // ½ · 2 c · 1² = c.
        offset.push(if is_closed { f64::INFINITY } else { 1.0 });
        weight.push(2.0 * toll.cost);
    }
    piece.arms.truncate(kept);
    for (j, by) in bounds {
        piece.passable &= piece.own[j] < f64::INFINITY;
        // Nobody, who has to be passed in this objective.
        piece.arms.push(usize::MAX);
        offset.extend((0..=d).map(|i| if i == j { by } else { f64::INFINITY }));
        weight.extend((0..=d).map(|_| f64::INFINITY));
    }
    std::mem::swap(&mut piece.offset, offset);
    std::mem::swap(&mut piece.weight, weight);
    piece.origin.push(0.0);
    piece.own.push(f64::INFINITY);
    piece.d = d + 1;
}
