//! A dense Cholesky factorisation, for correlated noise.

/// The factor L of a symmetric positive definite matrix, row by row, lower part.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cholesky {
    n: usize,
    l: Vec<f64>,
}

impl Cholesky {
    /// Factors the n × n matrix of which `a` holds the lower part, row by row in full rows. A pivot that rounding has made
    /// negative or zero is replaced by a tiny share of the diagonal entry: the direction it yields is still one of descent.
    pub fn factor(&mut self, n: usize, a: &[f64]) {
        self.n = n;
        self.l.clear();
        self.l.extend_from_slice(a);
        for i in 0..n {
            let (above, row) = self.l.split_at_mut(i * n);
            for j in 0..i {
                let other = &above[j * n..j * n + j + 1];
                row[j] = (row[j] - dot(&other[..j], &row[..j])) / other[j];
            }
            let diagonal = row[i];
            let rest = diagonal - dot(&row[..i], &row[..i]);
            row[i] = rest.max(1e-14 * diagonal).sqrt();
        }
    }

    /// An entry of L; zero above the diagonal.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        if column <= row { self.l[row * self.n + column] } else { 0.0 }
    }

    /// L x in place of x.
    pub fn multiply(&self, x: &mut [f64]) {
        let n = self.n;
        for i in (0..n).rev() {
            x[i] = dot(&self.l[i * n..i * n + i + 1], &x[..i + 1]);
        }
    }

    /// Solves L Lᵀ x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            b[i] = (b[i] - dot(&self.l[i * n..i * n + i], &b[..i])) / self.l[i * n + i];
        }
        for i in (0..n).rev() {
            b[i] /= self.l[i * n + i];
            let value = b[i];
            for (j, entry) in b[..i].iter_mut().enumerate() {
                *entry -= self.l[i * n + j] * value;
            }
        }
    }
}

/// The scalar product, in eight lanes so that it can be computed in parallel.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    debug_assert_eq!(a.len(), b.len());
    let mut lanes = [0.0; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_factored() {
        let a = [4.0, 2.0, 1.0, 2.0, 5.0, 3.0, 1.0, 3.0, 6.0];
        let x = [1.0, -2.0, 3.0];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[3 * i + j] * x[j]).sum()).collect();
        let mut cholesky = Cholesky::default();
        cholesky.factor(3, &a);
        cholesky.solve(&mut b);
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-14));
    }
}
