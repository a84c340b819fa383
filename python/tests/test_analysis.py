from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import surefront as sf
from surefront import _tables

RNG = np.random.default_rng(3)
ROWS = 600
ARMS = [f"model {place % 3}" for place in range(ROWS)]
COLUMNS: dict[str, Any] = {
    "model": ARMS,
    "accuracy": np.array([[0.9, 0.8, 0.5][place % 3] for place in range(ROWS)]) + RNG.normal(0, 0.05, ROWS),
    "seconds": np.array([[3.0, 1.0, 4.0][place % 3] for place in range(ROWS)]) + RNG.normal(0, 0.2, ROWS),
    "note": ["x"] * ROWS,
}


class Capsule:
    """Something that speaks Arrow's C interface, and nothing else."""

    def __init__(self) -> None:
        self.table = pa.table(COLUMNS)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


TABLES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas, categorical": pd.DataFrame(COLUMNS).astype({"model": "category"}),
    "polars": pl.DataFrame(COLUMNS),
    "polars, categorical": pl.DataFrame(COLUMNS).with_columns(pl.col("model").cast(pl.Categorical)),
    "polars, lazy": pl.DataFrame(COLUMNS).lazy(),
    "pyarrow": pa.table(COLUMNS),
    "pyarrow, in chunks": pa.concat_tables([pa.table(COLUMNS).slice(0, 100), pa.table(COLUMNS).slice(100)]),
    "arrays": COLUMNS,
    "arrow": Capsule(),
}


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("chunk", [7, 1 << 18])
def test_every_table_says_the_same(kind: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tables, "CHUNK", chunk)
    analysis = sf.analyze(TABLES[kind], arm="model", max="accuracy", min="seconds", delta=0.05)
    assert (analysis.front, analysis.stopped, analysis.samples) == (["model 0", "model 1"], True, ROWS)
    matrix = sf.analyze(np.column_stack([COLUMNS["accuracy"], COLUMNS["seconds"]]), arm=ARMS, max="accuracy", min="seconds", delta=0.05)
    assert analysis.to_dict()["arms"] == matrix.to_dict()["arms"]
    assert analysis.ignored_columns == ["note"]


def test_numbers_of_other_kinds() -> None:
    table = pl.DataFrame({"arm": ["a", "b"] * 50, "hits": [1, 0] * 50, "size": pl.Series([1.5, 2.5] * 50, dtype=pl.Float32)})
    analysis = sf.analyze(table, objectives=[sf.Objective("hits", "max", noise="bernoulli"), sf.Objective("size", "min", noise="exact")])
    assert (analysis.front, analysis.promise) == (["a"], "proved")
    by_number = sf.analyze({"arm": [1, 2] * 50, "x": [0.0, 1.0] * 50}, max="x", variance={"x": 0.1})
    assert by_number.front == ["2"]


def test_what_to_measure_next() -> None:
    few = pd.DataFrame(COLUMNS).head(12)
    analysis = sf.analyze(few, arm="model", max="accuracy", min="seconds", next=30)
    assert not analysis.stopped
    assert sum(share["samples"] for share in analysis.next) == 30


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"max": "acuracy"}, 'no column "acuracy"'),
    ({"arm": "modell"}, 'no column "modell"'),
    ({"arm": "accuracy"}, "cannot be both the arms and an objective"),
    ({"arm": None}, "which column names the arms is not clear .*model, note have text"),
    ({"max": (), "min": ()}, "there is no objective: name columns"),
    ({"max": "note"}, 'column "note" has something that is no number'),
    ({"variance": {"other": 1}}, '"other" is no objective'),
    ({"delta": 0}, "delta is 0"),
    ({"exact": ["seconds"]}, "seconds"),
]


@pytest.mark.parametrize(("wrong", "sentence"), WRONG)
def test_bad_input(wrong: dict[str, Any], sentence: str) -> None:
    right: dict[str, Any] = {"arm": "model", "max": "accuracy", "min": "seconds"}
    with pytest.raises(sf.StudyError, match=sentence):
        sf.analyze(TABLES["pandas"], **{**right, **wrong})


def test_rows_that_cannot_be_are_named() -> None:
    values = COLUMNS["accuracy"].copy()
    values[400] = np.nan
    for table in (pd.DataFrame({**COLUMNS, "accuracy": values}), pa.table({**COLUMNS, "accuracy": values})):
        with pytest.raises(sf.StudyError, match=r'samples, row 400: .*arm "model 1".*NaN'):
            sf.analyze(table, arm="model", max="accuracy")
    arms: list[str | None] = [*ARMS]
    arms[3] = None
    nameless = {**COLUMNS, "model": arms}
    for table in (pd.DataFrame(nameless), pl.DataFrame(nameless), pa.table(nameless), nameless):
        with pytest.raises(sf.StudyError, match="names no arm"):
            sf.analyze(table, arm="model", max="accuracy")
    with pytest.raises(sf.StudyError):
        sf.analyze(pd.DataFrame({"arm": [], "x": []}), max="x")
    with pytest.raises(sf.StudyError, match="a matrix needs a column for each objective"):
        sf.analyze(np.zeros((3, 2)), max="x")


def test_benchmarks_of_others(tmp_path: Path) -> None:
    hyperfine = tmp_path / "hyperfine.json"
    times = [{"command": name, "times": list(RNG.normal(mean, 0.01, 40))} for name, mean in [("a", 1.0), ("b", 2.0)]]
    hyperfine.write_text(json.dumps({"results": times}))
    assert sf.analyze(sf.read_benchmarks(hyperfine), min="seconds").front == ["a"]
    pytest_json = tmp_path / "pytest.json"
    found = [{"name": entry["command"], "stats": {"data": entry["times"]}} for entry in times]
    pytest_json.write_text(json.dumps({"benchmarks": found}))
    assert sf.read_benchmarks(pytest_json) == sf.read_benchmarks(hyperfine)
    pytest_json.write_text(json.dumps({"benchmarks": [{"name": "a", "stats": {"mean": 1}}]}))
    with pytest.raises(sf.StudyError, match="no single measurements in it"):
        sf.read_benchmarks(pytest_json)
    pytest_json.write_text("{")
    with pytest.raises(sf.StudyError, match="this is no JSON"):
        sf.read_benchmarks(pytest_json)
    with pytest.raises(sf.StudyError, match="cannot read this file"):
        sf.read_benchmarks(tmp_path / "nowhere.json")
