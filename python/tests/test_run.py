from __future__ import annotations

import asyncio
import functools
import logging
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from studies import FRONT, MEANS, make, measure

import surefront as sf


def test_threads_find_the_front() -> None:
    random.seed(1)
    assert make().run(measure).front == FRONT
    assert make().run(measure, jobs=4).front == FRONT
    with ThreadPoolExecutor(3) as executor:
        status = make().run(measure, executor=executor)
    assert status.stopped
    assert status.open_tickets == []
    assert status.waiting is None


def test_processes_find_the_front() -> None:
    with ProcessPoolExecutor(2) as executor:
        assert make().run(measure, executor=executor).front == FRONT
    # What makes executors will do.
    assert make().run(measure, executor=lambda: ProcessPoolExecutor(2)).front == FRONT


def test_as_many_under_way_as_there_are_workers() -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def counted(arm: str) -> dict[str, float]:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.005)
        with lock:
            now[0] -= 1
        return measure(arm)

    make(delta=1e-9).run(counted, jobs=5, max_samples=60)
    assert most == [5]


def test_at_most_twice_as_many_are_asked_ahead() -> None:
    """A slow measurement holds up the others: little is measured that the answer does not need."""
    gate = threading.Event()
    asked: list[str] = []
    held: list[int] = []

    def open_gate() -> None:
        held.append(len(asked))
        gate.set()

    def held_up(arm: str) -> dict[str, float]:
        asked.append(arm)
        if len(asked) == 1:
            gate.wait(20)
        elif len(asked) == 6:
            # The first ticket and five after it: nothing more comes until it is told.
            threading.Timer(0.3, open_gate).start()
        return measure(arm)

    make(delta=1e-9).run(held_up, jobs=3, max_samples=30)
    assert held == [6]


def slowly(arm: str) -> dict[str, float]:
    time.sleep(0.01)
    return measure(arm)


def test_budgets() -> None:
    status = make(delta=1e-30).run(measure, max_samples=20)
    assert (status.samples, status.stopped) == (20, False)
    assert not make(delta=1e-300).run(slowly, max_time=0.2).stopped
    with pytest.raises(sf.StudyError, match="max_time is -1: give a number of seconds"):
        make().run(measure, max_time=-1)


def test_progress_is_called_back(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[sf.Progress] = []
    make().run(slowly, progress=seen.append)
    assert seen
    assert seen[-1].fraction <= 1
    make().run(measure, progress=True)
    assert "samples" in capsys.readouterr().err

    def broken(_: sf.Progress) -> None:
        raise LookupError("no screen")

    study = make(delta=1e-9)
    with pytest.raises(LookupError, match="no screen"):
        study.run(measure, progress=broken)
    assert study.run(measure).front == FRONT


def fails_for_clumsy(arm: str) -> dict[str, float]:
    if arm == "clumsy":
        raise ValueError("no luck")
    return measure(arm)


def test_a_failure_stops_unless_something_else_is_said(caplog: pytest.LogCaptureFixture) -> None:
    study = make()
    with pytest.raises(sf.MeasurementError, match='arm "clumsy": the function `.*fails_for_clumsy` raised ValueError: no luck'):
        study.run(fails_for_clumsy)
    assert study.status().arms[2]["failures"]["count"] == 1
    assert study.run(measure).front == FRONT
    with caplog.at_level(logging.WARNING, logger="surefront"):
        status = make().run(fails_for_clumsy, on_failure="drop")
    assert status.front == FRONT
    assert [arm["name"] for arm in status.left_out] == ["clumsy"]
    assert "The arm is left out from now on" in caplog.text
    with pytest.raises(sf.StudyError, match='on_failure is "panic": write one of'):
        make().run(measure, on_failure="panic")  # type: ignore[arg-type]


def test_a_failure_is_tried_again() -> None:
    failed: set[str] = set()

    def once(arm: str) -> dict[str, float]:
        if arm not in failed:
            failed.add(arm)
            raise OSError("busy")
        return measure(arm)

    assert make().run(once, on_failure="retry", jobs=3).front == FRONT


def test_a_measurement_that_takes_too_long_is_given_up() -> None:
    study, release = make(), threading.Event()

    def slow(arm: str) -> dict[str, float]:
        if arm == "clumsy":
            release.wait(20)
        return measure(arm)

    with pytest.raises(sf.MeasurementError, match="had not returned after 200 ms and was given up"):
        try:
            study.run(slow, jobs=2, timeout=0.2)
        finally:
            release.set()
    assert any("took too long" in sentence for sentence in study.status().sentences)
    assert study.run(measure).front == FRONT


def unpicklable() -> Callable[[str], float]:
    return lambda _: 1.0


def test_what_an_executor_cannot_take() -> None:
    study = make()
    with ProcessPoolExecutor(1) as executor, pytest.raises(sf.MeasurementError, match="raised .*ickl"):
        study.run(unpicklable(), executor=executor)
    with pytest.raises(sf.StudyError, match="takes no more measurements .*after shutdown.*: give another executor"):
        study.run(measure, executor=executor)
    with pytest.raises(sf.StudyError, match="is no executor"):
        study.run(measure, executor=3)  # type: ignore[arg-type]
    with pytest.raises(sf.StudyError, match="is no function"):
        study.run(3)  # type: ignore[arg-type]
    with pytest.raises(sf.StudyError, match="0 commands cannot run side by side"):
        study.run(measure, executor=ThreadPoolExecutor(1), jobs=0)

    class Strange:
        def submit(self, fn: Callable[[str], object], arm: str) -> Future[object]:
            done: Future[object] = Future()
            done.set_result(fn(arm))
            return done

    with pytest.raises(sf.StudyError, match="how many workers the executor has is not known"):
        study.run(measure, executor=Strange())
    assert study.run(measure, executor=Strange(), jobs=2).front == FRONT


def dies(arm: str) -> dict[str, float]:
    if arm == "clumsy":
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(arm)


def test_a_pool_whose_worker_died_costs_its_measurements_only(tmp_path: Path) -> None:
    study = make(store=tmp_path / "s.db")
    with ProcessPoolExecutor(2) as executor, pytest.raises(sf.StudyError, match="BrokenProcessPool"):
        study.run(dies, executor=executor)
    before = study.status().samples
    with ProcessPoolExecutor(2) as executor:
        status = study.run(measure, executor=executor)
    assert status.front == FRONT
    assert status.samples >= before


def test_a_study_that_is_being_measured_says_so() -> None:
    study = make()
    said: list[str] = []

    def looks(arm: str) -> dict[str, float]:
        try:
            study.status()
        except sf.StudyError as error:
            said.append(str(error))
        return measure(arm)

    assert study.run(looks).front == FRONT
    assert "the study is being measured" in said[0]
    assert study.status().stopped


def test_one_run_at_a_time_on_a_store(tmp_path: Path) -> None:
    study = make(store=tmp_path / "s.db")
    second: list[str] = []

    def meddles(arm: str) -> dict[str, float]:
        if not second:
            with make(store=tmp_path / "s.db") as other, pytest.raises(sf.StudyError) as caught:
                other.run(measure)
            second.append(str(caught.value))
        return measure(arm)

    assert study.run(meddles).front == FRONT
    assert "is measuring for this store" in second[0]


def test_others_may_tell_meanwhile(tmp_path: Path) -> None:
    study, told = make(store=tmp_path / "s.db"), [0]

    def tells(arm: str) -> dict[str, float]:
        if told[0] < 3:
            told[0] += 1
            with make(store=tmp_path / "s.db") as other:
                other.tell(arm, measure(arm))
        return measure(arm)

    status = study.run(tells)
    assert status.front == FRONT
    assert sum(study.observations()["ticket"].isna()) == 3


def test_awaited_measurements() -> None:
    under_way, most = [0], [0]

    async def call(arm: str) -> dict[str, float]:
        under_way[0] += 1
        most[0] = max(most[0], under_way[0])
        await asyncio.sleep(0.002)
        under_way[0] -= 1
        return measure(arm)

    async def main() -> sf.Status:
        return await make(delta=1e-6).run_async(call, jobs=6)

    assert asyncio.run(main()).front == FRONT
    assert 2 <= most[0] <= 12

    async def fails(_: str) -> float:
        raise ConnectionError("refused")

    with pytest.raises(sf.MeasurementError, match="ConnectionError: refused"):
        asyncio.run(make().run_async(fails))


def test_a_run_that_is_cancelled_ends() -> None:
    study = make(delta=1e-200)

    async def call(arm: str) -> dict[str, float]:
        await asyncio.sleep(0.005 if study.arms[0] == arm else 3600)
        return measure(arm)

    async def main() -> None:
        await asyncio.wait_for(study.run_async(call, jobs=2), timeout=0.3)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(main())
    # What was under way is given up, and the study goes on.
    assert study.status().open_tickets == []
    assert study.run(measure, max_samples=20).samples == 20


def test_arms_with_means_are_simulated() -> None:
    status = make(seed=5).run()
    assert status.front == FRONT
    assert make(seed=5).run().to_dict()["arms"] == status.to_dict()["arms"]
    with pytest.raises(sf.StudyError, match='arm "a"'):
        sf.Study([sf.Objective("x", "max")], ["a"]).run()
    with pytest.raises(sf.StudyError, match="an executor and nothing to measure with"):
        make().run(executor=ThreadPoolExecutor(1))


def test_ctrl_c_keeps_what_is_under_way(tmp_path: Path) -> None:
    study, count = make(store=tmp_path / "s.db", delta=1e-200), [0]

    def interrupted(arm: str) -> dict[str, float]:
        count[0] += 1
        if count[0] == 5:
            os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.02)
        return measure(arm)

    # Whoever runs the tests in the background may have switched it off.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            study.run(interrupted)
    finally:
        signal.signal(signal.SIGINT, usual)
    status = study.status()
    # Everything that was measured is told, and nothing is left open.
    assert status.samples == count[0] >= 5
    assert status.open_tickets == []


def test_functions_have_names_in_the_store() -> None:
    study = make()
    study.run(measure, max_samples=9)
    status = study.run(functools.partial(fails_for_clumsy), on_failure="drop")
    assert any("measured by `studies.measure`" in sentence for sentence in status.sentences)
    assert set(MEANS) == set(study.arms)


def test_a_measurement_may_know_its_ticket() -> None:
    seeds: list[int] = []

    def seeded(arm: str, seed: int) -> dict[str, float]:
        seeds.append(seed)
        rng = random.Random(seed)
        accuracy, seconds = MEANS[arm]
        return {"accuracy": rng.gauss(accuracy, 0.1), "seconds": rng.gauss(seconds, 0.2)}

    first = make().run(seeded, jobs=1).to_dict()["arms"]
    assert len(set(seeds)) == len(seeds)
    assert make().run(seeded, jobs=1).to_dict()["arms"] == first
