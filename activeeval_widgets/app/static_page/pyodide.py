"""Pyodide, the Python that runs in a browser: which files of it a page needs."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

VERSION = "0.27.7"
"""The version that pages are tested with."""

PACKAGES = ("numpy", "scipy", "pandas", "pillow")

_CORE = (
    "pyodide.mjs",
    "pyodide.js",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)


def place_pyodide(
    named: str | None, folder: Path, packages: Iterable[str] = PACKAGES, *, series: str = ""
) -> str | None:
    """Return the address that Pyodide is loaded from, if one is named; copy it to a folder if a folder is."""
    if named is None:
        return None
    if urlsplit(named).scheme in ("http", "https"):  # it is loaded from there when the page opens
        return named.rstrip("/") + "/"
    copy_pyodide(Path(named).expanduser(), folder, packages, series=series)
    return None


def copy_pyodide(source: Path, target: Path, packages: Iterable[str] = PACKAGES, *, series: str = "") -> None:
    """Copy what a page needs of an unpacked Pyodide; refuse one that is of another series, or incomplete."""
    lock = source / "pyodide-lock.json"
    if not lock.is_file():
        raise ValueError(
            f"{source} is no Pyodide: it has no {lock.name}. Unpack pyodide-{VERSION}.tar.bz2 of Pyodide's "
            "releases, and name the folder with that file"
        )
    locked = json.loads(lock.read_text(encoding="utf-8"))
    version = locked["info"]["version"]
    if not version.startswith(series):
        raise ValueError(
            f"{source} is Pyodide {version}, and this page needs {VERSION}: name a folder with that"
        )
    known = locked["packages"]
    names = [*_CORE, *(known[name]["file_name"] for name in _with_dependencies(packages, known, source))]
    missing = [name for name in names if not (source / name).is_file()]
    if missing:
        raise ValueError(
            f"{source} has no {', '.join(missing)}. Take the full distribution, pyodide-{VERSION}.tar.bz2: "
            "the one that is named core lacks the packages"
        )
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(source / name, target / name)


def _with_dependencies(names: Iterable[str], known: dict[str, Any], source: Path) -> list[str]:
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in known:
            raise ValueError(f"{source} has no package {name}: Pyodide {VERSION} or a later one has it")
        if name not in found:
            found.append(name)
            waiting += [each.replace("_", "-") for each in known[name]["depends"]]
    return found
