//! The oracle at the counts of a study, where one observation changes one arm: most pieces sleep most of the time.
//!
//! √(2 · cost) of a piece is the distance, in the norm weighted by the counts, from the means to a closed set. An observation of arm
//! a makes the norm larger, which only lengthens distances, and moves the means of a by δ; so by the triangle inequality the distance
//! of a piece falls by at most √N_a |δ|, and only if the piece involves a. A piece whose distance, so bounded from below, exceeds
//! that of the best need not be looked at.
//!
//! Where some noise is not Gaussian, be it of an objective or of what is limited, there is no such distance. But N kl(m, λ) + kl(y, λ) = N' kl(m', λ) + what the observation y itself costs
//! at the new mean, N kl(m, m') + kl(y, m'), for every λ: so the cost of a piece falls by at most that, and costs take the place of distances.
//!
//! An *add* piece asks that its arm escape every front arm. Escaping only some of them is no dearer, so a bound found with some
//! front arms involves these alone, and holds until one of them leaves the front; arms that join only lengthen the distance. A few of
//! them, the *hurdles*, are usually enough.
//! *Remove* pieces are kept exactly, by [`Removals`], and in two objectives, where only neighbours along the front matter, by [`Neighbours`]; with margins there are more of them, and most sleep ([`Beaters`]).
//!
//! The answer is that of [`Oracle::closest`], to the last bit.

use super::beaters::Beaters;
use super::limited::with_piece_laws;
use super::measure::{FORESIGHT, Measure};
use super::neighbours::Neighbours;
use super::removals::Removals;
use super::sleepers::Sleepers;
use super::{Closest, Oracle, Piece, Tolls, above, ascending_key, better};
use crate::front::Front;
use crate::law::Laws;
use crate::live_front::LiveFront;
use crate::model::Model;
use crate::problem::Problem;
use crate::question::Question;
use crate::tally::Tally;
use crate::weights::Weights;

/// How many front arms, at most, a piece that wakes up is looked at with before all are.
const MOST_HURDLES: usize = 8;

/// An oracle that follows a tally.
#[derive(Clone, Debug)]
pub(crate) struct LazyOracle {
    oracle: Oracle,
    measure: Measure,
    seen: Seen,
    losses: Losses,
    /// By arm: a lower bound on the distance of adding it; infinite on the front.
    sleepers: Sleepers,
    /// By arm: the arms whose bound involves it, with the stamp of the bound.
    involving: Vec<Vec<(usize, u64)>>,
    /// By arm: how long that list may grow before outdated entries are dropped.
    patience: Vec<usize>,
    /// By arm: the stamp of its present bound.
    stamp: Vec<u64>,
    /// By arm: a few front arms that alone made adding it dear.
    hurdles: Vec<Vec<usize>>,
    awake: Vec<(f64, usize)>,
    looked_at: u64,
}

/// What is kept of the *remove* pieces.
#[derive(Clone, Debug)]
enum Losses {
    /// In two objectives, those of neighbours along the front.
    Neighbours(Neighbours),
    /// Those through others of the front.
    Members(Removals),
    /// With margins, those through anybody.
    Anybody(Beaters),
}

impl Losses {
    fn of(problem: &Problem, measure: Measure) -> Self {
        if problem.has_margins() {
            Losses::Anybody(Beaters::new(problem.arm_count(), measure))
        } else if problem.objective_count() == 2 {
            Losses::Neighbours(Neighbours::default())
        } else {
            Losses::Members(Removals::new(problem.arm_count()))
        }
    }
}

/// The means as they were at the last change, and their front.
#[derive(Clone, Debug)]
struct Seen {
    means: Model,
    live: LiveFront,
}

impl Seen {
    /// The question at these counts.
    fn question<'a>(&'a self, problem: &'a Problem, counts: &'a Weights) -> Question<'a> {
        Question::unchecked(problem, &self.means, self.live.front(), counts)
    }
}

impl LazyOracle {
    /// An oracle for a tally in which every arm has been observed.
    pub fn new(problem: &Problem, oracle: Oracle, tally: &Tally) -> Self {
        let k = problem.arm_count();
        let measure = Measure::of(problem);
        let mut lazy = LazyOracle {
            oracle,
            measure,
            seen: Seen { means: tally.means().clone(), live: LiveFront::default() },
            losses: Losses::of(problem, measure),
            sleepers: Sleepers::new(k),
            involving: vec![Vec::new(); k],
            patience: vec![16; k],
            stamp: vec![0; k],
            hurdles: vec![Vec::new(); k],
            awake: Vec::new(),
            looked_at: 0,
        };
        lazy.seen.live.reset(&lazy.seen.means);
        let question = lazy.seen.question(problem, tally.counts());
        if let Some(tolls) = Tolls::new(&question) {
            lazy.oracle.limited.crossings.reset(tolls, k);
        }
        for &arm in lazy.seen.live.front().members() {
            lazy.sleepers.set(arm, f64::INFINITY);
            match &mut lazy.losses {
                Losses::Neighbours(_) => {}
                Losses::Members(removals) => with_piece_laws!(problem, laws => removals.join(laws, &question, arm)),
                Losses::Anybody(beaters) => beaters.join(arm),
            }
        }
        lazy
    }

    /// The front of the means.
    pub fn front(&self) -> &Front {
        self.seen.live.front()
    }

    /// The answer to the last question.
    pub fn last(&self) -> Option<&Closest> {
        self.oracle.last()
    }

    /// How many pieces have been solved or bounded anew, over all questions.
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }

    /// Follows an observation of `arm`, which the tally has taken in.
    pub fn follow(&mut self, problem: &Problem, tally: &Tally, arm: usize) {
        let (measure, before) = (self.measure, &self.seen.means);
        let drift = with_piece_laws!(problem, laws => measure.drift(laws, problem, before, tally, arm));
        self.sleepers.lower(arm, drift);
        let (stamp, sleepers) = (&self.stamp, &mut self.sleepers);
        self.involving[arm].retain(|&(other, since)| {
            let current = stamp[other] == since;
            if current {
                sleepers.lower(other, drift);
            }
            current
        });
        let Seen { means, live } = &mut self.seen;
        means.set_from(arm, tally.means(), arm);
        live.update(means, arm);
        if let Some(tolls) = Tolls::new(&self.seen.question(problem, tally.counts())) {
            self.oracle.limited.crossings.follow(tolls, arm);
        }
        let live = &self.seen.live;
        for (changed, on_front) in live.changes() {
            if on_front {
                self.sleepers.set(changed, f64::INFINITY);
                self.stamp[changed] += 1;
            } else {
                self.sleepers.set(changed, 0.0);
                // Bounds that rested on this arm are void.
                for &(other, since) in &self.involving[changed] {
                    if self.stamp[other] == since {
                        self.sleepers.set(other, 0.0);
                    }
                }
                self.involving[changed].clear();
            }
        }
        with_piece_laws!(problem, laws => self.follow_losses(laws, problem, tally, arm, drift));
    }

    fn follow_losses(&mut self, laws: impl Laws, problem: &Problem, tally: &Tally, arm: usize, drift: f64) {
        let question = self.seen.question(problem, tally.counts());
        let changes = || self.seen.live.changes();
        let (gone, come) = (changes().filter(|change| !change.1), changes().filter(|change| change.1));
        match &mut self.losses {
            Losses::Neighbours(neighbours) => neighbours.follow(arm),
            Losses::Members(removals) => {
                gone.for_each(|(changed, _)| removals.leave(laws, &question, changed));
                come.for_each(|(changed, _)| removals.join(laws, &question, changed));
                if removals.involve(arm) {
                    removals.refresh(laws, &question, arm);
                }
            }
            Losses::Anybody(beaters) => {
                gone.for_each(|(changed, _)| beaters.leave(changed));
                come.for_each(|(changed, _)| beaters.join(changed));
                beaters.follow(laws, &question, &self.oracle.limited.crossings, arm, drift);
            }
        }
    }

    /// The closest model with another front, as [`Oracle::closest`] finds it.
    pub fn closest(&mut self, problem: &Problem, tally: &Tally) -> Option<&Closest> {
        with_piece_laws!(problem, laws => self.closest_by(laws, problem, tally))
    }

    fn closest_by(&mut self, laws: impl Laws, problem: &Problem, tally: &Tally) -> Option<&Closest> {
        let (counts, measure) = (tally.counts(), self.measure);
        let previous = self.oracle.last().map(|closest| closest.piece);
        let question = self.seen.question(problem, counts);
        self.oracle.begin(&question);
        let exit = self.oracle.least_exit(&question);
        let removal = match &mut self.losses {
            Losses::Neighbours(neighbours) => neighbours.least(laws, &question, &self.oracle.sorted),
            Losses::Members(removals) => removals.least(),
            Losses::Anybody(beaters) => {
                let below = exit.map_or(f64::INFINITY, |exit| exit.0);
                beaters.least(laws, &question, &self.oracle.limited.crossings, below)
            }
        };
        let loss = removal.filter(|&removal| better(removal, exit)).or(exit);
        let mut below = loss.map_or(f64::INFINITY, |loss| loss.0);
        // Nothing costs less than nothing, and among equals a removal comes first, then the first arm.
        if let Some((0.0, Piece::Remove { .. })) = loss {
            return self.oracle.decide(laws, &question, loss);
        }
        let mut free = usize::MAX;
        // What was the closest is close still: once its cost is known, fewer others are within reach.
        if let Some(Piece::Add { arm }) = previous
            && !question.front().contains(arm)
            && self.sleepers.distance(arm) <= measure.reach(below)
        {
            self.looked_at += 1;
            below = below.min(self.solve(laws, problem, counts, arm));
            if below == 0.0 {
                free = arm;
            }
        }
        self.awake.clear();
        self.sleepers.within(measure.reach(below), &mut self.awake);
        self.awake.sort_unstable_by_key(|&(distance, _)| ascending_key(distance));
        for place in 0..self.awake.len() {
            let (distance, arm) = self.awake[place];
            if distance > measure.reach(below) {
                break;
            }
            if previous == Some(Piece::Add { arm }) || arm > free {
                continue;
            }
            self.looked_at += 1;
            if !self.lull(laws, problem, counts, arm, below) {
                let cost = self.solve(laws, problem, counts, arm);
                below = below.min(cost);
                if cost == 0.0 {
                    free = arm;
                }
            }
        }
        self.oracle.decide(laws, &self.seen.question(problem, counts), loss)
    }

    /// Looks for a few front arms that alone make adding `arm` dearer than `below`. If there are, the piece goes back to sleep.
    fn lull(&mut self, laws: impl Laws, problem: &Problem, counts: &Weights, arm: usize, below: f64) -> bool {
        let mut hurdles = std::mem::take(&mut self.hurdles[arm]);
        let lower = self.least_past(laws, problem, counts, arm, &mut hurdles, below);
        let sleeps = lower >= above(below);
        if sleeps {
            self.sleep(arm, lower, &hurdles);
        }
        self.hurdles[arm] = hurdles;
        sleeps
    }

    /// A lower bound on the cost of adding `arm`, that of getting past `hurdles`: these or, if they are not enough to make it dearer
    /// than `below`, others.
    fn least_past(
        &mut self,
        laws: impl Laws,
        problem: &Problem,
        counts: &Weights,
        arm: usize,
        hurdles: &mut Vec<usize>,
        below: f64,
    ) -> f64 {
        let question = self.seen.question(problem, counts);
        let (enough, foresight) = (above(below), above(FORESIGHT * below));
        // Those of the last time may do.
        if hurdles.iter().all(|&k| question.front().contains(k)) {
            let lower = match hurdles[..] {
                [] | [_] => self.oracle.lower_bound(laws, &question, hurdles, arm, foresight).0,
                _ => self.oracle.past(laws, &question, arm, hurdles),
            };
            if lower >= enough {
                return lower;
            }
        }
        // The dearest, and then, one by one, whoever is most in the way of an arm that gets past those so far.
        let (mut lower, dearest) = self.oracle.lower_bound(laws, &question, &self.oracle.sorted, arm, foresight);
        hurdles.clear();
        // Its own limits may be all there is.
        if dearest != arm {
            hurdles.push(dearest);
        }
        while lower > 0.0 && lower < enough {
            lower = self.oracle.past(laws, &question, arm, hurdles);
            if lower >= enough || hurdles.len() == MOST_HURDLES {
                break;
            }
            let Some(next) = self.oracle.furthest_ahead(laws, &question, arm, hurdles) else { break };
            hurdles.push(next);
        }
        lower
    }

    /// The cost of adding `arm`; its bound is renewed.
    fn solve(&mut self, laws: impl Laws, problem: &Problem, counts: &Weights, arm: usize) -> f64 {
        let question = self.seen.question(problem, counts);
        let cost = self.oracle.solve(laws, &question, arm, f64::INFINITY).unwrap_or(f64::INFINITY);
        let involved = std::mem::take(&mut self.oracle.piece.arms);
        self.sleep(arm, cost, &involved);
        self.oracle.piece.arms = involved;
        cost
    }

    /// Notes that adding `arm` costs at least `cost`, on account of the front arms `involved`.
    fn sleep(&mut self, arm: usize, cost: f64, involved: &[usize]) {
        self.sleepers.set(arm, self.measure.kept(cost));
        self.stamp[arm] += 1;
        // A limit is nobody.
        for &other in involved.iter().filter(|&&other| other != usize::MAX) {
            let list = &mut self.involving[other];
            // An arm that is hardly ever observed must not collect outdated entries for ever.
            if list.len() >= self.patience[other] {
                list.retain(|&(arm, since)| self.stamp[arm] == since);
                self.patience[other] = 2 * list.len() + 16;
            }
            list.push((arm, self.stamp[arm]));
        }
    }
}
