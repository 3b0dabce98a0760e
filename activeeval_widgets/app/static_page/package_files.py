"""The package, and what it needs of pure Python, as one archive for a page's Python."""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PACKAGE = Path(__file__).parents[2]

_LEFT_OUT = re.compile(r"(app/(?!__init__\.py|static_page/)|demos/|lessons/|widgets/static/|.*__pycache__/)")
"""What needs a server, or is there for other pages."""

_ALONG = ("markdown-it-py", "mdurl")
"""What Pyodide does not have: guidelines are in Markdown."""

_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def write_archive(path: Path) -> None:
    """Write the archive."""
    write_zip(path, [*_own_files(), *_files_along()])


def write_zip(path: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files into a zip file; the same files give the same bytes."""
    with ZipFile(path, "w") as archive:
        for name, content in sorted(files):
            entry = ZipInfo(name, _LONG_AGO)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content, compresslevel=9)


def _own_files() -> Iterator[tuple[str, bytes]]:
    for file in PACKAGE.rglob("*.py"):
        inside = file.relative_to(PACKAGE).as_posix()
        if not _LEFT_OUT.match(inside):
            yield f"{PACKAGE.name}/{inside}", file.read_bytes()


def _files_along() -> Iterator[tuple[str, bytes]]:
    for name in _ALONG:
        for file in distribution(name).files or ():
            is_license = ".dist-info/" in file.as_posix() and "LICENSE" in file.name
            if ".." not in file.parts and (file.suffix == ".py" or is_license):
                yield file.as_posix(), Path(str(file.locate())).read_bytes()
