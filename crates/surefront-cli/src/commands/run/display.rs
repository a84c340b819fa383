//! How a study that is being measured is getting on, on standard error: a bar on a terminal, elsewhere a line now and then.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use surefront::{Progress, Study};
use surefront_study::answer::{Change, Spent, Waiting};
use surefront_study::run::{Note, Observer};

use crate::remark::remark;
use surefront_study::words::number::{grouped, rough_duration, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::samples;
use surefront_study::words::suggestion::listed;

/// Between two looks at the study for the bar.
const REFRESH: Duration = Duration::from_millis(100);

/// Where there is no terminal: the first line after this time, the next after twice as long, and so on.
const FIRST_LINE: Duration = Duration::from_secs(30);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// The bar's own scale.
const FULL: u64 = 1000;

/// Shows progress.
pub struct Display {
    bar: ProgressBar,
    /// When this run began, and with how many observations.
    begin: Instant,
    first: u64,
    next: Instant,
    pause: Duration,
    /// Results that do not count yet.
    waiting: Option<Waiting>,
    /// The study file, for commands that are worth a try.
    study: PathBuf,
}

impl Display {
    /// Of a run on this study file that is about to begin.
    pub fn new(study: &Path) -> Self {
        let style = ProgressStyle::with_template("evidence {bar:30} {prefix} ({elapsed})\n{wide_msg}");
        let bar = ProgressBar::new(FULL).with_style(style.expect("the template is well formed"));
        let pause = if bar.is_hidden() { FIRST_LINE } else { REFRESH };
        let now = Instant::now();
        Display { bar, begin: now, first: 0, next: now + pause, pause, waiting: None, study: study.to_owned() }
    }

    /// How to have measurements of one kind only.
    fn advice_on(&self, change: &Change) -> String {
        let study = self.study.display();
        let advice = match &change.arm {
            Some(arm) => format!("surefront retract {study} --arm \"{}\"", arm.name),
            None => format!("--jobs {}, or surefront retract {study} --before TIME", change.before),
        };
        format!(". If that makes a difference: {advice}")
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn evidence(&self, study: &Study) -> String {
        let Progress { evidence, threshold, fraction, .. } = study.verdict().progress;
        if threshold.is_finite() {
            let percent = (100.0 * fraction.clamp(0.0, 1.0)).round();
            format!("{} of {}, {percent} % of the way", significant(evidence, 3), significant(threshold, 3))
        } else {
            "none before every arm is measured".to_owned()
        }
    }

    fn samples(&self, study: &mut Study) -> String {
        let total = study.tally().total();
        let seconds = self.begin.elapsed().as_secs_f64();
        let per_second = (total - self.first.min(total)) as f64 / seconds;
        let mut text = format!("{} ({})", samples(total), rate(per_second));
        if let Some(spent) = Spent::of(study, None) {
            text += &format!(", {}", spent.phrase());
        }
        if let Some(waiting) = &self.waiting {
            text += &format!(", {}", waiting.phrase());
        }
        match study.samples_expected() {
            Some(more) if more > 0.0 => {
                text += &format!(", about {} more", significant(more.ceil(), 2));
                if per_second > 0.0 {
                    text += &format!(" ({})", rough_duration(1e6 * more / per_second));
                }
            }
            _ => {}
        }
        let verdict = study.verdict();
        if verdict.progress.threshold.is_finite() {
            let names = verdict.front.iter().map(|&arm| study.problem().arms()[arm].name.as_str());
            text += &format!("; front so far: {}", listed(names));
        }
        text
    }
}

impl Observer for Display {
    fn begin(&mut self, study: &Study) {
        self.first = study.tally().total();
        self.begin = Instant::now();
    }

    fn waiting(&mut self, waiting: Option<Waiting>) {
        self.waiting = waiting;
    }

    /// Shows the study if it is time to.
    fn show(&mut self, study: &mut Study) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        if self.bar.is_hidden() {
            remark(&format!("evidence {}, {}\n", self.evidence(study), self.samples(study)));
            self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        } else {
            let done = study.verdict().progress.fraction;
            self.bar.set_position((FULL as f64 * done.clamp(0.0, 1.0)) as u64);
            self.bar.set_prefix(self.evidence(study));
            self.bar.set_message(self.samples(study));
        }
        // With many arms a look takes long: no more than a tenth of the time goes into looking.
        let took = now.elapsed();
        self.next = now + took + self.pause.max(9 * took);
    }

    /// Says something that stays, and which option would help.
    fn note(&mut self, note: &Note) {
        let advice = match note {
            Note::Slow { .. } => "; --timeout ends commands that take too long".to_owned(),
            Note::Changed(change) => self.advice_on(change),
            Note::HeldUp { waiting, .. } => {
                format!(
                    ": surefront tell {} --ticket {} --failed WHY gives it up",
                    self.study.display(),
                    waiting.ticket
                )
            }
            _ => String::new(),
        };
        self.bar.suspend(|| remark(&format!("{}{advice}\n", plain(&note.to_string()))));
    }
}

/// A rate in the unit that people would say.
fn rate(per_second: f64) -> String {
    match per_second {
        rate if rate >= 100.0 => format!("{}/s", grouped(rate.round() as u64)),
        rate if rate >= 1.0 => format!("{}/s", significant(rate, 2)),
        rate if rate >= 1.0 / 60.0 => format!("{}/min", significant(60.0 * rate, 2)),
        rate => format!("{}/h", significant(3600.0 * rate, 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_the_unit_that_fits() {
        assert_eq!(rate(12_345.6), "12,346/s");
        assert_eq!(rate(3.21), "3.2/s");
        assert_eq!(rate(0.05), "3/min");
        assert_eq!(rate(0.01), "36/h");
        assert_eq!(rate(0.0), "0/h");
    }
}
