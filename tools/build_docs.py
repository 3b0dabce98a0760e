"""Build the documentation: `make docs`.

    .venv/bin/python tools/build_docs.py [FOLDER] [--no-notebooks]

FOLDER (`build/docs` unless given) gets `source`, a copy of the pages in the same folders as here, so that all
links between them work as on disk, and `html`. Notebooks are run first, in parallel; each widget is replaced
by the picture that its cell names. Needs no network.
"""

import argparse
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from sphinx.cmd.build import main as sphinx_build

ROOT = Path(__file__).parents[1]
PAGES = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "activeeval_widgets/demos/data/README.md",
    "activeeval_widgets/lessons/*.ipynb",
    "activeeval_widgets/lessons/*.md",
    "activeeval_widgets/stats/README.md",
    "benchmarks/*.md",
    "benchmarks/*.py",
    "benchmarks/results/*",
    "docs/**/*",
    "notebooks/*.ipynb",
)
"""The site's files; with scripts, because pages link to them."""

WIDGET = "application/vnd.jupyter.widget-view+json"


def copy_pages(target: Path) -> None:
    """Copy the site's files."""
    shutil.rmtree(target, ignore_errors=True)
    for pattern in PAGES:
        for path in ROOT.glob(pattern):
            if path.is_file() and "__pycache__" not in path.parts:
                copy = target / path.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)


def picture_of(cell: NotebookNode) -> NotebookNode:
    """Return what replaces a widget: the picture that the cell's metadata names, with its description."""
    named = cell.metadata.get("picture")
    text = "*(Here the notebook shows a widget.)*" if named is None else f"![{named['alt']}]({named['file']})"
    return nbformat.v4.new_markdown_cell(text)


def with_links(output: NotebookNode) -> NotebookNode:
    """Return an output with links to pages instead of sources: Sphinx replaces those in Markdown only."""
    html = output.get("data", {}).get("text/html")
    if html is not None:
        output.data["text/html"] = re.sub(
            r'(href="(?!https?:)[^"#]+)\.(?:ipynb|md)(?=["#])', r"\1.html", html
        )
    return output


def run_notebook(path: Path, is_run: bool) -> None:
    """Run a notebook in its folder, and replace widgets by pictures."""
    notebook = nbformat.read(path, as_version=4)
    if is_run:
        NotebookClient(
            notebook,
            timeout=600,
            resources={"metadata": {"path": str(path.parent)}},
            extra_arguments=["--log-level=40"],  # only the warnings of the notebook's own code
        ).execute()
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        outputs = cell.get("outputs", [])
        for output in outputs:
            if "text/html" in output.get("data", {}):
                output.data.pop(WIDGET, None)  # what it shows is there without it, too
        kept = [output for output in outputs if WIDGET not in output.get("data", {})]
        if len(kept) < len(outputs) or (not is_run and "picture" in cell.metadata):
            cells.append(picture_of(cell))
        if outputs:
            cell.outputs = [with_links(output) for output in kept]
    notebook.cells = cells
    notebook.metadata.pop("widgets", None)
    nbformat.write(notebook, path)


def main() -> int:
    """Build, and print the path of the first page."""
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--no-notebooks", action="store_true", help="show them without what they print")
    arguments = parser.parse_args()
    began = time.monotonic()
    folder = arguments.folder.resolve()
    source, html = folder / "source", folder / "html"
    copy_pages(source)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        folders = (source / "activeeval_widgets" / "lessons", source / "notebooks")
        notebooks = [path for folder in folders for path in sorted(folder.glob("*.ipynb"))]
        list(pool.map(partial(run_notebook, is_run=not arguments.no_notebooks), notebooks))
    for made in (html, folder / "doctrees"):  # an earlier build would hide what is missing now
        shutil.rmtree(made, ignore_errors=True)
    options = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto"]
    failed = sphinx_build(
        [*options, "-c", str(source / "docs"), "-d", str(folder / "doctrees"), str(source), str(html)]
    )
    if failed:
        return failed
    took = time.monotonic() - began
    print(f"{html / 'docs' / 'index.html'}  ({took:.0f} s)")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
