"""Other packages beside this one: on the same pools, with as many labels, with the same seeds, in one run.

In an environment of its own, with Python 3.12 or later:

    python -m venv build/peers
    export SKLEARN_ALLOW_DEPRECATED_SKLEARN_PACKAGE_INSTALL=True    # for oasis: scikit-learn's old name
    build/peers/bin/pip install -e . -r benchmarks/peers-requirements.txt
    build/peers/bin/pip install git+https://github.com/ngmarchant/activeeval@80de503    # it is on no index
    OMP_NUM_THREADS=1 build/peers/bin/python benchmarks/peers.py [--sessions 400]

Of a package that is not installed the table says so. Writes results/peers.md.
"""

import argparse
import platform
import time
import warnings
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import numpy as np
from common import RESULTS
from defaults import DIGITS
from peer_methods import OURS, ROWS, Found, Row, Task
from settings import load

AT = (50, 100, 200)
TITLES = dict(
    zip(
        DIGITS,
        ("error rate, calibrated", "F₁, calibrated", "error rate, over-confident", "F₁, over-confident"),
        strict=True,
    )
)


@dataclass(frozen=True)
class Cell:
    """What a method did in a setting: an entry for each session and number of labels."""

    errors: np.ndarray
    n_labels: np.ndarray
    ends: np.ndarray
    watched: np.ndarray
    truth: float

    @classmethod
    def of(cls, found: list[list[Found]], truth: float) -> "Cell":
        def table(name):
            return np.array([[getattr(each, name) for each in session] for session in found], dtype=float)

        errors = table("value") - truth
        errors[np.isnan(errors)] = 1.0  # not defined yet: as wrong as can be
        ends = np.stack([table("low"), table("high")], axis=-1)
        return cls(errors, table("n_labels"), ends, table("watched"), truth)

    @property
    def rmse(self) -> np.ndarray:
        return np.sqrt((self.errors**2).mean(axis=0))

    @property
    def standard_error(self) -> np.ndarray:
        """Of the root mean square error, by the delta method."""
        return (self.errors**2).std(axis=0, ddof=1) / (2 * self.rmse * np.sqrt(len(self.errors)))


def wanted(row: Row) -> str:
    """The package of a row, as the requirements have it."""
    pins = (Path(__file__).parent / "peers-requirements.txt").read_text(encoding="utf-8").split()
    found = [pin for pin in pins if pin.startswith(f"{row.distribution}==")]
    return found[0].replace("==", " ") if found else str(row.distribution)


def why_not(row: Row) -> str | None:
    """Why the package of a row can't be run, in one line."""
    if row.module is None:
        return None
    try:
        import_module(row.module)
    except ImportError as error:
        return f"not installed: {error}"
    return None


def run(row: Row, task: Task, n_sessions: int) -> Cell | str:
    """The sessions of one method in one setting; if a package fails, its error in one line."""
    try:
        found = [list(row.method(task, AT, seed)) for seed in range(n_sessions)]
    except Exception as error:
        if row.module is None:
            raise
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return Cell.of(found, task.truth)


def with_error(cell: Cell, k: int) -> str:
    return f"{1e3 * cell.rmse[k]:.1f} ± {1e3 * cell.standard_error[k]:.1f}"


def of_interval(ends: np.ndarray, truth: float) -> list[str]:
    """Widths and coverages at the numbers of labels, of the sessions that have an interval."""
    if np.isnan(ends).all():
        return ["–", "–"]
    low, high = ends[..., 0], ends[..., 1]
    # Where a package gave no interval, it held nothing.
    holds = ((low <= truth) & (truth <= high)).mean(axis=0)
    widths = np.nanmean(high - low, axis=0)
    return [" / ".join(f"{w:.3f}" for w in widths), " / ".join(f"{c:.3f}" for c in holds)]


def least(of_setting: dict[str, Cell | str], k: int, without: str | None = None) -> str:
    """The method with the least error at the k-th number of labels."""
    done = {row: cell.rmse[k] for row, cell in of_setting.items() if isinstance(cell, Cell)}
    return min((row for row in done if row != without), key=done.__getitem__)


def summary(cells: dict[str, dict[str, Cell | str]]) -> list[str]:
    """The errors at the last number of labels, and at each this package beside the best of the others."""
    lines = [
        f"## At {AT[-1]} labels",
        "",
        "| | " + " | ".join(TITLES[name] for name in cells) + " |",
        "|" + "---|" * (len(cells) + 1),
    ]
    for row in ROWS:
        shown = []
        for of_setting in cells.values():
            cell = of_setting[row]
            text = with_error(cell, -1) if isinstance(cell, Cell) else "–"
            shown.append(f"**{text}**" if least(of_setting, -1) == row else text)
        lines.append(f"| {row} | " + " | ".join(shown) + " |")
    lines += [
        "",
        f"## The error of {OURS} over the least of the others",
        "",
        "| labels | " + " | ".join(TITLES[name] for name in cells) + " |",
        "|" + "---|" * (len(cells) + 1),
    ]
    for k, n in enumerate(AT):
        shown = []
        for of_setting in cells.values():
            name = least(of_setting, k, without=OURS)
            own, other = of_setting[OURS], of_setting[name]
            parts = (own.standard_error[k] / own.rmse[k], other.standard_error[k] / other.rmse[k])
            ratio = own.rmse[k] / other.rmse[k]
            shown.append(f"{ratio:.2f} ± {ratio * np.hypot(*parts):.2f} ({name})")
        lines.append(f"| {n} | " + " | ".join(shown) + " |")
    return lines


def report(cells: dict[str, dict[str, Cell | str]], n_sessions: int) -> list[str]:
    """The tables, as lines of Markdown."""
    lines = [
        "# peers",
        "",
        f"{n_sessions} seeded sessions a cell. Root mean square errors × 10⁻³ with their standard errors, "
        "the least in bold; intervals at 95 %. Written by `benchmarks/peers.py`, which says how to install "
        "the others; `benchmarks/peer_methods.py` has a function for each.",
        "",
        "Each is used as its documentation says. The model's probabilities are its predictions; where it "
        "draws by uncertainty, that is how much a label is expected to move the measure; options that its "
        "documentation leaves open were chosen for it on these settings. Packages that estimate means give "
        "F₁ by two of them, without an interval. So many different instances are labeled; where draws are "
        "independent of each other, in the mean or at most. active-inference is a repository of notebooks, "
        "without a package: its row is their formula.",
        "",
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {version('scipy')}, scikit-learn "
        f"{version('scikit-learn')}.",
        "",
        "| | package | what it does here |",
        "|---|---|---|",
    ]
    for name, row in ROWS.items():
        told, missing = "–", why_not(row)
        if missing is not None:
            told = f"{wanted(row)}, {missing}"
        elif row.distribution is not None:
            told = f"{row.distribution} {version(row.distribution)}"
        lines.append(f"| {name} | {told} | {row.method.__doc__.splitlines()[0]} |")
    lines += ["", *summary(cells)]
    for name, of_setting in cells.items():
        truth = next(cell.truth for cell in of_setting.values() if isinstance(cell, Cell))
        numbers = " / ".join(map(str, AT))
        lines += [
            "",
            f"## {TITLES[name]}",
            "",
            f"`{name}`, true value {truth:.4f}.",
            "",
            "| | " + " | ".join(f"error at {n}" for n in AT) + f" | labels at {AT[-1]} "
            f"| width at {numbers} | coverage |",
            "|" + "---|" * (len(AT) + 4),
        ]
        for row, cell in of_setting.items():
            if isinstance(cell, str):
                lines.append(f"| {row} | {cell} |" + " |" * (len(AT) + 2))
                continue
            errors = [with_error(cell, k) for k in range(len(AT))]
            labels = f"{cell.n_labels[:, -1].mean():.0f}"
            lines.append(f"| {row} | " + " | ".join([*errors, labels, *of_interval(cell.ends, truth)]) + " |")
            if not np.isnan(cell.watched).all():
                same = ["the same"] * len(AT) + [labels, *of_interval(cell.watched, truth)]
                lines.append(f"| {row}, interval that may be watched | " + " | ".join(same) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=400)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the packages' own, of each session anew
    cells = {}
    for name in TITLES:
        task, cells[name] = Task(load(name)), {}
        for title, row in ROWS.items():
            start = time.process_time()
            cells[name][title] = cell = why_not(row) or run(row, task, arguments.sessions)
            told = " ".join(with_error(cell, k) for k in range(len(AT))) if isinstance(cell, Cell) else cell
            print(f"{name}: {title}: {told} ({time.process_time() - start:.0f} s)", flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "peers.md").write_text("\n".join(report(cells, arguments.sessions)) + "\n")


if __name__ == "__main__":
    main()
