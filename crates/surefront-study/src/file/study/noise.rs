//! What an objective or an arm says of its noise.

use surefront::{Family, Noise, Range, Statistic};

use super::document::{Located, Section};
use crate::file::input_error::{Fault, InputError};
use crate::file::source_text::SourceText;

/// What can stand behind `noise =`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Exact,
    Bounded,
    Family(Family),
}

pub(super) fn kind_named(name: &str) -> Option<Kind> {
    let families = [Family::Gaussian, Family::Bernoulli, Family::Poisson, Family::Exponential];
    let family = families.into_iter().find(|family| family.name() == name).map(Kind::Family);
    match name {
        "exact" => Some(Kind::Exact),
        "bounded" => Some(Kind::Bounded),
        _ => family,
    }
}

/// The range of an objective: where its noise is bounded, and nowhere else.
pub(super) fn range(source: &SourceText, section: &Section, kind: Option<Kind>) -> Result<Option<Range>, InputError> {
    let place = || section.place().to_owned();
    match (section.pair("range")?, kind == Some(Kind::Bounded)) {
        (None, false) => Ok(None),
        (None, true) => Err(section.fault(Fault::RangeNeeded { place: place() })),
        (Some(written), false) => Err(source.fault_on_line(written.line, Fault::RangeWithoutBounds { place: place() })),
        (Some(written), true) => match written.value[..] {
            [low, high] if (Range { low, high }).is_valid() => Ok(Some(Range { low, high })),
            _ => Err(source.fault_on_line(written.line, Fault::BadRange { place: place() })),
        },
    }
}

/// The noise of a family; `None` where only its variance makes it known.
pub(super) fn noise_of_family(family: Family) -> Option<Noise> {
    [Noise::Bernoulli, Noise::Poisson, Noise::Exponential].into_iter().find(|noise| noise.family() == Some(family))
}

/// A variance as noise: zero is none.
pub(super) fn noise_of<T>(
    source: &SourceText,
    written: &Located<T>,
    value: f64,
    place: impl FnOnce() -> String,
) -> Result<Noise, InputError> {
    match value {
        0.0 => Ok(Noise::Exact),
        value if value > 0.0 => Ok(Noise::Variance(value)),
        _ => Err(source.fault_on_line(written.line, Fault::NegativeVariance { place: place(), value })),
    }
}

/// A quantile of something whose law is fixed otherwise is refused; a variance is what simulated values are drawn with.
pub(super) fn needs_no_law(noise: Noise, statistic: Statistic, place: impl Fn() -> String) -> Result<Statistic, Fault> {
    match noise {
        Noise::Variance(_) | Noise::Unknown | Noise::Common | Noise::Any => Ok(statistic),
        _ => {
            let noise = noise.family().map_or("exact", Family::name);
            Err(Fault::QuantileOfLaw { place: place(), statistic, noise })
        }
    }
}
