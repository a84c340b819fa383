from __future__ import annotations

import gc
import math
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from studies import FRONT, MEANS, fill, make

import surefront as sf

Draw = Callable[[str], dict[str, float]]


@pytest.mark.parametrize("store", [None, "study.db"])
def test_ask_and_tell_until_sure(store: str | None, tmp_path: Path, seeded: Draw) -> None:
    study = make(store=None if store is None else tmp_path / store)
    assert study.front == []
    fill(study, seeded)
    assert study.front == FRONT
    assert study.answered
    with pytest.raises(sf.AnsweredError, match='nothing needs to be measured: The front is "small", "large": sure'):
        study.ask()


def test_memory_and_store_ask_for_the_same(tmp_path: Path, seeded: Draw) -> None:
    memory, stored = make(seed=3), make(seed=3, store=tmp_path / "s.db")
    for _ in range(60):
        if memory.sure:
            break
        one, other = memory.ask(), stored.ask()
        assert one == other
        values = seeded(one.arm)
        memory.tell(one, values)
        stored.tell(other, values)
        assert memory.sure == stored.sure
    assert memory.status().to_dict()["arms"] == stored.status().to_dict()["arms"]


def test_results_count_in_the_order_of_asking(seeded: Draw) -> None:
    study = make()
    first, second = study.ask(2)
    study.tell(second, seeded(second.arm))
    assert study.status().samples == 0
    assert study.status().waiting == {"results": 1, "ticket": first.id}
    study.fail(first, "spilt")
    assert study.status().samples == 1
    assert any("given up" in sentence for sentence in study.status().sentences)


def test_many_at_once() -> None:
    study = make()
    tickets = study.ask(6)
    values = np.array([MEANS[ticket.arm] for ticket in tickets])
    study.tell(tickets[:2], values[:2])
    study.tell([ticket.id for ticket in tickets[2:3]], values[2:3])
    columns: dict[str, Any] = {
        "ticket": [ticket.id for ticket in tickets[3:]],
        "accuracy": values[3:, 0],
        "seconds": values[3:, 1],
        "who": ["me"] * 3,
    }
    study.tell(pd.DataFrame(columns).iloc[:1])
    study.tell(pl.DataFrame(columns)[1:2])
    study.tell(pa.table({**columns, "arm": [ticket.arm for ticket in tickets[3:]]}).slice(2))
    assert study.status().samples == 6
    study.tell(["small", "clumsy"], [[0.7, 1.0], [0.6, 5.0]])
    assert study.status().samples == 8
    # All or nothing.
    with pytest.raises(sf.StudyError, match=r"row 1: .*NaN.*nothing was stored"):
        study.tell(["small", "small"], [[0.7, 1.0], [float("nan"), 1.0]])
    with pytest.raises(sf.StudyError, match="ticket 1 is for arm"):
        study.tell(pd.DataFrame({"ticket": [1], "arm": ["clumsy"], "accuracy": [1.0], "seconds": [1.0]}))
    with pytest.raises(sf.StudyError, match='no column "seconds"'):
        study.tell(pd.DataFrame({"arm": ["clumsy"], "accuracy": [1.0]}))
    assert study.status().samples == 8


def test_sums_are_made_of_what_is_read() -> None:
    net = sf.Objective("net", "max", of={"revenue": 1, "cost": -2})
    study = sf.Study([net, sf.Objective("seconds", "min")], ["a", "b"])
    assert (study.objectives, study.readings) == (["net", "seconds"], ["revenue", "cost", "seconds"])
    study.tell("a", {"revenue": 10, "cost": 3, "seconds": 5})
    study.tell("a", [12, 2, 6])
    study.tell("a", {"net": 0, "seconds": 7})
    study.tell(["b", "b"], np.array([[8.0, 1.0, 9.0], [5.0, 3.0, 9.0]]))
    study.tell(pd.DataFrame({"arm": ["b"], "seconds": [9.0], "net": [-2.0]}))
    study.tell(pd.DataFrame({"arm": ["b"], "seconds": [9.0], "cost": [1.0], "revenue": [3.0]}))
    means = {arm["name"]: arm["mean"] for arm in study.status().arms}
    # 10 − 2 · 3, 12 − 2 · 2 and 0; 8 − 2, 5 − 6, −2 and 3 − 2.
    assert means["a"] == pytest.approx([4.0, 6.0])
    assert means["b"] == pytest.approx([1.0, 9.0])
    with pytest.raises(sf.StudyError, match='no value for "cost"'):
        study.tell("a", {"revenue": 1, "seconds": 2})
    with pytest.raises(sf.StudyError, match="only known to be more"):
        study.tell("a", {"revenue": 1, "cost": ">2", "seconds": 2})


def test_taking_back(seeded: Draw) -> None:
    study = make()
    tickets = study.ask(3)
    for ticket in tickets:
        study.tell(ticket, seeded(ticket.arm))
    (observation,) = study.retract(tickets[0], reason="wrong cable")
    assert study.status().samples == 2
    study.tell(tickets[0], seeded(tickets[0].arm))
    assert study.status().samples == 3
    with pytest.raises(sf.StudyError, match=f"observation {observation} was taken back already"):
        study.retract([observation], reason="again")
    assert len(study.retract(arm=tickets[1].arm, reason="all of it")) == 1
    with pytest.raises(sf.StudyError, match="what to take back is not said"):
        study.retract(reason="nothing")
    table = study.observations()
    assert list(table["retracted_reason"].dropna()) == ["wrong cable", "all of it"]
    assert table["accuracy"].dtype == np.float64


def test_the_same_again_changes_nothing(seeded: Draw) -> None:
    study = make()
    ticket = study.ask()
    values = seeded(ticket.arm)
    study.tell(ticket, values)
    study.tell(ticket, values)
    assert study.status().samples == 1
    with pytest.raises(sf.StudyError, match="was told .* already"):
        study.tell(ticket, seeded(ticket.arm))


BAD_VALUES: list[tuple[object, str]] = [
    (None, "there is None: give a number for each objective"),
    (3, "there is an int"),
    ("ab", "there is a str"),
    ([1], "there is 1 value: give one for each objective"),
    ({"accuracy": 1}, 'there is no value for "seconds"'),
    ({"accuracy": 1, "second": 2}, 'a value for "second", which is no objective: did you mean "seconds"?'),
    ({"accuracy": 1, "seconds": 2, "x": 3}, 'a value for "x", which is no objective'),
    ({"accuracy": "good", "seconds": 2}, 'a str for "accuracy": give a number'),
    ({"accuracy": float("nan"), "seconds": 1}, 'the value NaN in objective "accuracy": give a finite number'),
    ([float("inf"), 1], "there is no mean of such values"),
]


@pytest.mark.parametrize(("values", "sentence"), BAD_VALUES)
@pytest.mark.parametrize("store", [None, "s.db"])
def test_values_that_cannot_be(values: object, sentence: str, store: str | None, tmp_path: Path, seeded: Draw) -> None:
    study = make(store=None if store is None else tmp_path / store)
    ticket = study.ask()
    with pytest.raises(sf.StudyError, match=sentence.replace("?", r"\?")):
        study.tell(ticket, values)
    # The study is unharmed.
    study.tell(ticket, seeded(ticket.arm))
    fill(study, seeded)
    assert study.front == FRONT


def test_wrong_arms_tickets_and_numbers() -> None:
    study = make()
    with pytest.raises(sf.StudyError, match=r'no arm "smal": did you mean "small"\?'):
        study.tell("smal", [1, 2])
    with pytest.raises(sf.StudyError, match="there is no ticket 99"):
        study.tell(99, [1, 2])
    with pytest.raises(sf.StudyError, match="there is no ticket 99"):
        study.fail(99, "gone")
    with pytest.raises(sf.StudyError, match="n is -1"):
        study.ask(-1)
    assert study.ask(0) == []
    with pytest.raises(sf.StudyError, match="are of shape"):
        study.tell(["small"], [[1.0]])
    with pytest.raises(sf.StudyError, match="is no table"):
        study.tell(object())


BAD_STUDIES: list[tuple[dict[str, Any], str]] = [
    ({"objectives": []}, r"objective"),
    ({"arms": []}, r"arm"),
    ({"arms": "abc"}, 'arms is the text "abc": give a list of names'),
    ({"arms": ["a", "a"]}, 'there is already an arm named "a"'),
    ({"arms": [3]}, "3 is no Arm"),
    ({"objectives": ["x"]}, "'x' is no Objective"),
    ({"objectives": [sf.Objective("x", "maks")]}, 'is "maks": write "max" if more is better'),  # type: ignore[arg-type]
    ({"objectives": [sf.Objective("x", "max", variance=-1)]}, "is -1: write a positive number"),
    ({"objectives": [sf.Objective("x", "max", variance=float("nan"))]}, "nan"),
    ({"objectives": [sf.Objective("x", "max", noise="bernouli")]}, "bernouli"),
    ({"objectives": [sf.Objective("x", "max", variance=object())]}, "variance is <object"),  # type: ignore[arg-type]
    ({"objectives": [sf.Objective("x\ud800", "max")]}, "which is no text"),
    ({"delta": 2}, "delta is 2: write a number between 0 and 1"),
    ({"rule": "zig"}, 'there is no rule named "zig": write one of'),
    ({"threshold": "zag"}, 'named "zag": write one of'),
    ({"store": "/nowhere/at/all.db"}, "the store cannot be opened for writing"),
]


@pytest.mark.parametrize(("wrong", "sentence"), BAD_STUDIES)
def test_studies_that_cannot_be(wrong: dict[str, Any], sentence: str) -> None:
    right: dict[str, Any] = {"objectives": [sf.Objective("x", "max")], "arms": ["a", "b"]}
    with pytest.raises(sf.StudyError, match=sentence) as caught:
        sf.Study(**{**right, **wrong})
    # Nobody wrote these lines.
    assert not str(caught.value).startswith("study, line")


def test_names_are_kept_as_they_are() -> None:
    names = ['quo"te', "new\nline", "emoji 🎉", "back\\slash", "tab\t", "del\x7f"]
    study = sf.Study([sf.Objective("größe µ", "max", noise="exact")], names)
    assert study.arms == names
    study.run({name: float(place) for place, name in enumerate(names)}.__getitem__)
    assert study.front == ["del\x7f"]


def test_a_likely_answer_is_not_sure() -> None:
    study = sf.Study([sf.Objective("heads", "max", noise="bernoulli")], ["a", "b"], delta=0.05, threshold="stylized")
    while not study.answered:
        ticket = study.ask()
        study.tell(ticket, int(ticket.arm == "b"))
    assert (study.front, study.sure, study.status().promise) == (["b"], False, "likely")
    with pytest.raises(sf.AnsweredError, match=r'likely "b", at δ = 0\.05: not proved'):
        study.ask()


def test_every_key_of_the_study_file_is_a_keyword() -> None:
    study = sf.Study(
        [
            sf.Objective("ok", "max", noise="bernoulli"),
            sf.Objective("share", "max", noise="bounded", range=[0, 1]),
            sf.Objective("seconds", "min", statistic="p90"),
        ],
        ["a", "b"],
        delta=0.05,
    )
    for line in ("range = [0, 1]", 'statistic = "p90"'):
        assert line in study.definition
    with pytest.raises(sf.StudyError, match='"share"'):
        study.tell("a", [1, 1.5, 0.2])
    study.tell("a", [1, 0.5, math.inf])
    with pytest.raises(sf.StudyError, match="p100"):
        sf.Study([sf.Objective("seconds", "min", statistic="p100")], ["a"])
    gauss = [sf.Objective("x", "max", variance=1), sf.Objective("y", "max", variance=1)]
    assert "correlation = [[1, 0.5], [0.5, 1]]" in sf.Study(gauss, ["a", "b"], correlation=[[1, 0.5], [0.5, 1]]).definition
    with pytest.raises(sf.StudyError, match="correlat"):
        sf.Study(gauss, ["a", "b"], correlation=[[1, 2], [2, 1]])


@pytest.mark.parametrize("store", [None, "s.db"])
def test_what_is_only_known_to_be_more_than_something(store: str | None, tmp_path: Path) -> None:
    place = None if store is None else tmp_path / store
    study = sf.Study([sf.Objective("seconds", "min", statistic="median")], ["a", "b"], delta=0.05, store=place)
    # Numbers beyond all values stand for limits inside: none that is given may be taken for one.
    both = np.array([[1.0], [1e160]])
    with pytest.raises(sf.StudyError, match="1e160"):
        study.tell("a", 1e160)
    with pytest.raises(sf.StudyError, match="1e160"):
        study.tell("a", [1e160])
    with pytest.raises(sf.StudyError, match="1e160"):
        study.tell(["a", "b"], both)
    study.tell("a", {"seconds": ">200"})
    study.tell("a", math.inf)
    study.tell("b", 3)
    assert study.observations()["seconds"].tolist() == [">200", math.inf, 3.0]


def test_a_closed_study_says_so(tmp_path: Path) -> None:
    with make(store=tmp_path / "s.db") as study:
        study.ask()
    for use in (study.ask, study.status, lambda: study.sure, lambda: study.run(lambda _: 1)):
        with pytest.raises(sf.StudyError, match="the study is closed: open it again"):
            use()
    study.close()


def test_a_store_that_goes_away_is_missed(tmp_path: Path) -> None:
    study = make(store=tmp_path / "s.db")
    ticket = study.ask()
    (tmp_path / "s.db").unlink()
    with pytest.raises(sf.StudyError, match="deleted, moved or replaced"):
        study.tell(ticket, [0.7, 1.0])


def test_another_study_in_the_store_is_refused(tmp_path: Path) -> None:
    make(store=tmp_path / "s.db").close()
    with pytest.raises(sf.StudyError, match="the study file and the store do not agree"):
        sf.Study([sf.Objective("other", "max")], ["a"], store=tmp_path / "s.db")


def test_threads_may_share_a_study(seeded: Draw, tmp_path: Path) -> None:
    study = make(store=tmp_path / "s.db", delta=1e-6)
    lock = threading.Lock()

    def work() -> None:
        for _ in range(10):
            ticket = study.ask()
            with lock:
                values = seeded(ticket.arm)
            study.tell(ticket, values)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert study.status().samples == 40


def test_tickets_travel() -> None:
    ticket = make().ask()
    assert pickle.loads(pickle.dumps(ticket)) == ticket
    assert len({ticket, ticket}) == 1
    assert repr(ticket) == "Ticket(id=1, arm='small')"


def test_studies_in_memory_are_gone_with_their_owner() -> None:
    for _ in range(300):
        make().ask()
    gc.collect()
    assert make().status().samples == 0


def test_every_key_of_the_study_file_has_its_keyword() -> None:
    exact = [sf.Objective("score", "max", noise="exact")]
    grid = sf.Study(
        exact,
        command="echo 'x' score={level}",
        grid={"level": [1, 6, 9]},
        timeout="1m",
        jobs=2,
        warmup=1,
        max_samples=100,
    )
    assert list(grid.arms) == ["level=1", "level=6", "level=9"]
    assert 'timeout = "1m"' in grid.definition
    assert 'grid = { "level" = [1, 6, 9] }' in grid.definition
    listed = sf.Study(exact, [sf.Arm("a", parameters={"level": 3}), sf.Arm("b", parameters={"level": 4})], command="echo score={level}")
    assert listed.run().front == ["b"]


def test_zeros_and_ones_are_taken_for_successes() -> None:
    rows = {"arm": ["a", "b"] * 200, "passed": [1, 0, 1, 1, 1, 0, 0, 1] * 50}
    taken = sf.analyze(rows, max="passed")
    assert any("bernoulli" in sentence for sentence in taken.sentences), taken.sentences
    said = sf.analyze(rows, objectives=[sf.Objective("passed", "max", noise="gaussian")])
    assert not any("taken for successes" in sentence for sentence in said.sentences)


def test_costs() -> None:
    gain = [sf.Objective("gain", "max", variance=1.0)]
    arms = [sf.Arm("cheap", mean=[0.0]), sf.Arm("dear", mean=[0.1], cost=10)]
    study = sf.Study(gain, arms)
    assert "cost = 10" in study.definition
    status = study.run({"cheap": 0.0, "dear": 0.1}.__getitem__, max_cost=50)
    assert 50 <= status.cost["spent"] < 60
    assert not status.cost["measured"]
    assert 'cost = "measured"' in sf.Study(gain, ["a", "b"], cost="measured").definition
    with pytest.raises(sf.StudyError, match="above 0"):
        sf.Study(gain, [sf.Arm("a", cost=0), "b"])
    with pytest.raises(sf.StudyError, match="max_cost"):
        study.run(lambda _: 0.0, max_cost=-1)


def test_limits_are_kept() -> None:
    objectives: list[sf.Objective | sf.Constraint] = [
        sf.Objective("gain", "max", variance=1.0),
        sf.Objective("ms", "min", variance=100.0, at_most=200),
        sf.Constraint("errors", noise="bernoulli", at_most=0.3),
    ]
    study = sf.Study(objectives, ["good", "slow", "faulty"], delta=0.1)
    assert "[[constraint]]" in study.definition
    for tries in range(60):
        wobble = (tries * 37 % 11 - 5) / 5
        study.tell("good", {"gain": 2 + wobble, "ms": 150 + 10 * wobble, "errors": 0})
        study.tell("slow", [9 + wobble, 240 + 10 * wobble, 0])
        study.tell("faulty", {"gain": 9 + wobble, "ms": 100, "errors": 1})
    status = study.status()
    assert [arm["name"] for arm in status.to_dict()["front"]] == ["good"]
    limits = {arm["name"]: arm.get("limit") for arm in status.to_dict()["arms"]}
    assert (limits["slow"], limits["faulty"]) == ("ms", "errors")
    with pytest.raises(sf.StudyError, match="has no limit"):
        sf.Study([objectives[0], sf.Constraint("errors")], ["a", "b"])
