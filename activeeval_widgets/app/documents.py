"""Show the documentation's texts that lessons link to, without what needs Sphinx."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePosixPath
from posixpath import normpath

from activeeval_widgets.lessons.catalog import FOLDER, NOTEBOOKS
from activeeval_widgets.lessons.prose import to_html

_PACKAGE = FOLDER.parent
_LESSONS = "activeeval_widgets/lessons/"
_SITE_ALONE = re.compile(r"^(```|:::+)\{|!\[", re.MULTILINE)  # directives, pictures
_LINK = re.compile(r'<a href="(?P<path>[^":#]+)(?P<anchor>#[^"]*)?"[^>]*>(?P<text>.*?)</a>', re.DOTALL)
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>", re.DOTALL)
_ANSWERS = re.compile(r'<h3 id="[^"]*">((?:Answers|Solutions)\b.*?)</h3>(.*?)(?=<h[1-3] |\Z)', re.DOTALL)

PLAN = "docs/how-to/teach.md"
NOTES = f"{_LESSONS}speaker_notes.md"
CLASS = "docs/how-to/class.md"


@cache
def documents() -> dict[str, str]:
    """Return the texts by their paths in the repository; the wheel has them in the package."""
    docs = next(folder for folder in (_PACKAGE / "docs", _PACKAGE.parent / "docs") if folder.is_dir())
    found = {f"docs/{path.relative_to(docs).as_posix()}": path for path in docs.glob("*/*.md")}
    found |= {name: _PACKAGE.parent / name for name in (NOTES, "activeeval_widgets/stats/README.md")}
    texts = {name: path.read_text(encoding="utf-8") for name, path in found.items()}
    return {name: text for name, text in texts.items() if not _SITE_ALONE.search(text)}


def shown_document(name: str) -> str:
    """Return a text as HTML; its answers can be opened."""
    made = shown_prose(documents()[name], name)
    made = _HEADING.sub(lambda found: f'<h{found[1]} id="{_slug(found[2])}">{found[2]}</h{found[1]}>', made)
    return _ANSWERS.sub(
        r'<details class="aew-answer"><summary><strong>\1</strong></summary>\2</details>', made
    )


def title_of(name: str) -> str:
    """Return a text's first heading."""
    return documents()[name].partition("\n")[0].removeprefix("# ")


def shown_prose(markdown: str, source: str = f"{_LESSONS}lesson.ipynb") -> str:
    """Return Markdown of a lesson or document as HTML, with links to the served pages."""
    folder = PurePosixPath(source).parent
    up = "" if source.endswith(".ipynb") else "../" * len(folder.parts)

    def target_link(found: re.Match[str]) -> str:
        target = normpath((folder / found["path"]).as_posix())
        name, apart = target.removeprefix(_LESSONS), ""
        if name in {each.path.name for each in NOTEBOOKS}:
            target = name
        elif target not in documents():
            return f'{found["text"]} <span class="aew-elsewhere">({target})</span>'
        elif not up:
            apart = ' target="_blank"'  # a lesson starts over when the reader leaves it
        return f'<a href="{up}{target}{found["anchor"] or ""}"{apart}>{found["text"]}</a>'

    return _LINK.sub(target_link, to_html(markdown))


def _slug(heading: str) -> str:
    """Return the anchor of a heading, as on GitHub and the site."""
    text = re.sub(r"<[^>]*>", "", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
