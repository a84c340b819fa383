//! Branch and bound for *add* pieces: any number of objectives, any noise, exact.
//!
//! The search assigns the arms in the way, one by one, to the objective in which they step aside. Assigned arms make the
//! cost split over the objectives: objective j costs h_j(x_j) = ½ v_j x_j² + Σ ½ u_kj (a_kj − x_j)₊² over the arms assigned
//! to it (with noise of another family the same with kl), a [`Valley`], whose floor and the place of it are known in closed form. What the search rests on:
//!
//! - The sum of the floors is a lower bound for every completion, and the place of a floor only moves up as arms are
//!   added. So an arm with a_kj ≤ x_j is passed for good and leaves the problem.
//! - Whoever is to beat the incumbent cannot have x_j so large that h_j alone rises by more than what is left between
//!   bound and incumbent: that is the *reach* in objective j. Every open arm then costs at least
//!   min_j ½ u_kj (a_kj − reach_j)₊², and these add up.
//! - If arm k's choice of objective j has been explored, what remains has x_j < a_kj: otherwise k would be passed there
//!   for nothing, which the explored part contains.
//!
//! Pruning keeps only what could improve the incumbent by more than one part in 10¹²: equal costs are not all explored.

use super::add::AddPiece;
use super::make_room;
use crate::bowl::Bowl;
use crate::law::{Bottom, Law, Laws};

/// Nodes that cannot improve the incumbent by more than this, relatively, are cut.
const TOLERANCE: f64 = 1e-12;

/// How deep a search there is room for from the start, and how many rungs at most that room may hold in all. Hardly any
/// search goes deeper, and one that does makes room as it goes.
const LEVELS: usize = 64;
const MOST_RUNGS: usize = 1 << 20;

/// One arm assigned to an objective, and the sum of the objective's costs from the furthest arm down to this one.
#[derive(Clone, Copy, Debug)]
struct Rung {
    at: f64,
    weight: f64,
    sum: Bowl,
}

/// The cost of one objective: a base and the arms still ahead of its minimum, furthest first.
#[derive(Clone, Debug)]
struct Valley {
    base: Bowl,
    rungs: Vec<Rung>,
    /// The minimum of the sum that holds there.
    bottom: Bottom,
}

impl Valley {
    fn new() -> Self {
        Valley { base: Bowl::at_origin(0.0), rungs: Vec::new(), bottom: Bottom { centre: 0.0, floor: 0.0 } }
    }

    fn reset(&mut self, law: impl Law, own: f64) {
        self.base = law.alone(own);
        self.rungs.clear();
        self.bottom = law.bottom(self.base);
    }

    fn copy_from(&mut self, other: &Valley) {
        self.base = other.base;
        self.bottom = other.bottom;
        self.rungs.clear();
        self.rungs.extend_from_slice(&other.rungs);
    }

    /// The sum of the base and the `count` furthest rungs.
    #[inline]
    fn sum(&self, count: usize) -> Bowl {
        if count == 0 { self.base } else { self.rungs[count - 1].sum }
    }

    /// Puts an arm in its place; [`Valley::rebuild`] must follow, from the least place returned.
    fn insert(&mut self, weight: f64, at: f64) -> usize {
        let place = self.ahead_of(at);
        self.rungs.insert(place, Rung { at, weight, sum: self.base });
        place
    }

    /// Renews the sums from `place` on, and lets go of the arms that the minimum has passed.
    fn rebuild(&mut self, law: impl Law, place: usize) {
        let mut sum = self.sum(place);
        let mut bottom = law.bottom(sum);
        let mut kept = place;
        for rung in &mut self.rungs[place..] {
            if rung.at <= bottom.centre {
                break;
            }
            sum = law.plus(sum, rung.weight, rung.at);
            bottom = law.bottom(sum);
            rung.sum = sum;
            kept += 1;
        }
        self.rungs.truncate(kept);
        self.bottom = bottom;
    }

    /// The sum of all that is still ahead at x: up to there the cost is no less.
    fn beyond(&self, x: f64) -> Bowl {
        self.sum(self.rungs.partition_point(|rung| rung.at > x))
    }

    #[inline]
    fn ahead_of(&self, at: f64) -> usize {
        self.rungs.partition_point(|rung| rung.at >= at)
    }

    /// The largest x at which the cost has risen by no more than `slack` above the floor.
    fn reach(&self, law: impl Law, slack: f64) -> f64 {
        let level = self.bottom.floor + slack;
        let mut count = self.rungs.len();
        loop {
            let x = law.reach(self.sum(count), level);
            // At the rung itself the arm is passed, however heavy it is.
            if count == 0 || x < self.rungs[count - 1].at {
                return x;
            }
            count -= 1;
        }
    }
}

/// The state of the search at one depth.
#[derive(Clone, Debug)]
struct Level {
    valleys: Vec<Valley>,
    /// Arms not yet assigned nor passed.
    open: Vec<u32>,
    reach: Vec<f64>,
    /// The arm to branch on, and its viable objectives, cheapest first, with their bounds.
    arm: usize,
    children: Vec<(f64, usize)>,
}

impl Level {
    fn copy_from(&mut self, other: &Level) {
        self.valleys.resize_with(other.valleys.len(), Valley::new);
        for (to, from) in self.valleys.iter_mut().zip(&other.valleys) {
            to.copy_from(from);
        }
        self.open.clone_from(&other.open);
        self.reach.clone_from(&other.reach);
    }

    fn new() -> Self {
        Level { valleys: Vec::new(), open: Vec::new(), reach: Vec::new(), arm: 0, children: Vec::new() }
    }

    fn reserve(&mut self, d: usize, p: usize) {
        self.valleys.resize_with(self.valleys.len().max(d), Valley::new);
        for valley in &mut self.valleys {
            make_room(&mut valley.rungs, p);
        }
        make_room(&mut self.open, p);
        make_room(&mut self.reach, d);
        make_room(&mut self.children, d);
    }
}

enum Settled {
    /// Nothing below can beat the incumbent.
    Cut,
    /// All arms are assigned or passed, at a cost below the incumbent.
    Leaf(f64),
    /// An arm has been chosen to branch on.
    Branch,
}

/// Room for the search; keep it, and nothing is allocated from one piece to the next of the same size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branch {
    /// The objectives and arms there is room for.
    room: (usize, usize),
    levels: Vec<Level>,
    assigned: Vec<usize>,
    order: Vec<usize>,
    boxes: Vec<f64>,
    forced: Vec<(usize, usize)>,
    slopes: Vec<Slope>,
    viable: Vec<(f64, usize)>,
    trial: Vec<f64>,
    incumbent: f64,
    x: Vec<f64>,
    found: bool,
    nodes: u64,
}

impl Branch {
    /// Makes room for pieces with `d` objectives and up to `p` arms in the way.
    pub fn reserve(&mut self, d: usize, p: usize) {
        if self.room.0 >= d && self.room.1 >= p {
            return;
        }
        let (d, p) = (self.room.0.max(d), self.room.1.max(p));
        self.room = (d, p);
        let levels = LEVELS.min(p).min(MOST_RUNGS / (d * p).max(1)) + 1;
        self.levels.resize_with(self.levels.len().max(levels), Level::new);
        for level in &mut self.levels {
            level.reserve(d, p);
        }
        make_room(&mut self.assigned, p);
        make_room(&mut self.order, d * p);
        make_room(&mut self.boxes, p);
        make_room(&mut self.forced, p);
        make_room(&mut self.slopes, d);
        make_room(&mut self.viable, d);
        make_room(&mut self.trial, d);
        make_room(&mut self.x, d);
    }

    /// The least cost of `piece` if it is below `incumbent`; [`Branch::x`] is then where the arm moves to.
    pub fn solve(&mut self, laws: impl Laws, piece: &AddPiece, incumbent: f64) -> Option<f64> {
        self.incumbent = incumbent;
        self.found = false;
        self.nodes = 0;
        if !piece.passable {
            return None;
        }
        self.descend(laws, piece);
        self.search(laws, piece);
        self.found.then_some(self.incumbent)
    }

    /// Where the arm moves to, relative to where it is.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The number of nodes of the last search.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn search(&mut self, laws: impl Laws, piece: &AddPiece) {
        if self.levels.is_empty() {
            self.levels.push(Level::new());
        }
        let root = &mut self.levels[0];
        root.valleys.resize_with(piece.d, Valley::new);
        for (j, (valley, &own)) in root.valleys.iter_mut().zip(&piece.own).enumerate() {
            valley.reset(piece.law(laws, j), own);
        }
        root.open.clear();
        root.open.extend(0..piece.arms.len() as u32);
        root.reach.clear();
        root.reach.resize(piece.d, f64::INFINITY);
        self.boxes.resize(self.boxes.len().max(piece.arms.len()), 0.0);
        // Ties are passed before anyone moves.
        root.open.retain(|&k| (0..piece.d).all(|j| piece.offset(k as usize, j) > 0.0));
        self.visit(laws, piece, 0);
    }

    fn visit(&mut self, laws: impl Laws, piece: &AddPiece, depth: usize) {
        self.nodes += 1;
        match self.settle(laws, piece, depth) {
            Settled::Cut => {}
            Settled::Leaf(cost) => {
                self.incumbent = cost;
                self.found = true;
                self.x.clear();
                self.x.extend(self.levels[depth].valleys.iter().map(|v| v.bottom.centre));
            }
            Settled::Branch => {
                if self.levels.len() == depth + 1 {
                    self.levels.push(Level::new());
                }
                for child in 0..self.levels[depth].children.len() {
                    let (bound, j) = self.levels[depth].children[child];
                    if !self.improves(bound) {
                        break;
                    }
                    let (above, below) = self.levels.split_at_mut(depth + 1);
                    let (level, next) = (&mut above[depth], &mut below[0]);
                    next.copy_from(level);
                    assign(laws, next, piece, &[(level.arm, j)]);
                    self.visit(laws, piece, depth + 1);
                    let level = &mut self.levels[depth];
                    let passed = piece.offset(level.arm, j);
                    level.reach[j] = level.reach[j].min(passed);
                }
            }
        }
    }

    #[inline]
    fn improves(&self, bound: f64) -> bool {
        bound < self.incumbent * (1.0 - TOLERANCE)
    }

    /// Tightens the reach, assigns the arms that have no choice, and chooses the arm to branch on.
    fn settle(&mut self, laws: impl Laws, piece: &AddPiece, depth: usize) -> Settled {
        let d = piece.d;
        loop {
            let floors: f64 = self.levels[depth].valleys.iter().map(|v| v.bottom.floor).sum();
            if !self.improves(floors) {
                return Settled::Cut;
            }
            if self.levels[depth].open.is_empty() {
                return Settled::Leaf(floors);
            }

            let mut boxed = 0.0;
            for _ in 0..3 {
                let slack = (self.incumbent - floors - boxed) + TOLERANCE * self.incumbent;
                let level = &mut self.levels[depth];
                for (j, (reach, valley)) in level.reach.iter_mut().zip(&level.valleys).enumerate() {
                    *reach = reach.min(valley.reach(piece.law(laws, j), slack));
                }
                let mut sum = 0.0;
                for (place, &k) in level.open.iter().enumerate() {
                    let step = |j: usize| piece.step(laws, k as usize, j, level.reach[j]);
                    let least = (0..d).map(step).fold(f64::INFINITY, f64::min);
                    self.boxes[place] = least;
                    sum += least;
                }
                let gained = sum - boxed;
                boxed = sum;
                if !self.improves(floors + boxed) {
                    return Settled::Cut;
                }
                if !(gained > 0.05 * (self.incumbent - floors - boxed)) {
                    break;
                }
            }

            let limit = self.incumbent * (1.0 - TOLERANCE);
            let level = &mut self.levels[depth];
            self.slopes.clear();
            for (valley, &reach) in level.valleys.iter().zip(&level.reach) {
                self.slopes.push(Slope { bottom: valley.bottom, beyond: valley.beyond(reach), reach });
            }
            let mut dearest = -1.0;
            self.forced.clear();
            for (place, &k) in level.open.iter().enumerate() {
                let k = k as usize;
                let others = floors + (boxed - self.boxes[place]);
                viable_objectives(laws, piece, &self.slopes, k, others, limit, &mut self.viable);
                match self.viable[..] {
                    [] => return Settled::Cut,
                    [(_, j)] => self.forced.push((k, j)),
                    [(cheapest, _), ..] => {
                        let cheapest = self.viable.iter().fold(cheapest, |least, choice| least.min(choice.0));
                        if cheapest - others > dearest {
                            dearest = cheapest - others;
                            level.arm = k;
                            level.children.clone_from(&self.viable);
                        }
                    }
                }
            }
            if self.forced.is_empty() {
                level.children.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                return Settled::Branch;
            }
            assign(laws, level, piece, &self.forced);
        }
    }

    /// A good first incumbent: from a few starts, let every arm step aside where it is cheapest, move to the minimum,
    /// and repeat until nothing changes.
    fn descend(&mut self, laws: impl Laws, piece: &AddPiece) {
        let (d, p) = (piece.d, piece.arms.len());
        self.order.clear();
        for j in 0..d {
            let from = self.order.len();
            self.order.extend(0..p);
            self.order[from..]
                .sort_unstable_by(|&a, &b| piece.offset(b, j).total_cmp(&piece.offset(a, j)).then(a.cmp(&b)));
        }
        for start in 0..=d {
            self.trial.clear();
            self.trial.resize(d, 0.0);
            if start < d {
                // As if everyone stepped aside in this objective.
                let law = piece.law(laws, start);
                let mut sum = law.alone(piece.own[start]);
                let mut least = law.bottom(sum);
                for &k in &self.order[start * p..(start + 1) * p] {
                    if piece.offset(k, start) <= least.centre {
                        break;
                    }
                    sum = law.plus(sum, piece.weight(k, start), piece.offset(k, start));
                    least = law.bottom(sum);
                }
                if !(least.floor < f64::INFINITY) {
                    continue;
                }
                self.trial[start] = least.centre;
            }
            let mut best = f64::INFINITY;
            loop {
                self.assigned.clear();
                for k in 0..p {
                    let cheapest =
                        (0..d).map(|j| (piece.step(laws, k, j, self.trial[j]), j)).min_by(|a, b| a.0.total_cmp(&b.0));
                    self.assigned.push(cheapest.expect("there is an objective").1);
                }
                let mut cost = 0.0;
                for j in 0..d {
                    let law = piece.law(laws, j);
                    let mut sum = law.alone(piece.own[j]);
                    let mut least = law.bottom(sum);
                    for &k in &self.order[j * p..(j + 1) * p] {
                        if self.assigned[k] == j {
                            if piece.offset(k, j) <= least.centre {
                                break;
                            }
                            sum = law.plus(sum, piece.weight(k, j), piece.offset(k, j));
                            least = law.bottom(sum);
                        }
                    }
                    self.trial[j] = least.centre;
                    cost += least.floor;
                }
                if cost < self.incumbent {
                    self.incumbent = cost;
                    self.found = true;
                    self.x.clone_from(&self.trial);
                }
                if !(cost < best * (1.0 - 1e-9)) {
                    break;
                }
                best = cost;
            }
        }
    }
}

/// What is known of one objective within the box: how steeply its cost rises from the minimum, and how far x can go.
#[derive(Clone, Copy, Debug)]
struct Slope {
    bottom: Bottom,
    beyond: Bowl,
    reach: f64,
}

impl Slope {
    /// A lower bound on what stepping aside here adds to the cost.
    #[inline]
    fn rise(&self, law: impl Law, weight: f64, at: f64) -> f64 {
        law.rise(self.bottom, self.beyond, self.reach, weight, at)
    }
}

/// The objectives in which open arm `k` may step aside in a solution that costs less than `limit`, with a bound for each;
/// `others` bounds the rest of the cost.
#[inline]
fn viable_objectives(
    laws: impl Laws,
    piece: &AddPiece,
    slopes: &[Slope],
    k: usize,
    others: f64,
    limit: f64,
    viable: &mut Vec<(f64, usize)>,
) {
    // Not where, everywhere in the box, another objective is cheaper.
    let nearest = slopes.iter().enumerate().map(|(j, slope)| piece.step(laws, k, j, slope.bottom.centre));
    let nearest = nearest.fold(f64::INFINITY, f64::min) * (1.0 + TOLERANCE);
    viable.clear();
    for (j, slope) in slopes.iter().enumerate() {
        let at = piece.offset(k, j);
        if at < f64::INFINITY && piece.step(laws, k, j, slope.reach) <= nearest {
            let bound = others + slope.rise(piece.law(laws, j), piece.weight(k, j), at);
            if bound < limit {
                viable.push((bound, j));
            }
        }
    }
}

/// Assigns open arms, given in their order, to objectives, and lets go of the arms that are passed now.
fn assign(laws: impl Laws, level: &mut Level, piece: &AddPiece, choices: &[(usize, usize)]) {
    for (j, valley) in level.valleys.iter_mut().enumerate() {
        let mut least = usize::MAX;
        for &(k, _) in choices.iter().filter(|choice| choice.1 == j) {
            least = least.min(valley.insert(piece.weight(k, j), piece.offset(k, j)));
        }
        if least < usize::MAX {
            valley.rebuild(piece.law(laws, j), least);
        }
    }
    let mut next = choices.iter().map(|choice| choice.0).peekable();
    let valleys = &level.valleys;
    level.open.retain(|&k| {
        let k = k as usize;
        let assigned = next.next_if_eq(&k).is_some();
        !assigned && valleys.iter().enumerate().all(|(j, valley)| piece.offset(k, j) > valley.bottom.centre)
    });
}
