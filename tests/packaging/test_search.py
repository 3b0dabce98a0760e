"""The search of the documentation's site finds what people ask, in their words.

The site is not built for this. Sphinx's own index is made of the pages' texts and, in the place of generated
pages, of docstrings; Sphinx's own script searches it, ranked by `docs/search.js`.
"""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sphinx
from docutils import nodes
from markdown_it import MarkdownIt
from sphinx.search import IndexBuilder

ROOT = Path(__file__).parents[2]
FAQ = ROOT / "docs" / "how-to" / "faq.md"
PACKAGES = (
    "activeeval_widgets",
    *(f"activeeval_widgets.{name}" for name in ("stats", "session", "widgets", "formats")),
)
SITE = (
    "*.md",
    "docs/**/*.md",
    "benchmarks/**/*.md",
    "activeeval_widgets/**/*.md",
    "notebooks/*.ipynb",
    "activeeval_widgets/lessons/*.ipynb",
)

IN_NODE = """
const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");
const element = { dataset: {}, appendChild: () => element, querySelectorAll: () => [] };
Object.assign(globalThis, {
  window: globalThis, SPHINX_HIGHLIGHT_ENABLED: false, _: (text) => text, _ready: () => {},
  document: { getElementById: () => null, documentElement: element },
});
const { scripts, index, queries } = JSON.parse(readFileSync(0, "utf8"));
for (const script of scripts) runInThisContext(script);
globalThis.given = { index, queries };
process.stdout.write(runInThisContext(`
  Search.setIndex(given.index);
  const find = (query) => Search._performSearch(...Search._parseQuery(query)).reverse();
  JSON.stringify(given.queries.map((query) => find(query).map((each) => each.slice(0, 3))));
`));
"""


def doctree(text: str) -> nodes.document:
    """A page's headings and texts: all that the index takes of it."""
    found = nodes.document(None, None)
    inside: nodes.Element = found
    tokens = MarkdownIt().parse(re.sub(r"^```\{toctree\}.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    for before, token in zip([None, *tokens], tokens, strict=False):
        words = "".join(each.content for each in token.children or ()) or token.content
        if before is not None and before.type == "heading_open":
            section = nodes.section(ids=[nodes.make_id(words)])
            section += nodes.title("", words)
            found += section
            inside = section
        elif words:
            inside += nodes.paragraph("", words)
    return found


def written() -> Iterator[tuple[str, str]]:
    """Every page that is written by hand, by its name on the site."""
    for pattern in SITE:
        for path in ROOT.glob(pattern):
            if path.parent != ROOT or path.stem in ("CHANGELOG", "CONTRIBUTING", "SECURITY"):
                text = path.read_text()
                if path.suffix == ".ipynb":
                    cells = json.loads(text)["cells"]
                    text = "\n\n".join(
                        "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
                    )
                yield path.relative_to(ROOT).with_suffix("").as_posix(), text


def public() -> Iterator[tuple[str, Any]]:
    for package in PACKAGES:
        module = import_module(package)
        yield from ((f"{package}.{name}", getattr(module, name)) for name in module.__all__)


@pytest.fixture(scope="module")
def site() -> tuple[list[str], dict[str, Any]]:
    """The scripts that the site's search page runs, and its index."""
    objects = []
    for name, thing in public():
        page = f"docs/reference/generated/{name}"
        objects.append((name, name, "class", page, name, 1))
        if inspect.isclass(thing):
            objects += [
                (f"{name}.{each}", f"{name}.{each}", "method", page, f"{name}.{each}", 1)
                for each in dir(thing)
                if each[0] != "_"
            ]
    domain = SimpleNamespace(name="py", object_types={}, get_objects=lambda: objects)
    kept = (
        "titles",
        "filenames",
        "mapping",
        "title_mapping",
        "all_titles",
        "index_entries",
        "objtypes",
        "objnames",
    )
    env = SimpleNamespace(
        domains=SimpleNamespace(sorted=lambda: [domain]),
        version=0,
        **{f"_search_index_{each}": {} for each in kept},
    )
    builder = IndexBuilder(env, "en", {}, str(ROOT / "docs" / "search.js"))
    builder.lang.stem = cache(builder.lang.stem)
    generated = (
        (f"docs/reference/generated/{name}", f"# {name}\n\n{inspect.getdoc(thing) or ''}")
        for name, thing in public()
    )
    for page, text in [*written(), *generated]:
        tree = doctree(text)
        builder.feed(page, f"{page}.md", next(iter(tree.findall(nodes.title))).astext(), tree)
    index = StringIO()
    builder.dump(index, "json")
    own = builder.context_for_searchtool()
    searchtools = Path(sphinx.__file__).parent / "themes" / "basic" / "static" / "searchtools.js"
    data = (
        f"const stopwords = new Set({own['search_language_stop_words']});\n"
        f"{own['search_language_stemming_code']}\n{own['search_scorer_tool']}"
    )
    return [searchtools.read_text(), data], json.loads(index.getvalue())


def found(site: tuple[list[str], dict[str, Any]], queries: list[str]) -> list[list[list[str]]]:
    """For each query the pages, titles and anchors that the site shows, best first."""
    scripts, index = site
    node = Path(sys.executable).with_name("node")
    given = json.dumps({"scripts": scripts, "index": index, "queries": queries})
    answer = subprocess.run([node, "-e", IN_NODE], input=given, capture_output=True, text=True, check=True)
    results: list[list[list[str]]] = json.loads(answer.stdout)
    return results


def questions() -> dict[str, str]:
    """The questions of the FAQ, and what each is answered."""
    parts = re.split(r"^### (.+)\n", FAQ.read_text(), flags=re.MULTILINE)[1:]
    return {
        question: re.split(r"^## ", answer, flags=re.MULTILINE)[0].strip()
        for question, answer in zip(parts[::2], parts[1::2], strict=True)
    }


def test_answers_are_short_and_lead_on() -> None:
    answers = questions()
    assert len(answers) >= 30
    for question, answer in answers.items():
        prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", answer)
        assert 1 <= len(re.findall(r"[.?!](?=\s|$)", prose)) <= 5, question
        assert re.search(r"\]\([^)]+\)", answer), question


def test_every_question_finds_its_answer(site: tuple[list[str], dict[str, Any]]) -> None:
    asked = list(questions())
    for question, results in zip(asked, found(site, asked), strict=True):
        title = f"Questions and answers > {question}"
        assert title in [shown for _, shown, _ in results[:3]], (question, results[:3])


WORDS = {
    "what happens if I exclude an instance": "faq",
    "is my pool too small": "faq",
    "effective sample size": "faq",
    "class of 30 students": "faq",
    "99% confidence": "faq",
    "keyboard shortcut": "faq",
    "is it secure to expose this server": "faq",
    "random seed": "faq",
    "does it send data to the cloud": "faq",
    "continue where I left off": "faq",
    "dataframe": "faq",
    "missing values": "faq",
    "use labels that I have": "faq",
    "multilabel tags": "faq",
    "bounding boxes": "faq",
    "gpt as a judge": "check-a-judge",
    "random sample of 200": "faq",
    "can I peek and stop early": "faq",
    "compare two models": "compare-models",
    "which model is the best": "faq",
    "labeling cost per instance": "faq",
    "how many labels will it take": "stop",
    "download the labels as csv": "faq",
    "several annotators": "faq",
    "dark theme": "faq",
    "air-gapped, no internet": "faq",
    "bibtex": "cite",
    "imbalanced classes": "faq",
    "label studio": "faq",
    "postgres": "stores",
    "jupyterhub": "faq",
    "https certificate nginx": "hosting",
    "custom metric": "faq",
    "confidence sequence": "watched-interval",
    "inter-annotator agreement": "agreement",
    "wide interval": "faq",
    "lecture plan": "teach",
    "quiz with answers": "teach",
    "lab sheet": "teach",
}
"""What people type, and the page that tells about it."""


def test_what_people_type_finds_its_page(site: tuple[list[str], dict[str, Any]]) -> None:
    missed = {}
    for words, results in zip(WORDS, found(site, list(WORDS)), strict=True):
        pages = [page.rpartition("/")[2] for page, _, _ in results[:3]]
        if WORDS[words] not in pages:
            missed[words] = pages
    assert not missed


@pytest.mark.parametrize("word", ["undo", "leaderboard", "budget", "session", "confidence", "guidelines"])
def test_what_is_written_comes_before_what_is_generated(
    site: tuple[list[str], dict[str, Any]], word: str
) -> None:
    [results] = found(site, [word])
    pages = [page for page, _, _ in results]
    behind = [i for i, page in enumerate(pages) if "/generated/" in page or page == "CHANGELOG"]
    written_pages = [i for i, page in enumerate(pages) if re.match(r"docs/(how-to|explanations)/", page)]
    assert max(written_pages) < min(behind)


def test_a_word_that_is_nowhere_finds_nothing(site: tuple[list[str], dict[str, Any]]) -> None:
    assert found(site, ["xylophone"]) == [[]]
