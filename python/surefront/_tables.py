"""Tables of other libraries, read column by column, without copies where their memory can be looked at as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from surefront._surefront import StudyError

#: Rows that are read at a time: enough to be quick, little beside the table.
CHUNK = 1 << 18

#: Arms met in a chunk, of each row the place among these, and a column for each objective.
Chunk = tuple[list[str], NDArray[np.int64], list[NDArray[np.float64]]]


class Table:
    """A table of pandas', polars', pyarrow's, or of anything that speaks Arrow's C interface; or arrays by name."""

    def __init__(self, data: Any) -> None:
        self._data = _readable(data)
        self.columns = [str(name) for name in self._names()]

    def _names(self) -> list[Any]:
        if isinstance(self._data, dict):
            return list(self._data)
        return list(getattr(self._data, "column_names", None) or self._data.columns)

    def _column(self, name: str) -> Any:
        if name not in self.columns:
            raise StudyError(f'there is no column "{name}": there are {", ".join(self.columns)}')
        if self.columns.count(name) > 1:
            raise StudyError(f'there is more than one column "{name}": give each a name of its own')
        if isinstance(self._data, dict):
            return self._data[name]
        return self._data[name]

    def __len__(self) -> int:
        return len(self._column(self.columns[0])) if self.columns else 0

    def numbers(self, name: str) -> NDArray[np.float64]:
        """A column as numbers."""
        return _numbers(self._column(name), name)

    def texts(self, name: str) -> list[str]:
        """A column as texts."""
        return [str(entry) for entry in _listed(self._column(name))]

    def is_text(self, name: str) -> bool:
        """Whether a column has texts, as far as its kind or its first entry tells."""
        column = self._column(name)
        first = _listed(column[:1])
        return bool(first) and isinstance(first[0], str)

    def chunks(self, arm: str, objectives: list[str]) -> Iterator[Chunk]:
        """The rows, some at a time."""
        names = [arm, *objectives]
        columns = [self._column(name) for name in names]
        if len({len(column) for column in columns}) > 1:
            raise StudyError("the columns are not all of one length")
        for start in range(0, len(columns[0]), CHUNK):
            part = [column[start : start + CHUNK] for column in columns]
            arms, codes = _coded(part[0], arm)
            yield arms, codes, [_numbers(column, name) for column, name in zip(part[1:], objectives, strict=True)]


def _readable(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {name: column if hasattr(column, "dtype") else np.asarray(column) for name, column in data.items()}
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):  # polars, lazily
        return _readable(data.collect())
    if hasattr(data, "columns") or hasattr(data, "column_names"):
        return data
    if hasattr(data, "__arrow_c_stream__"):
        import pyarrow

        return pyarrow.table(data)
    raise StudyError(f"{type(data).__name__} is no table: give one of pandas, polars or pyarrow, or arrays by name")


def _listed(column: Any) -> list[Any]:
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, convert):
            entries: list[Any] = getattr(column, convert)()
            return entries
    return list(column)


def _numbers(column: Any, name: str) -> NDArray[np.float64]:
    array = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    try:
        return np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise StudyError(f'column "{name}" has something that is no number ({error})') from None


def _coded(column: Any, name: str) -> tuple[list[str], NDArray[np.int64]]:
    """The texts in a column, each once in the order in which it is met, and of each row its place among these."""
    nameless = StudyError(f'column "{name}" names no arm in some rows: fill it in, or leave these rows out')
    if hasattr(column, "dictionary_encode"):  # pyarrow
        if column.null_count:
            raise nameless
        encoded = column.dictionary_encode()
        if hasattr(encoded, "num_chunks"):
            encoded = encoded.unify_dictionaries().combine_chunks()
            encoded = encoded.chunk(0) if hasattr(encoded, "num_chunks") else encoded
        codes = encoded.indices.to_numpy().astype(np.int64, copy=False)
        return _met([str(entry) for entry in encoded.dictionary.to_pylist()], codes)
    if hasattr(column, "replace_strict"):  # polars
        import polars

        if column.null_count():
            raise nameless
        texts = column.cast(polars.String)
        met = texts.unique(maintain_order=True)
        places = texts.replace_strict(met, range(len(met)), return_dtype=polars.Int64)
        return met.to_list(), np.ascontiguousarray(places.to_numpy())
    if hasattr(column, "factorize"):  # pandas
        codes, met = column.factorize()
        if (codes < 0).any():
            raise nameless
        return [str(entry) for entry in met], np.ascontiguousarray(codes, dtype=np.int64)
    array = np.asarray(column)
    if array.dtype == object and any(entry is None for entry in array):
        raise nameless
    met, places = np.unique(array, return_inverse=True)
    return _met([str(entry) for entry in met.tolist()], places.astype(np.int64).reshape(-1))


def _met(names: list[str], codes: NDArray[np.int64]) -> tuple[list[str], NDArray[np.int64]]:
    """The same, without names that no row has, in the order in which they are met."""
    first = np.full(len(names), len(codes), dtype=np.int64)
    # Of several rows with one name, the last to be written is the first of them.
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    order = np.argsort(first, kind="stable")[: int((first < len(codes)).sum())]
    place = np.zeros(len(names), dtype=np.int64)
    place[order] = np.arange(len(order))
    return [names[code] for code in order.tolist()], place[codes]
