//! `surefront export`: every observation, for other programs.

use super::inputs;
use crate::args::{ExportArgs, ExportFormat};
use crate::failure::Failure;
use surefront_study::output::kind::OutputKind;
use surefront_study::output::observations::{self, ObservationFormat, Which};
use surefront_study::output::rows::OutputFile;
use surefront_study::store::Access;

/// Writes the observations.
pub fn run(args: &ExportArgs) -> Result<(), Failure> {
    let mut session = args.session.open(Access::Read)?;
    let (kind, format) = match args.format {
        ExportFormat::Csv => (OutputKind::ObservationsCsv, ObservationFormat::Csv),
        ExportFormat::Jsonl => (OutputKind::ObservationsJson, ObservationFormat::JsonLines),
    };
    let which = if args.all { Which::All } else { Which::Counting };
    let output = OutputFile::create(&args.output, kind, &inputs(&session))?;
    // What is written is what the store held at one moment.
    session.look(|view| Ok(output.write(|output| observations::write(view, which, format, output))))??;
    Ok(())
}
