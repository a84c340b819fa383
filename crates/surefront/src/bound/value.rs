//! What the interior-point method needs to know of a constraint.

use crate::transport::Piece;

/// What tells one constraint from another: the piece, and for an *add* piece every front arm's objective.
pub(crate) type Key = (Piece, Vec<usize>);

/// The logarithm of a constraint at some weights, with its derivatives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Value {
    pub log: f64,
    /// ∇ ln f, by arm; an arm may come more than once.
    pub gradient: Vec<(usize, f64)>,
    /// −∇² ln f = ∇ ln f (∇ ln f)ᵀ + Σ v vᵀ over these vectors: the entries, and where each vector ends.
    pub curvature: Vec<(usize, f64)>,
    pub curvature_ends: Vec<usize>,
}

impl Value {
    /// As a function of what is spent on each arm, where a unit of its weight costs this.
    pub fn per_cost(mut self, costs: &[f64]) -> Self {
        let entries = self.gradient.iter_mut().chain(&mut self.curvature);
        entries.for_each(|(arm, x)| *x /= costs[*arm]);
        self
    }

    /// The vectors of the curvature.
    pub fn vectors(&self) -> impl Iterator<Item = &[(usize, f64)]> {
        let starts = std::iter::once(0).chain(self.curvature_ends.iter().copied());
        starts.zip(&self.curvature_ends).map(|(from, &to)| &self.curvature[from..to])
    }

    /// All entries, of the gradient and of the curvature.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> {
        self.gradient.iter().chain(&self.curvature).copied()
    }

    /// From f, ∇f and the vectors of −∇²f to those of its logarithm.
    pub fn of_logarithm(mut self, value: f64) -> Self {
        self.log = value.ln();
        self.gradient.iter_mut().for_each(|entry| entry.1 /= value);
        let root = value.sqrt();
        self.curvature.iter_mut().for_each(|entry| entry.1 /= root);
        self
    }
}
