//! The library as its users see it: what it promises, and what it computes. One program, so that the long tests of one concept run beside those
//! of another; a file is a concept.

mod bound;
mod calibrated;
mod certified;
mod combinations;
mod correlation;
mod costs;
mod effort;
mod equal_repeats;
mod exact_ties;
mod field;
mod front;
mod golden;
mod guarantee;
mod instances;
mod kinds;
mod lazy;
mod left_out;
mod limits;
mod margins;
mod quantiles;
mod refusals;
mod resume;
mod saved_study;
mod side_by_side;
mod study;
mod ties;
