"""Read test runs of DeepEval, which it saves to the folder DEEPEVAL_RESULTS_FOLDER."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from activeeval_widgets.formats.evaluation_logs.json_content import whole_json
from activeeval_widgets.formats.evaluation_logs.log_table import log_table
from activeeval_widgets.formats.evaluation_logs.sample import PASS, Sample
from activeeval_widgets.formats.table import FileTable


def read_deepeval(path: Path, data: memoryview) -> FileTable:
    """Read a test run: single answers and conversations."""
    content = whole_json(path, data)
    content = content.get("testRunData", content)
    settings = content.get("hyperparameters")
    model = settings.get("model") if isinstance(settings, dict) else None
    about = [content.get("identifier") or content.get("testFile"), model]
    return log_table(path, "DeepEval", _samples(content), PASS, about=about)


def _samples(content: dict[str, Any]) -> Iterator[Sample]:
    for kind in ("testCases", "conversationalTestCases"):
        for number, case in enumerate(content.get(kind) or ()):
            name = str(case.get("name") or number)
            metrics = [each for each in case.get("metricsData") or () if isinstance(each, dict)]
            turns = case.get("turns")
            yield Sample(
                id=name if kind == "testCases" else f"{name} (conversation)",
                asked=turns if turns else str(case.get("input") or ""),
                answer=None if turns else str(case.get("actualOutput") or ""),
                answer_message=str(turns[-1].get("content") or "")
                if turns and isinstance(turns[-1], dict)
                else None,
                metadata=case.get("additionalMetadata") or {},
                reference=str(case.get("expectedOutput") or case.get("expectedOutcome") or ""),
                scores={str(each.get("name")): each.get("score") for each in metrics},
                passed={str(each.get("name")): bool(each.get("success")) for each in metrics},
            )
