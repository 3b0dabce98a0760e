"""What README, the explanation and a lesson say of active over uniform draws is what the benchmark found."""

import re
from math import exp, log
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMES = (
    "digits error, calibrated",
    "digits F1 of 3 %, calibrated",
    "digits error, over-confident",
    "digits F1 of 3 %, over-confident",
)


def ratios() -> dict[str, str]:
    """Return the ratios at 200 labels by setting, as written."""
    text = (ROOT / "benchmarks" / "results" / "defaults.md").read_text(encoding="utf-8")
    table = text.split("## Active over uniform draws")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if " ± " in line]
    return {row[0]: row[3].split(" ± ")[0] for row in rows if row[3] != "–"}


def test_readme_has_the_four_of_its_table() -> None:
    first, second, third, fourth = map(ratios().get, NAMES)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        f"Errors are {first}, {second}, {third} and {fourth} times those of as many uniform draws" in readme
    )


def test_the_explanation_and_the_lesson_have_the_range() -> None:
    found = ratios()
    most = max(found.values())
    assert float(most) <= 1.03
    mean = exp(sum(log(float(each)) for each in found.values()) / len(found))
    explanation = (ROOT / "docs" / "explanations" / "adaptive-draws.md").read_text(encoding="utf-8")
    text = re.search(r"it is ([\d.]+) at 200 labels, at most ([\d.]+)\. ", explanation)
    assert text is not None
    # The ratios of rare classes are rounded to two digits, so their mean is, too.
    assert abs(float(text[1]) - mean) < 0.012
    assert text[2] == most
    lesson = ROOT / "activeeval_widgets" / "lessons" / "01_guess_then_label.ipynb"
    n_better = sum(float(each) < 1 for each in found.values())
    assert abs(n_better / len(found) - 0.75) < 0.05
    assert f"in three quarters of [{len(found)} settings]" in lesson.read_text(encoding="utf-8")
