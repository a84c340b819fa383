//! Studies run again and again on simulated arms.

mod bracket;
mod budgets;
mod choice;
mod contest;
mod plan;
mod report;
mod run_log;
mod simulate;
mod workers;
mod yardstick;

/// More runs would not end in a lifetime; so few, their numbers never overflow.
pub const MOST_RUNS: u64 = 1_000_000_000_000;

pub use self::bracket::Bracket;
pub use self::budgets::{AtBudget, BudgetOptions, BudgetRule, Budgeter, Budgets};
pub(crate) use self::budgets::{Spender, error_plot};
pub use self::choice::{Choice, distinct_rules};
pub use self::contest::Contest;
pub use self::plan::{ArmPlan, BudgetPlan, DriverFindings, DriverKind, Outlook, Plan, PlanOptions, Planner, plan};
pub use self::report::{Entrant, Quantile, RuleFindings};
pub(crate) use self::report::{counted, histogram, mistakes, table};
pub use self::run_log::RunLog;
pub use self::simulate::{SimulateOptions, Simulated, Simulator, simulate};
pub use self::workers::Workers;
pub use self::yardstick::Yardstick;
