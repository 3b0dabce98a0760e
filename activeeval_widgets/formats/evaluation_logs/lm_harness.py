"""Read samples of lm-evaluation-harness: samples_*.jsonl."""

import glob
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from activeeval_widgets.formats.evaluation_logs.log_table import log_table
from activeeval_widgets.formats.evaluation_logs.sample import Sample, messages_or_text
from activeeval_widgets.formats.opening.json_lines import lines_of
from activeeval_widgets.formats.problems import problem_error
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats.text import listed

_TOOL = "lm-evaluation-harness"
_NAMED = re.compile(r"samples_(?P<task>.+?)(?P<time>_\d{4}-\d\d-\d\dT[\d.\-]+)?\.jsonl")
_OTHER_NUMBERS = ("doc_id", "target")
_LARGEST_RESULTS = 64 << 20


def read_lm_harness(path: Path, data: memoryview) -> FileTable:
    """Read samples; a document with several filters is one row, with a score for each filter."""
    return log_table(path, _TOOL, _samples(path, data), about=_task_and_model(path), merges=True)


def refuse_totals(path: Path, data: memoryview) -> NoReturn:
    """Refuse a file of aggregated results, and name the file of samples."""
    del data
    time = path.name.removeprefix("results").removesuffix(".json")
    beside = sorted(each.name for each in path.parent.glob(f"samples_*{glob.escape(time)}.jsonl"))
    what = f"it holds what {_TOOL} found for whole tasks, and not their samples"
    remedy = f"Give the samples beside it: {listed(beside, 3)}."
    if not beside:
        remedy = "Give samples_*.jsonl, which it writes with --log_samples."
    raise problem_error(path.name, what, remedy)


def _task_and_model(path: Path) -> list[Any]:
    """Return the task, by the file's name, and the model, by the results beside it or the folder's name."""
    named = _NAMED.match(path.name)
    if named is None:
        return []
    results = path.with_name(f"results{named['time'] or ''}.json")
    try:
        content = json.loads(results.read_bytes()) if results.stat().st_size <= _LARGEST_RESULTS else None
    except (OSError, ValueError, RecursionError):
        content = None
    folder = path.absolute().parent.name
    model = content.get("model_name") if isinstance(content, dict) else None
    return [named["task"], model or (folder.replace("__", "/") if "__" in folder else None)]


def _samples(path: Path, data: memoryview) -> Iterator[Sample]:
    for number, line in enumerate(lines_of(data), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode())
            yield _sample(value)
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
            what = f"the line is not a sample of {_TOOL}: {type(error).__name__}"
            remedy = "Write the samples anew with --log_samples."
            raise problem_error(path.name, what, remedy, number) from error


def _sample(value: dict[str, Any]) -> Sample:
    requests = [_parts(each) for each in _parts(value["arguments"])]
    is_choice = len(requests) > 1 and all(isinstance(each[1], str) for each in requests if len(each) > 1)
    prompt, answer, reference = _text(requests[0][0]), "", str(value.get("target", ""))
    if is_choice:
        choices = [str(each[1]).strip() for each in requests]
        answer = choices[_best(value["resps"])]
        if reference.isdigit() and int(reference) < len(choices):
            reference = choices[int(reference)]
    else:
        answer = _first_response(value["resps"])
    filtered = value.get("filter", "none")
    ending = "" if filtered in ("none", None) else f" ({filtered})"
    metrics = value["metrics"] if "metrics" in value else _metrics(value)
    scores = {f"{name}{ending}": value.get(name) for name in metrics}
    return Sample(str(value["doc_id"]), messages_or_text(prompt), answer, reference, scores=scores)


def _metrics(value: dict[str, Any]) -> list[str]:
    """Return the names of what an earlier version scored, which it did not list: its other numbers."""
    numbers = [name for name, each in value.items() if isinstance(each, int | float)]
    return [name for name in numbers if name not in _OTHER_NUMBERS]


def _parts(given: Any) -> list[Any]:
    """Return requests, or the arguments of one: a mapping of gen_args_0, gen_args_1, … or a list."""
    return list(given.values()) if isinstance(given, dict) else list(given)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _first_response(responses: Any) -> str:
    """Return the first response."""
    while isinstance(responses, list):
        if not responses:
            return ""
        responses = responses[0]
    return str(responses).strip()


def _best(responses: list[Any]) -> int:
    """Return the index of the most likely choice."""
    likelihoods = []
    for each in responses:
        while isinstance(each, list) and each and isinstance(each[0], list):
            each = each[0]
        number = float(each[0] if isinstance(each, list) else each)
        likelihoods.append(-math.inf if math.isnan(number) else number)
    return max(range(len(likelihoods)), key=likelihoods.__getitem__)
