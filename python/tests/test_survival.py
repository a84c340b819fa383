"""Processes that are killed at any instant: nothing told is lost, nothing counts twice, and the study goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from studies import FRONT, MEANS, make

# By hand, more: SUREFRONT_KILLS=20.
KILLS = int(os.environ.get("SUREFRONT_KILLS", "2"))

DRIVER = """
import sys, time
from studies import make, measure
import surefront as sf

def slowly(arm):
    time.sleep(0.003)
    return measure(arm)

log = open(sys.argv[2], "a")

def progress(now):
    print(now.samples, file=log, flush=True)

make(store=sys.argv[1], delta=1e-40).run(slowly, jobs=4, progress=progress)
"""


def test_a_driver_that_is_killed_leaves_everything_told(tmp_path: Path) -> None:
    rng, store, log = random.Random(5), tmp_path / "s.db", tmp_path / "log"
    paths = [str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    kept = 0
    for _ in range(KILLS):
        log.unlink(missing_ok=True)
        driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(store), str(log)], env=environment)
        while driver.poll() is None and not (log.exists() and log.read_text()):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.3))
        driver.kill()
        driver.wait()
        said = max((int(line) for line in log.read_text().split("\n")[:-1]), default=0)
        with make(store=store, delta=1e-40) as study:
            told = study.status().samples
        # What was said to count is in the store, and what was there before.
        assert told >= max(said, kept)
        kept = told
    with make(store=store, delta=1e-40) as study:
        status = study.run(lambda arm: MEANS[arm], jobs=2)
        tickets = study.observations()["ticket"]
    assert status.front == FRONT
    assert status.samples >= kept
    assert tickets.is_unique


def slow(arm: str) -> dict[str, float]:
    time.sleep(0.01)
    accuracy, seconds = MEANS[arm]
    return {"accuracy": random.gauss(accuracy, 0.1), "seconds": random.gauss(seconds, 0.2)}


def test_a_dask_worker_that_is_killed_costs_nothing_that_was_told(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cloudpickle = pytest.importorskip("cloudpickle")

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    rng = random.Random(6)
    for kill in range(KILLS):
        study = make(store=tmp_path / f"s{kill}.db", delta=1e-25)
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)
        with cluster, distributed.Client(cluster) as client:
            victim = rng.choice([nanny.pid for nanny in cluster.workers.values()])
            timer = threading.Timer(rng.uniform(0, 0.6), os.kill, (victim, signal.SIGKILL))
            timer.start()
            status = study.run(slow, executor=client.get_executor() if kill % 2 else client, on_failure="retry")
            timer.join()
        table = study.observations()
        assert status.front == FRONT
        # Nothing counted twice.
        counted = table[table["retracted_at"].isna()]
        assert counted["ticket"].is_unique
        assert len(counted) == status.samples
        # Dask takes functions for pure, and would give one result for two measurements of an arm.
        assert counted["seconds"].is_unique
