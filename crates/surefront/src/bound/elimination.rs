//! In which order the arms are eliminated from a Newton system, and where its factor has entries.
//!
//! The matrix is a diagonal and one small clique for each constraint: the arms that it involves. An arm off the front is in the constraints of its own
//! piece only, and two such arms are never in the same one. So they can all go first, without any of them touching another, and what is left is a
//! system in the arms of the front. In general: first a set of arms of which no two share a constraint, those in the fewest constraints
//! first; then always the arm with the fewest neighbours; and once nearly all are neighbours, all that are left.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An order of the arms, and by place in that order the rows below the diagonal of the factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elimination {
    /// The arms, in order.
    pub arms: Vec<usize>,
    /// By arm: its place in the order.
    pub place: Vec<usize>,
    /// By place: the later places that the factor has entries at, ascending.
    pub below: Vec<Vec<usize>>,
    /// By arm: the cliques that it is in, ascending.
    pub cliques: Vec<Vec<usize>>,
}

impl Elimination {
    /// For so many arms, and cliques of arms without repetition.
    pub fn new(arm_count: usize, cliques: &[Vec<usize>]) -> Self {
        let mut of_arm = vec![Vec::new(); arm_count];
        for (number, clique) in cliques.iter().enumerate() {
            clique.iter().for_each(|&arm| of_arm[arm].push(number));
        }
        let mut stamp = vec![usize::MAX; arm_count];
        let mut order = Order { arms: Vec::with_capacity(arm_count), below: Vec::with_capacity(arm_count) };
        let mut eliminated = vec![false; arm_count];
        let mut taken = vec![false; cliques.len()];
        let mut by_size: Vec<usize> = (0..arm_count).collect();
        by_size.sort_by_key(|&arm| of_arm[arm].len());
        for arm in by_size {
            if of_arm[arm].iter().all(|&clique| !taken[clique]) {
                of_arm[arm].iter().for_each(|&clique| taken[clique] = true);
                eliminated[arm] = true;
                order.push(arm, union(arm, of_arm[arm].iter().map(|&clique| &cliques[clique]), &mut stamp));
            }
        }

        // What is left: the cliques in which no arm was eliminated, and those that an eliminated arm leaves behind.
        let left: Vec<&Vec<usize>> =
            cliques.iter().zip(&taken).filter(|(_, taken)| !**taken).map(|(clique, _)| clique).collect();
        let left: Vec<&Vec<usize>> = left.into_iter().chain(&order.below).collect();
        let mut of_left = vec![Vec::new(); arm_count];
        for (number, clique) in left.iter().enumerate() {
            clique.iter().for_each(|&arm| of_left[arm].push(number));
        }
        stamp.fill(usize::MAX);
        let mut neighbours = vec![Vec::new(); arm_count];
        for arm in (0..arm_count).filter(|&arm| !eliminated[arm]) {
            neighbours[arm] = union(arm, of_left[arm].iter().map(|&clique| left[clique]), &mut stamp);
        }
        order.least_degree_first(neighbours, eliminated);
        order.finish(of_arm)
    }
}

struct Order {
    arms: Vec<usize>,
    /// By place, the arms that come later.
    below: Vec<Vec<usize>>,
}

impl Order {
    fn push(&mut self, arm: usize, later: Vec<usize>) {
        self.arms.push(arm);
        self.below.push(later);
    }

    /// The rest, the arm with the fewest neighbours first; its neighbours become neighbours of each other.
    fn least_degree_first(&mut self, mut neighbours: Vec<Vec<usize>>, mut eliminated: Vec<bool>) {
        let rest = |eliminated: &[bool]| (0..eliminated.len()).filter(|&arm| !eliminated[arm]).collect::<Vec<_>>();
        let mut heap: BinaryHeap<Reverse<(usize, usize)>> =
            rest(&eliminated).into_iter().map(|arm| Reverse((neighbours[arm].len(), arm))).collect();
        let mut left = heap.len();
        while let Some(Reverse((degree, arm))) = heap.pop() {
            if eliminated[arm] || degree != neighbours[arm].len() {
                continue;
            }
            if 4 * degree >= 3 * (left - 1) {
                let mut rest = rest(&eliminated);
                while let Some(arm) = rest.pop() {
                    self.push(arm, rest.clone());
                }
                return;
            }
            eliminated[arm] = true;
            left -= 1;
            let near = std::mem::take(&mut neighbours[arm]);
            for &other in &near {
                neighbours[other] = merged(&neighbours[other], &near, [arm, other]);
                heap.push(Reverse((neighbours[other].len(), other)));
            }
            self.push(arm, near);
        }
    }

    fn finish(self, cliques: Vec<Vec<usize>>) -> Elimination {
        let mut place = vec![0; self.arms.len()];
        self.arms.iter().enumerate().for_each(|(at, &arm)| place[arm] = at);
        let mut below = self.below;
        for rows in &mut below {
            rows.iter_mut().for_each(|arm| *arm = place[*arm]);
            rows.sort_unstable();
        }
        Elimination { arms: self.arms, place, below, cliques }
    }
}

/// Everyone in these cliques but `arm`, ascending. Stamps are those of arms that were seen.
fn union<'a>(arm: usize, cliques: impl Iterator<Item = &'a Vec<usize>>, stamp: &mut [usize]) -> Vec<usize> {
    let mut all = Vec::new();
    stamp[arm] = arm;
    for &other in cliques.flatten() {
        if stamp[other] != arm {
            stamp[other] = arm;
            all.push(other);
        }
    }
    all.sort_unstable();
    all
}

/// The union of two ascending lists without two arms.
fn merged(a: &[usize], b: &[usize], without: [usize; 2]) -> Vec<usize> {
    let mut all = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) => x.min(y),
            (Some(&x), None) | (None, Some(&x)) => x,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        if !without.contains(&next) {
            all.push(next);
        }
    }
    all
}
