"""The tables of `judges.py`, as lines of Markdown."""

# ruff: noqa: E501 - a paragraph, and a row of a table, is one line

import numpy as np
from scipy.stats import binom, norm

HEAD = (
    "# judges",
    "",
    "Written by `benchmarks/judges.py`. The truth is what people said. A third of each pool is labeled. The *ratio* is the mean squared "
    "error of the estimate over the variance of the mean of as many uniform draws without replacement: below 1, the votes save labels. "
    "*Labels* is how many were given for 100 uniform ones that would have been as precise, in a pool of that size.",
    "",
)


def labels_for_100(row, size, n_labels):
    """As many labels as 100 uniform draws without replacement are worth."""
    share = n_labels / size
    return 100 * (row["ratio"] * (1 - share) + share)


def _shown(row, task):
    ever = f"{100 * row['ever']:.1f}%" if "ever" in row else "–"
    half = f"±{100 * row['half']:.1f}" if "half" in row else "–"
    labels = labels_for_100(row, task["size"], task["n_labels"])
    return (
        f"{row['ratio']:.2f} ± {row['error']:.2f} | {labels:.0f} | {100 * row['bias']:+.1f} | {half} | {ever}"
    )


def of_llmbar(tasks, n, chosen_on):
    lines = [
        "## How often is a judge wrong? (LLMBar)",
        "",
        f"{n} sessions a row unless it says otherwise. The votes are verdicts of other language models' judges, none of the judge's own model. Seeds are others than those by "
        f"which choices were made, and so are all judges but {' and '.join(chosen_on)}. Half-widths and misses are of the interval "
        "that may be watched, in points: at the last label, and at any label. Active draws by glide-py 0.11 give as many labels in the mean.",
        "",
        "| pairs: judge | error rate | labels | method | sessions | ratio | labels for 100 | bias | half-width | ever missed |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for task in tasks:
        begin = f"| {task['name']} ({task['size']}) | {100 * task['truth']:.1f}% | {task['n_labels']} |"
        for name, row in task["methods"].items():
            lines.append(f"{begin} {name} | {row['n']} | {_shown(row, task)} |")
    return [*lines, ""]


def of_arena(every, n):
    tasks = [task for task in every if task["methods"]]
    names = list(tasks[0]["methods"])
    not_all = (
        "" if len(tasks) == len(every) else f" (of {len(every)}; for the others the computer had no time)"
    )
    lines = [
        "## Which of two models is better? (Chatbot Arena)",
        "",
        f"The win rate of one of two models in {len(tasks)} head-to-heads{not_all} of 150 verdicts or more; ties count half. Votes: GPT-4, Claude 3 and GPT-3.5, "
        f"one verdict each. {n} sessions each. *Worst*: the head-to-head whose ratio is the most standard errors above 1; the bound is what the largest of "
        f"{len(tasks)} independent ones exceeds in one of twenty times, were all of them 1.",
        "",
        "| method | sessions | mean ratio | median | at or below 0.85 | largest | worst | bound | labels for 100, mean | half-width, median |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    bound = float(norm.ppf(0.95 ** (1 / len(tasks))))
    for name in names:
        rows = [task["methods"][name] for task in tasks]
        ratios = np.array([row["ratio"] for row in rows])
        errors = np.array([row["error"] for row in rows])
        mean_error = np.sqrt(np.square(errors).sum()) / len(rows)
        worst = float(((ratios - 1) / errors).max())
        labels = np.mean(
            [labels_for_100(row, t["size"], t["n_labels"]) for row, t in zip(rows, tasks, strict=True)]
        )
        halves = [row["half"] for row in rows if "half" in row]
        half = f"±{100 * np.median(halves):.1f}" if halves else "–"
        lines.append(
            f"| {name} | {rows[0]['n']} | {ratios.mean():.3f} ± {mean_error:.3f} | {np.median(ratios):.2f} | "
            f"{int((ratios <= 0.85).sum())} of {len(rows)} | {ratios.max():.2f} | {worst:+.1f} | {bound:.1f} | {labels:.0f} | {half} |"
        )
    return [*lines, "", *_misses(tasks, every)]


def _misses(tasks, every):
    """Whose intervals miss what people say."""
    lines = [
        "## Whose interval misses the win rate?",
        "",
        "Of the judge by itself: its own win rate ± 1.96 standard errors, without labels. Of sessions: the interval that may be watched, at any number of labels up to a "
        "third of the pool. Of the other packages: the interval for one number of labels; they take the pool for a sample of "
        "something larger, so that in a third of the pool it may hold too often.",
        "",
        "| interval | misses | share | half-width, median |",
        "|---|---|---|---|",
    ]
    off = np.array([task["judge"]["value"] - task["truth"] for task in every])
    halves = np.array([task["judge"]["half"] for task in every])
    missed = int((np.abs(off) > halves).sum())
    lines.append(
        f"| GPT-4 alone | {missed} of {len(every)} head-to-heads | {100 * missed / len(every):.0f}% | ±{100 * np.median(halves):.1f} |"
    )
    for name in tasks[0]["methods"]:
        rows = [task["methods"][name] for task in tasks]
        key = "ever" if "ever" in rows[0] else "at_end"
        if key not in rows[0]:
            continue
        n = sum(row["n_watched"] for row in rows)
        k = round(sum(row[key] * row["n_watched"] for row in rows))
        half = np.median([row["half"] for row in rows])
        when = "at any label" if key == "ever" else "at the last label"
        lines.append(
            f"| {name}, {when} | {k} of {n} sessions (95% of 5%: up to {int(binom.ppf(0.95, n, 0.05))}) | "
            f"{100 * k / n:.1f}% | ±{100 * half:.1f} |"
        )
    lines += [
        "",
        f"GPT-4's own win rate is off by {100 * np.median(np.abs(off)):.1f} points in the median, {100 * np.abs(off).max():.1f} at most.",
    ]
    return lines


def report(llmbar, arena, n, chosen_on):
    """The tables."""
    return [*HEAD, *of_llmbar(llmbar, n, chosen_on), *of_arena(arena, n // 2)]
