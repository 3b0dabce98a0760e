"""Writing a page of static files."""

import html
import json
import shutil
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

from activeeval_widgets.app import ICON, TEMPLATES
from activeeval_widgets.app.pages import Query, page_of
from activeeval_widgets.app.static_page.content import goal_to_dict, options_to_dict
from activeeval_widgets.app.static_page.package_files import write_archive
from activeeval_widgets.app.static_page.pyodide import PACKAGES, VERSION, place_pyodide
from activeeval_widgets.app.static_page.race_content import race_to_dict
from activeeval_widgets.formats import write_session
from activeeval_widgets.session import Session
from activeeval_widgets.widgets import LabelingApp
from activeeval_widgets.widgets.front_end import STATIC

_TOO_OLD = """
(function () {
  function tell() {
    document.querySelector("#aew-loading .aew-status").textContent =
      "This browser is too old for this page: use a Chrome, Edge, Firefox or Safari of 2023 or later.";
  }
  if (!("noModule" in HTMLScriptElement.prototype)) tell();
  addEventListener("error", function (event) {
    if (event.error instanceof SyntaxError) tell();
  });
})();
"""
"""Runs in old browsers, too, which can't read the page's own script."""

_SHARED = ("static_page.js", "static_page.css", "static_worker.js", "app.js")


def export_page(
    spec: Mapping[str, Any], folder: Path, pyodide: str | None = None, *, is_seed_given: bool = False
) -> None:
    """Write the labeling page that a spec describes, without a store; see `place_pyodide`."""
    app = page_of(spec).build({**spec, "store": "memory:"}, Query(session=None, who=None))
    assert isinstance(app, LabelingApp)  # noqa: S101 - of a demo or a file
    session, options = app.session, app._page.options
    if session.pool.is_streamed:
        raise ValueError(
            "a page without a server holds all instances, and these are too many: export a part of the file"
        )
    about = {
        "options": options_to_dict(options),
        "goal": goal_to_dict(session),
        "sheets": {None: False, "prediction": True}.get(session.sheets.asks, session.sheets.asks),
        "is_seed_given": is_seed_given,
    }
    _write("session", folder, session, about, options.title, pyodide)


def export_race(spec: Mapping[str, Any], folder: Path, pyodide: str | None = None) -> None:
    """Write the page of a race; see `export_page`."""
    # Not at the top: the page of a session needs no demos.
    from activeeval_widgets.app.pages.race import labeled_data, race_of
    from activeeval_widgets.widgets.race.many_races import stored_races

    race, data = race_of(spec), labeled_data(spec)
    page = race._page
    about = race_to_dict(
        page,
        unit=data.unit,
        grade_words=data.grade_words,
        notes=data.notes_for_page,
        stored=stored_races(spec.get("demo", "")),
    )
    session = page.contest.begin("uniform", page.seed)
    _write("race", folder, session, about, page.title, pyodide)
    race.close()


def _write(
    shows: str,
    folder: Path,
    session: Session,
    about: Mapping[str, Any],
    title: str,
    pyodide: str | None,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_session(session, folder / "session.json", with_contents=True)
    (folder / "page.json").write_text(json.dumps(about), encoding="utf-8")
    write_archive(folder / "package.zip")
    style = {"session": "app.css", "race": "race.css"}[shows]
    for name in (*_SHARED, style):
        shutil.copyfile(STATIC / name, folder / name)
    shutil.copyfile(ICON, folder / "favicon.svg")
    address = place_pyodide(pyodide, folder / "pyodide") or "pyodide/"
    parts = urlsplit(address)
    page = Template((TEMPLATES / "static_page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(title),
        shows=shows,
        style=style,
        pyodide=html.escape(address),
        version=VERSION,
        packages=" ".join(PACKAGES),
        script=_TOO_OLD,
        script_hash=f"sha256-{b64encode(sha256(_TOO_OLD.encode()).digest()).decode()}",
        origin=html.escape(f" {parts.scheme}://{parts.netloc}" if parts.scheme else ""),
        css=(TEMPLATES / "activeeval" / "page.css").read_text(encoding="utf-8"),
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
