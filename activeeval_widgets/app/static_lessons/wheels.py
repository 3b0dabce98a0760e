"""The package, and what it needs of pure Python, as wheels for the Python in a browser."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from activeeval_widgets import __version__
from activeeval_widgets.app.static_page.package_files import PACKAGE, write_zip

ALONG = (
    *("anywidget", "bqplot", "bqscales", "comm", "ipywidgets", "jupyterlab-widgets", "latex2mathml"),
    *("markdown-it-py", "mdurl", "platformdirs", "psygnal", "traittypes", "typing-extensions"),
)
"""What Pyodide does not have. JupyterLite stands in for widgetsnbextension."""

OF_PYODIDE = ("matplotlib", "numpy", "pandas", "pillow", "scikit-learn", "scipy")
"""What the lessons import that Pyodide has."""

_NEEDS = ("anywidget", "bqplot", "ipywidgets", "latex2mathml", "markdown-it-py", "platformdirs", *OF_PYODIDE)

_NOT_IN_A_BROWSER = ("app", "docs")
_OF_THE_PAGE = {"labextension", "nbextension"}  # JupyterLite's site has them
_COMPILED = (".so", ".pyd", ".pyc")
_OF_INSTALLERS = ("RECORD", "INSTALLER", "REQUESTED", "WHEEL", "direct_url.json")
_WHEEL = "Wheel-Version: 1.0\nGenerator: activeeval-widgets\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheels(folder: Path) -> None:
    """Write the wheels, of the versions that are installed here; the same files give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, "activeeval-widgets", __version__, {**_own_files(), **_own_metadata()})
    for name in ALONG:
        try:
            found = distribution(name)
        except PackageNotFoundError as error:
            raise ValueError(f"{name} is not installed: pip install {name}") from error
        _write(folder, found.metadata["Name"], found.version, dict(_pure_files(found)))


def _own_files() -> dict[str, bytes]:
    found = {}
    for file in PACKAGE.rglob("*"):
        inside = file.relative_to(PACKAGE)
        if file.is_file() and inside.parts[0] not in _NOT_IN_A_BROWSER and "__pycache__" not in inside.parts:
            found[f"{PACKAGE.name}/{inside.as_posix()}"] = file.read_bytes()
    return found


def _own_metadata() -> dict[str, bytes]:
    lines = ["Metadata-Version: 2.1", "Name: activeeval-widgets", f"Version: {__version__}"]
    lines += [f"Requires-Dist: {name}" for name in _NEEDS]
    return {"METADATA": ("\n".join(lines) + "\n").encode()}


def _pure_files(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield an installed package's files, those of its metadata by their bare names."""
    for file in package.files or ():
        is_metadata = file.parts[0].endswith(".dist-info")
        if ".." in file.parts or "__pycache__" in file.parts or file.suffix in _COMPILED:
            continue
        is_of_page = bool(_OF_THE_PAGE & set(file.parts)) and file.suffix != ".py"
        if is_of_page or (is_metadata and file.name in _OF_INSTALLERS):
            continue
        name = "/".join(file.parts[1:]) if is_metadata else file.as_posix()
        yield name, Path(str(file.locate())).read_bytes()


def _write(folder: Path, name: str, version: str, files: dict[str, bytes]) -> None:
    escaped = name.replace("-", "_")
    about = f"{escaped}-{version}.dist-info"
    metadata = ("METADATA", "entry_points.txt", "top_level.txt")
    placed = {
        f"{about}/{inside}" if inside in metadata or inside.startswith("licenses/") else inside: content
        for inside, content in files.items()
    }
    placed[f"{about}/WHEEL"] = _WHEEL.encode()
    record = [f"{inside},sha256={_digest(content)},{len(content)}" for inside, content in placed.items()]
    placed[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""]).encode()
    write_zip(folder / f"{escaped}-{version}-py3-none-any.whl", placed.items())


def _digest(content: bytes) -> str:
    return urlsafe_b64encode(sha256(content).digest()).rstrip(b"=").decode()
