//! The oracle: which model with another front is closest, seen from a model and an allocation?
//!
//! The set of alternatives is a union of *pieces* (paper, Lemma 1): for two arms of the front, one comes to be covered by
//! the other (*remove*); for an arm off the front, no arm of the front covers it any more (*add*). Each piece's minimum
//! is found exactly, and the oracle returns the least of them, with its gradient in the weights. Where there are limits, an arm of the front may also break
//! one (*infeasible*).

mod add;
mod beaters;
mod branch;
mod cells;
mod closest;
mod coupled;
mod crossings;
mod lazy;
mod limited;
mod measure;
mod method;
mod neighbours;
mod pair;
mod removals;
mod remove;
mod sleepers;
mod sweep;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_correlation;
#[cfg(test)]
mod tests_of_kinds;
#[cfg(test)]
mod tests_of_limits;
#[cfg(test)]
mod tests_of_margins;
mod toll;

use std::cell::Cell;

use self::add::AddPiece;
pub(crate) use self::add::is_in_the_way;
use self::branch::Branch;
use self::cells::Cells;
use self::closest::better;
pub use self::closest::{Closest, Piece, PieceError};
pub(crate) use self::coupled::Basin;
use self::coupled::Coupled;
pub(crate) use self::lazy::LazyOracle;
use self::limited::{Limited, with_piece_laws};
pub use self::method::{Method, MethodError};
use self::pair::Pair;
pub(crate) use self::remove::{lead, removal_cost};
use self::sweep::Sweep;
pub(crate) use self::toll::Tolls;
use crate::front::{Front, covers};
use crate::law::{Law, Laws, with_laws};
use crate::margin::Raise;
use crate::problem::Problem;
use crate::question::Question;

/// Costs that differ relatively by no more than this may change places by rounding.
const NEAR: f64 = 1e-9;

/// What the last question to an [`Oracle`] took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// *Add* pieces solved; the others were ruled out by a bound.
    pub pieces: u64,
    /// Nodes of the branch and bound.
    pub nodes: u64,
    /// Cells enumerated.
    pub cells: u64,
}

/// An *add* piece that has been solved.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    cost: f64,
    arm: usize,
    /// Whether the cost is free of what was known before.
    settled: bool,
}

/// Finds the closest alternative. Keep it: it holds the room that the computation needs, and nothing is allocated once it
/// has seen a problem of the size at hand with a front as large, unless readings are correlated.
///
/// ```
/// # use surefront::{Arm, Front, Goal, Method, Model, Noise, Objective, Oracle, Piece, Problem, Question, Weights};
/// # let objective = |name: &str| Objective::new(name, Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(
/// #     vec![objective("x"), objective("y")],
/// #     vec![Arm::named("a"), Arm::named("b"), Arm::named("c")],
/// # )?;
/// let model = Model::new(&problem, &[[0.0, 3.0], [3.0, 0.0], [0.0, 1.0]])?;
/// let mut oracle = Oracle::new(&problem, Method::Auto)?;
/// let closest = oracle
///     .closest(&Question::new(&problem, &model, &Front::of(&model), &Weights::uniform(&problem))?)
///     .expect("three noisy arms can change places");
/// // Arm c ties with arm a in x: the least change puts it on the front.
/// assert_eq!(closest.piece, Piece::Add { arm: 2 });
/// assert_eq!(closest.cost, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Oracle {
    /// The method asked for.
    asked: Method,
    /// The solver that it comes to: never `Auto`.
    method: Method,
    piece: AddPiece,
    branch: Branch,
    cells: Cells,
    pair: Pair,
    sweep: Sweep,
    coupled: Coupled,
    limited: Limited,
    /// The arms, objectives and front arms there is room for.
    room: (usize, usize, usize),
    /// The front arms, sorted, and in two objectives as they were before.
    members: Vec<usize>,
    sorted: Vec<usize>,
    keys: Vec<(i64, usize)>,
    others: Vec<usize>,
    queue: Vec<(f64, usize)>,
    /// Pieces solved since the question was put, and where their arms move to, one after the other.
    candidates: Vec<Candidate>,
    solutions: Vec<f64>,
    x: Vec<f64>,
    best: Closest,
    found: bool,
    effort: Effort,
}

impl Oracle {
    /// An oracle for problems like this one. Where the method does not apply to the problem of a later question, that one is
    /// answered by [`Method::Branch`].
    ///
    /// # Errors
    /// When the method does not apply to the problem.
    pub fn new(problem: &Problem, method: Method) -> Result<Self, MethodError> {
        let asked = method;
        Ok(Oracle {
            asked,
            method: asked.solver(problem)?,
            piece: AddPiece::default(),
            branch: Branch::default(),
            cells: Cells::default(),
            pair: Pair::default(),
            sweep: Sweep::default(),
            coupled: Coupled::default(),
            limited: Limited::default(),
            room: (0, 0, 0),
            members: Vec::new(),
            sorted: Vec::new(),
            keys: Vec::new(),
            others: Vec::new(),
            queue: Vec::new(),
            candidates: Vec::new(),
            solutions: Vec::new(),
            x: Vec::new(),
            best: Closest::empty(),
            found: false,
            effort: Effort::default(),
        })
    }

    /// The solver in use, for the problem of the last question: never `Auto`.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The answer to the last question.
    pub(crate) fn last(&self) -> Option<&Closest> {
        self.found.then_some(&self.best)
    }

    /// What the last question took.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The closest model with another front. `None` if there is none: a single arm, or no noise wherever it matters. Among
    /// equals, the least piece; costs of zero are ties of the model.
    pub fn closest(&mut self, question: &Question<'_>) -> Option<&Closest> {
        if let Some(coupling) = question.problem().coupling() {
            return self.closest_coupled(coupling, question);
        }
        with_piece_laws!(question.problem(), laws => self.closest_by(laws, question))
    }

    fn closest_by(&mut self, laws: impl Laws, question: &Question<'_>) -> Option<&Closest> {
        self.start(question);
        let loss = self.least_loss(laws, question);
        let mut below = loss.map_or(f64::INFINITY, |loss| loss.0);
        self.others.clear();
        let front = question.front();
        self.others.extend((0..question.model().arm_count()).filter(|&arm| !front.contains(arm)));
        if self.method == Method::Cells {
            let least = self.cells.solve(question, &self.sorted, &self.others, below);
            self.effort.cells = self.cells.count();
            self.x.clear();
            self.x.extend_from_slice(self.cells.x());
            let piece = least.map(|(_, arm)| Piece::Add { arm }).or(loss.map(|loss| loss.1))?;
            self.complete(laws, question, piece);
            return Some(&self.best);
        }
        // From the least lower bound on, until the next one rules out all that remain.
        self.queue.clear();
        let Oracle { sorted, others, queue, limited, .. } = self;
        let (roster, has_limits) = (question.roster(), question.problem().has_limits());
        for &arm in &*others {
            let (lower, _) = if has_limits {
                limited.lower_bound(laws, question, (sorted, arm), above(below))
            } else {
                add::lower_bound(laws, roster, sorted, arm, above(below))
            };
            if lower < above(below) {
                queue.push((lower, arm));
            }
        }
        self.queue.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for place in 0..self.queue.len() {
            let (lower, arm) = self.queue[place];
            if lower >= above(below) {
                break;
            }
            if let Some(cost) = self.solve(laws, question, arm, above(below)) {
                below = below.min(cost);
            }
        }
        self.decide(laws, question, loss)
    }

    /// The closest model within one piece, whatever the others cost; `None` if there is none.
    ///
    /// # Errors
    /// When the piece removes an arm that is off the front or adds one that is on it.
    pub fn closest_in(&mut self, question: &Question<'_>, piece: Piece) -> Result<Option<&Closest>, PieceError> {
        piece.check(question)?;
        if let Some(coupling) = question.problem().coupling() {
            return Ok(self.closest_in_coupled(coupling, question, piece));
        }
        Ok(with_piece_laws!(question.problem(), laws => self.closest_in_by(laws, question, piece)))
    }

    fn closest_in_by(&mut self, laws: impl Laws, question: &Question<'_>, piece: Piece) -> Option<&Closest> {
        self.start(question);
        let cost = match piece {
            Piece::Remove { arm, through } => removal_cost(question, arm, through),
            Piece::Add { arm } => self.solve(laws, question, arm, f64::INFINITY).unwrap_or(f64::INFINITY),
            Piece::Infeasible { arm } => Tolls::new(question).map_or(f64::INFINITY, |tolls| tolls.exit(arm).cost),
        };
        if cost == f64::INFINITY {
            return None;
        }
        self.complete(laws, question, piece);
        Some(&self.best)
    }

    /// Calls `visit` with the closest alternative of every piece that costs less than `below`.
    pub(crate) fn each_below(&mut self, question: &Question<'_>, below: f64, visit: impl FnMut(&Closest)) {
        if let Some(coupling) = question.problem().coupling() {
            return self.each_below_coupled(coupling, question, below, visit);
        }
        with_piece_laws!(question.problem(), laws => self.each_below_by(laws, question, below, visit));
    }

    fn each_below_by(&mut self, laws: impl Laws, question: &Question<'_>, below: f64, mut visit: impl FnMut(&Closest)) {
        debug_assert!(self.method != Method::Cells, "the enumeration yields one piece only");
        let mut losses = Vec::new();
        self.start(question);
        let mut note = |piece, cost| {
            if cost < below {
                losses.push(piece);
            }
        };
        self.each_exit(question, &mut note);
        self.each_removal(laws, question, &Cell::new(below), note);
        for piece in losses {
            self.complete(laws, question, piece);
            visit(&self.best);
        }
        for arm in (0..question.model().arm_count()).filter(|&arm| !question.front().contains(arm)) {
            if self.solve(laws, question, arm, below).is_some() {
                self.complete(laws, question, Piece::Add { arm });
                visit(&self.best);
            }
        }
    }

    /// Calls `visit` with the closest alternative of the cheapest piece of each arm, in which it enters, leaves or covers another; of some
    /// twice.
    pub(crate) fn cheapest_by_arm(&mut self, question: &Question<'_>, mut visit: impl FnMut(&Closest)) {
        let mut cheapest = vec![None; question.model().arm_count()];
        if question.problem().coupling().is_none() && !question.problem().has_limits() {
            return with_laws!(question.problem(), laws => self.cheapest_by_arm_by(laws, question, visit));
        }
        self.each_below(question, f64::INFINITY, |closest| {
            for arm in [Some(closest.piece.arm()), closest.piece.through()].into_iter().flatten() {
                if cheapest[arm].as_ref().is_none_or(|known: &Closest| closest.cost < known.cost) {
                    cheapest[arm] = Some(closest.clone());
                }
            }
        });
        cheapest.iter().flatten().for_each(&mut visit);
    }

    fn cheapest_by_arm_by(&mut self, laws: impl Laws, question: &Question<'_>, mut visit: impl FnMut(&Closest)) {
        self.start(question);
        // Of the many pairs of the front few are the cheapest of an arm, and only these are looked at closely.
        let mut cheapest = vec![None; question.model().arm_count()];
        self.each_removal(laws, question, &Cell::new(f64::INFINITY), |piece, cost| {
            for arm in [Some(piece.arm()), piece.through()].into_iter().flatten() {
                if cost < cheapest[arm].map_or(f64::INFINITY, |(known, _)| known) {
                    cheapest[arm] = Some((cost, piece));
                }
            }
        });
        for arm in 0..cheapest.len() {
            let add = !question.front().contains(arm) && self.solve(laws, question, arm, f64::INFINITY).is_some();
            // The addition first: it rests on what was just solved.
            let pieces = [add.then_some(Piece::Add { arm }), cheapest[arm].map(|(_, piece)| piece)];
            for piece in pieces.into_iter().flatten() {
                self.complete(laws, question, piece);
                visit(&self.best);
            }
        }
    }

    /// Makes room for all that a question with this front may need, whichever piece wins.
    fn reserve(&mut self, question: &Question<'_>) {
        let model = question.model();
        let (k, d, p) = (model.arm_count(), model.objective_count(), question.front().members().len());
        if self.room.0 >= k && self.room.1 >= d && self.room.2 >= p {
            return;
        }
        let (k, d, p) = (self.room.0.max(k), self.room.1.max(d), self.room.2.max(p));
        self.room = (k, d, p);
        make_room(&mut self.members, p);
        make_room(&mut self.sorted, p);
        make_room(&mut self.keys, p);
        make_room(&mut self.others, k);
        make_room(&mut self.queue, k);
        make_room(&mut self.candidates, 2 * k);
        make_room(&mut self.solutions, 2 * k * d);
        make_room(&mut self.x, d);
        self.best.reserve(d, p);
        self.piece.reserve(d, p);
        self.pair.reserve(d);
        match self.method {
            Method::Sweep => self.sweep.reserve(p),
            Method::Cells => {}
            Method::Branch | Method::Auto => self.branch.reserve(d, p),
        }
    }

    /// Begins with a question of which nothing is known yet.
    fn start(&mut self, question: &Question<'_>) {
        self.begin(question);
        if let Some(tolls) = Tolls::new(question) {
            self.limited.crossings.start(tolls, question.model().arm_count(), &self.sorted);
        }
    }

    /// The same where what the limits ask of the arms is known.
    fn begin(&mut self, question: &Question<'_>) {
        let (model, front) = (question.model(), question.front());
        debug_assert_eq!(front, &Front::of(model));
        let method = self.asked.solver(question.problem()).unwrap_or(Method::Branch);
        if method != self.method {
            self.method = method;
            self.room = (0, 0, 0);
        }
        self.effort = Effort::default();
        self.found = false;
        self.candidates.clear();
        self.solutions.clear();
        self.reserve(question);
        self.sort(question);
    }

    /// Sorts the front: in two objectives along the first, which is what `sweep` and the removals go along. Most often the order is that of the last question.
    fn sort(&mut self, question: &Question<'_>) {
        let (members, roster) = (question.front().members(), question.roster());
        if question.model().objective_count() != 2 {
            self.members.clear();
            self.sorted.clear();
            self.sorted.extend_from_slice(members);
            return;
        }
        let along = |arm: usize| ascending_key(roster.mean(arm)[0]);
        if self.members == members && self.sorted.is_sorted_by(|&a, &b| along(a) < along(b)) {
            return;
        }
        self.members.clear();
        self.members.extend_from_slice(members);
        self.keys.clear();
        self.keys.extend(members.iter().map(|&arm| (along(arm), arm)));
        self.keys.sort_unstable_by_key(|key| key.0);
        self.sorted.clear();
        self.sorted.extend(self.keys.iter().map(|key| key.1));
    }

    /// Every *remove* piece with its cost. In two objectives only neighbours matter: whoever is covered by an arm further
    /// along is covered by the one between, or covers it, at no higher cost.
    /// Pairs whose costs are certainly above `below` may be left out.
    fn each_removal<L: Laws>(
        &self,
        laws: L,
        question: &Question<'_>,
        below: &Cell<f64>,
        mut visit: impl FnMut(Piece, f64),
    ) {
        let two = question.model().objective_count() == 2;
        let roster = question.roster();
        if question.problem().has_margins() {
            // Whoever beats an arm by more than the margins does so even if it is off the front itself.
            for &arm in &self.sorted {
                let (one, crossings) = (roster.raised(arm), &self.limited.crossings);
                for through in question.coverers(arm) {
                    let (two, entrance) = (roster.side(through), crossings.entrance(through));
                    if let Ok(cost) = remove::removal_within(laws, one, two, entrance, below.get()) {
                        visit(Piece::Remove { arm, through }, cost);
                    }
                }
            }
            return;
        }
        for (place, &a) in self.sorted.iter().enumerate() {
            let upto = if two { (place + 2).min(self.sorted.len()) } else { self.sorted.len() };
            let one = roster.side(a);
            for &b in &self.sorted[place + 1..upto] {
                if !L::GAUSSIAN && below.get() < f64::INFINITY {
                    let (there, back) = remove::costs_at_least(laws, one, roster.side(b));
                    if there > below.get() && back > below.get() {
                        continue;
                    }
                }
                let (there, back) = remove::costs(laws, one, roster.side(b));
                visit(Piece::Remove { arm: a, through: b }, there);
                visit(Piece::Remove { arm: b, through: a }, back);
            }
        }
    }

    /// The cheapest way in which an arm of the front leaves it, the first among equals.
    fn least_loss(&self, laws: impl Laws, question: &Question<'_>) -> Option<(f64, Piece)> {
        let mut least = self.least_exit(question);
        let below = Cell::new(least.map_or(f64::INFINITY, |(cost, _)| cost));
        self.each_removal(laws, question, &below, |piece, cost| {
            if cost < f64::INFINITY && better((cost, piece), least) {
                least = Some((cost, piece));
                below.set(cost);
            }
        });
        least
    }

    /// The cost of adding `arm` if it is below `below`; `self.x` is then where it moves to, and the arm is among the candidates of
    /// [`Oracle::decide`].
    fn solve(&mut self, laws: impl Laws, question: &Question<'_>, arm: usize, below: f64) -> Option<f64> {
        self.effort.pieces += 1;
        if self.method == Method::Cells {
            let least = self.cells.solve(question, &self.sorted, &[arm], below);
            self.effort.cells = self.cells.count();
            self.x.clear();
            self.x.extend_from_slice(self.cells.x());
            return least.map(|least| least.0);
        }
        let entry = put(&mut self.piece, &mut self.limited, question, &self.sorted, arm);
        if !self.piece.passable || (entry > 0.0 && !(entry < below)) {
            return None;
        }
        // One or two arms in the way are solved in closed form unless a method was asked for.
        let closed_form = self.asked == Method::Auto && Pair::fits(&self.piece);
        let (cost, x) = if closed_form {
            (self.pair.solve(laws, &self.piece, below - entry), self.pair.x())
        } else if self.method == Method::Sweep {
            (self.sweep.solve(laws, &self.piece, below), self.sweep.x())
        } else {
            let cost = self.branch.solve(laws, &self.piece, below - entry);
            self.effort.nodes += self.branch.nodes();
            (cost, self.branch.x())
        };
        let cost = entry + cost?;
        keep_move(&mut self.x, x, question);
        // Only the branch and bound lets what is known beforehand show in the last digits.
        let settled = self.method == Method::Sweep || closed_form || below == f64::INFINITY;
        self.candidates.push(Candidate { cost, arm, settled });
        self.solutions.extend_from_slice(&self.x);
        Some(cost)
    }

    /// What it costs to get `arm` past a few front arms alone, which is no more than past all of them; `self.x` is where the arm moves
    /// to, if there is a way.
    fn past(&mut self, laws: impl Laws, question: &Question<'_>, arm: usize, few: &[usize]) -> f64 {
        let entry = put(&mut self.piece, &mut self.limited, question, few, arm);
        if !self.piece.passable {
            return f64::INFINITY;
        }
        let (cost, x) = if Pair::fits(&self.piece) {
            (self.pair.solve(laws, &self.piece, f64::INFINITY), self.pair.x())
        } else {
            (self.branch.solve(laws, &self.piece, f64::INFINITY), self.branch.x())
        };
        let Some(cost) = cost else {
            return f64::INFINITY;
        };
        keep_move(&mut self.x, x, question);
        entry + cost
    }

    /// The answer, from the cheapest loss of the front and the candidates solved since the question was put. What a solver returns may
    /// depend, in the last digits, on the costs it knew beforehand; so those that are near the best are solved once more without any
    /// such knowledge, and the least of these is the answer, whatever way the candidates were found.
    fn decide(&mut self, laws: impl Laws, question: &Question<'_>, loss: Option<(f64, Piece)>) -> Option<&Closest> {
        let mut least = loss.map_or(f64::INFINITY, |loss| loss.0);
        for candidate in &self.candidates {
            least = least.min(candidate.cost);
        }
        let mut best = loss.filter(|loss| loss.0 < above(least));
        let mut solution = 0;
        for mut place in 0..self.candidates.len() {
            let Candidate { mut cost, arm, settled } = self.candidates[place];
            if cost >= above(least) {
                continue;
            }
            if !settled {
                place = self.candidates.len();
                cost = self.solve(laws, question, arm, f64::INFINITY)?;
            }
            let offer = (cost, Piece::Add { arm });
            if better(offer, best) {
                best = Some(offer);
                solution = place;
            }
        }
        let (_, piece) = best?;
        if let Piece::Add { .. } = piece {
            let d = question.model().objective_count();
            self.x.clear();
            self.x.extend_from_slice(&self.solutions[solution * d..(solution + 1) * d]);
        }
        self.complete(laws, question, piece);
        Some(&self.best)
    }

    /// Writes the alternative and the gradient of a piece; for an *add* piece the arm moves by `self.x`.
    fn complete(&mut self, laws: impl Laws, question: &Question<'_>, piece: Piece) {
        if let Some(tolls) = Tolls::new(question) {
            return self.complete_limited(laws, question, tolls, piece);
        }
        let d = question.model().objective_count();
        self.found = true;
        let best = &mut self.best;
        best.begin(piece, d);
        match piece {
            Piece::Remove { arm, through } => {
                best.arms.extend([arm, through]);
                best.rows.resize(2 * d, 0.0);
                let (arm_to, through_to) = best.rows.split_at_mut(d);
                let gradient = remove::closest(laws, question.raised(arm), question.side(through), arm_to, through_to);
                best.gradient.extend([gradient.0, gradient.1]);
                if let Some(raises) = question.problem().raises() {
                    lower(raises, question.side(arm).mean, question.raised(arm).mean, arm_to);
                }
            }
            Piece::Add { arm } => {
                let roster = question.roster();
                let own = roster.side(arm);
                best.arms.push(arm);
                best.shift.extend_from_slice(&self.x);
                best.rows.extend(own.mean.iter().zip(&self.x).map(|(mean, x)| mean + x));
                let law = |j: usize| laws.law(j, own.mean);
                let moved = own.precision.iter().zip(&self.x).enumerate().map(|(j, (&p, &x))| law(j).price(p, 0.0, x));
                best.gradient.push(moved.sum());
                for &k in &self.sorted {
                    let other = roster.raised(k);
                    if !covers(other.mean, own.mean) {
                        continue;
                    }
                    // The cheapest step aside; where neither arm has noise, there is none.
                    let (mut cost, mut place) = (f64::INFINITY, 0);
                    let gaps = other.gaps(own).zip(&self.x).map(|(at, x)| (at, at - x));
                    for (j, (((at, gap), &precision), own)) in gaps.zip(other.precision).zip(own.precision).enumerate()
                    {
                        let step = if gap > 0.0 { law(j).step(precision, at, -gap) } else { 0.0 };
                        if step < cost && (precision.is_finite() || own.is_finite()) {
                            (cost, place) = (step, j);
                        }
                    }
                    debug_assert!(cost < f64::INFINITY, "an arm that cannot be passed makes the cost infinite");
                    if cost > 0.0 {
                        let from = best.rows.len();
                        best.arms.push(k);
                        best.gradient.push(cost);
                        best.rows.extend_from_slice(roster.mean(k));
                        let to = best.rows[place];
                        best.rows[from + place] =
                            question.problem().raises().map_or(to, |raises| raises[place].down(to));
                    }
                }
            }
            Piece::Infeasible { .. } => unreachable!("without limits there is no such piece"),
        }
        best.settle(question);
    }
}

/// Puts `arm` in standard position against `among`; what it costs whatever comes, where there are limits to keep.
#[inline]
fn put(piece: &mut AddPiece, limited: &mut Limited, question: &Question<'_>, among: &[usize], arm: usize) -> f64 {
    if question.problem().has_limits() {
        return limited.set(piece, question, among, arm);
    }
    piece.set(question, among, arm);
    0.0
}

/// Keeps how an arm moves, objective by objective: a piece may have a further coordinate, and leave out the last ones in which nobody moves.
#[inline]
fn keep_move(to: &mut Vec<f64>, x: &[f64], question: &Question<'_>) {
    let d = question.model().objective_count();
    to.clear();
    to.extend_from_slice(&x[..x.len().min(d)]);
    to.resize(d, 0.0);
}

/// Turns raised means, some of which moved, back into what they were raised from.
fn lower(raises: &[Raise], means: &[f64], raised: &[f64], moved: &mut [f64]) {
    for (j, to) in moved.iter_mut().enumerate() {
        *to = if *to == raised[j] { means[j] } else { raises[j].down(*to) };
    }
}

/// Lets the vector grow to `len` without allocating.
fn make_room<T>(vector: &mut Vec<T>, len: usize) {
    vector.reserve(len.saturating_sub(vector.len()));
}

/// Just above a cost, so that what rounding cannot tell from it is below.
fn above(cost: f64) -> f64 {
    (cost * (1.0 + NEAR)).max(f64::MIN_POSITIVE)
}

/// An integer that sorts like the number, as [`f64::total_cmp`] does, but compares faster.
fn ascending_key(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}
