//! What every request may need.

use crate::studies::Studies;
use crate::tokens::Tokens;

/// What is served, and to whom.
#[derive(Debug)]
pub struct State {
    /// The studies.
    pub studies: Studies,
    /// Who may read and write; `None`: everybody who can connect.
    pub tokens: Option<Tokens>,
    /// Names of this machine, beside its addresses and `localhost`.
    pub hosts: Vec<String>,
}
