//! The oracle where there are limits: the answer is the front of the arms that keep them.
//!
//! An arm of the front may also leave it by breaking a limit. An arm comes onto the front if it keeps all limits, and every arm of the front steps aside in some objective
//! *or breaks a limit*: one more way for each, at a price that does not depend on where the arm goes. So an *add* piece has one more coordinate, in which the arm stands still and
//! the arms in its way are one unit ahead; a limit on what is optimised is one more arm in the way, which has to be passed in that objective. With margins, an arm that breaks its limits may
//! also come to keep them and beat one of the front.

use super::Oracle;
use super::add::{self, AddPiece, is_in_the_way};
use super::closest::{Closest, Piece, better};
use super::crossings::Crossings;
use super::lower;
use super::remove;
use super::toll::{Toll, Tolls};
use crate::family::Family;
use crate::law::{Kind, Law, Laws};
use crate::problem::Problem;
use crate::question::Question;
use crate::side::{Contrast, Side, coordinate_weight};

/// Calls what is written for any laws with those of a problem's pieces: where there are limits, there is a Gaussian one more.
macro_rules! with_piece_laws {
    ($problem:expr, $laws:ident => $body:expr) => {
        match ($problem.kinds(), $problem.raises()) {
            (None, _) => {
                let $laws = $crate::law::Gaussian;
                $body
            }
            (Some(kinds), raises) if $problem.has_limits() => {
                let wide = $crate::transport::limited::widened($problem, kinds);
                match raises {
                    None => {
                        let $laws = $crate::law::Kinds(&wide);
                        $body
                    }
                    Some(raises) => {
                        let mut raises = raises.to_vec();
                        raises.push($crate::margin::Raise::NONE);
                        let $laws = $crate::law::RaisedKinds(&wide, &raises);
                        $body
                    }
                }
            }
            (Some(kinds), None) => {
                let $laws = $crate::law::Kinds(kinds);
                $body
            }
            (Some(kinds), Some(raises)) => {
                let $laws = $crate::law::RaisedKinds(kinds, raises);
                $body
            }
        }
    };
}
pub(super) use with_piece_laws;

/// One more coordinate, which is Gaussian, and may take the place of one that is only limited.
pub(super) fn widened(problem: &Problem, kinds: &[Kind]) -> Vec<Kind> {
    let gaussian = Kind { family: Family::Gaussian, sign: 1.0 };
    let is_idle = |j: usize| problem.limit_layout().is_some_and(|layout| layout.is_idle(j));
    let kinds = kinds.iter().enumerate().map(|(j, &kind)| if is_idle(j) { gaussian } else { kind });
    kinds.chain([gaussian]).collect()
}

/// Room for the rows of a piece with its further coordinate.
#[derive(Clone, Debug, Default)]
pub(super) struct Limited {
    offset: Vec<f64>,
    weight: Vec<f64>,
    pub crossings: Crossings,
}

impl Limited {
    /// Puts `arm` in standard position against `among`, and gives the piece its further coordinate and the limits to keep; what it costs whatever comes.
    pub fn set(&mut self, piece: &mut AddPiece, question: &Question<'_>, among: &[usize], arm: usize) -> f64 {
        piece.set(question, among, arm);
        let roster = question.roster();
        let crossings = &self.crossings;
        let toll = |k: usize| is_in_the_way(question, roster.side(arm), roster.raised(k)).then(|| crossings.exit(k));
        let (entry, bounds) =
            crossings.entrance(arm).map_or((0.0, &[][..]), |entrance| (entrance.cost, &entrance.bounds));
        // Nobody moves in what is only limited: the last of these leave room.
        let layout = question.problem().limit_layout();
        let is_idle = |j: usize| layout.is_some_and(|layout| layout.is_idle(j));
        let width = (0..piece.d).rfind(|&j| !is_idle(j)).map_or(0, |last| last + 1);
        widen(piece, width, toll, bounds, (&mut self.offset, &mut self.weight));
        entry
    }

    /// A lower bound on the cost of adding `arm`: what it takes to keep its limits, and to get past the dearest single arm of `among`; and that one, or `arm` itself if nobody is.
    /// The search ends with the first that is `enough`.
    pub fn lower_bound(
        &self,
        laws: impl Laws,
        question: &Question<'_>,
        (among, arm): (&[usize], usize),
        enough: f64,
    ) -> (f64, usize) {
        let (roster, own) = (question.roster(), question.side(arm));
        let (mut entry, mut dearest) = (0.0, (0.0, arm));
        if let Some(entrance) = self.crossings.entrance(arm) {
            entry = entrance.cost;
            for &(j, by) in &entrance.bounds {
                dearest.0 += laws.law(j, own.mean).price(coordinate_weight(own.weight, own.precision[j]), 0.0, by);
            }
        }
        for &k in among {
            if entry + dearest.0 >= enough {
                break;
            }
            let (exit, other) = (self.crossings.exit(k).cost, roster.raised(k));
            if exit <= dearest.0 || !is_in_the_way(question, own, other) {
                continue;
            }
            let steps = own.against(other).enumerate().filter(|(_, contrast)| contrast.is_movable());
            let cheapest = steps.map(|(j, contrast)| contrast.cost_by(laws.law(j, own.mean))).fold(exit, f64::min);
            if cheapest > dearest.0 {
                dearest = (cheapest, k);
            }
        }
        (entry + dearest.0, dearest.1)
    }

    /// The arm of `front`, but for those of `except`, that it is dearest to get past once `arm` has moved by `x`; `None` if all are passed.
    pub fn furthest_ahead(
        &self,
        laws: impl Laws,
        question: &Question<'_>,
        (front, arm): (&[usize], usize),
        x: &[f64],
        except: &[usize],
    ) -> Option<usize> {
        let (roster, own) = (question.roster(), question.side(arm));
        let mut dearest = (0.0, None);
        for &k in front {
            let (exit, other) = (self.crossings.exit(k).cost, roster.raised(k));
            if exit <= dearest.0 || except.contains(&k) || !is_in_the_way(question, own, other) {
                continue;
            }
            let step = |(j, (contrast, x)): (usize, (Contrast, &f64))| {
                let gap = contrast.gap - x;
                if gap > 0.0 { laws.law(j, own.mean).price(contrast.one, contrast.gap, -gap) } else { 0.0 }
            };
            let steps = other.against(own).zip(x).enumerate().filter(|(_, (contrast, _))| contrast.is_movable());
            let cheapest = steps.map(step).fold(exit, f64::min);
            if cheapest > dearest.0 {
                dearest = (cheapest, Some(k));
            }
        }
        dearest.1
    }
}

impl Oracle {
    /// Every way in which an arm of the front leaves it because it breaks a limit, with its cost.
    pub(super) fn each_exit(&self, question: &Question<'_>, mut visit: impl FnMut(Piece, f64)) {
        if question.problem().has_limits() {
            self.sorted.iter().for_each(|&arm| visit(Piece::Infeasible { arm }, self.limited.crossings.exit(arm).cost));
        }
    }

    /// The cheapest of them, the first among equals.
    pub(super) fn least_exit(&self, question: &Question<'_>) -> Option<(f64, Piece)> {
        let mut least = None;
        self.each_exit(question, |piece, cost| {
            if cost < f64::INFINITY && better((cost, piece), least) {
                least = Some((cost, piece));
            }
        });
        least
    }

    /// A lower bound on the cost of adding `arm`, that of the dearest single arm of `among` to get past, and this arm; `arm` itself if there is none. The
    /// search ends with the first that is `enough`.
    #[inline]
    pub(super) fn lower_bound(
        &self,
        laws: impl Laws,
        question: &Question<'_>,
        among: &[usize],
        arm: usize,
        enough: f64,
    ) -> (f64, usize) {
        if question.problem().has_limits() {
            self.limited.lower_bound(laws, question, (among, arm), enough)
        } else {
            add::lower_bound(laws, question.roster(), among, arm, enough)
        }
    }

    /// The arm of the front, but for those of `except`, that it is dearest to get past once `arm` has moved by `self.x`; `None` if all are passed.
    pub(super) fn furthest_ahead(
        &self,
        laws: impl Laws,
        question: &Question<'_>,
        arm: usize,
        except: &[usize],
    ) -> Option<usize> {
        let Oracle { sorted, x, limited, .. } = self;
        if question.problem().has_limits() {
            limited.furthest_ahead(laws, question, (sorted, arm), x, except)
        } else {
            add::furthest_ahead(laws, question.roster(), sorted, arm, x, except)
        }
    }

    /// Writes the alternative and the gradient of a piece; for an *add* piece the arm moves by `self.x`.
    pub(super) fn complete_limited(
        &mut self,
        laws: impl Laws,
        question: &Question<'_>,
        tolls: Tolls<'_>,
        piece: Piece,
    ) {
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
                for &k in &self.sorted {
                    let exit = self.limited.crossings.exit(k);
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

/// Gives a piece its further coordinate, after so many of those it has, and the limits that the arm has to keep in what is optimised.
fn widen(
    piece: &mut AddPiece,
    width: usize,
    exit: impl Fn(usize) -> Option<Toll>,
    bounds: &[(usize, f64)],
    (offset, weight): (&mut Vec<f64>, &mut Vec<f64>),
) {
    offset.clear();
    weight.clear();
    let mut kept = 0;
    piece.passable = true;
    for place in 0..piece.arms.len() {
        let (k, row) = (piece.arms[place], place * piece.d..place * piece.d + width);
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
    for &(j, by) in bounds {
        piece.passable &= piece.own[j] < f64::INFINITY;
        // Nobody, who has to be passed in this objective.
        piece.arms.push(usize::MAX);
        offset.extend((0..=width).map(|i| if i == j { by } else { f64::INFINITY }));
        weight.extend((0..=width).map(|_| f64::INFINITY));
    }
    std::mem::swap(&mut piece.offset, offset);
    std::mem::swap(&mut piece.weight, weight);
    piece.origin.truncate(width);
    piece.origin.push(0.0);
    piece.own.truncate(width);
    piece.own.push(f64::INFINITY);
    piece.d = width + 1;
}
