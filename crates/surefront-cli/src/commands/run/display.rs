//! How a study that is being measured is getting on, on standard error: a bar on a terminal, elsewhere a line now and then.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use surefront::{Progress, Study};
use surefront_study::answer::{Change, Spent, Waiting};
use surefront_study::run::{Note, Observer};

use super::view::{Pace, View};
use crate::remark::remark;
use crate::screen;
use surefront_study::words::number::significant;
use surefront_study::words::plain::plain;
use surefront_study::words::room::wrapped;
use surefront_study::words::table::Width;

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
    /// The arms that are being measured.
    under_way: Vec<usize>,
    /// How often each arm was measured when it was last shown.
    counts: Vec<u64>,
    /// What stands in the way and what to do about it, in a line.
    obstacle: Option<String>,
    /// The study file, for commands that are worth a try.
    study: PathBuf,
}

impl Display {
    /// Of a run on this study file that is about to begin.
    pub fn new(study: &Path) -> Self {
        let style = ProgressStyle::with_template("evidence   {bar:30} {prefix} ({elapsed})\n{msg}");
        let bar = ProgressBar::new(FULL).with_style(style.expect("the template is well formed"));
        let pause = if bar.is_hidden() { FIRST_LINE } else { REFRESH };
        let now = Instant::now();
        Display {
            bar,
            begin: now,
            first: 0,
            next: now + pause,
            pause,
            waiting: None,
            under_way: Vec::new(),
            counts: Vec::new(),
            obstacle: None,
            study: study.to_owned(),
        }
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

    fn pace(&self, study: &mut Study) -> Pace {
        let total = study.tally().total();
        let per_second = (total - self.first.min(total)) as f64 / self.begin.elapsed().as_secs_f64();
        Pace { per_second, more: study.samples_expected() }
    }

    /// What is being measured: what is under way, or, where that takes no time, what was measured most since it was last shown.
    fn measured(&mut self, study: &Study) -> Option<usize> {
        let counts: Vec<u64> = (0..study.problem().arm_count()).map(|arm| study.tally().count(arm)).collect();
        let before = std::mem::replace(&mut self.counts, counts);
        let gained = |arm: &usize| self.counts[*arm] - before.get(*arm).copied().unwrap_or(0).min(self.counts[*arm]);
        let most = (0..self.counts.len()).rev().max_by_key(gained).filter(|arm| gained(arm) > 0);
        self.under_way.first().copied().or(most)
    }

    fn view(&mut self, study: &mut Study) -> View {
        let (pace, measured) = (self.pace(study), self.measured(study));
        let mut view = View::of(study, measured, pace, self.obstacle.as_deref());
        if let Some(spent) = Spent::of(study, None) {
            view.samples += &format!(", {}", spent.phrase());
        }
        if let Some(waiting) = &self.waiting {
            view.samples += &format!(", {}", waiting.phrase());
        }
        view
    }

    /// What a note means for whoever watches, in a line with what to do.
    fn obstacle_of(&self, note: &Note) -> Option<String> {
        match note {
            Note::Remark(remark) => Some(remark.brief()),
            Note::Retry { mishap, trial, trials, .. } => Some(format!(
                "arm \"{}\" fails (trial {trial} of {trials}): --on-failure drop would leave it out",
                plain(&mishap.arm)
            )),
            Note::LeftOut(mishap) => {
                Some(format!("arm \"{}\" failed and is left out: --restore takes it in again", plain(&mishap.arm)))
            }
            Note::Slow { arm, .. } => Some(format!("arm \"{}\" takes long: --timeout would end it", plain(arm))),
            Note::HeldUp { waiting, arm, .. } => Some(format!(
                "results wait for ticket {} of \"{}\": tell it, or give it up",
                waiting.ticket,
                plain(arm)
            )),
            _ => None,
        }
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

    fn measuring(&mut self, arms: &[usize]) {
        self.under_way.clear();
        self.under_way.extend_from_slice(arms);
    }

    /// Shows the study if it is time to.
    fn show(&mut self, study: &mut Study) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        if self.bar.is_hidden() {
            let View { samples, front, .. } = self.view(study);
            remark(&format!("evidence {}, {samples}; front so far: {front}\n", self.evidence(study)));
            self.pause = (2 * self.pause).min(LONGEST_PAUSE);
        } else {
            let done = study.verdict().progress.fraction;
            self.bar.set_position((FULL as f64 * done.clamp(0.0, 1.0)) as u64);
            self.bar.set_prefix(self.evidence(study));
            let columns = match screen::width() {
                Width::Columns(columns) => columns,
                Width::Unlimited => 80,
            };
            let text = self.view(study).text(columns.saturating_sub(1));
            self.bar.set_message(text);
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
        self.obstacle = self.obstacle_of(note).or_else(|| self.obstacle.take());
        let text = format!("{}{advice}", plain(&note.to_string()));
        // On a terminal no word is broken.
        let text = match screen::width() {
            Width::Columns(columns) if !self.bar.is_hidden() => wrapped(&text, columns).join("\n"),
            _ => text,
        };
        self.bar.suspend(|| remark(&format!("{text}\n")));
    }
}
