"""What the real-data benchmarks share: where the data is, tables and plots like the papers' figures."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from activeeval_widgets.stats import ClassPredictions, ReplicationTable, optimal_q, replicate

REPOSITORY = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"
BUILD = REPOSITORY / "build"
"""What is kept between two runs of one benchmark."""
BUDGETS = (25, 50, 100, 200, 400, 800)


@dataclass
class Setting:
    """One pool, one measure, and the methods that are compared on it."""

    name: str
    measure: object
    predictions: object
    y_true: object
    methods: Sequence[str] | dict
    budgets: Sequence[float] = BUDGETS
    costs: np.ndarray | None = None
    note: str = ""
    table: ReplicationTable | None = field(default=None, repr=False)


def compared(measure: object, models: list[object]) -> dict[str, object]:
    """The methods for two models of classes; a defensive share keeps the weights small."""
    names = ("passive", "active", "active_risk", "active_disagreement", "stratified")
    return {name: name for name in names} | {
        "active, ε = 0.2": optimal_q(measure, models, defensive=0.2),
    }


def sharpened(proba: np.ndarray, power: float) -> np.ndarray:
    """The same predictions with too much confidence."""
    sharp = proba**power
    return sharp / sharp.sum(axis=1, keepdims=True)


def browser_path() -> str | None:
    """Where Chromium is: CHROMIUM, or the first of its names on the PATH."""
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


def apart(script: str, *arguments: str) -> list[str]:
    """Run a script in a process of its own, for its peak of memory: the lines that it prints."""
    command = [sys.executable, script, *arguments]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return found.stdout.strip().splitlines()


def data_folder(given: str | None) -> Path:
    """The folder of the data: the argument, or ACTIVEEVAL_DATA, or ../shared/data beside the repository."""
    folder = Path(given or os.environ.get("ACTIVEEVAL_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        raise SystemExit(f"{folder} is no folder: name the data's with --data or ACTIVEEVAL_DATA")
    return folder


def run(name: str, make_settings: Callable[[Path, np.random.Generator], list[Setting]]) -> None:
    """Replicate every setting; write results/<name>.md and results/<name>.png."""
    parser = argparse.ArgumentParser(description=f"The {name} benchmark.")
    parser.add_argument("--data", help="the folder of the data (default: ACTIVEEVAL_DATA or ../shared/data)")
    parser.add_argument("--replications", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    settings = make_settings(data_folder(arguments.data), rng)
    for setting in settings:
        start = time.perf_counter()
        setting.table = replicate(
            setting.measure,
            setting.predictions,
            setting.y_true,
            methods=setting.methods,
            budgets=setting.budgets,
            n_replications=arguments.replications,
            rng=rng,
            costs=setting.costs,
            n_processes=arguments.processes,
        )
        print(f"{setting.name}: {time.perf_counter() - start:.1f} s", flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(markdown(name, settings, arguments.replications))
    plot(settings, RESULTS / f"{name}.png")


def labels_for_the_same_error(table: ReplicationTable, method: str, reference: str = "passive") -> str:
    """How much of the budget a method needs for the error that the reference reaches at its last budget."""
    goal = table.of(reference)["rmse"][-1]
    rows = table.of(method)
    budget, error = rows["budget"], rows["rmse"]
    reached = np.flatnonzero(error <= goal)
    if not reached.size:
        return f"> {budget[-1]:g}"
    at = reached[0]
    if at == 0:
        return f"≤ {budget[0]:g}"
    # Errors fall as a power of the budget: linear in logarithms.
    slope = np.log(error[at] / error[at - 1]) / np.log(budget[at] / budget[at - 1])
    return f"{budget[at - 1] * np.exp(np.log(goal / error[at - 1]) / slope):.0f}"


def markdown(name: str, settings: list[Setting], n_replications: int) -> str:
    lines = [
        f"# {name}",
        "",
        f"{n_replications} seeded evaluations each. Error: root mean square. “same error”: the budget at "
        "which a method reaches the error of passive at the last budget. Coverage: of the nominal 95 % Wald "
        "interval.",
    ]
    for setting in settings:
        table = setting.table
        truth = ", ".join(f"{value:.4f}" for value in table.truth)
        size = np.shape(setting.y_true)[0] if not isinstance(setting.y_true, list) else len(setting.y_true)
        budgets = sorted(set(table["budget"]))
        lines += [
            "",
            f"## {setting.name}",
            "",
            f"Pool of {size}, true value {truth}. {setting.note} {likelihood(setting)}".strip(),
            "",
        ]
        compares = "selection_error" in table.columns
        head = ["method", *(f"error at {b:g}" for b in budgets), "same error", "labels at last"]
        head += [f"coverage at {b:g}" for b in (budgets[1], budgets[-1])] + ["undefined at first"]
        if compares:
            head += ["wrong choice at " + f"{budgets[2]:g}", "significant at last", "labels to significance"]
        lines += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        for method in dict.fromkeys(table["method"]):
            rows = table.of(method)
            cells = [method, *(f"{e:.4f}" for e in rows["rmse"]), labels_for_the_same_error(table, method)]
            cells += [f"{rows['n_labels'][-1]:.0f}"]
            cells += [f"{rows['coverage'][k]:.3f}" for k in (1, -1)] + [f"{rows['undefined'][0]:.3f}"]
            if compares:
                cells += [
                    f"{rows['selection_error'][2]:.3f}",
                    f"{rows['significant'][-1]:.3f}",
                    f"{rows['labels_to_significance'][-1]:.0f}",
                ]
            lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def likelihood(setting: Setting) -> str:
    """What the papers make the gain depend on: the probability that the model gave to the true labels."""
    models = setting.predictions if isinstance(setting.predictions, list) else [setting.predictions]
    if not isinstance(models[0], ClassPredictions):
        return ""
    codes = models[0].encode(setting.y_true)
    means = [model.y_proba[np.arange(len(codes)), codes].mean() for model in models]
    return "Mean probability of the true label: " + ", ".join(f"{mean:.3f}" for mean in means) + "."


def plot(settings: list[Setting], path: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    columns = min(4, len(settings))
    rows = -(-len(settings) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(3.6 * columns, 2.9 * rows), squeeze=False)
    for axis in axes.flat[len(settings) :]:
        axis.set_visible(False)
    for axis, setting in zip(axes.flat, settings, strict=False):
        for method in dict.fromkeys(setting.table["method"]):
            of = setting.table.of(method)
            axis.plot(of["budget"], of["rmse"], marker="o", markersize=3, linewidth=1.2, label=method)
        axis.set(xscale="log", yscale="log", title=setting.name)
        axis.title.set_fontsize(8)
        axis.set_xticks(setting.budgets, [f"{budget:g}" for budget in setting.budgets])
        axis.minorticks_off()
        axis.set_xlabel("cost" if setting.costs is not None else "draws", fontsize=7)
        axis.set_ylabel("root mean square error", fontsize=7)
        axis.tick_params(labelsize=6, which="both")
        axis.legend(fontsize=6)
    figure.tight_layout()
    figure.savefig(path, dpi=70)
    plt.close(figure)
