"""Results of simulations that take too long to run in a lesson."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"


def simulated(name: str) -> Any:
    """Read the results of a simulation.

    Parameters
    ----------
    name : str
        The file's name without its suffix: that of the module in `tools/lesson_simulations` that makes it.

    Returns
    -------
    dict
        The results, with the seed and the package's version.

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
