"""The documentation is complete and its links lead somewhere, as far as that is told without building it."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from activeeval_widgets.app import cli
from activeeval_widgets.formats import write_run
from activeeval_widgets.lessons import catalog as lessons
from activeeval_widgets.session.log import events
from activeeval_widgets.stats import AdaptiveConfidenceSequence, ClassPredictions
from activeeval_widgets.stats.measures._pool_to_try import MAKERS
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.widgets.explorers import EXPLORERS
from activeeval_widgets.widgets.labels.keys import ACTIONS
from activeeval_widgets.widgets.race.many_races import share_closer, stored_races

from ..labeling import give_labels

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OF_THE_PACKAGE = DOCS / "reference" / "package.md"
NOTEBOOKS = sorted([*(ROOT / "notebooks").glob("*.ipynb"), *lessons.FOLDER.glob("*.ipynb")])
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "benchmarks/**/*.md", "activeeval_widgets/**/*.md")
    for path in ROOT.glob(pattern)
)


def without_code(text: str) -> str:
    return re.sub(r"^(```+|:::+).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """What a page's headings are called in links, as GitHub and MyST have it."""
    headings = re.findall(r"^#+ (.+)$", without_code(path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def linked(text: str) -> Iterator[tuple[str, str]]:
    """The files, and the headings in them, that a page links to."""
    for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code(text))):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def missing(source: Path, text: str) -> list[str]:
    """Where links lead nowhere."""
    found = []
    for path, anchor in linked(text):
        target = (source.parent / path).resolve() if path else source
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            found.append(f"{path}#{anchor}")
    return found


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 50
    found = {str(path.relative_to(ROOT)): missing(path, path.read_text()) for path in PAGES}
    assert not {path: links for path, links in found.items() if links}


def test_no_page_has_the_marks_of_a_merge() -> None:
    assert not [path.name for path in PAGES if re.search(r"^(<{7}|>{7}) ", path.read_text(), re.MULTILINE)]


def test_links_and_pictures_of_notebooks_lead_somewhere() -> None:
    assert len(NOTEBOOKS) > 3
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            named = cell["metadata"].get("picture", {"file": path.name, "alt": "none"})
            assert (path.parent / named["file"]).is_file()
            assert named["alt"]
            if cell["cell_type"] == "markdown":
                assert not missing(path, "".join(cell["source"]))


def test_a_link_that_leads_nowhere_would_be_seen() -> None:
    page = DOCS / "how-to" / "serve.md"
    text = "[a](../reference/files.md#rows) [b](no.md) [c](../reference/files.md#what-a-row-can-be) `[d](x)` [e](https://example.org)"
    assert missing(page, text) == ["../reference/files.md#rows", "no.md#"]


def listed(document: Path) -> Iterator[Path]:
    """The pages that a page's tables of contents list."""
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", document.read_text(), re.DOTALL | re.MULTILINE):
        for entry in (line for line in block.splitlines() if line and not line.startswith(":")):
            folder, _, name = entry.rpartition("/")
            there = (document.parent / folder).resolve()
            found = [path for suffix in (".md", ".ipynb") for path in there.glob(name + suffix)]
            assert found, f"{document.name} lists {entry}"
            yield from found


def test_every_page_can_be_reached() -> None:
    """From the first page, by what the indexes list."""
    seen: set[Path] = set()
    waiting = [DOCS / "index.md"]
    while waiting:
        document = waiting.pop()
        if document not in seen:
            seen.add(document)
            waiting += listed(document) if document.suffix == ".md" else []
    pages = {path for path in PAGES if path.parent != ROOT or path.stem in ("CHANGELOG", "CONTRIBUTING")}
    assert seen >= pages | set(NOTEBOOKS)


def test_the_tutorials_name_every_notebook_by_its_title() -> None:
    text = "".join((DOCS / "tutorials" / page).read_text() for page in ("index.md", "lessons.md"))
    named = dict(re.findall(r"\[([^\]]+)\]\((\S+\.ipynb)\)", text))
    found = {(DOCS / "tutorials" / target).resolve(): title for title, target in named.items()}
    assert found.keys() == set(NOTEBOOKS)
    for lesson in lessons.LESSONS:
        assert found[lesson.path] == lesson.title


def test_the_page_for_teachers_lists_every_lesson() -> None:
    result = rows(DOCS / "tutorials" / "lessons.md", "Hold a lecture from them")
    for lesson in lessons.LESSONS:
        title = (
            f"{int(lesson.name[:2])}. [{lesson.title}](../../activeeval_widgets/lessons/{lesson.path.name})"
        )
        assert result[title][0] == str(lesson.minutes)
    assert len(result) == len(lessons.LESSONS)


@cache
def entries(page: Path) -> list[str]:
    """The names that a page of the reference has an entry for."""
    blocks = re.findall(r"autosummary::\n(.*?)(?=^\.\.|^```)", page.read_text(), re.DOTALL | re.MULTILINE)
    return [line.strip() for block in blocks for line in block.splitlines() if re.match(r"   \w", line)]


@pytest.mark.parametrize(
    "name",
    ["", ".stats", ".session", ".widgets", ".widgets.explorers", ".formats", ".lessons", ".lessons.figures"],
)
def test_every_public_name_has_one_entry(name: str) -> None:
    package = import_module(f"activeeval_widgets{name}")
    reference = DOCS / "reference" / f"{name.rpartition('.')[2] or 'package'}.md"
    of_the_package = set(entries(OF_THE_PACKAGE)) if name else set()
    # Modules and constants have no entry of their own, but are named.
    plain = {each for each in package.__all__ if not callable(getattr(package, each))}
    assert sorted(entries(reference)) == sorted(set(package.__all__) - of_the_package - plain)
    text = reference.read_text()
    assert not [each for each in plain if not re.search(rf"`[\w.]*\b{each}`", text)]


def test_every_explorer_works_on_the_site() -> None:
    page = (DOCS / "tutorials" / "explorers.md").read_text()
    assert re.findall(r"^```\{explorer\} (\S+)$", page, re.MULTILINE) == [e.name for e in EXPLORERS]


CARDS = re.split(r"^### ", (DOCS / "reference" / "measures.md").read_text(), flags=re.MULTILINE)[1:]
INTERVALS = {  # of one model and of a difference; of numbers without and with `y_range`
    "guaranteed": (True, True),
    "guaranteed, also for a difference": (True, True),
    "guaranteed, also for a difference, without `y_range`": (True, True),
    "guaranteed; for a difference approximate": (True, False),
    "guaranteed, without `y_range`; for a difference approximate": (True, False),
    "approximate only": (False, False),
    "guaranteed with `y_range`; else approximate": (True, True),
    "guaranteed with `y_range`, also for a difference; else approximate": (True, True),
    "guaranteed with `y_range`; for a difference, and without it, approximate": (True, False),
}


def test_every_measure_has_one_card() -> None:
    found: list[str] = []
    for card in CARDS:
        found += re.findall(r"`(\w+)\(", card.split("\n\n")[1])
        given = re.findall(r"^- \*\*(\w+)\*\*", card.split("\n## ")[0], re.MULTILINE)
        assert given == ["Formula", "Use", "Draws", "Intervals", "Example"], card
    assert sorted(found) == sorted(cls.__name__ for cls in all_measures())
    assert f"[{len(found)} measures](docs/reference/measures.md)" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.partition("\n")[0])
def test_a_card_says_which_intervals_there_are(card: str) -> None:
    [result] = re.findall(r"\*\*Intervals\*\*: (.*?)\.(?: |$)", card, re.MULTILINE)
    needs_range = "with `y_range`" in result
    for cls in all_measures():
        if f"`{cls.__name__}(" in card.split("\n\n")[1]:
            [measure, *_] = cls.examples()
            rng = np.random.default_rng(0)
            models = [MAKERS[measure.predictions_kind](rng) for _ in range(2)]
            of_values = measure.predictions_kind == "value"
            for y_range in [None, (-8.0, 8.0)] if of_values else [None]:
                exact = [
                    not AdaptiveConfidenceSequence(measure, given, y_range=y_range).is_asymptotic
                    for given in ([models[0], models] if measure.needs_model else [models[0]])
                ]
                expected = (False, False) if needs_range and y_range is None else INTERVALS[result]
                assert exact == list(expected)[: len(exact)], (cls, y_range)


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, f"{path} {name}")


def test_every_command_and_option_has_its_entry() -> None:
    """The page is made of them all, with what each says of itself."""
    page = (DOCS / "reference" / "command-line.md").read_text()
    assert ".. click:: activeeval_widgets.app.cli:main\n" in page
    assert ":nested: full\n" in page
    found = dict(commands(cli.main, "activeeval-widgets"))
    assert len(found) > 10
    for path, command in found.items():
        assert command.help, path
        assert not command.hidden, path
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{path} {option.opts}"
                assert not option.hidden


@pytest.mark.parametrize("page", ["how-to/faq", "how-to/teach", "reference/glossary", "reference/measures"])
def test_options_that_a_page_names_are_there(page: str) -> None:
    there = {
        option
        for _, command in commands(cli.main, "")
        for parameter in command.params
        for option in parameter.opts
    }
    named = set(re.findall(r"`[^`\n]*?(--[a-z-]+)", (DOCS / f"{page}.md").read_text()))
    assert named
    assert named <= there


def test_the_glossary_has_forty_terms_by_their_names_today() -> None:
    text = (DOCS / "reference" / "glossary.md").read_text()
    terms = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", text, re.MULTILINE)
    assert len(dict(terms)) == len(terms) >= 40
    names = dict(terms).values()
    assert all(re.search(r"\*(Page|Python|CLI|Papers)\* ", each) for each in names)
    buttons = {action.key.upper(): action.text for action in ACTIONS}
    shown = {key: text for each in names for text, key in re.findall(r"(\w+) \(`(\w)`\)", each)}
    assert len(shown) > 3
    assert shown.items() <= buttons.items()


def test_the_changelog_names_commands_that_there_are() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    [result] = re.findall(r"for a few clicks; (.*?) \(\[commands\]", text, re.DOTALL)
    assert {*re.findall(r"`([\w-]+)`", result), "serve", "open"} == cli.main.commands.keys()


def rows(page: Path, heading: str) -> dict[str, list[str]]:
    """The rows of the tables under a heading, by their first cells."""
    part = page.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [re.split(r" \| ", line.strip("| ")) for line in part.splitlines() if line.startswith("| ")]
    return {first: rest for first, *rest in cells[1:]}


def test_every_action_has_its_key() -> None:
    result = rows(DOCS / "reference" / "keys.md", "Actions")
    of_readme = (ROOT / "README.md").read_text()
    for action in ACTIONS:
        keys = [key.upper() if len(key) == 1 else key for key in (action.key, *action.more_keys)]
        shown = ", ".join(f"`{key.replace('+x', '+X')}`" for key in keys)
        assert result[shown] == [action.text, action.meaning]
        assert f"`{keys[0].replace('+x', '+X')}`" in of_readme
    assert len(result) == len(ACTIONS)


def test_the_keys_of_labels_and_instances_are_those_of_the_page() -> None:
    page = (DOCS / "reference" / "keys.md").read_text()
    places = (
        "labels/class_labels",
        "labels/grade_labels",
        "labels/number_labels",
        "instances/upcoming_instances",
    )
    for place in places:
        source = (ROOT / "frontend" / "src" / f"{place}.ts").read_text()
        [block] = re.findall(r"^  help\([^\n]*KeyHelp.*?^  }$", source, re.DOTALL | re.MULTILINE)
        meanings = re.findall(r"[\])], \"([^\"]+)\"\]", block)
        assert meanings
        assert not [meaning for meaning in meanings if meaning.split(";")[0] not in page]


def names(cells: Iterable[str]) -> set[str]:
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_event_log_is_described_in_full() -> None:
    page = DOCS / "reference" / "event-log.md"
    every = {field.name for field in fields(events.Event)}
    kinds = rows(page, "Kinds")
    assert {kind.strip("`") for kind in kinds} == events._KINDS.keys()
    meanings = names(rows(page, "What the names mean"))
    assert names(rows(page, "What every event has")) == {*every, "kind"}
    for kind, cls in events._KINDS.items():
        own = {field.name for field in fields(cls)} - every
        assert own <= meanings
        assert names(kinds[f"`{kind}`"][1:]) == own, kind


@pytest.mark.parametrize(
    "name", ["from-scikit-learn", "stop", "blind-ranking", "labels-into-pandas", "my-own-dashboard"]
)
def test_the_code_of_a_how_to_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for run, ranked in {"old": ["d1", "d2"], "new": ["d2", "d3"], "newer": ["d3", "d4"]}.items():
        write_run(f"{run}.run", dict.fromkeys(("q1", "q2", "q3"), ranked))
    y = np.arange(40) % 2
    features = np.random.default_rng(0).normal(size=(40, 3)) + y[:, np.newaxis]
    labels = np.where(y, "spam", "ham")
    texts = [f"{label} {i}" for i, label in enumerate(labels)]
    names = {
        "texts": texts,
        "images": list(np.zeros((40, 4, 4))),
        "records": [{"size": i} for i in range(40)],
        "pipeline": make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts, labels),
        "model": LogisticRegression().fit(features, labels),
        "process": GaussianProcessRegressor().fit(features, y),
        "LinearSVC": LinearSVC,
        "predicted": labels,
        "predictions": ClassPredictions(LogisticRegression().fit(features, y).predict_proba(features)),
        **{"X": features, "X_train": features, "y_train": labels},
    }
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "how-to" / f"{name}.md").read_text(), re.DOTALL)
    assert blocks
    for i, block in enumerate(blocks):
        exec(block.replace("labels.sqlite", f"labels-{i}.sqlite"), names)
        if name == "labels-into-pandas" and i == 0:  # somebody labels on the page
            give_labels(names["session"], labels, 12)
    if name == "labels-into-pandas":
        assert len(names["table"]) == len(names["course"]) == 12
        assert names["course"]["n_labels"].tolist() == list(range(1, 13))
        assert 0 < names["share_of_spam"] < 1
        assert [each["label"] for each in names["seen"]] == ["spam"]
    if name == "my-own-dashboard":
        assert not names["narrow"].value
        give_labels(names["session"], "good", 90)
        assert names["estimate"].n_labels == 90
        assert names["narrow"].value == (names["estimate"].high - names["estimate"].low <= 0.2)
        assert names["shown"].value == f"Text number {names['session'].next().instance_id}"
    if name == "from-scikit-learn":
        page = (DOCS / "how-to" / f"{name}.md").read_text()
        [line] = re.findall(r"```sh\nactiveeval-widgets (.*?)\n```", page)
        result = CliRunner().invoke(cli.main, [*line.split(), "--check"])
        assert result.exit_code == 0, result.output
        assert "40 texts" in result.output


def test_pages_tell_what_the_stored_races_show() -> None:
    stored = stored_races("digits")
    assert stored is not None
    page = (DOCS / "tutorials" / "race.md").read_text()
    for name, title in (("active", "Active"), ("papers", r"Papers' q\*"), ("uniform", "Uniform")):
        found = stored["methods"][name]
        [error, width, share] = [
            each[-1]
            for each in (found["rmse"], found["widths"]["guaranteed"], found["coverage"]["guaranteed"])
        ]
        assert f"| {title} | {error:.3f} | {width:.2f} | {100 * share:g}% |" in page
    assert f"After {stored['at'][-1]} labels, over {len(found['last'])} races" in page
    closer = share_closer(stored["methods"]["active"], stored["methods"]["uniform"])
    lecture = (DOCS / "how-to" / "teach.md").read_text()
    assert re.search(r"^activeeval-widgets race --port", lecture, re.MULTILINE)
    assert f"The active racer ends closer in {closer:.0%} of them." in lecture


def test_the_minutes_of_a_lecture_and_of_a_lab_add_up() -> None:
    for heading in ("The lecture: 90 minutes", "The lab: 90 minutes"):
        part = (DOCS / "how-to" / "teach.md").read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
        spans = [(int(a), int(b)) for a, b in re.findall(r"^\| (\d+)–(\d+) \|", part, re.MULTILINE)]
        assert [0, *(end for _, end in spans)] == [*(begin for begin, _ in spans), 90]


def test_every_part_of_the_lecture_has_its_speaker_notes() -> None:
    minutes = rows(DOCS / "how-to" / "teach.md", "The lecture: 90 minutes").keys()
    parts = re.split(r"^## ", (lessons.FOLDER / "speaker_notes.md").read_text(), flags=re.MULTILINE)[1:]
    assert [part.partition(":")[0] for part in parts] == [each for each in minutes if each[0].isdigit()]
    for part in parts:
        assert re.findall(r"^\*\*(.+?)\*\*", part, re.MULTILINE) == ["Say.", "Do.", "They ask."]
