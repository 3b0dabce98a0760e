"""Writing the lessons as static files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from activeeval_widgets.app.static_lessons.jupyterlite import PACKAGES, SERIES, build_site, check_installed
from activeeval_widgets.app.static_lessons.notebooks import write_notebooks
from activeeval_widgets.app.static_lessons.pages import write_pages
from activeeval_widgets.app.static_lessons.wheels import write_wheels
from activeeval_widgets.app.static_page.pyodide import place_pyodide

_SITE = "jupyterlite"


def export_lessons(folder: Path, pyodide: str | None = None) -> None:
    """Write a page of all lessons, which JupyterLite runs in the browser."""
    check_installed()
    folder.mkdir(parents=True, exist_ok=True)
    address = place_pyodide(pyodide, folder / "pyodide", PACKAGES, series=SERIES) or "./../pyodide/"
    with TemporaryDirectory() as name:
        work = Path(name)
        write_wheels(work / "pypi")
        write_notebooks(work / "notebooks")
        build_site(work, folder / _SITE, address)
    write_pages(folder, f"{_SITE}/notebooks/index.html?path=")
