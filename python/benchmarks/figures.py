"""How fast the package is: the figures of docs/benchmarks.md.

Times are those of this process's threads, which other work on the machine hardly changes, unless it says otherwise.
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

import surefront as sf

VACCINE = Path(__file__).parents[2] / "examples" / "vaccine.toml"
ARMS, OBJECTIVES, ROUNDS = 20, 3, 4000


def ask_and_tell() -> None:
    """Rounds in memory, and the same rounds where the loop is Rust, with the noise that it draws itself."""
    rng = np.random.default_rng(1)
    means = rng.normal(size=(ARMS, OBJECTIVES))
    names = [f"arm {place}" for place in range(ARMS)]
    objectives = [sf.Objective(f"objective {place}", "max", variance=1.0) for place in range(OBJECTIVES)]
    for rule in ("uniform", "weakest"):
        drawn = [
            {name: dict(zip((o.name for o in objectives), row, strict=True)) for name, row in zip(names, rows, strict=True)}
            for rows in (means + rng.normal(size=(ROUNDS, ARMS, OBJECTIVES))).tolist()
        ]
        study = sf.Study(objectives, names, delta=1e-12, rule=rule)
        begin = time.thread_time()
        for values in drawn:
            if study.sure:
                break
            ticket = study.ask()
            study.tell(ticket, values[ticket.arm])
        here = 1e6 * (time.thread_time() - begin) / ROUNDS
        truth = sf.Study(objectives, dict(zip(names, means, strict=True)), delta=1e-12)
        there = sf.simulate(truth, rule, runs=40, max_samples=ROUNDS, jobs=1).rules[0]["micros_per_sample"]
        print(
            f"ask + tell, K = {ARMS}, d = {OBJECTIVES}, {rule}: {here:.2f} µs a round from Python, {there:.2f} µs in Rust: {here - there:.2f} µs more"
        )


def simulate() -> None:
    """Two thousand vaccine studies."""
    begin = time.perf_counter()
    found = sf.simulate(VACCINE, "dual", threshold="stylized", runs=2000).rules[0]
    print(
        f"simulate, 2,000 vaccine runs: mean {found['mean']:.2f}, {found['seconds']:.2f} s of one core, {time.perf_counter() - begin:.2f} s by the clock"
    )


def resident() -> float:
    """Megabytes that this process holds; and, since the last call, the most it held."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    Path("/proc/self/clear_refs").write_text("5")
    return float(fields["VmHWM"].split()[0]) / 1000


def analyze() -> None:
    """Ten million rows."""
    rows, rng = 10_000_000, np.random.default_rng(2)
    codes = rng.integers(0, 20, rows)
    names = pl.Series("arm", [f"model {place}" for place in range(20)])
    columns = {
        "arm": names.gather(pl.Series(codes)),
        "accuracy": rng.normal(size=rows) + codes / 10,
        "seconds": rng.normal(size=rows) - codes / 10,
    }
    frame = pl.DataFrame(columns)
    tables: dict[str, Callable[[], object]] = {"polars": lambda: frame, "pyarrow": lambda: pa.table(frame), "pandas": frame.to_pandas}
    del columns, codes
    for kind, make in tables.items():
        table = make()
        resident()
        before = resident()
        begin, work = time.perf_counter(), time.process_time()
        sf.analyze(table, max="accuracy", min="seconds", delta=0.05)
        wall, work = time.perf_counter() - begin, time.process_time() - work
        more = resident() - before
        size = frame.estimated_size() / 1e6
        print(
            f"analyze, {kind}: {rows / work / 1e6:.1f} million rows/s of one core, {rows / wall / 1e6:.1f} by the clock; {more:.0f} MB more beside {size:.0f} MB of data"
        )
        del table


def wait(arm: str) -> float:
    """A measurement of 20 ms."""
    time.sleep(0.02)
    return float(arm == "a")


def pool() -> None:
    """Processes side by side, by the clock."""
    rates = {}
    for workers in (1, 2):
        with ProcessPoolExecutor(workers) as executor:
            list(executor.map(wait, ["a"] * workers))
            study = sf.Study([sf.Objective("x", "max", variance=1.0)], ["a", "b"], delta=1e-300)
            begin = time.perf_counter()
            samples = study.run(wait, executor=executor, max_samples=300).samples
            rates[workers] = samples / (time.perf_counter() - begin)
    print(
        f"process pool, measurements of 20 ms: {rates[1]:.1f} and {rates[2]:.1f} a second with 1 and 2 workers: {rates[2] / rates[1]:.2f} ×"
    )


if __name__ == "__main__":
    figures = {figure.__name__: figure for figure in (ask_and_tell, simulate, analyze, pool)}
    for wanted in sys.argv[1:] or figures:
        figures[wanted]()
