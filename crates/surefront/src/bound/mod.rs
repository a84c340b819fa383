//! The information bound: T* and the optimal allocation w*, with a certified gap.
//!
//! 1 / T* = max over allocations w of the least transport cost g(w) (paper, Proposition 1). No rule that errs with
//! probability at most δ can stop, on average, before T* · kl(δ, 1 − δ) samples, and the best ones come close.
//!
//! Where measurements cost differently it is the cost that counts: Σ c_k w_k = 1 takes the place of Σ w_k = 1, and T* is the least total cost.
//!
//! The least over infinitely many alternatives is handled by few [`Constraint`]s: an interior-point method solves the
//! problem restricted to those found so far, the oracle finds the pieces that the solution violates, and so on until the
//! value that the oracle confirms and the value that the multipliers rule out meet. Both ends are certificates of their own:
//! T* ≤ 1 / g(w) for the w found, and T* ≥ 1 / max_k Σ_i α_i ∂_k f_i / c_k for the multipliers found, whatever rounding did.

mod constraint;
mod elimination;
mod interior;
mod newton;
mod together;
mod value;

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;

use self::constraint::Constraint;
use self::value::Key;
use crate::front::{Front, covers};
use crate::model::Model;
use crate::problem::Problem;
use crate::question::{Question, QuestionError};
use crate::transport::{Closest, Method, Oracle, Piece, Tolls};
use crate::weights::Weights;

/// Rounds of adding what the oracle finds violated; a handful is usual.
const MOST_ROUNDS: usize = 100;

/// T*, between two certified ends, and an allocation that attains the upper one. Where measurements cost differently, T* is a cost; otherwise
/// it counts samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// T* is not below this.
    pub lower: f64,
    /// T* is not above this: the allocation [`Bound::weights`] attains it.
    pub upper: f64,
    /// The allocation: the shares of the samples, adding up to one.
    pub weights: Weights,
    /// What a sample costs on average at that allocation: T* over it is the number of samples. One, where nothing was said of costs.
    pub mean_cost: f64,
    /// The pieces that hold T* up, and the share of the samples, or of their cost, that each takes, the largest first; the shares add up to one but
    /// for what is left out as negligible. With the multiplier α_i of piece i and its cost f_i, arm k gets
    /// c_k w_k = Σ_i α_i w_k ∂_k f_i / f_i, and each piece Σ_k α_i w_k ∂_k f_i / f_i = α_i of all samples.
    pub pieces: Vec<(Piece, f64)>,
}

/// Smaller shares are those of pieces that the interior point has not yet left behind.
const NEGLIGIBLE: f64 = 1e-3;

impl Bound {
    /// With an allocation of which only the proportions matter.
    fn attained((lower, upper): (f64, f64), problem: &Problem, weights: &Weights, pieces: Vec<(Piece, f64)>) -> Self {
        let total: f64 = weights.iter().sum();
        let cost = problem.total_cost(weights);
        let shares = weights.iter().map(|weight| weight / total).collect();
        let weights = Weights::new(weights.len(), shares).expect("they are in proportion to weights");
        Bound { lower, upper, weights, mean_cost: cost / total, pieces }
    }

    /// The number of samples that T* comes to at the allocation.
    pub fn samples(&self) -> f64 {
        self.upper / self.mean_cost
    }

    /// The relative gap between the two ends.
    pub fn gap(&self) -> f64 {
        if self.upper > 0.0 { (self.upper - self.lower) / self.lower } else { 0.0 }
    }
}

/// Why there is no bound.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BoundError {
    /// Two arms on the front have the same means: no number of samples tells whether one dominates the other.
    #[error("the arms number {first} and {second} have the same means: no number of samples can tell them apart", first = .arms[0] + 1, second = .arms[1] + 1)]
    Twins {
        /// The two arms.
        arms: [usize; 2],
    },
    /// An arm off the front ties with the arm that dominates it in an objective: no number of samples tells on which side of the
    /// tie it is.
    #[error("the arm number {first} is dominated by number {second} with an exact tie in objective number {objective}: no number of samples can tell whether it is on the front", first = .arms[0] + 1, second = .arms[1] + 1, objective = .objective + 1)]
    Tie {
        /// The arm off the front, and the one that dominates it.
        arms: [usize; 2],
        /// The objective in which they tie.
        objective: usize,
    },
    /// Two arms differ by as much as does not matter, exactly: no number of samples tells whether it is more.
    #[error("the arm number {first} is beaten by number {second} by exactly the margins: no number of samples can tell whether it is by more", first = .arms[0] + 1, second = .arms[1] + 1)]
    AtMargin {
        /// The arm that is named, and the one that beats it.
        arms: [usize; 2],
    },
    /// An arm stands exactly at a limit: no number of samples tells whether it keeps it.
    #[error("the arm number {number} is exactly at a limit of objective number {objective}: no number of samples can tell whether it keeps it", number = .arm + 1, objective = .objective + 1)]
    AtLimit {
        /// The arm.
        arm: usize,
        /// The objective of the limit.
        objective: usize,
    },
    /// The model is not one of the problem.
    #[error(transparent)]
    OtherModel(#[from] QuestionError),
    /// The gap asked for is not a positive number.
    #[error("the tolerance is {value}: write a number above 0, such as 1e-6")]
    BadTolerance {
        /// What was asked for.
        value: f64,
    },
    /// Rounding keeps the two ends apart.
    #[error("rounding keeps the bound between {lower} and {upper}: ask for a larger tolerance than {tolerance}")]
    Stalled {
        /// T* is not below this.
        lower: f64,
        /// T* is not above this.
        upper: f64,
        /// The relative gap asked for.
        tolerance: f64,
    },
}

/// T* and w* of `model`, to a relative gap of `tolerance`.
///
/// Where no alternative exists (a single arm, or no noise wherever it matters), T* is zero.
///
/// ```
/// # use surefront::{Arm, Goal, Model, Noise, Objective, Problem, bound};
/// // Best of two arms, one apart, with unit variance: T* = 8, half of the samples each.
/// # let objective = Objective::new("x", Goal::Max, Noise::Variance(1.0));
/// # let problem = Problem::new(vec![objective], vec![Arm::named("a"), Arm::named("b")])?;
/// let model = Model::new(&problem, &[[0.0], [1.0]])?;
/// let bound = bound(&problem, &model, 1e-6)?;
/// assert!(bound.lower <= 8.0 && 8.0 <= bound.upper * (1.0 + 1e-12) && bound.gap() <= 1e-6);
/// assert!((bound.weights[0] - 0.5).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When means tie so that no number of samples suffices, or rounding prevents the gap asked for; also when the model is not one of the
/// problem, or the gap not a positive number.
pub fn bound(problem: &Problem, model: &Model, tolerance: f64) -> Result<Bound, BoundError> {
    // Written so that NaN fails.
    if !(tolerance > 0.0 && tolerance < f64::INFINITY) {
        return Err(BoundError::BadTolerance { value: tolerance });
    }
    let front = Front::of(model);
    let mut oracle = Oracle::new(problem, Method::Auto).expect("`auto` fits every problem");
    // The same is spent on each.
    let even = (0..problem.arm_count()).map(|arm| problem.cost(arm).recip()).collect();
    let mut weights = Weights::new(problem.arm_count(), even).expect("costs are above zero");
    let question = Question::new(problem, model, &front, &weights)?;
    let Some(closest) = oracle.closest(&question) else {
        return Ok(Bound::attained((0.0, 0.0), problem, &weights, Vec::new()));
    };
    if closest.cost == 0.0 {
        return Err(tie(&question, closest.piece));
    }

    let mut pool = Pool::default();
    oracle.cheapest_by_arm(&question, |closest| {
        pool.add(&question, closest);
    });
    let (mut lower, mut upper) = (0.0, f64::INFINITY);
    let mut best = (weights.clone(), Vec::new());
    for _ in 0..MOST_ROUNDS {
        // A limit may be the cheapest way out as long as an arm has no weight to speak of: the next round must not begin where it has none.
        let start = if problem.has_limits() { halfway(problem, &weights) } else { weights.clone() };
        let optimum = interior::maximise(&pool.constraints, problem.costs(), &start, tolerance / 4.0);
        weights = Weights::new(problem.arm_count(), optimum.weights).expect("the method keeps inside the simplex");
        upper = upper.min(optimum.upper);
        let question = Question::unchecked(problem, model, &front, &weights);
        let mut violated = Vec::new();
        let mut value = f64::INFINITY;
        oracle.each_below(&question, optimum.lower * (1.0 - 1e-12), |closest| {
            value = value.min(closest.cost);
            violated.push(closest.clone());
        });
        let value = value.min(optimum.lower);
        if value > lower {
            lower = value;
            best = (weights.clone(), optimum.shares);
        }
        if upper <= lower * (1.0 + tolerance) {
            let (weights, shares) = best;
            return Ok(Bound::attained((upper.recip(), lower.recip()), problem, &weights, pool.by_piece(&shares)));
        }
        // The most violated first, and not so many that the next round drowns in them.
        violated.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        violated.truncate(2 * problem.arm_count() + 10);
        let mut added = false;
        for closest in &violated {
            added |= pool.add(&question, closest);
        }
        if !added {
            break;
        }
    }
    Err(BoundError::Stalled { lower: upper.recip(), upper: lower.recip(), tolerance })
}

/// Halfway from weights that cost one altogether to those by which the same is spent on each arm.
fn halfway(problem: &Problem, weights: &Weights) -> Weights {
    let (total, arms) = (problem.total_cost(weights), problem.arm_count() as f64);
    let half = |(arm, weight): (usize, &f64)| 0.5 * weight / total + 0.5 / (problem.cost(arm) * arms);
    Weights::new(problem.arm_count(), weights.iter().enumerate().map(half).collect()).expect("they are positive")
}

/// The constraints found so far, each once.
#[derive(Default)]
struct Pool {
    known: HashSet<Key>,
    constraints: Vec<Constraint>,
    /// Of which piece each constraint is.
    pieces: Vec<Piece>,
}

impl Pool {
    /// Whether the constraint is new.
    fn add(&mut self, question: &Question<'_>, closest: &Closest) -> bool {
        let (key, constraint) = Constraint::new(question, closest);
        let new = self.known.insert(key);
        if new {
            self.constraints.push(constraint);
            self.pieces.push(closest.piece);
        }
        new
    }

    /// The shares of the constraints, which may be those of an earlier and smaller pool, added up by piece.
    fn by_piece(&self, shares: &[f64]) -> Vec<(Piece, f64)> {
        let mut sums = BTreeMap::new();
        for (&piece, share) in self.pieces.iter().zip(shares) {
            *sums.entry(piece).or_insert(0.0) += share;
        }
        let mut pieces: Vec<(Piece, f64)> = sums.into_iter().filter(|(_, share)| *share >= NEGLIGIBLE).collect();
        pieces.sort_by(|a, b| b.1.total_cmp(&a.1));
        pieces
    }
}

/// The arms behind a cost of zero.
fn tie(question: &Question<'_>, piece: Piece) -> BoundError {
    if let Some(tolls) = Tolls::new(question) {
        let members = question.front().members().iter().copied();
        let exits = members.map(|arm| (arm, tolls.exit(arm))).filter(|(_, exit)| exit.cost == 0.0);
        if let Some((arm, exit)) = exits.min_by_key(|&(arm, _)| arm != piece.arm()) {
            return BoundError::AtLimit { arm, objective: exit.objective };
        }
        // Costs too small to be told from zero count as ties as well.
        let broken = tolls.most_broken(piece.arm());
        if let Some(toll) = broken {
            return BoundError::AtLimit { arm: piece.arm(), objective: toll.objective };
        }
    }
    match piece {
        Piece::Infeasible { arm } => BoundError::AtLimit { arm, objective: 0 },
        Piece::Remove { arm, through } if question.problem().has_margins() => {
            BoundError::AtMargin { arms: [arm, through] }
        }
        Piece::Remove { arm, through } => BoundError::Twins { arms: [arm.min(through), arm.max(through)] },
        Piece::Add { arm } => {
            let own = question.side(arm);
            let members = question.front().members().iter().copied();
            let leads = || {
                let above = members.clone().filter(|&k| covers(question.raised(k).mean, own.mean));
                above.flat_map(|k| question.raised(k).against(own).enumerate().map(move |(j, lead)| (k, j, lead)))
            };
            // Costs too small to be told from zero count as ties as well: the smallest gap stands for them.
            let tied = leads().find(|(_, _, lead)| lead.gap == 0.0 && lead.is_movable());
            let least = || leads().min_by(|a, b| a.2.gap.total_cmp(&b.2.gap));
            let (other, objective, _) = tied.or_else(least).expect("an arm off the front is dominated");
            if question.problem().has_margins() {
                return BoundError::AtMargin { arms: [other, arm] };
            }
            BoundError::Tie { arms: [arm, other], objective }
        }
    }
}
