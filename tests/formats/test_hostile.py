"""Whatever is in a file is data: shown as it is, never run, or refused by row."""

import gzip
import io
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv, feather, parquet

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats import FileProblemsError, examine
from activeeval_widgets.formats.label_tables import labels_frame, write_csv
from activeeval_widgets.formats.opening import columnar, file_bytes
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer

from .conftest import Write

HOSTILE = [
    "<script>document.title = 'ran'</script>",
    "<img src=x onerror=\"document.title = 'ran'\">",
    '"><svg/onload=alert(1)><!--',
    "{{ 7 * 7 }} ${7 * 7} {% for x in y %} #{7*7} <%= 7 %>",
    "__import__('os').system('touch /tmp/ran')",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe\N{LEFT-TO-RIGHT ISOLATE}",
    "'; DROP TABLE events; --",
    "=HYPERLINK(\"http://example.org\")",
    "+1+1\t@SUM(A1)",
    "http://example.org/ javascript:alert(1)",
    "[link](javascript:alert(1)) ![](http://example.org/x.png)",
    "../../../../etc/passwd",
    "a\u2028b\x1b[31mred\x07",
]  # fmt: skip


def write_jsonl(table: pa.Table, path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


WRITERS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "a.csv": csv.write_csv,
    "a.tsv": lambda table, path: csv.write_csv(table, path, csv.WriteOptions(delimiter="\t")),
    "a.jsonl": write_jsonl,
    "a.parquet": parquet.write_table,
    "a.feather": feather.write_feather,
}


def table(**columns: Any) -> pa.Table:
    n = len(HOSTILE)
    return pa.table({**columns, "p_ham": [0.5] * n, "p_spam": [0.5] * n})


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", ["text", "record", "pair"])
def test_content_is_shown_as_it_is(name: str, kind: str, tmp_path: Path) -> None:
    WRITERS[name](table(id=HOSTILE, a=HOSTILE, b=HOSTILE[::-1], group=HOSTILE), tmp_path / name)
    shown = {"text": "a", "record": "a,b", "pair": "a,b"}[kind]
    pool = Pool.read(tmp_path / name, **{kind: shown})
    assert list(pool.ids) == HOSTILE
    assert list(pool.groups or ()) == HOSTILE
    view = InstanceRenderer(pool)
    for index, text in enumerate(HOSTILE):
        rendered = view.render(index)
        assert rendered.mime == "application/vnd.aew+json"
        assert text in strings(json.loads(rendered.content))


def strings(tree: Any) -> list[str]:
    """The texts of a tree of elements, of which the page makes texts alone; its attributes are ours."""
    if isinstance(tree, str):
        return [tree]
    _, attributes, children = tree
    assert not {name for name in attributes if name.startswith("on") or name in ("src", "href", "style")}
    return [text for child in children for text in strings(child)]


@pytest.mark.parametrize("name", WRITERS)
def test_names_of_columns_and_classes_are_data_too(name: str, tmp_path: Path) -> None:
    script, formula = HOSTILE[0], HOSTILE[7]
    columns = {"text": HOSTILE, f"p_{script}": [0.5] * len(HOSTILE), f"p_{formula}": [0.5] * len(HOSTILE)}
    WRITERS[name](pa.table(columns), tmp_path / name)
    pool = Pool.read(tmp_path / name, text="text", proba="p_*")
    assert pool.predictions.classes.tolist() == [script, formula]
    session = Session(pool, ErrorRate())
    session.label(formula)
    write_csv(labels_frame(session, with_contents=True), tmp_path / "labels.csv")
    cells = [cell for row in csv.read_csv(tmp_path / "labels.csv").to_pylist() for cell in row.values()]
    assert f"'{formula}" in cells
    assert not [cell for cell in cells if isinstance(cell, str) and cell[:1] in tuple("=+@")]


def test_sessions_keep_hostile_names(tmp_path: Path) -> None:
    csv.write_csv(table(id=HOSTILE, text=HOSTILE), tmp_path / "a.csv")
    pool = Pool.read(tmp_path / "a.csv", text="text")
    for name in HOSTILE[:7]:
        session = Session(pool, ErrorRate(), store=tmp_path / "a.sqlite", name=name.replace("\n", " "))
        session.label("ham")
        again = Session(pool, ErrorRate(), store=tmp_path / "a.sqlite", name=session.name)
        assert again.n_labels == 1


def test_ten_megabytes_in_a_cell(write: Write) -> None:
    long = "x" * 10_000_000
    for name, text in {
        "a.csv": f"text,p_a,p_b\nshort,0.5,0.5\n{long},0.5,0.5\n",
        "a.jsonl": json.dumps({"text": long, "p_a": 0.5, "p_b": 0.5}) + "\n",
    }.items():
        path = write(text, name)
        pool = Pool.read(path)
        assert len(pool.instances[-1]) == 10_000_000
        assert len(InstanceRenderer(pool).render(pool.n_instances - 1).content) < 200_000
        assert max(len(value) for values in examine(path).rows.values() for value in values) <= 300
    for problem in examine(write(f"text,p_a,p_b\nshort,{long},0.5\n"), proba="p_a,p_b").problems:
        assert len(str(problem)) < 400


def test_broken_utf8_is_refused_by_row(write: Write) -> None:
    rows = ["ä", "b", "c\udc80", "d"]
    data = "text,p_a,p_b\n" + "".join(f"{row},0.5,0.5\n" for row in rows)
    [problem] = examine(write(data.encode("utf-8", "surrogateescape"))).problems
    assert problem.row == 4
    lone = write('{"text": "a \\ud800 b", "p_a": 0.5, "p_b": 0.5}\n', "a.jsonl")
    assert Pool.read(lone).instances[0] == "a ? b"  # half of a character is none
    column = pa.array([b"ok", b"\xff\xfe"]).view(pa.string())
    wrong = pa.table({"text": column, "p_a": [0.5, 0.5], "p_b": [0.5, 0.5]})
    path = write(b"", "a.parquet")
    parquet.write_table(wrong, path)
    [problem] = examine(path).problems
    assert (problem.row, problem.column) == (2, "text")
    assert problem.message == "the cell holds bytes that are not UTF-8"


def test_decompression_bombs_are_refused(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_bytes, "_HARMLESS", 1 << 20)  # in place of 64 MiB
    monkeypatch.setattr(columnar, "_MAX_ROWS_A_BYTE", 20)
    zeros = gzip.compress(b"text,p_a,p_b\n" + b"0" * 4_000_000)
    with pytest.raises(FileProblemsError, match="more than 200 times as large"):
        Pool.read(write(zeros, "a.csv.gz"))
    twice = gzip.compress(zeros)
    assert examine(write(twice, "b.csv.gz")).problems
    many = pa.table({"text": pa.array(["a"] * 3_000_000).dictionary_encode(), "p_a": pa.nulls(3_000_000)})
    parquet.write_table(many, tmp_path / "a.parquet", compression="zstd")
    [problem] = examine(tmp_path / "a.parquet").problems
    assert "it claims 3,000,000 rows" in problem.message


def test_an_image_of_too_many_pixels_is_not_decoded(write: Write, tmp_path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    packed = io.BytesIO()
    packed.write(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 60_000))
    )
    packed.write(chunk(b"IEND", b""))
    write(packed.getvalue(), "bomb.png")
    write(b"<svg onload='alert(1)'/>", "script.png")
    write(b"GIF89a<script>", "script.gif")
    pool = Pool.read(write("image,p_a,p_b\nbomb.png,0.5,0.5\nscript.png,0.5,0.5\nscript.gif,0.5,0.5\n"))
    view = InstanceRenderer(pool)
    for index, message in enumerate(["more pixels than", "are not an image", "are not an image"]):
        rendered = view.render(index)
        assert rendered.mime == "application/vnd.aew+json"
        assert message in rendered.content.decode()
    write("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.svg")
    vector = Pool.read(write("image,p_a,p_b\na.svg,1,0\n"), image="image")
    assert "are not an image" in InstanceRenderer(vector).render(0).content.decode()


def test_positions_that_lead_out_of_a_column_end_no_process(tmp_path: Path) -> None:
    path = tmp_path / "a.arrow"
    feather.write_feather(
        pa.table({"text": ["ab", "cd"], "p_a": [0.5, 0.5], "p_b": [0.5, 0.5]}),
        path,
        compression="uncompressed",
    )
    for positions in ((0, 100_000_000, 4), (0, 2, 100_000_000), (0, -5, 4)):
        data = path.read_bytes()
        assert data.count(struct.pack("<iii", 0, 2, 4)) == 1
        broken = tmp_path / "broken.arrow"
        broken.write_bytes(data.replace(struct.pack("<iii", 0, 2, 4), struct.pack("<iii", *positions)))
        [problem] = examine(broken).problems
        assert problem.message.startswith("the Arrow file is damaged")
