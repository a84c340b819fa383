//! The standard normal distribution.

/// The number that a standard normal variable stays below with probability `p`; infinite at 0 and 1.
///
/// The relative error is below 1e-9 for all p from 1e-300 to 1 − 1e-16.
///
/// ```
/// assert!((surefront::normal_quantile(0.975) - 1.959963984540054).abs() < 1e-12);
/// ```
pub fn normal_quantile(p: f64) -> f64 {
    if !(p > 0.0) {
        return f64::NEG_INFINITY;
    }
    if !(p < 1.0) {
        return f64::INFINITY;
    }
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    // From the tail's leading terms, Newton's method on ln Φ, which is concave and nearly a parabola.
    let target = p.ln();
    let mut x = if p > 0.02 { (p - 0.5) * (2.0 * std::f64::consts::PI).sqrt() } else { -(-2.0 * target).sqrt() };
    for _ in 0..50 {
        let (value, slope) = ln_cdf(x);
        let step = (value - target) / slope;
        x -= step;
        if step.abs() <= 1e-15 * x.abs() {
            break;
        }
    }
    x
}

/// ln Φ(x), and its derivative φ(x) / Φ(x).
pub(crate) fn ln_cdf(x: f64) -> (f64, f64) {
    if x > 0.0 {
        let density = (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let upper = density * mills(x);
        return ((-upper).ln_1p(), density / (1.0 - upper));
    }
    // Φ(x) = φ(x) · R(−x) with Mills' ratio R.
    let ratio = mills(-x);
    (-0.5 * x * x - 0.5 * (2.0 * std::f64::consts::PI).ln() + ratio.ln(), 1.0 / ratio)
}

/// Mills' ratio (1 − Φ(x)) / φ(x) for x ≥ 0: a series near zero, a continued fraction further out.
fn mills(x: f64) -> f64 {
    if x < 2.5 {
        // (½ − x (1 + x²/3 + x⁴/15 + …) φ) / φ: Φ(x) − ½ = φ(x) Σ x^(2i+1) / (1·3·5…(2i+1)), all terms of one sign.
        let (mut term, mut sum, mut i) = (x, x, 1.0);
        while term > 1e-17 * sum {
            i += 2.0;
            term *= x * x / i;
            sum += term;
        }
        return 0.5 * (2.0 * std::f64::consts::PI).sqrt() * (0.5 * x * x).exp() - sum;
    }
    // Laplace: 1 / (x + 1 / (x + 2 / (x + 3 / …))), from the inside out.
    let depth = (10.0 + 300.0 / (x * x)).min(80.0) as u32;
    let tail = (1..=depth).rev().fold(x, |tail, i| x + f64::from(i) / tail);
    1.0 / tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Φ by summing the density over small steps (Simpson), from far below.
    fn slow_cdf(x: f64) -> f64 {
        let (from, n) = (x.min(0.0) - 10.0, 40_000);
        let h = (x - from) / f64::from(n);
        let density = |t: f64| (-0.5 * t * t).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let inner: f64 = (1..n).map(|i| density(from + f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        (density(from) + density(x) + inner) * h / 3.0
    }

    #[test]
    fn the_cdf_is_the_integral_of_the_density() {
        for i in -80..=80 {
            let x = f64::from(i) / 10.0 + 0.003;
            let (fast, slow) = (ln_cdf(x).0, slow_cdf(x).ln());
            assert!((fast - slow).abs() <= 1e-10 * slow.abs().max(1.0), "{x}: {fast} {slow}");
            let slope = (ln_cdf(x + 1e-5).0 - ln_cdf(x - 1e-5).0) / 2e-5;
            assert!((ln_cdf(x).1 - slope).abs() <= 1e-6 * slope.abs().max(1e-3), "{x}");
        }
    }

    #[test]
    fn quantiles_undo_the_cdf() {
        for p in [1e-300, 1e-30, 1e-9, 0.001, 0.02, 0.3, 0.5, 0.7, 0.999, 1.0 - 1e-12] {
            let x = normal_quantile(p);
            let back = ln_cdf(x).0;
            assert!((back - f64::ln(p)).abs() <= 1e-10 * f64::ln(p).abs().max(1e-3), "{p}: {x}");
        }
        assert!(normal_quantile(0.5).abs() < 1e-15);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        assert_eq!(normal_quantile(f64::NAN), f64::NEG_INFINITY);
    }
}
