//! How likely it is that something is at least so far out: bounds that are never too small, as logarithms, so that nothing is too unlikely for them.

use std::f64::consts::PI;

/// Of |T| ≥ t, for Student's T with ν ≥ 1 degrees of freedom; nearly exact far out.
///
/// ν/(ν + T²) has the law Beta(ν/2, ½). Its density up to b is at most that at b but for the power u^(ν/2 − 1), which leaves
/// b^(ν/2) / (ν/2 · B(ν/2, ½) · √(1 − b)); and 1 / (ν/2 · B(ν/2, ½)) = Γ(ν/2 + ½) / (Γ(ν/2 + 1) √π) ≤ 1 / √(π (ν/2 + ¼)) (Watson).
pub fn student(degrees: f64, t_squared: f64) -> f64 {
    if t_squared == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    if !(t_squared > 0.0 && degrees >= 1.0) {
        return 0.0;
    }
    let power = -0.5 * degrees * (t_squared / degrees).ln_1p();
    let shape = 0.5 * (PI * (0.5 * degrees + 0.25)).ln() + 0.5 * (t_squared / (degrees + t_squared)).ln();
    (power - shape).min(0.0)
}

/// Of a χ² variable with so many degrees of freedom being `ratio` times its mean, or further from it on the same side (Chernoff).
pub fn chi_square(degrees: f64, ratio: f64) -> f64 {
    if ratio <= 0.0 {
        return f64::NEG_INFINITY;
    }
    -0.5 * degrees * (ratio - 1.0 - ratio.ln())
}

/// Of `hits` or more in so many independent trials, each with at most this chance (Chernoff).
pub fn binomial(trials: f64, hits: f64, chance: f64) -> f64 {
    let share = hits / trials;
    if !(share > chance) {
        return 0.0;
    }
    let rest = if share < 1.0 { (1.0 - share) * ((1.0 - share) / (1.0 - chance)).ln() } else { 0.0 };
    -trials * (share * (share / chance).ln() + rest)
}

/// Of a martingale whose steps have fair signs ever having the sum `sum` where the squares of its steps sum up to `squares`: at any moment, in either
/// direction. The mixture of exp(λ S − λ² V/2) over λ ~ N(0, 1/r) is a supermartingale that begins at one; `guess`, the r, is best
/// where V is some twenty times as large.
pub fn fair_signs(sum: f64, squares: f64, guess: f64) -> f64 {
    let all = squares + guess;
    (0.5 * (all / guess).ln() - 0.5 * sum * sum / all).min(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P(|T| ≥ t) by summing the density (midpoints of the substitution t = √ν tan φ, whose density is cos^(ν − 1) φ).
    fn slow_student(degrees: f64, t: f64) -> f64 {
        let steps = 200_000;
        let mass = |from: f64, to: f64| {
            let h = (to - from) / f64::from(steps);
            (0..steps).map(|i| (from + (f64::from(i) + 0.5) * h).cos().powf(degrees - 1.0) * h).sum::<f64>()
        };
        let half = std::f64::consts::FRAC_PI_2;
        mass((t / degrees.sqrt()).atan(), half) / mass(0.0, half)
    }

    #[test]
    fn students_tail_is_bounded_tightly() {
        for degrees in [1.0, 2.0, 5.0, 30.0, 300.0] {
            for t in [0.1, 1.0, 2.0, 4.0, 6.0] {
                let (bound, truth) = (student(degrees, t * t), slow_student(degrees, t).ln());
                assert!(bound >= truth - 1e-6, "{degrees} {t}: {bound} {truth}");
                assert!(t < 4.0 || bound < truth + 0.1, "{degrees} {t}: {bound} {truth}");
            }
        }
        assert_eq!(
            (student(5.0, f64::INFINITY), student(5.0, f64::NAN), student(0.0, 4.0)),
            (f64::NEG_INFINITY, 0.0, 0.0)
        );
    }

    #[test]
    fn other_tails_are_bounded() {
        // χ² with 2 degrees of freedom is exponential: P(χ² ≥ 2 x) = exp(−x), P(χ² ≤ 2 x) = 1 − exp(−x).
        for x in [1.5, 3.0, 20.0] {
            assert!(chi_square(2.0, x) >= -x && chi_square(2.0, x) < 0.0);
        }
        for x in [0.5_f64, 0.01] {
            assert!(chi_square(2.0, x) >= (1.0 - (-x).exp()).ln());
        }
        // All of ten: the bound is the probability itself.
        assert!((binomial(10.0, 10.0, 0.25) - 10.0 * 0.25_f64.ln()).abs() < 1e-12);
        assert_eq!(binomial(10.0, 2.0, 0.25), 0.0);
        assert!(binomial(0.0, 0.0, 0.25) == 0.0);
    }
}
