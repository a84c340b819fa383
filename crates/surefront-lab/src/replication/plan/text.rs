//! A plan for people: text and figure.

use std::fmt::Write;

use surefront::{Promise, StoppingKind};
use surefront_study::answer::taken_for_granted;
use surefront_study::plot::{Histogram, Mark, Stroke};
use surefront_study::words::number::{grouped, samples, short, significant};
use surefront_study::words::plain::plain;
use surefront_study::words::plural::counted;
use surefront_study::words::suggestion::listed;
use surefront_study::words::table::{Align, TextTable, Width};

use super::{MarginFindings, Outlook, Plan};
use crate::findings::{Findings, Unfinished, rendered};
use crate::replication::bracket::Bracket;
use crate::replication::report::{Entrant, cost, mean, mistakes};

/// A margin that leaves more than this part of the samples is not worth a sentence.
const WORTH_A_MARGIN: f64 = 0.7;

impl Findings for Plan {
    fn text(&self, width: Width) -> String {
        let mut text = format!(
            "{}: {}, {}; with these means the front is {}\n\n",
            plain(&self.study),
            counted(self.arms.len(), "arm", "arms"),
            counted(self.objectives, "objective", "objectives"),
            listed(self.front.iter().map(|arm| arm.name.as_str())),
        );
        if self.t_star.upper == 0.0 {
            text += "T* = 0: nothing that is measured with noise can change the front\n";
            return text;
        }
        let t_star = match self.counts_costs() {
            true => format!("{}, the least cost", short(self.t_star.upper)),
            false => short(self.t_star.upper),
        };
        let _ = if self.threshold == StoppingKind::Stylized.name() {
            writeln!(text, "T* = {t_star}; samples expected with the stylized threshold:\n")
        } else {
            // T*·β is known for the stylized threshold only: for another one the simulation tells.
            let simulated = match self.outlooks.iter().any(|outlook| outlook.entrant.is_some()) {
                true => format!("the simulated studies stop by the {} one", self.threshold),
                false => format!("the {} one takes more, which simulated studies would show", self.threshold),
            };
            writeln!(text, "T* = {t_star}; T*·β is what the stylized threshold is expected to take, {simulated}:\n")
        };
        text += &self.totals(width);
        text += &self.settled(width);
        text += &format!("\n{}\nThe best spread of T*·β over the arms:\n\n", self.thresholds());
        text + &self.allocation(width) + &self.advice()
    }

    fn svg(&self) -> Option<String> {
        Some(self.histogram().to_svg())
    }

    fn unfinished(&self) -> Vec<Unfinished> {
        self.unfinished.clone()
    }
}

impl Plan {
    /// Which threshold this is about, and what the other would take.
    fn thresholds(&self) -> String {
        let other = self.outlooks[0].other_threshold;
        let both = [(self.threshold, self.promise), (other.threshold, other.promise)];
        let [chosen, other] = both.map(|(name, promise)| {
            let usual = name == StoppingKind::default().name();
            let habit = if usual { ", by which a study of these arms stops unless it is told otherwise," } else { "" };
            format!("{name} threshold ({}){habit}", promise.words())
        });
        let others = self.outlooks.iter().filter_map(|outlook| {
            let expected = samples(outlook.other_threshold.samples_expected?);
            Some(format!("{expected} at δ = {}", short(outlook.delta)))
        });
        let takes = match others.collect::<Vec<_>>().join(", ").as_str() {
            "" => "takes another number of samples, which simulated studies would show".to_owned(),
            others => format!("would take about this many samples: {others}"),
        };
        let granted = taken_for_granted(&self.assumptions);
        let other = if self.of_means { format!("The {other} {takes}.\n") } else { String::new() };
        format!("This is for the {}.\n{other}{granted}\n", chosen.trim_end_matches(','))
    }

    /// Whether measurements cost differently.
    fn counts_costs(&self) -> bool {
        self.arms.iter().any(|plan| plan.cost.is_some())
    }

    /// One line for each δ.
    fn totals(&self, width: Width) -> String {
        let costly = self.counts_costs();
        let mut columns = vec![("δ", Align::Right), ("T*·β", Align::Right)];
        if costly {
            columns.push(("its cost", Align::Right));
        }
        if self.outlooks.iter().any(|outlook| outlook.entrant.is_some()) {
            if costly {
                columns.push(("simulated cost ± s.e.", Align::Right));
            }
            let names =
                ["simulated mean ± s.e.", "5 %", "25 %", "50 %", "75 %", "95 %", "mistakes (95 %)", "undecided"];
            columns.extend(names.map(|name| (name, Align::Right)));
        }
        let mut table = TextTable::new(&columns);
        for outlook in &self.outlooks {
            let mut cells = vec![short(outlook.delta), samples(outlook.samples_expected)];
            cells.extend(outlook.cost_expected.map(samples));
            if let Some(Entrant { summary, .. }) = &outlook.entrant {
                if costly {
                    cells.push(cost(summary));
                }
                cells.push(mean(summary));
                cells.extend(summary.quantiles.map(|(_, value)| samples(value)));
                cells.extend([mistakes(summary), grouped(summary.undecided)]);
            }
            table.push(cells);
        }
        rendered(&table, width)
    }

    /// What budgets settle, one line for each; nothing if none was asked about.
    fn settled(&self, width: Width) -> String {
        let Some(last) = self.budgets.last() else { return String::new() };
        let verdicts = match self.promise {
            Promise::Proved => "certified",
            Promise::Likely => "decided",
        };
        let (whole, arms) = (format!("front {verdicts}"), format!("arms {verdicts}, of {}", self.arms.len()));
        let mut table = TextTable::new(&[
            ("samples", Align::Right),
            (whole.as_str(), Align::Right),
            ("front named right (95 %)", Align::Right),
            (arms.as_str(), Align::Right),
        ]);
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        for budget in &self.budgets {
            let Bracket { lower, upper } = budget.right_interval;
            table.push(vec![
                grouped(budget.budget),
                percent(budget.answered),
                format!("{} ({}–{})", percent(budget.right), percent(lower), percent(upper)),
                significant(budget.arms_settled, 3),
            ]);
        }
        let open: Vec<String> = (self.arms.iter().zip(&last.settled))
            .filter(|(_, share)| **share < 0.5)
            .map(|(plan, share)| format!("{} ({})", plain(&plan.arm.name), percent(*share)))
            .collect();
        let open = match &open[..] {
            [] => String::new(),
            arms => format!(
                "\nMore often open than {verdicts} after {} samples: {}.\n",
                grouped(last.budget),
                arms.join(", ")
            ),
        };
        format!(
            "\nWhat a budget settles at δ = {} ({} simulated studies, rule {}):\n\n{}{open}",
            short(last.delta),
            grouped(last.runs),
            last.rule,
            rendered(&table, width)
        )
    }

    /// One line for each arm.
    fn allocation(&self, width: Width) -> String {
        let titles: Vec<String> =
            self.outlooks.iter().map(|outlook| format!("n at δ = {}", short(outlook.delta))).collect();
        let mut columns = vec![("arm", Align::Left), ("on the front", Align::Left)];
        if self.counts_costs() {
            columns.push(("cost", Align::Right));
        }
        columns.push(("share w*", Align::Right));
        columns.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
        let mut table = TextTable::new(&columns);
        for plan in &self.arms {
            let mark = if self.front.contains(&plan.arm) { "yes" } else { "" };
            let mut cells = vec![plan.arm.name.clone(), mark.to_owned()];
            cells.extend(plan.cost.map(short));
            cells.push(percent(plan.weight));
            cells.extend(plan.samples_expected.iter().map(|samples| grouped(samples.ceil() as u64)));
            table.push(cells);
        }
        rendered(&table, width)
    }

    /// Which differences the samples go into.
    fn advice(&self) -> String {
        if self.drivers.is_empty() {
            return "\nNo single difference takes a large share of the samples.\n".to_owned();
        }
        let mut text = match self.counts_costs() {
            true => "\nWhat the cost is for:\n".to_owned(),
            false => "\nWhat the samples are for:\n".to_owned(),
        };
        for driver in &self.drivers {
            let _ = write!(
                text,
                "  {:>4}  telling \"{}\" from {} in \"{}\" (difference {}, sd {})",
                percent(driver.share),
                plain(&driver.arm.name),
                driver.told_from(),
                plain(&driver.objective.name),
                significant(driver.difference, 3),
                significant(driver.sd, 3),
            );
            if let Some(t_star) = driver.t_star_if_doubled {
                let saved = 100.0 * (1.0 - t_star / self.t_star.upper);
                let t_star = significant(t_star, 4);
                let _ = write!(text, "; were it twice as large, T* would be {t_star} ({saved:.0} % less)");
            }
            text.push('\n');
        }
        text + &self.margin_advice()
    }

    /// What the margin that saves most would save, if it is a good part.
    fn margin_advice(&self) -> String {
        let margins = self.drivers.iter().filter_map(|driver| Some((driver, driver.with_margin?)));
        let Some((driver, MarginFindings { margin, t_star })) =
            margins.min_by(|a, b| a.1.t_star.total_cmp(&b.1.t_star))
        else {
            return String::new();
        };
        let part = t_star / self.t_star.upper;
        if !(part <= WORTH_A_MARGIN) {
            return String::new();
        }
        let expected = self.outlooks[0].samples_expected;
        format!(
            "\nIf differences of up to {} in \"{}\" do not matter: with `margin = {}` there it takes about {} samples instead of {}.\n",
            short(margin),
            plain(&driver.objective.name),
            short(margin),
            samples(part * expected),
            samples(expected),
        )
    }

    /// The simulated samples at each δ.
    fn histogram(&self) -> Histogram {
        let panel = |outlook: &Outlook| {
            let mut panel = outlook.entrant.as_ref()?.panel(&format!("δ = {}", short(outlook.delta)));
            if self.t_star.upper > 0.0 {
                let expected = outlook.samples_expected;
                panel.label += &format!(", T*·β = {} (dashed)", samples(expected));
                panel.marks.push(Mark { at: expected, stroke: Stroke::Dashed });
            }
            Some(panel)
        };
        Histogram {
            title: format!("{}: samples until the front is known", self.study),
            subtitle: format!("Simulated with the guessed means and variances, {} threshold", self.threshold),
            x_label: "samples until the stop".to_owned(),
            y_label: "share of runs".to_owned(),
            line: None,
            panels: self.outlooks.iter().filter_map(panel).collect(),
        }
    }
}

/// A share, to the per cent or, if it is small, to a digit.
fn percent(share: f64) -> String {
    if share >= 0.0995 { format!("{:.0} %", 100.0 * share) } else { format!("{} %", significant(100.0 * share, 2)) }
}
