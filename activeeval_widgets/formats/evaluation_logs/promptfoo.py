"""Read results of promptfoo: results.json or results.jsonl of `promptfoo eval --output`."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.evaluation_logs.json_content import whole_json
from activeeval_widgets.formats.evaluation_logs.left_out_note import left_out_note
from activeeval_widgets.formats.evaluation_logs.log_table import log_table
from activeeval_widgets.formats.evaluation_logs.sample import PASS, Origin, Sample, messages_or_text
from activeeval_widgets.formats.opening.json_lines import lines_of
from activeeval_widgets.formats.problems import problem_error
from activeeval_widgets.formats.table import FileTable

_EXPECTED = (
    "equals",
    "icontains",
    "contains",
    "similar",
    "factuality",
    "model-graded-closedqa",
    "answer-relevance",
)


def read_promptfoo(path: Path, data: memoryview) -> FileTable:
    """Read results: a row for each answer, grouped by system if there are several."""
    content = whole_json(path, data)
    results = content.get("results")
    rows = results.get("results") if isinstance(results, dict) else results
    config = content.get("config")
    return _table(path, rows or (), config.get("description") if isinstance(config, dict) else None)


def read_promptfoo_lines(path: Path, data: memoryview) -> FileTable:
    """Read results in JSON lines: a line for each answer."""
    rows = []
    for number, line in enumerate(lines_of(data), 1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line.decode()))
        except (ValueError, RecursionError) as error:
            what = f"the line is not a result of promptfoo: {type(error).__name__}"
            remedy = "Write the results anew: promptfoo export, or --output results.json."
            raise problem_error(path.name, what, remedy, number) from error
    return _table(path, rows, None)


def _table(path: Path, results: Iterable[Any], description: Any) -> FileTable:
    rows = [row for row in results if isinstance(row, dict)]
    failed: list[str] = []
    origins = _origins(rows)
    about = [description]
    about += {each.provider for each in origins} if len(set(_systems(origins))) == 1 else ()
    samples = _samples(rows, origins, failed)
    table = log_table(path, "promptfoo", samples, PASS, about=about, failed=failed)
    if failed:
        table.note(left_out_note(len(failed), "answers", "ended with an error and"))
    return table


def _origins(rows: list[dict[str, Any]]) -> list[Origin]:
    """Return the origin of each answer: the test, the provider's name, and the prompt."""
    prompts = list(dict.fromkeys(row.get("promptId") for row in rows))
    found = []
    for number, row in enumerate(rows):
        provider = row.get("provider") or ""
        name = provider.get("label") or provider.get("id") if isinstance(provider, dict) else provider
        variables = row.get("vars")
        pairs = variables.items() if isinstance(variables, dict) else ()
        text = "\n".join(f"{key}: {each}" for key, each in pairs)
        prompt = f"prompt {prompts.index(row.get('promptId')) + 1}"
        found.append(Origin(str(row.get("testIdx", number)), text, str(name), prompt))
    return found


def _systems(origins: list[Origin]) -> list[str]:
    """Return the name of each answer's system: the provider, and the prompt if there are several."""
    several = len({each.prompt for each in origins}) > 1
    return [f"{each.provider}, {each.prompt}" if several else each.provider for each in origins]


def _samples(rows: list[dict[str, Any]], origins: list[Origin], failed: list[str]) -> Iterator[Sample]:
    systems = _systems(origins)
    has_systems = len(set(systems)) > 1
    for number, (row, system) in enumerate(zip(rows, systems, strict=True)):
        output = (row.get("response") or {}).get("output")
        if row.get("failureReason") == 2 or output is None:
            failed.append(str(number))
            continue
        name = origins[number].test
        prompt = str((row.get("prompt") or {}).get("raw", ""))
        grading = row.get("gradingResult") or {}
        scores: dict[str, Any] = {"promptfoo": row.get("score")}
        passed = {"promptfoo": bool(row.get("success"))}
        for part in grading.get("componentResults") or ():
            assertion = (part or {}).get("assertion") or {}
            named = assertion.get("metric") or assertion.get("type")
            if named and str(named) not in scores:
                scores[str(named)], passed[str(named)] = part.get("score"), bool(part.get("pass"))
        yield Sample(
            id=f"{name}, {system}" if has_systems else name,
            asked=messages_or_text(prompt),
            answer=output if isinstance(output, str) else json.dumps(output, ensure_ascii=False),
            reference=_reference(row),
            group=system if has_systems else "",
            metadata=(row.get("testCase") or {}).get("metadata") or {},
            origin=origins[number] if has_systems else None,
            scores=scores,
            passed=passed,
        )


def _reference(row: dict[str, Any]) -> str:
    """Return the expected text of an assertion, "" if there is none."""
    for assertion in (row.get("testCase") or {}).get("assert") or ():
        if isinstance(assertion, dict) and assertion.get("type") in _EXPECTED:
            value = assertion.get("value")
            if isinstance(value, str):
                return value
    return ""
