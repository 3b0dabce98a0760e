"""What the documentation names is there: files by their paths, code by its names."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from activeeval_widgets import LabelingApp
from activeeval_widgets.app.commands import serve
from activeeval_widgets.app.user_code import run_code
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings

ROOT = Path(__file__).parents[2]
CODE = (".py", ".ts", ".css", ".toml")
PAGES = [
    ROOT / page
    for page in (
        "CONTRIBUTING.md",
        "docs/explanations/agreement.md",
        "docs/explanations/architecture.md",
        "docs/how-to/explorers.md",
        "docs/how-to/extending.md",
        "docs/how-to/several-experts.md",
        "docs/reference/files.md",
        "docs/how-to/large-pools.md",
        "docs/how-to/stores.md",
        "activeeval_widgets/stats/README.md",
    )
]
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
FAQ = ROOT / "docs" / "how-to" / "faq.md"
PLACES = (".github", "activeeval_widgets", "frontend", "tests", "docs", "tools", "benchmarks")


@cache
def files() -> dict[str, str]:
    """The project's files: their texts by their paths."""
    found = [path for place in PLACES for path in (ROOT / place).rglob("*") if path.is_file()]
    found += [path for path in ROOT.iterdir() if path.is_file()]
    return {
        f"/{path.relative_to(ROOT).as_posix()}": path.read_text() if path.suffix in CODE else ""
        for path in found
        if "node_modules" not in path.parts and "__pycache__" not in path.parts
    }


@cache
def words() -> set[str]:
    """All words in them, this file's own left out."""
    texts = [text for path, text in files().items() if not path.endswith(Path(__file__).name)]
    return {word for text in texts for word in re.findall(r"\w+", text)}


def quoted(document: Path) -> set[str]:
    """What a page has in backticks, blocks of code left out."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"`([^`\n]+)`", text))


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_files_that_a_page_names_are_there(document: Path) -> None:
    named = {text for text in quoted(document) if re.fullmatch(r"[\w./-]+(\.(py|ts|css|md|toml)|/)", text)}
    assert named
    folders = {f"/{parent.as_posix()}/" for path in files() for parent in Path(path[1:]).parents}
    there = [*files(), *folders]
    assert not {name for name in named if not any(path.endswith(f"/{name}") for path in there)}


@pytest.mark.parametrize("document", [*PAGES, GLOSSARY, FAQ], ids=lambda path: path.name)
def test_names_that_a_page_names_are_in_the_code(document: Path) -> None:
    names = {
        part
        for text in quoted(document)
        if re.fullmatch(r"[A-Za-z_]+(\.[A-Za-z_]+)*(\(.*\))?", text)
        for part in text.partition("(")[0].split(".")
        if "_" in part or re.search("[a-z][A-Z]", part)
    }
    assert not names - words()


def test_the_page_on_serve_lists_every_option() -> None:
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text()
    named = set(re.findall(r"`(--[a-z-]+)", page))
    options = {name for parameter in serve.command.params for name in parameter.opts if name[:2] == "--"}
    assert named - {"--help"} == options - {"--help"}


def test_what_the_page_on_serve_shows_can_be_read(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text()
    (shown,) = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    path = tmp_path / "evaluation.toml"
    path.write_text(shown)
    settings = EvaluationSettings.read(path)
    assert (settings.measure, settings.columns.proba) == ("f1", ("p_ham", "p_spam"))


def test_the_script_on_the_page_on_serve_makes_an_app(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "how-to" / "serve.md").read_text()
    (shown,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    (table,) = re.findall(r"(\| text .*?)\n\n", page, flags=re.DOTALL)
    header, _, *rows = (line.strip("| ").split(" | ") for line in table.splitlines())
    with (tmp_path / "mails.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    (tmp_path / "spam.py").write_text(shown)
    app = run_code(tmp_path / "spam.py", tmp_path)
    assert isinstance(app, LabelingApp)
    assert (app.session.pool.n_instances, app.session.measure.positive) == (2, "spam")
