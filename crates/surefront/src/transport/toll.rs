//! What it costs an arm to break a limit that it keeps, or to keep those that it breaks.

use crate::law::{Law, Laws, with_laws};
use crate::limit::{Layout, POST, behind_post};
use crate::model::Model;
use crate::problem::Problem;
use crate::question::Question;
use crate::side::coordinate_weight;

/// The limits of a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tolls<'a> {
    gate: &'a Problem,
    layout: &'a Layout,
    readings: &'a Model,
    weights: &'a [f64],
}

/// One way of getting from one side of a limit to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Toll {
    /// At the weight of the arm; infinite where that cannot be.
    pub cost: f64,
    /// The same by unit of weight.
    pub rate: f64,
    /// The objective of the limit.
    pub objective: usize,
    /// The limit itself, larger being better as the objective is turned.
    pub to: f64,
}

impl Toll {
    /// No way.
    pub const NONE: Toll = Toll { cost: f64::INFINITY, rate: f64::INFINITY, objective: 0, to: 0.0 };
}

impl<'a> Tolls<'a> {
    /// `None` without limits.
    pub fn new(question: &Question<'a>) -> Option<Self> {
        let (gate, readings) = (question.problem().gate()?, question.model().limited()?);
        Some(Tolls { gate: gate.problem(), layout: gate.layout(), readings, weights: question.weights() })
    }

    /// How many limits there are.
    pub fn count(&self) -> usize {
        self.layout.limits.len()
    }

    /// To the other side of a limit, or exactly to it.
    fn across(&self, arm: usize, limit: usize) -> Toll {
        with_laws!(self.gate, laws => self.across_by(laws, arm, limit))
    }

    fn across_by(&self, laws: impl Laws, arm: usize, limit: usize) -> Toll {
        let place = behind_post(arm);
        let (row, precision) = (self.readings.row(place), self.gate.precision(place)[limit]);
        let by = self.readings.row(POST)[limit] - row[limit];
        let (objective, sign) = self.layout.limits[limit];
        let to = sign * self.readings.row(POST)[limit];
        // What has no noise is where it is.
        if precision == f64::INFINITY {
            return Toll { cost: f64::INFINITY, rate: f64::INFINITY, objective, to };
        }
        let law = laws.law(limit, row);
        let cost = law.price(coordinate_weight(self.weights[arm], precision), 0.0, by);
        Toll { cost, rate: law.price(precision, 0.0, by), objective, to }
    }

    /// The limits that an arm breaks.
    pub fn broken(&self, arm: usize) -> impl Iterator<Item = usize> + use<'a> {
        let (row, post) = (self.readings.row(behind_post(arm)), self.readings.row(POST));
        (0..post.len()).filter(move |&limit| row[limit] < post[limit])
    }

    /// The cheapest limit to break, for an arm that keeps all.
    pub fn exit(&self, arm: usize) -> Toll {
        let ways = (0..self.layout.limits.len()).map(|limit| self.across(arm, limit));
        let cheaper = |one: Toll, two: Toll| if (two.cost, two.rate) < (one.cost, one.rate) { two } else { one };
        ways.reduce(cheaper).expect("there is a limit")
    }

    /// What it takes to keep the limits of what is only limited: one for each that is broken.
    pub fn entries(&self, arm: usize) -> impl Iterator<Item = Toll> + use<'a> {
        let tolls = *self;
        self.broken(arm)
            .filter(move |&limit| tolls.layout.is_idle(tolls.layout.limits[limit].0))
            .map(move |limit| tolls.across(arm, limit))
    }

    /// How much better an arm has to be in what is optimised to keep its limits there: objectives, and by how much.
    pub fn bounds(&self, arm: usize) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let tolls = *self;
        self.broken(arm).filter(move |&limit| !tolls.layout.is_idle(tolls.layout.limits[limit].0)).map(move |limit| {
            let (row, post) = (tolls.readings.row(behind_post(arm)), tolls.readings.row(POST));
            (tolls.layout.limits[limit].0, post[limit] - row[limit])
        })
    }

    /// The limit of what is optimised in an objective, larger being better; minus infinity where there is none.
    pub fn limit_in(&self, objective: usize) -> f64 {
        let mut limits = self.layout.limits.iter().zip(self.readings.row(POST));
        let of_it = limits.find(|(limit, _)| limit.0 == objective && !self.layout.is_idle(objective));
        of_it.map_or(f64::NEG_INFINITY, |(_, &at)| at)
    }

    /// Whether an arm keeps all limits.
    pub fn is_kept(&self, arm: usize) -> bool {
        self.broken(arm).next().is_none()
    }

    /// The limit that an arm breaks most surely, by what it would cost to keep it.
    pub fn most_broken(&self, arm: usize) -> Option<Toll> {
        let ways = self.broken(arm).map(|limit| self.across(arm, limit));
        ways.reduce(|one, two| if two.cost > one.cost { two } else { one })
    }
}
