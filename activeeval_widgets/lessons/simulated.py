"""What was simulated beforehand, since it takes longer than a lesson may."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"


def simulated(name: str) -> Any:
    """Read what was simulated for a lesson.

    Parameters
    ----------
    name : str
        The file's name without its ending: that of a module in `tools/lesson_simulations`, which makes it.

    Returns
    -------
    dict
        What the simulation has found, with its seed and the package's version.

    Raises
    ------
    ValueError
        If there is no such file.
    """
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(other.stem for other in FOLDER.glob("*.json"))) or "none"
        raise ValueError(f"name must be that of a simulation, got {name!r}; there are: {known}")
    return json.loads(path.read_text(encoding="utf-8"))
