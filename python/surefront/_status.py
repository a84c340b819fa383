"""What is known of a study, as data and for the eye."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from surefront._fields import Fields

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import polars


class Status(Fields):
    """What is known of a study at one moment. Fields are those of the program's JSON.

    >>> import surefront as sf
    >>> study = sf.Study([sf.Objective("gain", "max", variance=1.0)], ["coin", "die"])
    >>> status = study.status()
    >>> status.samples, status.stopped, status["promise"]
    (0, False, 'proved')
    >>> print(status)
    Nothing has been measured yet.
    """

    def __init__(self, found: tuple[str, str, list[str]], svg: str | None = None) -> None:
        text, self._headline, self._sentences = found
        super().__init__(text)
        self._svg = svg

    @property
    def front(self) -> list[str]:
        """The arms of the front so far; none until every arm has been measured."""
        return [arm["name"] for arm in self._fields["front"]]

    @property
    def headline(self) -> str:
        """The front, how sure it is, and what is missing, in a few lines."""
        return self._headline.rstrip("\n")

    @property
    def sentences(self) -> list[str]:
        """What else to know: failures, what the observations look like, what the promise depends on."""
        return list(self._sentences)

    def _columns(self) -> dict[str, list[Any]]:
        arms = self._fields["arms"]
        columns: dict[str, list[Any]] = {"arm": [arm["name"] for arm in arms], "n": [arm["n"] for arm in arms]}
        for place, objective in enumerate(self._fields["objectives"]):
            columns[objective["name"]] = [arm["mean"][place] for arm in arms]
            columns[f"{objective['name']} ± se"] = [arm["se"][place] for arm in arms]
        for field in ("verdict", "promise", "reason"):
            columns[field] = [arm[field] for arm in arms]
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each arm: observations, means with their standard errors, verdict and reason."""
        import pandas

        return pandas.DataFrame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """A row for each arm: observations, means with their standard errors, verdict and reason."""
        import polars

        return polars.DataFrame(self._columns(), strict=False)

    def plot(self, x: str | None = None, y: str | None = None, *, ax: matplotlib.axes.Axes | None = None) -> Any:
        """Draws the arms in two objectives on matplotlib axes, the first two unless others are named."""
        from surefront._plot import draw

        return draw(self._fields, x, y, ax)

    def __str__(self) -> str:
        return "\n".join([self.headline, *(f"- {sentence}" for sentence in self._sentences)])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._fields['study']!r}: {self._fields['samples']} samples>"

    def _repr_html_(self) -> str:
        return as_html(self)


class Analysis(Status):
    """What samples say that exist already. `next` is how the next measurements are best spread over the arms."""


def as_html(status: Status) -> str:
    """The front as a picture, and the verdicts as a table."""
    columns = status._columns()
    cell = html.escape
    rows = zip(*columns.values(), strict=True)
    head = "".join(f"<th>{cell(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(_shown(value))}</td>" for value in row) + "</tr>" for row in rows)
    notes = "".join(f"<li>{cell(sentence)}</li>" for sentence in status._sentences)
    lines = "<br>".join(cell(line) for line in status.headline.splitlines())
    picture = f"<div>{status._svg}</div>" if status._svg else ""
    return (
        f"<div><p>{lines}</p>{picture}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        + (f"<ul>{notes}</ul>" if notes else "")
        + "</div>"
    )


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
