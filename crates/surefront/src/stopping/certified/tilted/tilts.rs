//! What the tilts of an arm are thought to be, before the observations that are proof: the priors that are mixed.

use std::sync::LazyLock;

use crate::family::Family;
use crate::law::Kind;
use crate::stopping::certified::tilt::Prior;

/// The inverse squares of the widths that are mixed where nothing is known of the tilts: each is for proofs that come at 3 to 30 times as much information.
const SCALES: [f64; 4] = [0.5, 8.0, 130.0, 2000.0];

/// The same for values of which only the range is known, in units of the sum of their squares around their mean.
const WALK_SCALES: [f64; 4] = [2.0, 16.0, 130.0, 1500.0];

/// Priors of one width, to choose from: from 12 down, each so much narrower than the last.
const NARROWER: f64 = 1.25;
const WIDEST: f64 = 12.0;
const WIDTHS: i32 = 64;

static LADDER: LazyLock<[Prior; 4]> = LazyLock::new(|| SCALES.map(|scale| Prior::half_normal(scale.sqrt().recip())));

static SINGLE: LazyLock<Vec<Prior>> =
    LazyLock::new(|| (0..WIDTHS).map(|i| Prior::half_normal(WIDEST * NARROWER.powi(-i))).collect());

static WALK_LADDER: LazyLock<[Prior; 4]> =
    LazyLock::new(|| WALK_SCALES.map(|scale| Prior::half_normal(scale.sqrt().recip()).below_one()));

static WALK_SINGLE: LazyLock<Vec<Prior>> = LazyLock::new(|| SINGLE.iter().map(|prior| prior.below_one()).collect());

/// What the tilts of an arm are thought to be, before the observations that are proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::stopping::certified) enum Tilts {
    /// Nothing is known: several widths are mixed, both arms of a claim having the same.
    Any,
    /// One width was chosen.
    Width(u8),
    /// One width was chosen for each of the two mixtures for values of which only the range is known.
    Widths(u8, u8),
}

impl Tilts {
    /// For proofs that come at about six times so much information.
    pub fn for_scale(scale: f64) -> Self {
        Tilts::Width(place_for(scale))
    }

    /// The same for either of the mixtures of values of which only the range is known.
    pub fn for_scales(rate: f64, walk: f64) -> Self {
        Tilts::Widths(place_for(rate), place_for(walk))
    }

    pub(super) fn priors(self) -> &'static [Prior] {
        match self {
            Tilts::Any => &*LADDER,
            Tilts::Width(place) | Tilts::Widths(place, _) => std::slice::from_ref(&SINGLE[usize::from(place)]),
        }
    }

    pub(super) fn walk_priors(self) -> &'static [Prior] {
        match self {
            Tilts::Any => &*WALK_LADDER,
            Tilts::Width(place) | Tilts::Widths(_, place) => std::slice::from_ref(&WALK_SINGLE[usize::from(place)]),
        }
    }

    /// The inverse squares of the widths.
    pub(super) fn scales(self) -> ([f64; 4], usize) {
        match self {
            Tilts::Any => (SCALES, 4),
            Tilts::Width(place) | Tilts::Widths(place, _) => ([scale_at(place); 4], 1),
        }
    }

    pub(super) fn walk_scales(self) -> ([f64; 4], usize) {
        match self {
            Tilts::Any => (WALK_SCALES, 4),
            Tilts::Width(place) | Tilts::Widths(_, place) => ([scale_at(place); 4], 1),
        }
    }
}

fn place_for(scale: f64) -> u8 {
    let width = scale.max(1e-9).sqrt().recip();
    (WIDEST / width).log(NARROWER).round().clamp(0.0, f64::from(WIDTHS - 1)) as u8
}

fn scale_at(place: u8) -> f64 {
    (WIDEST * NARROWER.powi(-i32::from(place))).powi(-2)
}

/// What one observation tells of a tilt, where this is the mean of `count` of them.
pub(in crate::stopping::certified) fn information(kind: Kind, mean: f64, count: f64) -> f64 {
    match kind.family {
        Family::Exponential => 1.0,
        family => family.variance_seen(kind.sign * mean, count),
    }
}
