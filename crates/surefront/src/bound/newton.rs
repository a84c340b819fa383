//! The matrix of the Newton steps, factored where it has entries: a diagonal and, for each constraint, outer products of sparse vectors.
//!
//! The columns are made one after the other, each from the constraints that its arm is in and the columns before it that reach it; the
//! matrix itself is never written down. An arm off the front has a column of its few dominators, so that the work grows like the number
//! of arms, and only the front's own part like the cube of its size.

use super::elimination::Elimination;
use super::value::Value;

/// The factor L of a positive definite matrix, by columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    elimination: Elimination,
    /// By constraint: the arms that it has involved so far, ascending.
    cliques: Vec<Vec<usize>>,
    /// By place: the diagonal of L, and its entries at `elimination.below`.
    diagonal: Vec<f64>,
    columns: Vec<Vec<f64>>,
    room: Room,
}

/// Room for the columns under way, by place.
#[derive(Clone, Debug, Default)]
struct Room {
    column: Vec<f64>,
    /// The first of the columns whose next row is this one, and the one after each.
    first: Vec<usize>,
    after: Vec<usize>,
    /// By column: how many of its rows have been passed.
    passed: Vec<usize>,
}

const NOBODY: usize = usize::MAX;

/// One constraint's part of the matrix: gradient · ∇ ∇ᵀ + curvature · Σ v vᵀ, over the vectors of its [`Value`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    pub gradient: f64,
    pub curvature: f64,
}

impl Newton {
    /// Factors diagonal + Σ over the constraints. A pivot that rounding has made negative or zero is replaced by a tiny share of the
    /// diagonal entry: the direction it yields is still one of descent.
    pub fn factor(&mut self, diagonal: &[f64], values: &[Value], scales: &[Scales]) {
        let k = diagonal.len();
        self.learn(k, values);
        let Newton { elimination, diagonal: pivots, columns, room, .. } = self;
        let Elimination { arms, place, below, cliques } = &*elimination;
        room.column.clear();
        room.column.resize(k, 0.0);
        for list in [&mut room.first, &mut room.after] {
            list.clear();
            list.resize(k, NOBODY);
        }
        room.passed.clear();
        room.passed.resize(k, 0);
        pivots.clear();
        columns.resize(k, Vec::new());
        let Room { column, first, after, passed } = room;
        for at in 0..k {
            let arm = arms[at];
            column[at] = diagonal[arm];
            for &clique in &cliques[arm] {
                let mut add = |vector: &[(usize, f64)], scale: f64| {
                    let own: f64 = vector.iter().filter(|entry| entry.0 == arm).map(|entry| entry.1).sum();
                    if own != 0.0 {
                        vector.iter().for_each(|&(other, x)| column[place[other]] += scale * own * x);
                    }
                };
                let value = &values[clique];
                add(&value.gradient, scales[clique].gradient);
                value.vectors().for_each(|vector| add(vector, scales[clique].curvature));
            }
            let whole = column[at];
            let mut next = first[at];
            while next != NOBODY {
                let earlier = next;
                next = after[earlier];
                let from = passed[earlier];
                let (rows, entries) = (&below[earlier][from..], &columns[earlier][from..]);
                let factor = entries[0];
                rows.iter().zip(entries).for_each(|(&row, x)| column[row] -= factor * x);
                if rows.len() > 1 {
                    passed[earlier] = from + 1;
                    after[earlier] = first[rows[1]];
                    first[rows[1]] = earlier;
                }
            }
            let pivot = column[at].max(1e-14 * whole).sqrt();
            pivots.push(pivot);
            column[at] = 0.0;
            let entries = &mut columns[at];
            entries.clear();
            entries.extend(below[at].iter().map(|&row| std::mem::take(&mut column[row]) / pivot));
            // Entries of earlier arms, which are above the diagonal, are not part of this column.
            for &clique in &cliques[arm] {
                values[clique].entries().for_each(|(other, _)| column[place[other]] = 0.0);
            }
            if let Some(&row) = below[at].first() {
                after[at] = first[row];
                first[row] = at;
            }
        }
    }

    /// Solves L Lᵀ x = b in place; by arm.
    pub fn solve(&self, b: &mut [f64]) {
        let Elimination { arms, below, .. } = &self.elimination;
        let mut x: Vec<f64> = arms.iter().map(|&arm| b[arm]).collect();
        for at in 0..x.len() {
            x[at] /= self.diagonal[at];
            let value = x[at];
            below[at].iter().zip(&self.columns[at]).for_each(|(&row, entry)| x[row] -= entry * value);
        }
        for at in (0..x.len()).rev() {
            let rest: f64 = below[at].iter().zip(&self.columns[at]).map(|(&row, entry)| entry * x[row]).sum();
            x[at] = (x[at] - rest) / self.diagonal[at];
        }
        arms.iter().zip(x).for_each(|(&arm, x)| b[arm] = x);
    }

    /// Which arms each constraint involves depends on the weights: who is ahead. What it has involved once is kept in mind.
    fn learn(&mut self, arm_count: usize, values: &[Value]) {
        let mut grown = self.cliques.len() != values.len() || self.elimination.arms.len() != arm_count;
        self.cliques.resize(values.len(), Vec::new());
        for (clique, value) in self.cliques.iter_mut().zip(values) {
            for (arm, _) in value.entries() {
                if let Err(at) = clique.binary_search(&arm) {
                    clique.insert(at, arm);
                    grown = true;
                }
            }
        }
        if grown {
            self.elimination = Elimination::new(arm_count, &self.cliques);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cholesky::Cholesky;

    /// Constraints of any arms: a gradient and two vectors each, in which arms may repeat.
    fn constraints(k: usize) -> impl Strategy<Value = Vec<Value>> {
        let vector = move || proptest::collection::vec((0..k, -1.0..1.0f64), 1..5);
        let value = (vector(), vector(), vector()).prop_map(|(gradient, one, two)| {
            let ends = vec![one.len(), one.len() + two.len()];
            Value { log: 0.0, gradient, curvature: [one, two].concat(), curvature_ends: ends }
        });
        proptest::collection::vec(value, 0..40)
    }

    proptest! {
        /// Against the dense factorisation, also when constraints come to involve other arms.
        #[test]
        fn solves_as_the_dense_factorisation_does(
            (k, first, second) in (1..30usize).prop_flat_map(|k| (Just(k), constraints(k), constraints(k))),
            seed in 0.1..1.0f64,
        ) {
            let mut newton = Newton::default();
            for values in [first, second] {
                let diagonal: Vec<f64> = (0..k).map(|arm| 0.1 + seed * (1 + arm) as f64).collect();
                let scales: Vec<Scales> =
                    (0..values.len()).map(|i| Scales { gradient: seed + i as f64, curvature: 1.0 + seed }).collect();
                let mut matrix = vec![0.0; k * k];
                (0..k).for_each(|arm| matrix[arm * k + arm] = diagonal[arm]);
                let mut outer = |v: &[(usize, f64)], scale: f64| {
                    for &(i, x) in v {
                        v.iter().for_each(|&(j, y)| matrix[i * k + j] += scale * x * y);
                    }
                };
                for (value, scales) in values.iter().zip(&scales) {
                    outer(&value.gradient, scales.gradient);
                    value.vectors().for_each(|v| outer(v, scales.curvature));
                }
                let mut dense = Cholesky::default();
                dense.factor(k, &matrix);
                newton.factor(&diagonal, &values, &scales);
                let mut expected: Vec<f64> = (0..k).map(|arm| (arm as f64).cos()).collect();
                let mut found = expected.clone();
                dense.solve(&mut expected);
                newton.solve(&mut found);
                for (found, expected) in found.iter().zip(&expected) {
                    prop_assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found} {expected}");
                }
            }
        }
    }
}
