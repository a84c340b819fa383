//! A dense Cholesky factorisation, just what the interior-point method needs.

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
                let dot: f64 = other[..j].iter().zip(&row[..j]).map(|(x, y)| x * y).sum();
                row[j] = (row[j] - dot) / other[j];
            }
            let diagonal = row[i];
            let rest = diagonal - row[..i].iter().map(|x| x * x).sum::<f64>();
            row[i] = rest.max(1e-14 * diagonal).sqrt();
        }
    }

    /// Solves L Lᵀ x = b in place.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            let dot: f64 = self.l[i * n..i * n + i].iter().zip(&*b).map(|(x, y)| x * y).sum();
            b[i] = (b[i] - dot) / self.l[i * n + i];
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
