"""The how-tos on judges: every command finds nothing wrong, and every line of Python runs."""

import csv
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.file_check import check_file

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = ("check-a-judge.md", "pass-and-win-rates.md")
N = 30


def blocks(page: str, kind: str) -> list[str]:
    text = (HOW_TO / page).read_text()
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def chosen(values: list[str], n_columns: int = 1) -> list[list[str]]:
    return np.random.default_rng(0).choice(values, (N, n_columns)).tolist()


def write(path: Path, **columns: Any) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])


@pytest.mark.parametrize("how_to", PAGES)
def test_every_command_runs(how_to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("activeeval_widgets.app.commands.serve.check_file_apart", check_file)
    texts = {name: [f"{name} {i}" for i in range(N)] for name in ("prompt", "answer", "answer_a", "answer_b")}
    judges = {f"judge_{who}": [row[0] for row in chosen(["A", "B"])] for who in ("gpt", "llama")}
    passes = {"passes_gpt": [row[0] for row in chosen(["A", "B", "both", "neither"])]}
    grades = {"gpt_correct": [row[0] for row in chosen(["bad", "good"])], "complete_llama": [1] * N}
    commands = [line for block in blocks(how_to, "sh") for line in block.splitlines()]
    assert commands
    for command in commands:
        _, *arguments = shlex.split(command)
        verdicts = {name: [row[0] for row in chosen(["pass", "fail"])] for name in judges}
        if "--price-of-vote" in arguments:  # half of the rows have votes, and labels
            of_half = {name: [*votes[: N // 2], *[""] * (N // 2)] for name, votes in verdicts.items()}
            verdicts = of_half | {"human": of_half["judge_gpt"]}
        write(tmp_path / "answers.csv", **texts, **(verdicts if "pass" in arguments else judges), **passes)
        write(tmp_path / "graded.csv", **texts, **grades)
        result = CliRunner().invoke(main, [*arguments, *(["--check"] if arguments[0] == "serve" else [])])
        assert result.exit_code == 0, (command, result.output)


@pytest.mark.parametrize("how_to", PAGES)
def test_the_python_code_runs(how_to: str) -> None:
    table = {name: [f"{name} {i}" for i in range(N)] for name in ("prompt", "answer", "answer_a", "answer_b")}
    given: dict[str, Any] = {
        "answers": pd.DataFrame(table),
        "votes": chosen(["A", "B"], 3),
        "verdicts": [row[0] for row in chosen(["A", "B"])],
        "passes": chosen(["A", "B", "both", "neither"], 2),
        "grades_of_judges": {name: [[0, 2]] * N for name in ("correct", "complete")},
    }
    assert blocks(how_to, "python")
    for code in blocks(how_to, "python"):
        exec(compile(code, how_to, "exec"), given)
