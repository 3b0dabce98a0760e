"""What the documentation names is there: files by their paths, code by its names."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = (".py", ".ts", ".css", ".toml")
PAGES = [
    ROOT / page
    for page in (
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/extending.md",
        "activeeval_widgets/stats/README.md",
    )
]
PLACES = ("activeeval_widgets", "frontend", "tests", "docs", "tools", "benchmarks")


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


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.name)
def test_names_that_a_page_names_are_in_the_code(document: Path) -> None:
    names = {
        part
        for text in quoted(document)
        if re.fullmatch(r"[A-Za-z_]+(\.[A-Za-z_]+)*(\(.*\))?", text)
        for part in text.partition("(")[0].split(".")
        if "_" in part or re.search("[a-z][A-Z]", part)
    }
    source = "\n".join(text for path, text in files().items() if not path.endswith(Path(__file__).name))
    missing = {name for name in names if not re.search(rf"\b{re.escape(name)}\b", source)}
    assert not missing
