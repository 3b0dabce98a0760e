"""Pairs of answers with a language model's judgment of which is better."""

import gzip
import json

import pandas as pd

from activeeval_widgets.demos.demo import DATA, Demo
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import ClassPredictions, ErrorRate

COLUMNS = ("Instruction", "Answer 1", "Answer 2")
"""The columns of an instance; the page shows the first one above the two others."""

CLASSES = ("1", "2")

GUIDELINES = """\
Which answer does what the instruction asks for? Press `1` or `2`.

- What counts is that the instruction is **followed**: all of it, and nothing else
- A fluent, friendly or longer answer to something else is worse than a plain one to the point
- There are no ties: if both are good, or both are bad, choose the one that comes closer

Decide for yourself first: GPT-4's verdict is shown only if you ask for it (`P`).

**The data.** 419 instructions with two answers each (Zeng and others, *Evaluating Large Language Models at
Evaluating Instruction Following*, ICLR 2024; MIT license). In three of four pairs the worse answer was
written or picked to mislead judges. Draws are guided by 32 verdicts of 16 other judges: four language models
with four prompts, each asked in both orders."""


def judge() -> Demo:
    """Estimate GPT-4's error rate as a judge of pairs of answers, with other judges' votes as guidance.

    References
    ----------
    Zeng et al., *Evaluating Large Language Models at Evaluating Instruction Following*, ICLR 2024.
    """
    with (DATA / "answers/llmbar.jsonl.gz").open("rb") as file:
        rows = [json.loads(line) for line in gzip.decompress(file.read()).splitlines()]
    votes = [[None if vote == "-" else vote for vote in row["votes"]] for row in rows]
    keys = ("instruction", "output_1", "output_2")
    return Demo(
        title="Is the judge right?",
        intro=f"GPT-4 said which of two answers is better, {len(rows):,} times. Your labels tell how often "
        "it is wrong.",
        question="Which answer is better?",
        guidelines=GUIDELINES,
        pool=Pool(
            pd.DataFrame([[row[key] for key in keys] for row in rows], columns=list(COLUMNS)),
            predictions=ClassPredictions.from_votes(
                votes, CLASSES, [row["gpt_4"] for row in rows], name="GPT-4"
            ),
            ids=[row["id"] for row in rows],
        ),
        measure=ErrorRate(),
        y_true=[str(row["label"]) for row in rows],
        goal=Goal(half_width=0.08),
        reasons=("both are equally good", "incomplete", "in a foreign language"),
    )
