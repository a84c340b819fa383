//! What it takes each arm to get from one side of its limits to the other: kept for as long as it is not observed.

use super::toll::{Toll, Tolls};

/// By arm: what it costs to break a limit, or to keep all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Crossings {
    exits: Vec<Toll>,
    entrances: Vec<Entrance>,
}

/// What it takes an arm to keep its limits.
#[derive(Clone, Debug, Default)]
pub(super) struct Entrance {
    /// Whether it breaks any.
    pub breaks: bool,
    /// What it costs to keep those of what is only limited.
    pub cost: f64,
    /// Objectives in which it has to be better, and by how much.
    pub bounds: Vec<(usize, f64)>,
}

impl Crossings {
    /// Looks at all arms: at those of the front for how they leave, at the others for how they come in.
    pub fn start(&mut self, tolls: Tolls<'_>, arm_count: usize, front: &[usize]) {
        self.make_room(tolls, arm_count);
        self.entrances.iter_mut().enumerate().for_each(|(arm, entrance)| entrance.update(tolls, arm));
        front.iter().for_each(|&arm| self.exits[arm] = tolls.exit(arm));
    }

    /// Looks at one arm again.
    pub fn follow(&mut self, tolls: Tolls<'_>, arm: usize) {
        self.entrances[arm].update(tolls, arm);
        self.exits[arm] = if self.entrances[arm].breaks { Toll::NONE } else { tolls.exit(arm) };
    }

    fn make_room(&mut self, tolls: Tolls<'_>, arm_count: usize) {
        self.exits.resize(arm_count, Toll::NONE);
        self.entrances.resize_with(arm_count, || Entrance::with_room(tolls.count()));
    }

    /// Looks at every arm, for what it may come to be.
    pub fn reset(&mut self, tolls: Tolls<'_>, arm_count: usize) {
        self.make_room(tolls, arm_count);
        (0..arm_count).for_each(|arm| self.follow(tolls, arm));
    }

    /// The cheapest limit to break, of an arm that keeps all.
    #[inline]
    pub fn exit(&self, arm: usize) -> Toll {
        self.exits[arm]
    }

    /// What an arm has to do to keep its limits; `None` where there are none, or it keeps them.
    #[inline]
    pub fn entrance(&self, arm: usize) -> Option<&Entrance> {
        self.entrances.get(arm).filter(|entrance| entrance.breaks)
    }
}

impl Entrance {
    /// Of one arm.
    pub fn of(tolls: Tolls<'_>, arm: usize) -> Self {
        let mut entrance = Entrance::default();
        entrance.update(tolls, arm);
        entrance
    }

    fn with_room(limits: usize) -> Self {
        Entrance { bounds: Vec::with_capacity(limits), ..Entrance::default() }
    }

    fn update(&mut self, tolls: Tolls<'_>, arm: usize) {
        self.bounds.clear();
        self.breaks = !tolls.is_kept(arm);
        if self.breaks {
            self.cost = tolls.entries(arm).map(|toll| toll.cost).sum();
            self.bounds.extend(tolls.bounds(arm));
        }
    }

    /// How much better the arm has to be in an objective.
    #[inline]
    pub fn by(&self, objective: usize) -> f64 {
        self.bounds.iter().find(|bound| bound.0 == objective).map_or(0.0, |bound| bound.1)
    }
}
