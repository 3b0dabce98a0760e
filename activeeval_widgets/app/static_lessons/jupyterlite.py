"""JupyterLite, which runs notebooks in a browser: a folder of static files is built of what is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from activeeval_widgets.app.static_lessons.wheels import OF_PYODIDE

PACKAGES = (*OF_PYODIDE, "ipython", "jedi", "micropip", "sqlite3", "ssl")
"""What is loaded of Pyodide's own packages: what lessons need, and what JupyterLite's kernel does."""

SERIES = "0.27."
"""The versions of Pyodide that JupyterLite's kernel runs in, which the extra "lite" pins."""

_MODULES = ("jupyterlite_core", "jupyterlite_pyodide_kernel")
_EXTENSIONS = (
    *("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension"),
    *("anywidget", "bqplot", "bqscales"),
)
_KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
_SETTINGS = {
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
}


def check_installed() -> None:
    """Check that JupyterLite is there."""
    if any(find_spec(module) is None for module in _MODULES):
        raise ValueError(
            "The lessons are put on a page by JupyterLite, which is not installed: "
            "pip install 'activeeval-widgets[lite]'"
        )


def build_site(work: Path, output: Path, pyodide: str) -> None:
    """Build a site of the notebooks and wheels in `work`; Pyodide's address is as seen from the site."""
    kernel = {
        "pyodideUrl": f"{pyodide}pyodide.js",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"packages": list(PACKAGES)},
    }
    config = {"appName": "Lessons on active evaluation", "litePluginSettings": {_KERNEL: kernel}}
    _write_json(work / "jupyter-lite.json", {"jupyter-lite-schema-version": 0, "jupyter-config-data": config})
    _write_json(work / "overrides.json", _SETTINGS)
    found = [Path(sys.prefix) / "share" / "jupyter" / "labextensions" / name for name in _EXTENSIONS]
    missing = [str(folder) for folder in found if not folder.is_dir()]
    if missing:
        raise ValueError(f"{missing[0]} is not there: install what it belongs to into {sys.prefix}")
    build = {
        "apps": ["notebooks"],
        "contents": [str(work / "notebooks")],
        "federated_extensions": [str(folder) for folder in found],
        "ignore_sys_prefix": True,
        "lite_dir": str(work),
        "no_libarchive": True,
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
        "output_dir": str(output.resolve()),
    }
    _write_json(work / "jupyter_lite_config.json", {"LiteBuildConfig": build})
    command = [sys.executable, "-m", "jupyterlite_core", "build"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise OSError(f"JupyterLite could not build the page: {(done.stderr or done.stdout).strip()}")


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")
