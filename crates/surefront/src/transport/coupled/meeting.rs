//! *Remove* with correlated noise: an arm of the front comes to be covered by another.
//!
//! With the gaps a = μ_arm − μ_through and S = Σ_arm/w_arm + Σ_through/w_through, the two have to come closer by x ≥ a, at the cost of ½ xᵀ S⁻¹ x: a
//! [`Basin`] with one immovable wall in every objective, that is, non-negative least squares in the forces ν. The arm moves by −Σ_arm ν/w_arm,
//! the other by Σ_through ν/w_through.

use super::basin::Basin;
use crate::correlation::Coupling;
use crate::law::Gaussian;
use crate::side::Side;

/// Room for one removal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meeting {
    basin: Basin,
}

impl Meeting {
    /// The least cost of a model in which `through` covers `arm`; infinite if there is none.
    pub fn cost(&mut self, coupling: &Coupling, arm: Side, through: Side) -> f64 {
        let movable = arm.precision.iter().chain(through.precision).any(|precision| precision.is_finite());
        if !movable {
            return f64::INFINITY;
        }
        let gaps: Vec<f64> = arm.gaps(through).collect();
        self.meet(coupling, [arm, through].map(|side| (side, side.weight)), &gaps, |j| {
            !is_free(arm, j) && !is_free(through, j)
        })
    }

    /// A lower bound on the cost: that of the dearest objective alone.
    pub fn lower_bound(arm: Side, through: Side) -> f64 {
        arm.against(through)
            .filter(|contrast| contrast.gap > 0.0)
            .fold(0.0, |most, contrast| most.max(contrast.cost_by(Gaussian)))
    }

    /// Where the two meet: writes the arms' means in the closest such model and returns their gradients.
    pub fn closest(
        &mut self,
        coupling: &Coupling,
        arm: Side,
        through: Side,
        arm_to: &mut [f64],
        through_to: &mut [f64],
    ) -> (f64, f64) {
        let mut gradients = (0.0, 0.0);
        self.cost(coupling, arm, through);
        arm_to.copy_from_slice(arm.mean);
        through_to.copy_from_slice(through.mean);
        gradients.0 += self.step(coupling, arm, arm.weight, -1.0, arm_to);
        gradients.1 += self.step(coupling, through, through.weight, 1.0, through_to);
        if arm.weight == 0.0 || through.weight == 0.0 {
            // Whoever has not been measured moves for nothing, and now the rest of the way.
            let unit = |side: Side| if side.weight == 0.0 { 1.0 } else { 0.0 };
            let gaps: Vec<f64> = arm_to.iter().zip(through_to.iter()).map(|(one, two)| one - two).collect();
            let sides = [arm, through].map(|side| Side { weight: unit(side), ..side });
            self.meet(coupling, sides.map(|side| (side, side.weight)), &gaps, |j| {
                is_free(arm, j) || is_free(through, j)
            });
            gradients.0 += self.step(coupling, arm, unit(arm), -1.0, arm_to);
            gradients.1 += self.step(coupling, through, unit(through), 1.0, through_to);
        }
        // Where they meet they are level, to the last digit.
        for (j, (one, two)) in arm_to.iter_mut().zip(through_to).enumerate() {
            if *one > *two {
                if through.precision[j] == f64::INFINITY { *one = *two } else { *two = *one }
            }
        }
        gradients
    }

    /// The least cost of closing the gaps in some objectives; an arm of weight zero stays where it is.
    fn meet(
        &mut self,
        coupling: &Coupling,
        sides: [(Side, f64); 2],
        gaps: &[f64],
        closes: impl Fn(usize) -> bool,
    ) -> f64 {
        let own = self.basin.reset(gaps.len());
        for (side, weight) in sides.into_iter().filter(|(_, weight)| *weight > 0.0) {
            coupling.add_covariance(side.precision, weight, own);
        }
        for (j, &gap) in gaps.iter().enumerate().filter(|(j, _)| closes(*j)) {
            self.basin.build(j, j, gap, f64::INFINITY);
        }
        self.basin.solve()
    }

    /// Moves a mean as the forces on it say, and returns what that costs per unit of weight.
    fn step(&self, coupling: &Coupling, side: Side, weight: f64, sign: f64, to: &mut [f64]) -> f64 {
        if weight == 0.0 {
            return 0.0;
        }
        let force = self.basin.force();
        let mut cost = 0.0;
        for (i, to) in to.iter_mut().enumerate() {
            let covariances =
                force.iter().enumerate().map(|(j, force)| coupling.covariance(side.precision, i, j) * force);
            let by = covariances.sum::<f64>() / weight;
            cost += 0.5 * by * force[i] / weight;
            if by != 0.0 {
                *to += sign * by;
            }
        }
        cost
    }
}

/// Whether an arm moves for nothing in an objective: it has noise there, and was not measured.
fn is_free(side: Side, j: usize) -> bool {
    side.weight == 0.0 && side.precision[j].is_finite()
}
