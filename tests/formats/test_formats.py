"""The same table makes the same pool in whatever format it comes, and damage is reported."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import csv, feather, parquet

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import (
    FileProblemsError,
    contents_on_disk,
    examine,
    read_session_file,
    write_session,
)
from activeeval_widgets.formats.distinct_strings import are_distinct
from activeeval_widgets.formats.opening import table_on_disk
from activeeval_widgets.session.pool import stored as session_stored
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.stats import ErrorRate

from .conftest import Write

ROWS = [
    {
        "id": f"m{i}",
        "text": f"Mail number {i}: äöü ✓ " + "x" * (i % 7),
        "p_ham": (i % 5) / 4,
        "p_spam": 1 - (i % 5) / 4,
        "group": "ab"[i % 2],
    }
    for i in range(12_003)
]
TABLE = pa.Table.from_pylist(ROWS)


def write_jsonl(table: pa.Table, path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


def write_json(table: pa.Table, path: Path) -> None:
    path.write_text(json.dumps(table.to_pylist(), indent=1))


def write_stream(table: pa.Table, path: Path) -> None:
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


WRITERS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "a.csv": csv.write_csv,
    "a.tsv": lambda table, path: csv.write_csv(table, path, csv.WriteOptions(delimiter="\t")),
    "a.jsonl": write_jsonl,
    "a.json": write_json,
    "a.parquet": parquet.write_table,
    "a.feather": feather.write_feather,
    "a.arrows": write_stream,
    "pandas.parquet": lambda table, path: table.to_pandas().to_parquet(path),
    "wrong_name.csv": parquet.write_table,
}


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("name", WRITERS)
def test_every_format_makes_the_same_pool(
    name: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:  # as if it did not fit into memory
        for module, limit in (
            (table_on_disk, "SMALL"),
            (contents_on_disk, "SMALL"),
            (contents_on_disk, "SMALL_ARRAY"),
        ):
            monkeypatch.setattr(module, limit, 10_000)
        monkeypatch.setattr(session_stored, "SMALL", 10)
    WRITERS[name](TABLE, tmp_path / name)
    pool = Pool.read(tmp_path / name)
    (tmp_path / name).write_bytes(b"")  # what is written over the file does not matter any more
    given = Pool(
        [row["text"] for row in ROWS],
        predictions=pd.DataFrame({"ham": TABLE["p_ham"].to_numpy(), "spam": TABLE["p_spam"].to_numpy()}),
        ids=[row["id"] for row in ROWS],
    )
    assert pool.fingerprints == given.fingerprints
    assert pool.instances[-1] == given.instances[-1]
    assert pool.ids[7] == "m7"
    assert pool.ids[:3] == ["m0", "m1", "m2"]
    assert list(pool.ids) == given.ids
    assert pool.groups is not None
    assert list(pool.groups) == [row["group"] for row in ROWS]
    assert isinstance(pool.predictions.y_proba.base, np.memmap) == large
    assert not pool.predictions.y_proba.flags.writeable
    wrong = name == "wrong_name.csv"
    assert wrong == any("although its name ends in '.csv'" in each for each in examine_of(name, tmp_path))


def examine_of(name: str, folder: Path) -> tuple[str, ...]:
    WRITERS[name](TABLE.slice(0, 3), folder / name)
    return examine(folder / name).guessed


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.parquet", "a.feather"])
def test_a_file_without_columns_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    WRITERS[name](TABLE.slice(0, 3).select([]), tmp_path / name)
    [found] = examine(tmp_path / name, text="text").problems
    assert str(found) == f"{name}: the file has no columns. Write the predictions into it, in named columns."


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.json"])
def test_text_may_be_compressed(name: str, tmp_path: Path) -> None:
    WRITERS[name](TABLE, tmp_path / name)
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    assert Pool.read(packed).fingerprints == Pool.read(tmp_path / name).fingerprints
    packed.write_bytes(packed.read_bytes()[:-200])
    with pytest.raises(FileProblemsError, match="the gzip file is damaged or cut off"):
        Pool.read(packed)


def test_numbers_as_ids_where_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_stored, "SMALL", 10)
    parquet.write_table(TABLE.drop_columns(["id"]), tmp_path / "a.parquet")
    pool = Pool.read(tmp_path / "a.parquet")
    assert not isinstance(pool.ids, list)
    assert (pool.ids[0], pool.ids[-1]) == ("0", "12002")
    assert pool.ids == [str(i) for i in range(12_003)]
    few = Pool(["a"] * 12_003, predictions=pool.predictions, ids=range(12_003))
    assert pool.fingerprints["ids"] == few.fingerprints["ids"]
    with pytest.raises(IndexError):
        pool.ids[12_003]


@pytest.mark.parametrize("twice", [None, "", "m77", "über", "x" * 300])
def test_distinct_strings_are_distinguished_from_others(twice: str | None) -> None:
    values = [f"m{i}" for i in range(30_000)] + ["", "über", "x" * 300, "a\0", "a"]
    if twice is not None:
        values.append(twice)
    column = pa.chunked_array([values[:7], values[7:]])
    assert are_distinct(column) == (twice is None)


def test_structures_become_columns(write: Write) -> None:
    rows = [
        {"text": "a", "proba": {"ham": 0.9, "spam": 0.1}},
        {"text": "b", "proba": {"ham": 0.2, "spam": 0.8}},
    ]
    of_lines = Pool.read(write("\n".join(map(json.dumps, rows)), "a.jsonl"))
    path = write(b"", "a.parquet")
    parquet.write_table(pa.Table.from_pylist(rows), path)
    assert of_lines.predictions.classes.tolist() == ["ham", "spam"]
    assert Pool.read(path).fingerprints == of_lines.fingerprints
    lists = write('{"text": "a", "proba": [0.9, 0.1]}\n{"text": "b", "proba": [0.5, 0.5]}\n', "b.jsonl")
    assert Pool.read(lists, classes="ham,spam").predictions.y_proba.tolist() == [[0.9, 0.1], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "b", "p_a": 0.5', "the line is not JSON"),
        ('["b", 0.5]', "the line is '[\"b\", 0.5]', not an object"),
        ("[" * 100_000, "the line is not JSON: it can't be read"),
        (b'{"text": "\xff"}', "the line holds bytes that are not UTF-8"),
        ('{"text": "b", "p_a": NaN, "p_b": 0.5}', "a probability, a number from 0 to 1, is missing"),
        ('{"text": "b", "p_a": "high", "p_b": 0.5}', "'high' is not a probability"),
        ('{"text": "b", "p_b": 0.5}', "a probability, a number from 0 to 1, is missing"),
        ('{"text": "b", "p_a": 1e400, "p_b": 0.5}', "'inf' is not a probability"),
        (f'{{"text": "b", "p_a": {"9" * 5000}, "p_b": 0.5}}', "the line is not JSON: it can't be read"),
    ],
)
def test_broken_lines_are_reported(write: Write, line: str | bytes, message: str) -> None:
    good = b'{"text": "a", "p_a": 0.5, "p_b": 0.5}\n\n'
    data = good + (line.encode() if isinstance(line, str) else line) + b"\n" + 2 * good
    found = examine(write(data, "a.jsonl"), proba="p_a,p_b").problems
    assert [each.row for each in found] == [3]
    assert message in found[0].message


@pytest.mark.parametrize("orient", ["columns", "split", "list", "rows"])
def test_a_table_in_one_object_is_reported(orient: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["a", "b", "c"], "p_a": [0.25, 0.5, 0.75], "p_b": [0.75, 0.5, 0.25]})
    path = tmp_path / "a.json"
    if orient == "list":
        path.write_text(json.dumps(frame.to_dict("list"), indent=2))
    elif orient == "rows":
        path.write_text(json.dumps({"version": 2, "data": frame.to_dict("records")}))
    else:
        frame.to_json(path, orient=orient)
    with pytest.raises(
        FileProblemsError, match=r'one object that holds a table.*orient="records", lines=True'
    ):
        Pool.read(path)
    frame.to_json(path, orient="records", lines=True)
    assert Pool.read(path).n_instances == 3


@pytest.mark.parametrize("name", ["a.parquet", "a.feather", "a.arrows"])
def test_damaged_files_are_reported(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](TABLE, path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(FileProblemsError, match=r"file is damaged or cut off"):
        Pool.read(path)


@pytest.mark.parametrize("columns", [{"record": "text,group,number"}, {"pair": "text,group"}])
def test_what_is_stored_counts_as_what_is_given(columns: dict[str, str], tmp_path: Path) -> None:
    table = TABLE.slice(0, 50).append_column("number", pa.array([None, *range(49)]))
    parquet.write_table(table, tmp_path / "a.parquet")
    pool = Pool.read(tmp_path / "a.parquet", **columns)
    [(kind, names)] = [(kind, value.split(",")) for kind, value in columns.items()]
    frame = table.to_pandas()[names]
    given = frame if kind == "record" else list(frame.itertuples(index=False, name=None))
    assert (
        pool.fingerprints["instances"] == Pool(given, predictions=pool.predictions).fingerprints["instances"]
    )
    assert pool.excerpt(1).startswith("text: Mail" if kind == "record" else "Mail number 1")
    same = KINDS[pool.kind].fields(pool.instances, 3), KINDS[pool.kind].fields(given, 3)
    assert same[0] == same[1]
    session = Session(pool, ErrorRate())
    session.label("ham")
    again = read_session_file(write_session(session, tmp_path / "a.json", with_contents=True)).open()
    assert again.estimate() == session.estimate()


_REGISTERED_FIRST = """
import sys
from activeeval_widgets import Pool
from activeeval_widgets.session import register_reader

register_reader(".csv", lambda path, columns: {"instances": ["mine"], "predictions": [[0.5, 0.5]]})
print(Pool.read(sys.argv[1]).instances[0])
"""


def test_a_reader_that_is_registered_before_the_first_file_is_read_stays(tmp_path: Path) -> None:
    path = tmp_path / "mails.csv"
    path.write_text("text,p_ham,p_spam\nHello,0.9,0.1\n", encoding="utf-8")
    made = subprocess.run(
        [sys.executable, "-c", _REGISTERED_FIRST, str(path)], capture_output=True, text=True, check=True
    )
    assert made.stdout == "mine\n"
