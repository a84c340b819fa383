//! One command from its start to its end: in a process group of its own, so that it can be ended with all that it started.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::Wait4;

use super::tail::{Listener, Tail};
use crate::file::study::ArmCommand;

/// What a command that was asked to end gets to do so.
const GRACE: Duration = Duration::from_secs(1);

/// How long the output may stay open once its command has ended.
const OUTPUT_PATIENCE: Duration = Duration::from_secs(1);

/// The commands under way, so that they can all be ended at once.
static UNDER_WAY: Mutex<UnderWay> = Mutex::new(UnderWay { groups: Vec::new(), over: false });

struct UnderWay {
    groups: Vec<Pid>,
    /// Whether no more may begin.
    over: bool,
}

fn under_way() -> MutexGuard<'static, UnderWay> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ended {
    /// How.
    pub ending: Ending,
    /// What it took.
    pub usage: Usage,
    /// The end of its standard output.
    pub stdout: Tail,
    /// The end of its standard error.
    pub stderr: Tail,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Exited(ExitStatus),
    /// Its time was up.
    TimedOut,
}

/// What a command took, with everything it started and waited for.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// From its start to its end.
    pub wall: Duration,
    /// Spent computing.
    pub user: Duration,
    /// The most memory of one of its processes, but no less than this program's own when it started the command: that is
    /// where the system begins to count.
    pub max_rss_bytes: u64,
}

/// Runs a command to its end, or to the end of its time.
///
/// # Errors
/// When it cannot be started.
pub fn run(
    command: &ArmCommand,
    folder: &Path,
    environment: &[(&str, String)],
    timeout: Option<Duration>,
) -> io::Result<Ended> {
    let mut command = prepared(command);
    command.current_dir(folder).envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let group = Group::enter(&child);
    let watched = watch(&mut child, &group, start, timeout);
    // Whatever else is still running in the group would disturb the next measurement.
    group.signal(Signal::KILL);
    drop(group);
    let ended = child.wait4()?;
    let Watched { stdout, stderr, wall, timed_out } = watched?;
    Ok(Ended {
        ending: if timed_out { Ending::TimedOut } else { Ending::Exited(ended.status) },
        usage: Usage { wall, user: ended.rusage.utime, max_rss_bytes: ended.rusage.maxrss },
        stdout: stdout.finish(OUTPUT_PATIENCE),
        stderr: stderr.finish(OUTPUT_PATIENCE),
    })
}

/// Ends all commands under way, and lets no more begin.
pub fn end_all() {
    let mut under_way = under_way();
    under_way.over = true;
    for &group in &under_way.groups {
        // One that has just ended needs no ending.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn prepared(command: &ArmCommand) -> Command {
    match command {
        ArmCommand::Shell(line) => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(line);
            command
        }
        ArmCommand::Words(words) => {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]);
            command
        }
    }
}

struct Watched {
    stdout: Listener,
    stderr: Listener,
    wall: Duration,
    timed_out: bool,
}

/// Listens until the command ends, and makes it end when its time is up. It is left to be waited for, so that its number cannot
/// yet belong to anybody else.
fn watch(child: &mut Child, group: &Group, start: Instant, timeout: Option<Duration>) -> io::Result<Watched> {
    let stdout = Listener::start(child.stdout.take().expect("it is piped"))?;
    let stderr = Listener::start(child.stderr.take().expect("it is piped"))?;
    let Some(timeout) = timeout else {
        let wall = end_of(group.0)?.duration_since(start);
        return Ok(Watched { stdout, stderr, wall, timed_out: false });
    };
    let (sender, ends) = channel();
    let leader = group.0;
    thread::Builder::new().spawn(move || {
        // Nobody waits any more if the command was given up.
        let _ = sender.send(end_of(leader));
    })?;
    let ended = ends.recv_timeout(timeout.saturating_sub(start.elapsed()));
    let timed_out = ended.is_err();
    let end = match ended {
        Ok(end) => end?,
        Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::BrokenPipe.into()),
        Err(RecvTimeoutError::Timeout) => {
            group.signal(Signal::TERM);
            if ends.recv_timeout(GRACE).is_err() {
                group.signal(Signal::KILL);
            }
            Instant::now()
        }
    };
    Ok(Watched { stdout, stderr, wall: end.duration_since(start), timed_out })
}

/// Waits until a process has ended, and leaves it unclaimed.
fn end_of(process: Pid) -> io::Result<Instant> {
    loop {
        match waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
            Ok(_) => return Ok(Instant::now()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The process group of a command under way, known to [`end_all`] as long as this is there.
struct Group(Pid);

impl Group {
    fn enter(child: &Child) -> Self {
        let group = Group(Pid::from_child(child));
        let mut under_way = under_way();
        under_way.groups.push(group.0);
        if under_way.over {
            group.signal(Signal::KILL);
        }
        group
    }

    fn signal(&self, signal: Signal) {
        // There may be nobody left.
        let _ = kill_process_group(self.0, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        under_way().groups.retain(|&group| group != self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::super::tail::LastLine;
    use super::*;

    fn shell(line: &str, timeout: Option<Duration>) -> Ended {
        run(&ArmCommand::Shell(line.to_owned()), Path::new("."), &[("WORD", "a word".to_owned())], timeout).unwrap()
    }

    fn last(tail: &Tail) -> String {
        match tail.last_line() {
            Some(LastLine::Whole(line)) => line,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until there is no such process, or it is a zombie of somebody else's.
    fn ends(pid: &str) {
        let gone = || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
            state.is_empty() || state.starts_with(b"Z")
        };
        while !gone() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn output_and_usage_are_those_of_the_command() {
        let ended = shell("echo \"$WORD\"; echo trouble >&2; exit 3", None);
        assert_eq!(ended.ending, Ending::Exited(ExitStatusExt::from_raw(3 << 8)));
        assert_eq!((last(&ended.stdout), last(&ended.stderr)), ("a word".to_owned(), "trouble".to_owned()));
        assert!(ended.usage.max_rss_bytes > 100_000 && ended.usage.wall > Duration::ZERO);

        let busy = shell("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done", Some(Duration::from_secs(600)));
        assert!(busy.usage.user >= Duration::from_millis(1), "{:?}", busy.usage);
        assert!(busy.usage.wall >= Duration::from_millis(1), "{:?}", busy.usage);
        assert!(shell("sleep 0.2", None).usage.wall >= Duration::from_millis(200));
    }

    #[test]
    fn a_list_of_words_needs_no_shell() {
        let words = ["printf", "%s\n", "$HOME; exit 1"].map(str::to_owned).to_vec();
        let ended = run(&ArmCommand::Words(words), Path::new("."), &[], None).unwrap();
        assert_eq!(last(&ended.stdout), "$HOME; exit 1");
        let missing = run(&ArmCommand::Words(vec!["no/such/program".into()]), Path::new("."), &[], None);
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_command_out_of_time_ends_with_all_it_started() {
        // One that would go on for ever, started by one that does not want to end.
        let ended = shell("trap '' TERM; sleep 1000 & echo $!; wait; wait", Some(Duration::from_millis(200)));
        assert_eq!(ended.ending, Ending::TimedOut);
        ends(&last(&ended.stdout));
    }

    #[test]
    fn what_a_command_leaves_behind_ends_with_it() {
        let ended = shell("sleep 1000 & echo $!", None);
        assert!(matches!(ended.ending, Ending::Exited(status) if status.success()));
        ends(&last(&ended.stdout));
    }

    #[test]
    fn a_flood_neither_blocks_nor_stays() {
        let ended = shell("yes | head -c 50000000; echo x=1; yes >&2 | head -c 0", Some(Duration::from_secs(2)));
        assert_eq!(last(&ended.stdout), "x=1");
    }
}
