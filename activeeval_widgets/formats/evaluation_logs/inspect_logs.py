"""Read logs of Inspect: .eval files, and logs in JSON."""

import json
import struct
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.evaluation_logs.json_content import whole_json
from activeeval_widgets.formats.evaluation_logs.left_out_note import left_out_note
from activeeval_widgets.formats.evaluation_logs.log_table import log_table
from activeeval_widgets.formats.evaluation_logs.sample import Origin, Sample
from activeeval_widgets.formats.problems import problem_error
from activeeval_widgets.formats.table import FileTable

_TOOL = "Inspect"
_ZSTANDARD = 93
_KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTANDARD)

_LARGEST_SAMPLE = 256 << 20
"""Samples of more bytes are not read."""

_HEADERS = ("header.json", "_journal/start.json")
"""The entries that name task and model; the second exists before the evaluation has ended."""


def _is_header(name: str) -> bool:
    return name in _HEADERS


def _is_sample(name: str) -> bool:
    return name.startswith("samples/")


_ATTACHMENT = "attachment://"
_OF_MESSAGES = ("role", "content", "function", "tool_calls", "error")


def is_inspect_archive(path: Path) -> bool:
    """Return whether a ZIP file is a log of Inspect."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
    return any(map(_is_header, names))


def read_inspect_archive(path: Path) -> FileTable:
    """Read an .eval file, with one sample in memory at a time."""
    unanswered: list[str] = []
    samples = _samples((value for _, value in _in_archive(path, _is_sample)), unanswered)
    headers = dict(_in_archive(path, _is_header))
    header = next((headers[name] for name in _HEADERS if name in headers), {})
    return _with_notes(
        log_table(path, _TOOL, samples, about=_task_and_model(header), failed=unanswered), unanswered
    )


def read_inspect_json(path: Path, data: memoryview) -> FileTable:
    """Read a log of Inspect in JSON."""
    unanswered: list[str] = []
    content = whole_json(path, data)
    samples = _samples(iter(content.get("samples") or ()), unanswered)
    return _with_notes(
        log_table(path, _TOOL, samples, about=_task_and_model(content), failed=unanswered), unanswered
    )


def _task_and_model(header: Mapping[str, Any]) -> list[Any]:
    """Return the task and the model."""
    about = header.get("eval")
    return [about.get("task"), about.get("model")] if isinstance(about, dict) else []


def _with_notes(table: FileTable, unanswered: list[str]) -> FileTable:
    if unanswered:
        table.note(left_out_note(len(unanswered), "samples", "ended with an error and", unanswered))
        if table.log is not None:
            table.log = replace(table.log, left_out=frozenset(unanswered))
    return table


def _in_archive(path: Path, is_asked: Callable[[str], bool]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the entries whose names `is_asked` accepts."""
    with zipfile.ZipFile(path) as archive, path.open("rb") as file:
        for entry in archive.infolist():
            if not is_asked(entry.filename):
                continue
            try:
                value = json.loads(_content(archive, entry, file))
            except (OSError, ValueError, zipfile.BadZipFile, RecursionError, struct.error) as error:
                which = f"the sample {entry.filename}" if _is_sample(entry.filename) else entry.filename
                what = f"{which} can't be read: {error}"
                remedy = "Copy the log again, or convert it: inspect log convert."
                raise problem_error(path.name, what, remedy) from error
            if isinstance(value, dict):
                yield entry.filename, value


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, file: Any) -> bytes:
    """Return an entry's bytes; Arrow decompresses Zstandard for Python before 3.14."""
    if entry.file_size > _LARGEST_SAMPLE:
        raise ValueError(f"it has {entry.file_size:,} bytes, and no more than {_LARGEST_SAMPLE:,} are read")
    if entry.compress_type not in _KNOWN:
        raise ValueError(f"it is compressed in a way ({entry.compress_type}) that is not read here")
    if entry.compress_type != _ZSTANDARD:
        with archive.open(entry) as opened:
            found: bytes = opened.read(_LARGEST_SAMPLE)
            return found
    file.seek(entry.header_offset)
    header = file.read(30)
    n_name, n_extra = struct.unpack("<HH", header[26:30])
    file.seek(n_name + n_extra, 1)
    packed = pa.BufferReader(file.read(entry.compress_size))
    with pa.CompressedInputStream(packed, "zstd") as stream:
        unpacked: bytes = stream.read(entry.file_size + 1)
    if len(unpacked) != entry.file_size:
        raise ValueError("it is damaged or cut off")
    return unpacked


def _samples(values: Iterator[dict[str, Any]], unanswered: list[str]) -> Iterator[Sample]:
    """Yield the samples of the log; the id names an epoch after the first."""
    for value in values:
        epoch = value.get("epoch") or 1
        name = str(value.get("id")) if epoch == 1 else f"{value.get('id')}, epoch {epoch}"
        if value.get("error") or not (value.get("scores") or value.get("messages")):
            unanswered.append(name)
            continue
        attachments = value.get("attachments") or {}
        messages = [
            {name: _attached(each[name], attachments) for name in _OF_MESSAGES if name in each}
            for each in value.get("messages") or ()
        ]
        output = (value.get("output") or {}).get("completion")
        asked: Any = messages if messages else str(value.get("input") or "")
        target = value.get("target")
        yield Sample(
            id=name,
            asked=asked,
            answer=None if messages else str(output or ""),
            answer_message=output if isinstance(output, str) else "",
            metadata=value.get("metadata") or {},
            origin=Origin(str(value.get("id")), epoch=epoch if isinstance(epoch, int) else 1),
            reference=", ".join(map(str, target)) if isinstance(target, list) else str(target or ""),
            scores=_scores(value.get("scores") or {}),
        )


def _scores(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores by scorer, and by key for a scorer with several values."""
    found: dict[str, Any] = {}
    for name, score in scores.items():
        value = score.get("value") if isinstance(score, Mapping) else score
        if isinstance(value, Mapping):
            found |= {f"{name}.{key}": each for key, each in value.items()}
        elif not isinstance(value, list):
            found[name] = value
    return found


def _attached(value: Any, attachments: Mapping[str, str]) -> Any:
    """Restore the attachments in a message; the log stores long texts separately."""
    if isinstance(value, str) and value.startswith(_ATTACHMENT):
        return attachments.get(value.removeprefix(_ATTACHMENT), value)
    if isinstance(value, list):
        return [_attached(each, attachments) for each in value]
    if isinstance(value, dict):
        return {name: _attached(each, attachments) for name, each in value.items()}
    return value
