"""Judges: shares counted in the data itself, kappa by scikit-learn, the session by people's verdicts."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from activeeval_widgets.demos.demo import DATA


@pytest.fixture(scope="module")
def rows():
    with gzip.open(DATA / "answers/llmbar.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def test_judges_are_wrong_together(lesson, rows):
    """With nearly all others behind it GPT-4 is right about natural pairs, wrong about misleading ones."""
    for part, name in ((True, "natural"), (False, "misleading")):
        chosen = [row for row in rows if (row["subset"] == "Natural") == part]
        votes = [row["votes"].replace("-", "") for row in chosen]
        share = np.array(
            [
                (cast.count(row["gpt_4"]) + 1) / (len(cast) + 2)
                for cast, row in zip(votes, chosen, strict=True)
            ]
        )
        wrong = np.array([str(row["label"]) != row["gpt_4"] for row in chosen])
        expected = [
            wrong[(share >= low) & (share < high)].mean()
            for low, high in [(0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)]
        ]
        np.testing.assert_allclose(lesson.value(name), expected)
        assert np.all(np.diff(expected) * (-1 if part else 1) > 0)


def test_kappa_is_scikit_learn_s(lesson, rows):
    natural = [row for row in rows if row["subset"] == "Natural"]
    kappa = cohen_kappa_score([row["gpt_4"] for row in natural], [str(row["label"]) for row in natural])
    assert f"| GPT-4, natural pairs | 95% | {kappa:.2f} |" in lesson.text
    others = [row for row in rows if row["subset"] != "Natural"]
    majority = ["1" if row["votes"].count("1") >= row["votes"].count("2") else "2" for row in others]
    kappa = cohen_kappa_score(majority, [str(row["label"]) for row in others])
    assert kappa < 0
    assert f"{kappa:.2f} |" in lesson.text


def test_labels_find_what_judges_miss(lesson, rows):
    truth = np.mean([str(row["label"]) != row["gpt_4"] for row in rows])
    shown = lesson.value("[(each.low, each.value, each.high) for each in shown]")
    assert all(low <= truth <= high for low, _, high in shown)
    judges_alone = lesson.value("float(np.mean(1 - agree))")
    low, _, high = shown[-1]
    assert high < judges_alone
    assert high - low < 0.2


def test_errors_in_both_directions_make_up_for_each_other(lesson, rows):
    alone, people = (np.mean([str(row[key]) == "1" for row in rows]) for key in ("gpt_4", "label"))
    assert (lesson.value("alone"), lesson.value("share")) == pytest.approx((alone, people))
    wrong = np.mean([str(row["label"]) != row["gpt_4"] for row in rows])
    assert abs(alone - people) < wrong / 4
    low, high = lesson.value("(found.bias.low, found.bias.high)")
    assert low <= alone - people <= high


def test_what_is_quoted_is_in_the_table(lesson):
    table = (Path(__file__).parents[2] / "benchmarks/results/judges.md").read_text(encoding="utf-8")
    arena = table[table.index("(Chatbot Arena)") :]
    row = re.search(r"^\| session with votes \|.*$", arena, re.MULTILINE)
    misses = re.search(r"^\| GPT-4 alone \| (\d+) of (\d+) head-to-heads", arena, re.MULTILINE)
    assert row
    assert misses
    quoted = lesson.value("arena")
    assert quoted["labels for 100"] == int(row[0].split("|")[-3])
    assert (quoted["GPT-4 misses"], quoted["of"]) == (int(misses[1]), int(misses[2]))
