//! The answer of the oracle: a piece, what it costs, and the arms it moves.

use thiserror::Error;

use super::add::is_in_the_way;
use super::make_room;
use crate::front::covers;
use crate::limit::{POST, behind_post};
use crate::model::Model;
use crate::question::Question;

/// One way of changing the front. Among pieces of equal cost the least is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Piece {
    /// An arm of the front comes to be covered by another one.
    Remove {
        /// The arm that is covered.
        arm: usize,
        /// The arm that covers it.
        through: usize,
    },
    /// An arm off the front is no longer covered by any arm of the front.
    Add {
        /// That arm.
        arm: usize,
    },
    /// An arm of the front comes to break one of its limits.
    Infeasible {
        /// That arm.
        arm: usize,
    },
}

/// A piece that does not belong to the question: there is no such arm, or it is on the other side of the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{piece:?} is no way of changing this front: remove an arm of the front through another one of it, or add one that is off it"
)]
pub struct PieceError {
    /// The piece asked about.
    pub piece: Piece,
}

impl Piece {
    /// The arm that leaves or enters the front.
    pub fn arm(self) -> usize {
        match self {
            Piece::Remove { arm, .. } | Piece::Add { arm } | Piece::Infeasible { arm } => arm,
        }
    }

    /// The arm that covers the one that leaves; `None` where an arm enters, or leaves by itself.
    pub fn through(self) -> Option<usize> {
        match self {
            Piece::Remove { through, .. } => Some(through),
            Piece::Add { .. } | Piece::Infeasible { .. } => None,
        }
    }

    /// Checks that the piece is one of the question's.
    pub(super) fn check(self, question: &Question<'_>) -> Result<(), PieceError> {
        let (front, arms) = (question.front(), question.model().arm_count());
        let fits = match self {
            Piece::Remove { arm, through } => {
                let may_cover = front.contains(through) || (through < arms && question.problem().has_margins());
                front.contains(arm) && may_cover && arm != through
            }
            Piece::Add { arm } => arm < arms && !front.contains(arm),
            Piece::Infeasible { arm } => front.contains(arm) && question.problem().has_limits(),
        };
        if fits { Ok(()) } else { Err(PieceError { piece: self }) }
    }
}

/// The closest alternative: what it costs, how it changes the front, and the arms it moves.
#[derive(Clone, Debug)]
pub struct Closest {
    /// D_w(μ, λ) = Σ_k w_k KL(μ_k, λ_k).
    pub cost: f64,
    /// How the front changes.
    pub piece: Piece,
    pub(super) d: usize,
    pub(super) arms: Vec<usize>,
    pub(super) gradient: Vec<f64>,
    pub(super) rows: Vec<f64>,
    pub(super) shift: Vec<f64>,
    /// Of what is only limited: which of the arms moves in which objective, and where to.
    pub(super) readings: Vec<(usize, usize, f64)>,
}

impl Closest {
    pub(super) fn empty() -> Self {
        Closest {
            cost: f64::INFINITY,
            piece: Piece::Add { arm: 0 },
            d: 0,
            arms: Vec::new(),
            gradient: Vec::new(),
            rows: Vec::new(),
            shift: Vec::new(),
            readings: Vec::new(),
        }
    }

    /// Nothing moved yet.
    pub(super) fn begin(&mut self, piece: Piece, d: usize) {
        self.piece = piece;
        self.d = d;
        self.arms.clear();
        self.gradient.clear();
        self.rows.clear();
        self.shift.clear();
        self.readings.clear();
    }

    /// All moves are written: their cost.
    pub(super) fn settle(&mut self, question: &Question<'_>) {
        // Whoever has not been measured moves for nothing, even to the edge of the domain, where the derivative is infinite.
        let paid = |weight: f64, derivative: f64| if weight == 0.0 { 0.0 } else { weight * derivative };
        self.cost = self.arms.iter().zip(&self.gradient).map(|(&arm, &g)| paid(question.weights()[arm], g)).sum();
        debug_assert!(changes_front(question, self), "{self:?} leaves the front as it is");
    }

    pub(super) fn reserve(&mut self, d: usize, p: usize) {
        make_room(&mut self.arms, p + 2);
        make_room(&mut self.gradient, p + 2);
        make_room(&mut self.rows, (p + 2) * d);
        make_room(&mut self.shift, d);
    }

    /// The arms that differ from the model; first the one that leaves or enters the front.
    pub fn arms(&self) -> &[usize] {
        &self.arms
    }

    /// The derivatives of the cost in the weights, KL(μ_k, λ_k), of the arms in [`Closest::arms`]; all others are zero.
    pub fn gradient(&self) -> &[f64] {
        &self.gradient
    }

    /// How far an added arm moves; empty for a removal.
    pub(crate) fn shift(&self) -> &[f64] {
        &self.shift
    }

    /// The derivatives of the cost in the weights of all `arm_count` arms.
    ///
    /// # Panics
    /// When the question had more arms, and one of these moves.
    pub fn dense_gradient(&self, arm_count: usize) -> Vec<f64> {
        let mut dense = vec![0.0; arm_count];
        for (&arm, &derivative) in self.arms.iter().zip(&self.gradient) {
            dense[arm] = derivative;
        }
        dense
    }

    /// The alternative: `model`, which must be that of the question, with the moved arms where they moved to.
    ///
    /// # Panics
    /// When the model has fewer arms than the question's, or another number of objectives.
    pub fn alternative(&self, model: &Model) -> Model {
        let mut alternative = model.clone();
        for (&arm, row) in self.arms.iter().zip(self.rows.chunks_exact(self.d)) {
            alternative.set(arm, row);
        }
        for &(place, objective, mean) in &self.readings {
            alternative.set_idle(self.arms[place], objective, mean);
        }
        alternative
    }
}

/// Whether the alternative is in the closure of those with another front: the piece's arm is covered, or not covered, as the
/// piece says, where a tie counts either way unless both arms are without noise.
fn changes_front(question: &Question<'_>, closest: &Closest) -> bool {
    let (problem, model) = (question.problem(), question.model());
    let alternative = closest.alternative(model);
    let certain =
        |a: usize, b: usize, j: usize| problem.precision(a)[j].is_infinite() && problem.precision(b)[j].is_infinite();
    // To break a limit is, for what is not certain, to be no further than at it; to keep it, no less than at it but for rounding.
    let readings = |arm: usize| {
        let (limits, gate) = (alternative.limited()?, problem.gate()?.problem());
        let noisy = gate.precision(behind_post(arm)).iter().map(|precision| precision.is_finite());
        Some(limits.row(behind_post(arm)).iter().zip(limits.row(POST)).zip(noisy))
    };
    let breaks =
        |arm: usize| readings(arm).is_some_and(|mut all| all.any(|((x, at), noisy)| x < at || noisy && x <= at));
    let keeps = |arm: usize| {
        readings(arm).is_none_or(|mut all| all.all(|((x, at), _)| *x >= at - 8.0 * f64::EPSILON * (x.abs() + at.abs())))
    };
    match closest.piece {
        Piece::Infeasible { arm } => breaks(arm),
        Piece::Add { arm } if !keeps(arm) => false,
        Piece::Remove { arm, through } => covers(alternative.row(through), alternative.row(arm)) && keeps(through),
        Piece::Add { arm } => question.front().members().iter().all(|&k| {
            let (row, other) = (alternative.row(arm), alternative.row(k));
            // The arm moves to a rounded sum: what it passes without moving it may miss by a rounding error.
            let passed = |j: usize| row[j] >= other[j] - 4.0 * f64::EPSILON * (row[j].abs() + model.row(arm)[j].abs());
            let aside = !is_in_the_way(question, question.side(arm), question.raised(k));
            aside || breaks(k) || (0..row.len()).any(|j| if certain(arm, k, j) { row[j] > other[j] } else { passed(j) })
        }),
    }
}

/// Whether the offered piece is cheaper than the best so far, or as cheap and before it in the order of pieces.
pub(super) fn better(offer: (f64, Piece), best: Option<(f64, Piece)>) -> bool {
    best.is_none_or(|best| offer.0 < best.0 || offer.0 == best.0 && offer.1 < best.1)
}
