"""What judges decided and people, too: LLMBar, and head-to-heads of the Chatbot Arena."""

import gzip
import json
from dataclasses import dataclass

import numpy as np
import pandas as pd

from activeeval_widgets.stats import ClassPredictions, ErrorRate, PredictedClasses, WinRate

JUDGES = ("gpt4", "claude3", "gpt35")
FEWEST = 150
"""Head-to-heads with fewer verdicts of people are left out."""

SHARE = 1 / 3
"""So much of each pool is labeled."""


@dataclass
class Task:
    """A pool that is labeled throughout.

    Attributes
    ----------
    name : str
    measure : Measure
    model : ClassPredictions
        Votes.
    y_true : ndarray
        What people said.
    z : ndarray
        What the measure is the mean of.
    judge : ndarray
        What the judge that is evaluated says of the same; in a win rate GPT-4.
    voted : ndarray
        What the mean of the votes says of it, not smoothed.
    n_watched : int
        The number of sessions whose interval is read after each label, which takes longest.
    """

    name: str
    measure: object
    model: ClassPredictions
    y_true: np.ndarray
    z: np.ndarray
    judge: np.ndarray
    voted: np.ndarray
    n_watched: int = 40

    @property
    def n_labels(self):
        return round(SHARE * self.z.size)

    @property
    def uniform_variance(self):
        """The variance of the mean of as many uniform draws without replacement."""
        return self.z.var(ddof=1) / self.n_labels * (1 - self.n_labels / self.z.size)

    @property
    def alone(self):
        """The same judge without votes."""
        if isinstance(self.measure, WinRate):
            return None
        return PredictedClasses(self.model.y_pred, self.model.classes)


def llmbar(folder, judge, subset):
    """How often a judge is wrong; the votes are those of other language models' judges."""
    with gzip.open(folder / "llm_judged" / "llmbar.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    rows = [row for row in rows if subset in ("all", row["subset"])]
    own = judge.split()[0]
    rows = [row for row in rows if row["judges"][judge][0] is not None]
    y_true = np.array([str(row["label"]) for row in rows])
    verdicts = np.array([row["judges"][judge][0] for row in rows])
    votes = [
        [vote for name, both in row["judges"].items() if name.split()[0] != own for vote in both]
        for row in rows
    ]
    model = ClassPredictions.from_votes(votes, ["1", "2"], verdicts, judge)
    against = [
        np.mean([vote != verdict for vote in row if vote is not None])
        for row, verdict in zip(votes, verdicts, strict=True)
    ]
    wrong = (verdicts != y_true).astype(float)
    return Task(f"{subset}: {judge}", ErrorRate(), model, y_true, wrong, verdicts, np.array(against))


def head_to_heads(folder, fewest=FEWEST):
    """The win rate of one of two models; ties, also those called bad, count half."""
    table = pd.read_csv(folder / "llm_judged" / "arena_verdicts.csv.gz")
    is_swapped = table.model_a > table.model_b
    first = np.where(is_swapped, "model_b", "model_a")
    names = (
        np.where(is_swapped, table.model_b, table.model_a),
        np.where(is_swapped, table.model_a, table.model_b),
    )
    table["pair"] = [f"{a} / {b}" for a, b in zip(*names, strict=True)]
    for who in ("human", *JUDGES):
        said = table[who].fillna("").astype(str)
        loss = np.where(said.isin(["model_a", "model_b"]), "B", "")
        table[who] = np.where(said == first, "A", np.where(said.str.startswith("tie"), "tie", loss))
    worth = {"A": 1.0, "tie": 0.5, "B": 0.0, "": np.nan}
    for pair, rows in table[table.human != ""].groupby("pair"):
        if len(rows) < fewest:
            continue
        votes = [[vote or None for vote in row] for row in rows[list(JUDGES)].to_numpy().tolist()]
        model = ClassPredictions.from_votes(votes, ["A", "tie", "B"], name="votes")
        values = {who: rows[who].map(worth).to_numpy(float) for who in ("human", *JUDGES)}
        voted = np.nanmean([values[judge] for judge in JUDGES], axis=0)
        said = rows.human.to_numpy(str), values["human"], values["gpt4"], voted
        yield Task(pair, WinRate(), model, *said, n_watched=6)
