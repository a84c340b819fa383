//! Another program than `surefront`: takes up a study, measures one arm by hand, lets the others be measured, and writes the report.
//!
//! ```sh
//! cargo run --package surefront-study --example second_program
//! ```

use std::error::Error;
use std::fs;

use surefront_study::file::results::Key;
use surefront_study::report::{self, Format, ReportData};
use surefront_study::run::{self, Interrupt, RunOptions};
use surefront_study::session::{Asked, Session};
use surefront_study::store::Access;

const STUDY: &str = r#"
name = "two coins and a die"
[[objective]]
name = "gain"
goal = "max"
variance = 1.0
[[arm]]
name = "coin"
mean = [0.5]
[[arm]]
name = "die"
mean = [3.5]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("second-program-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let study = folder.join("study.toml");
    fs::write(&study, STUDY)?;

    // Take it up, ask, measure, tell: everything told is on the disk.
    let mut session = Session::open(&study, None, Access::Create)?;
    if let Asked::Tickets(tickets) = session.ask(1, "by hand")? {
        session.tell(Key::Ticket(tickets[0].id), &[0.7], "by hand")?;
    }
    // Let the program measure until there is an answer, and hear what there is to know.
    let end = run::measure(&mut session, &RunOptions::default(), &mut (), &Interrupt::new())?;
    let answer = session.answer()?;
    println!("{end:?} after {} samples: {}", answer.samples, answer.headline());

    // A report for somebody who was not there.
    let path = report::beside(&study, Format::Html);
    let target = report::destination(&path, Format::Html, &session.file().paths())?;
    target.write(report::render(&ReportData::of(&mut session)?, Format::Html).as_bytes())?;
    println!("{} bytes of report", fs::metadata(&path)?.len());
    Ok(fs::remove_dir_all(&folder)?)
}
