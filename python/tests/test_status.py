from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import pytest
from studies import FRONT, fill, make

import surefront as sf

mpl.use("Agg")

Draw = Callable[[str], dict[str, float]]


@pytest.fixture
def study(seeded: Draw) -> sf.Study:
    study = make(name="<models> & more")
    fill(study, seeded)
    return study


def test_status_as_data(study: sf.Study) -> None:
    status = study.status()
    assert status.front == FRONT
    assert status["stopped"] is status.stopped is True
    assert json.loads(json.dumps(status.to_dict()))["promise"] == "proved"
    with pytest.raises(AttributeError, match="no 'colour'"):
        _ = status.colour
    assert "samples" in dir(status)
    assert repr(status).startswith("<Status of '<models> & more'")


def test_status_as_tables(study: sf.Study) -> None:
    for table in (study.status().to_pandas(), study.status().to_polars()):
        assert list(table["arm"]) == study.arms
        assert list(table["verdict"]) == ["in", "in", "out"]
        assert all(table["seconds ± se"] > 0)
    # Before anything is measured, too.
    assert make().status().to_pandas()["accuracy"].isna().all()
    assert make().status().to_polars()["accuracy"].is_null().all()


def test_in_a_notebook(study: sf.Study) -> None:
    page = study._repr_html_()
    assert "<svg" in page
    assert "&lt;models&gt; &amp; more" in page
    assert "<models>" not in page
    assert "<table>" in make()._repr_html_()
    assert "<table>" in study.status()._repr_html_()


def test_reports(study: sf.Study, tmp_path: Path) -> None:
    assert study.report(tmp_path / "out.html").read_text().startswith("<!")
    assert "# " in study.report(tmp_path / "out.md").read_text()
    assert json.loads(study.report(tmp_path / "out.json").read_text())
    with pytest.raises(sf.StudyError, match="is not clear from its name: end it in"):
        study.report(tmp_path / "out.docx")
    with pytest.raises(sf.StudyError):
        study.report(tmp_path / "nowhere" / "out.html")


def test_a_report_never_replaces_the_store(tmp_path: Path) -> None:
    study = make(store=tmp_path / "s.html")
    with pytest.raises(sf.StudyError):
        study.report(tmp_path / "s.html")
    assert study.status().samples == 0


def test_plots(study: sf.Study) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    drawn = study.plot("seconds", "accuracy", ax=axes)
    assert drawn is axes
    assert axes.get_xlabel() == "seconds ↓"
    assert [text.get_text() for text in axes.texts] == study.arms
    with pytest.raises(sf.StudyError, match='no objective "hours"'):
        study.plot("hours")
    single = sf.Study([sf.Objective("gain", "max")], ["a"])
    single.tell("a", 1.0)
    single.plot(ax=plt.subplots()[1])
    plt.close(figure)
    plt.close("all")
