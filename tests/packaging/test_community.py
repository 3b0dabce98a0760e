"""What a stranger to the repository finds: how to cite, where things are, what is run where."""

import re
from pathlib import Path

import pytest

from activeeval_widgets import __version__

ROOT = Path(__file__).parents[2]
RELEASE = __version__.partition(".dev")[0]
KINDS = ("explanations", "how-to", "reference", "tutorials")
MADE = {"build", "dist"}


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (\S+)$", citation, re.MULTILINE) == [RELEASE]
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").count(f"\n## {RELEASE}: first release\n") == 1
    for key in ("cff-version", "message", "title", "authors", "license"):
        assert re.search(rf"^{key}:", citation, re.MULTILINE), key


def test_the_bibtex_is_that_of_the_citation_file() -> None:
    """By a reader of the few forms that `CITATION.cff` has."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    package, *references = re.split(r"^  - type: ", citation, flags=re.MULTILINE)
    expected = [dict(re.findall(r"^(title|version|license): (.+)$", package, re.MULTILINE))]
    expected[0]["author"] = "{" + re.findall(r"^  - name: (.+)$", package, re.MULTILINE)[0] + "}"
    fields = {"collection-title": "booktitle", "issue": "number"}
    for reference in references:
        pairs = re.findall(r"^    ([a-z-]+): \"?(.+?)\"?$", reference, re.MULTILINE)
        people = re.findall(r"family-names: ([^,}]+), given-names: ([^,}]+?) }", reference)
        entry = {fields.get(key, key): value for key, value in pairs}
        expected.append({**entry, "author": " and ".join(f"{family}, {given}" for family, given in people)})
    page = (ROOT / "docs" / "how-to" / "cite.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@(\w+)\{(\w+),\n(.*?)^}", page, re.DOTALL | re.MULTILINE)
    assert [dict(re.findall(r"(\w+) = \{(.*)\},", body)) for _, _, body in entries] == expected
    kinds = {"conference-paper": "inproceedings", "article": "article"}
    of_references = [kinds[reference.partition("\n")[0]] for reference in references]
    assert [kind for kind, _, _ in entries] == ["software", *of_references]
    table = page.partition("## What to cite")[2].partition("## BibTeX")[0]
    assert set(re.findall(r"`(\w+)`", table)) == {key for _, key, _ in entries}


def test_the_table_of_folders_has_every_folder() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| folder |")[2]
    named = set(re.findall(r"^\| `([^`]+)/` \|", table, re.MULTILINE))
    hidden = {".github"}
    there = {
        path.name
        for path in ROOT.iterdir()
        if path.is_dir() and path.name not in MADE and (path.name in hidden or not path.name.startswith("."))
    }
    package = ROOT / "activeeval_widgets"
    layers = {f"{package.name}/{path.parent.name}" for path in package.glob("*/__init__.py")}
    assert named == (there - {package.name}) | layers


def test_every_page_is_of_one_of_four_kinds() -> None:
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).parts for path in docs.rglob("*.md")} - {("index.md",)}
    assert {parts[0] for parts in pages} == set(KINDS)
    assert all(len(parts) == 2 for parts in pages)


@pytest.mark.parametrize("system", ["ubuntu", "macos", "windows"])
def test_the_workflow_runs_what_there_is(system: str) -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert f"{system}-latest" in workflow
    assert "run: make test\n" in workflow
    assert re.findall(r'"(3\.\d+)"[,\]]', workflow) == ["3.11", "3.12", "3.13", "3.14"]
    folders = re.findall(r"\btests/\w+", workflow)
    assert len(folders) >= 4
    assert all((ROOT / folder).is_dir() for folder in folders)
