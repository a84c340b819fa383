//! One command from its start to its end: in a process group of its own, so that it can be ended with all that it started.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use wait4::Wait4;

use super::process_groups::{Group, ProcessGroups};
use super::tail::{Listener, Tail};
use crate::file::study::ArmCommand;
use crate::system::{self, Process, Stop};

/// What a command that was asked to end gets to do so.
const GRACE: Duration = Duration::from_secs(1);

/// How long the output may stay open once its command has ended.
const OUTPUT_PATIENCE: Duration = Duration::from_secs(1);

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
    /// All commands were ended: nobody needs what it would have said.
    GivenUp,
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

/// Runs a command to its end, or to the end of its time, among others that may all be ended.
///
/// # Errors
/// When it cannot be started.
pub fn run(
    command: &ArmCommand,
    folder: &Path,
    environment: &[(&str, String)],
    timeout: Option<Duration>,
    among: &ProcessGroups,
) -> io::Result<Ended> {
    if among.over() {
        let usage = Usage { wall: Duration::ZERO, user: Duration::ZERO, max_rss_bytes: 0 };
        return Ok(Ended { ending: Ending::GivenUp, usage, stdout: Tail::default(), stderr: Tail::default() });
    }
    let mut command = prepared(command);
    command.current_dir(folder).envs(environment.iter().map(|(name, value)| (name, value)));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    system::alone(&mut command);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let group = among.enter(&child);
    let watched = watch(&mut child, &group, start, timeout);
    // Whatever else is still running in the group would disturb the next measurement.
    group.stop(Stop::AtOnce);
    drop(group);
    let ended = child.wait4()?;
    let Watched { stdout, stderr, wall, timed_out } = watched?;
    let ending = match ended.status {
        _ if timed_out => Ending::TimedOut,
        // One that was done before it could be ended has said all.
        status if among.over() && !status.success() => Ending::GivenUp,
        status => Ending::Exited(status),
    };
    Ok(Ended {
        ending,
        usage: Usage { wall, user: ended.rusage.utime, max_rss_bytes: ended.rusage.maxrss },
        stdout: stdout.finish(OUTPUT_PATIENCE),
        stderr: stderr.finish(OUTPUT_PATIENCE),
    })
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
fn watch(child: &mut Child, group: &Group<'_>, start: Instant, timeout: Option<Duration>) -> io::Result<Watched> {
    let stdout = Listener::start(child.stdout.take().expect("it is piped"))?;
    let stderr = Listener::start(child.stderr.take().expect("it is piped"))?;
    let Some(timeout) = timeout else {
        let wall = end_of(group.leader)?.duration_since(start);
        return Ok(Watched { stdout, stderr, wall, timed_out: false });
    };
    let (sender, ends) = channel();
    let leader = group.leader;
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
            group.stop(Stop::Ask);
            if ends.recv_timeout(GRACE).is_err() {
                group.stop(Stop::AtOnce);
            }
            Instant::now()
        }
    };
    Ok(Watched { stdout, stderr, wall: end.duration_since(start), timed_out })
}

/// Waits until a process has ended, and leaves it unclaimed.
fn end_of(process: Process) -> io::Result<Instant> {
    system::wait_for_end(process).map(|()| Instant::now())
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::super::tail::LastLine;
    use super::*;

    /// More than anything here takes on the slowest machine: whoever waits longer waits for ever.
    const GENEROUS: Duration = Duration::from_secs(300);

    fn shell(line: &str, timeout: Option<Duration>) -> Ended {
        let word = [("WORD", "a word".to_owned())];
        run(&ArmCommand::Shell(line.to_owned()), Path::new("."), &word, timeout, &ProcessGroups::default()).unwrap()
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
        let begin = Instant::now();
        while !gone() {
            assert!(begin.elapsed() < GENEROUS, "process {pid} is still there");
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
        let run = |words| run(&ArmCommand::Words(words), Path::new("."), &[], None, &ProcessGroups::default());
        let ended = run(words).unwrap();
        assert_eq!(last(&ended.stdout), "$HOME; exit 1");
        let missing = run(vec!["no/such/program".into()]);
        assert_eq!(missing.unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_command_out_of_time_ends_with_all_it_started() {
        // One that would go on for ever, started by one that does not want to end. However slow the machine is, some limit lets
        // it start that one, and none is enough for it.
        let limits = (0..11).map(|doubled| Duration::from_millis(200) * 2_u32.pow(doubled));
        let started = limits.map(|limit| shell("trap '' TERM; sleep 1000 & echo $!; wait; wait", Some(limit)));
        let ended = started
            .inspect(|ended| assert_eq!(ended.ending, Ending::TimedOut))
            .find(|ended| ended.stdout.last_line().is_some());
        ends(&last(&ended.expect("it was never started").stdout));
    }

    #[test]
    fn what_a_command_leaves_behind_ends_with_it() {
        let ended = shell("sleep 1000 & echo $!", None);
        assert!(matches!(ended.ending, Ending::Exited(status) if status.success()));
        ends(&last(&ended.stdout));
    }

    #[test]
    fn a_flood_neither_blocks_nor_stays() {
        // `head` ends when all is written, so this ends only if somebody reads all of both.
        let ended = shell("yes | head -c 50000000; yes | head -c 50000000 >&2; echo x=1", Some(GENEROUS));
        assert!(matches!(ended.ending, Ending::Exited(status) if status.success()), "{:?}", ended.ending);
        assert_eq!(last(&ended.stdout), "x=1");
    }

    #[test]
    fn ending_all_commands_ends_those_of_one_place_only() {
        let folder = tempfile::tempdir().unwrap();
        let (here, there) = (ProcessGroups::default(), ProcessGroups::default());
        let begin = |name: &'static str, among| {
            // It says that it runs, and ends by itself only when it is told to.
            let line = format!("echo $$ > {name}.pid; while [ ! -e go ]; do sleep 0.01; done; echo x=1");
            let folder = folder.path();
            move || run(&ArmCommand::Shell(line), folder, &[], Some(GENEROUS), among).unwrap()
        };
        thread::scope(|scope| {
            let one = scope.spawn(begin("one", &here));
            let other = scope.spawn(begin("other", &there));
            let start = Instant::now();
            while !["one.pid", "other.pid"].iter().all(|name| folder.path().join(name).exists()) {
                assert!(start.elapsed() < GENEROUS, "the commands do not begin");
                thread::sleep(Duration::from_millis(5));
            }
            here.end_all();
            assert_eq!(one.join().unwrap().ending, Ending::GivenUp);
            std::fs::write(folder.path().join("go"), "").unwrap();
            let other = other.join().unwrap();
            assert!(matches!(other.ending, Ending::Exited(status) if status.success()));
            assert_eq!(last(&other.stdout), "x=1");
        });
        // No more begin here, but elsewhere.
        assert_eq!(begin("late", &here)().ending, Ending::GivenUp);
        assert!(matches!(begin("later", &there)().ending, Ending::Exited(status) if status.success()));
    }
}
