//! `surefront plan`: how many samples a study will take, of which arms, and what makes it expensive.

use std::fmt::Write;

use serde::Serialize;
use surefront::{Driver, Front, Model, Problem};

use super::{ArmJson, print, print_json};
use crate::args::{PlanArgs, distinct};
use crate::failure::{Failure, Unfinished};
use crate::progress;
use crate::remark::remark;
use crate::replication::{Bracket, Choice, Contest, Entrant, RuleJson, Workers, Yardstick, mean, mistakes};
use crate::screen;
use surefront_study::file::study::StudyFile;
use surefront_study::output::figure::Figure;
use surefront_study::plot::{Histogram, Mark, Stroke};
use surefront_study::session::{ThresholdName, usual_threshold};
use surefront_study::words::number::{grouped, samples, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::{Align, TextTable};

/// The δ's where neither the command line nor the study file gives one.
const USUAL_DELTAS: [f64; 3] = [0.1, 0.05, 0.01];

/// Studies that are simulated with the threshold that was not chosen: enough for about how many samples it takes.
const OTHER_RUNS: u64 = 20;

/// Computes the bound, simulates, and shows both.
pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    let study = StudyFile::read(&args.study)?;
    let problem = study.problem()?;
    let guess = study.model(&problem)?;
    let deltas = deltas(args, &study);
    let yardstick = Yardstick::of(&study, &problem, &guess, deltas[0])?;
    let figure = args.svg.as_deref().map(|path| Figure::create(path, &study.paths())).transpose()?;
    let drivers = Driver::find(&problem, &guess, &yardstick.bound).expect("the bound is that of the guess");
    let threshold = args.threshold.unwrap_or_else(|| usual_threshold(&problem));
    let outlooks = simulate(args, &problem, &guess, &yardstick, &deltas, threshold)?;

    let plan = Plan { args, study: &study, problem: &problem, front: Front::of(&guess), threshold, outlooks, drivers };
    let note = figure.map(|figure| figure.write(&plan.histogram().to_svg())).transpose()?;
    let note = note.map_or_else(String::new, |note| note + "\n");
    if args.work.json {
        remark(&note);
        print_json(&plan.json())?;
    } else {
        print(&(plan.screen() + &note))?;
    }
    plan.status()
}

/// What was typed, each once; or the study's, or the usual ones.
fn deltas(args: &PlanArgs, study: &StudyFile) -> Vec<f64> {
    let mut deltas = Vec::new();
    for &delta in &args.delta {
        if !deltas.contains(&delta) {
            deltas.push(delta);
        }
    }
    if deltas.is_empty() { study.delta.map_or_else(|| USUAL_DELTAS.to_vec(), |delta| vec![delta]) } else { deltas }
}

/// What is to be expected at one δ.
struct Outlook {
    yardstick: Yardstick,
    /// The simulated studies; `None` where none were asked for.
    entrant: Option<Entrant>,
    /// A few studies that stop by the other threshold, if T*·β does not say what that one takes.
    other: Option<Entrant>,
    unfinished: Vec<Unfinished>,
}

fn simulate(
    args: &PlanArgs,
    problem: &Problem,
    guess: &Model,
    known: &Yardstick,
    deltas: &[f64],
    threshold: ThresholdName,
) -> Result<Vec<Outlook>, Failure> {
    let workers = Workers::new(args.work.jobs)?;
    let other_runs = if threshold == ThresholdName::Stylized { args.runs.min(OTHER_RUNS) } else { 0 };
    let bar = progress::runs(deltas.len() as u64 * (args.runs + other_runs));
    let outlook = |&delta: &f64| {
        let yardstick = Yardstick::new(known.bound.clone(), delta);
        if args.runs == 0 {
            return Outlook { yardstick, entrant: None, other: None, unfinished: Vec::new() };
        }
        let contest = |threshold, runs| Contest {
            problem,
            truth: guess,
            yardstick: &yardstick,
            choice: Choice { threshold, ..Choice::published(known.bound.weights.clone()) },
            seed: args.work.seed,
            runs: 0..runs,
            max_samples: args.max_samples,
        };
        let hold =
            |contest: &Contest| contest.hold(&distinct(&[], contest.choice.threshold), &workers, &bar, |_, _| ());
        let chosen = contest(threshold, args.runs);
        let entrants = hold(&chosen);
        // This command always begins with the first run.
        let unfinished = chosen.unfinished(&entrants).into_iter().map(|rule| Unfinished { rest: None, ..rule });
        let unfinished = unfinished.collect();
        let others = if other_runs > 0 { hold(&contest(ThresholdName::Certified, other_runs)) } else { Vec::new() };
        let (entrant, other) = (entrants.into_iter().next(), others.into_iter().next());
        Outlook { unfinished, entrant, other, yardstick }
    };
    let outlooks = deltas.iter().map(outlook).collect();
    bar.finish_and_clear();
    Ok(outlooks)
}

/// All that is shown.
struct Plan<'a> {
    args: &'a PlanArgs,
    study: &'a StudyFile,
    problem: &'a Problem,
    front: Front,
    threshold: ThresholdName,
    /// One for each δ.
    outlooks: Vec<Outlook>,
    drivers: Vec<Driver>,
}

#[derive(Serialize)]
struct PlanJson<'a> {
    study: &'a str,
    front: Vec<ArmJson<'a>>,
    t_star: Bracket,
    threshold: &'static str,
    seed: u64,
    max_samples: u64,
    plans: Vec<OutlookJson>,
    arms: Vec<AllocationJson<'a>>,
    drivers: Vec<DriverJson<'a>>,
}

#[derive(Serialize)]
struct OutlookJson {
    delta: f64,
    samples_expected: f64,
    simulated: Option<RuleJson>,
    other_threshold: OtherJson,
}

/// What the threshold takes that was not chosen.
#[derive(Serialize)]
struct OtherJson {
    threshold: &'static str,
    /// T*·β, or the mean of the simulated studies; null if there is neither.
    samples_expected: Option<f64>,
}

#[derive(Serialize)]
struct AllocationJson<'a> {
    #[serde(flatten)]
    arm: ArmJson<'a>,
    weight: f64,
    /// In the order of the plans.
    samples_expected: Vec<f64>,
}

/// Whether the arm of a driver might leave the front or come onto it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Remove,
    Add,
}

impl Kind {
    fn of(driver: &Driver) -> Self {
        if driver.piece.through().is_some() { Kind::Remove } else { Kind::Add }
    }
}

#[derive(Serialize)]
struct DriverJson<'a> {
    kind: Kind,
    arm: ArmJson<'a>,
    rival: ArmJson<'a>,
    objective: ArmJson<'a>,
    share: f64,
    difference: f64,
    sd: f64,
    t_star_if_doubled: Option<f64>,
}

impl Plan<'_> {
    fn bound(&self) -> &surefront::Bound {
        &self.outlooks[0].yardstick.bound
    }

    fn json(&self) -> PlanJson<'_> {
        let arm = |index: usize| ArmJson { name: &self.problem.arms()[index].name, index };
        let weights = self.bound().weights.iter().enumerate();
        PlanJson {
            study: &self.study.name,
            front: ArmJson::list(self.problem, self.front.members()),
            t_star: self.outlooks[0].yardstick.t_star(),
            threshold: self.threshold(),
            seed: self.args.work.seed,
            max_samples: self.args.max_samples,
            plans: (self.outlooks.iter())
                .map(|outlook @ Outlook { yardstick, entrant, .. }| OutlookJson {
                    delta: yardstick.delta,
                    samples_expected: yardstick.samples_expected(),
                    simulated: entrant.as_ref().map(|entrant| entrant.json(yardstick)),
                    other_threshold: OtherJson {
                        threshold: self.other_threshold().name(),
                        samples_expected: self.others_samples(outlook),
                    },
                })
                .collect(),
            arms: weights
                .map(|(index, &weight)| AllocationJson {
                    arm: arm(index),
                    weight,
                    samples_expected: self.expected().map(|samples| weight * samples).collect(),
                })
                .collect(),
            drivers: (self.drivers.iter())
                .map(|driver| DriverJson {
                    kind: Kind::of(driver),
                    arm: arm(driver.arm),
                    rival: arm(driver.rival),
                    objective: ArmJson { name: self.objective(driver), index: driver.objective },
                    share: driver.share,
                    difference: driver.difference,
                    sd: driver.sd,
                    t_star_if_doubled: driver.t_star_if_doubled,
                })
                .collect(),
        }
    }

    fn threshold(&self) -> &'static str {
        self.threshold.name()
    }

    fn other_threshold(&self) -> ThresholdName {
        match self.threshold {
            ThresholdName::Stylized => ThresholdName::Certified,
            ThresholdName::Certified => ThresholdName::Stylized,
        }
    }

    /// About how many samples the other threshold takes, if that is known.
    fn others_samples(&self, outlook: &Outlook) -> Option<f64> {
        let samples = match self.other_threshold() {
            ThresholdName::Stylized => outlook.yardstick.samples_expected(),
            ThresholdName::Certified => outlook.other.as_ref()?.summary.mean,
        };
        samples.is_finite().then_some(samples)
    }

    /// Which threshold this is about, and what the other would take.
    fn thresholds(&self) -> String {
        let usual = usual_threshold(self.problem);
        let [chosen, other] = [self.threshold, self.other_threshold()].map(|threshold| {
            let nature = match threshold {
                ThresholdName::Stylized => "customary, not proved",
                ThresholdName::Certified => "proved",
            };
            let habit = if threshold == usual { ", by which `run` stops unless it is told otherwise," } else { "" };
            format!("{} threshold ({nature}){habit}", threshold.name())
        });
        let others: Vec<String> = (self.outlooks.iter())
            .filter_map(|outlook| {
                let expected = samples(self.others_samples(outlook)?);
                Some(format!("{expected} at δ = {}", short(outlook.yardstick.delta)))
            })
            .collect();
        let name = self.other_threshold().name();
        let takes = match others.join(", ").as_str() {
            "" => format!("takes another number of samples (--threshold {name})"),
            others => format!("would take about this many samples: {others} (--threshold {name})"),
        };
        format!("This is for the {}.\nThe {other} {takes}.\n", chosen.trim_end_matches(','))
    }

    fn objective(&self, driver: &Driver) -> &str {
        &self.problem.objectives()[driver.objective].name
    }

    /// The samples expected at each δ.
    fn expected(&self) -> impl Iterator<Item = f64> {
        self.outlooks.iter().map(|outlook| outlook.yardstick.samples_expected())
    }

    fn screen(&self) -> String {
        let t_star = self.bound().upper;
        let mut text = format!(
            "{}: {}, {}; with these means the front is {}\n\n",
            plain(&self.study.name),
            counted(self.problem.arm_count(), "arm", "arms"),
            counted(self.problem.objective_count(), "objective", "objectives"),
            listed(self.front.members().iter().map(|&arm| self.problem.arms()[arm].name.as_str())),
        );
        if t_star == 0.0 {
            text += "T* = 0: nothing that is measured with noise can change the front\n";
            return text;
        }
        let t_star = short(t_star);
        let _ = match self.threshold {
            ThresholdName::Stylized => writeln!(text, "T* = {t_star}; samples expected with the stylized threshold:\n"),
            // T*·β is known for the stylized threshold only: for the other one the simulation tells.
            ThresholdName::Certified => {
                let simulated = match self.args.runs {
                    0 => "the certified one takes more (--runs says how many)",
                    _ => "the simulated studies stop by the certified one",
                };
                writeln!(text, "T* = {t_star}; T*·β is what the stylized threshold is expected to take, {simulated}:\n")
            }
        };
        text += &self.totals();
        text += &format!("\n{}\nThe best spread of T*·β over the arms:\n\n", self.thresholds());
        text + &self.allocation() + &self.advice()
    }

    /// One line for each δ.
    fn totals(&self) -> String {
        let simulated = self.args.runs > 0;
        let mut columns = vec![("δ", Align::Right), ("T*·β", Align::Right)];
        if simulated {
            let names =
                ["simulated mean ± s.e.", "5 %", "25 %", "50 %", "75 %", "95 %", "mistakes (95 %)", "undecided"];
            columns.extend(names.map(|name| (name, Align::Right)));
        }
        let mut table = TextTable::new(&columns);
        for Outlook { yardstick, entrant, .. } in &self.outlooks {
            let mut cells = vec![short(yardstick.delta), samples(yardstick.samples_expected())];
            if let Some(Entrant { summary, .. }) = entrant {
                cells.push(mean(summary));
                cells.extend(summary.quantiles.map(|(_, value)| samples(value)));
                cells.extend([mistakes(summary), grouped(summary.undecided)]);
            }
            table.push(cells);
        }
        table.render_within(screen::width())
    }

    /// One line for each arm.
    fn allocation(&self) -> String {
        let titles: Vec<String> =
            self.outlooks.iter().map(|outlook| format!("n at δ = {}", short(outlook.yardstick.delta))).collect();
        let mut columns = vec![("arm", Align::Left), ("on the front", Align::Left), ("share w*", Align::Right)];
        columns.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
        let mut table = TextTable::new(&columns);
        for (arm, (entry, &weight)) in self.problem.arms().iter().zip(self.bound().weights.iter()).enumerate() {
            let mark = if self.front.contains(arm) { "yes" } else { "" };
            let mut cells = vec![entry.name.clone(), mark.to_owned(), percent(weight)];
            cells.extend(self.expected().map(|samples| grouped((weight * samples).ceil() as u64)));
            table.push(cells);
        }
        table.render_within(screen::width())
    }

    /// Which differences the samples go into.
    fn advice(&self) -> String {
        if self.drivers.is_empty() {
            return "\nNo single difference takes a large share of the samples.\n".to_owned();
        }
        let mut text = "\nWhat the samples are for:\n".to_owned();
        let name = |arm: usize| plain(&self.problem.arms()[arm].name);
        for driver in &self.drivers {
            let _ = write!(
                text,
                "  {:>4}  telling \"{}\" from \"{}\" in \"{}\" (difference {}, sd {})",
                percent(driver.share),
                name(driver.arm),
                name(driver.rival),
                plain(self.objective(driver)),
                significant(driver.difference, 3),
                significant(driver.sd, 3),
            );
            if let Some(t_star) = driver.t_star_if_doubled {
                let saved = 100.0 * (1.0 - t_star / self.bound().upper);
                let t_star = significant(t_star, 4);
                let _ = write!(text, "; were it twice as large, T* would be {t_star} ({saved:.0} % less)");
            }
            text.push('\n');
        }
        text
    }

    /// The simulated samples at each δ.
    fn histogram(&self) -> Histogram {
        let panel = |Outlook { yardstick, entrant, .. }: &Outlook| {
            let mut panel = entrant.as_ref()?.panel(&format!("δ = {}", short(yardstick.delta)));
            if yardstick.bound.upper > 0.0 {
                let expected = yardstick.samples_expected();
                panel.label += &format!(", T*·β = {} (dashed)", samples(expected));
                panel.marks.push(Mark { at: expected, stroke: Stroke::Dashed });
            }
            Some(panel)
        };
        Histogram {
            title: format!("{}: samples until the front is known", self.study.name),
            subtitle: format!("Simulated with the guessed means and variances, {} threshold", self.threshold()),
            x_label: "samples until the stop".to_owned(),
            line: None,
            panels: self.outlooks.iter().filter_map(panel).collect(),
        }
    }

    /// How it ended.
    fn status(&self) -> Result<(), Failure> {
        let unfinished: Vec<_> = self.outlooks.iter().flat_map(|outlook| outlook.unfinished.iter().cloned()).collect();
        if !unfinished.is_empty() {
            return Err(Failure::Interrupted(unfinished));
        }
        let simulated = self.outlooks.iter().filter_map(|outlook| outlook.entrant.as_ref());
        if self.args.runs > 0
            && simulated.map(|entrant| &entrant.summary).all(|summary| summary.undecided == summary.runs)
        {
            return Err(Failure::Undecided { max_samples: self.args.max_samples });
        }
        Ok(())
    }
}

/// A share, to the per cent or, if it is small, to a digit.
fn percent(share: f64) -> String {
    if share >= 0.0995 { format!("{:.0} %", 100.0 * share) } else { format!("{} %", significant(100.0 * share, 2)) }
}
