"""Small data in the form of the data that benchmarks read, which a clone of the project does not have."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

TOPICS = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "ship", "wheat", "corn")


def make_stand_ins(folder: Path) -> None:
    """Write a stand-in of each data set.

    Parameters
    ----------
    folder : Path
        What benchmarks are given as the folder of the data.
    """
    rng = np.random.default_rng(0)
    for make in (_digits, _mails, _stories, _values, _rankings, _verdicts):
        make(folder, rng)


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.parent.mkdir()
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


def _words(rng: np.random.Generator, subject: int) -> str:
    """Ten words, some of them about a subject."""
    return " ".join(
        [f"about{subject}x{n}" for n in rng.integers(6, size=3)]
        + [f"word{n}" for n in rng.integers(80, size=7)]
    )


def _digits(folder: Path, rng: np.random.Generator) -> None:
    """Digits of 8 × 8 pixels, enlarged: 2,100 in each of two sets, many of them fours and nines."""
    images, y = load_digits(return_X_y=True)
    p = np.where(np.isin(y, (4, 9)), 4.0, 1.0)
    for name, file, scale, frame in (("digits_usps", "usps_11k", 2, 0), ("digits_mnist", "mnist_t10k", 3, 2)):
        some = rng.choice(len(y), 2100, p=p / p.sum())
        large = np.kron(images[some].reshape(-1, 8, 8) * 15, np.ones((1, scale, scale)))
        (folder / name).mkdir()
        x = np.pad(large, ((0, 0), (frame, frame), (frame, frame))).astype(np.uint8)
        np.savez(folder / name / f"{file}.npz", X=x, y=y[some].astype(np.uint8))


def _mails(folder: Path, rng: np.random.Generator) -> None:
    is_spam = rng.random(2600) < 0.3
    rows = (
        {
            "label": "spam" if spam else "ham",
            "received": f"2002-{n // 300 + 1:02}-{n // 12 % 25 + 1:02}T10:00:{n % 60:02}",
            "subject": f"mail {n}",
            "text": _words(rng, int(spam != (rng.random() < 0.05))),
        }
        for n, spam in enumerate(is_spam)
    )
    _write_lines(folder / "spam_spamassassin" / "emails.jsonl.gz", rows)


def _stories(folder: Path, rng: np.random.Generator) -> None:
    subjects = rng.integers(len(TOPICS), size=600)
    rows = (
        {
            "split": "train" if n < 300 else "test",
            "topics": [TOPICS[k]],
            "title": f"story {n}",
            "text": _words(rng, int(k)),
        }
        for n, k in enumerate(subjects)
    )
    _write_lines(folder / "text_reuters21578" / "reuters_topics.jsonl.gz", rows)


def _values(folder: Path, rng: np.random.Generator) -> None:
    x = rng.random((1400, 7))
    table = pd.DataFrame(x, columns=["length", "diameter", "height", "whole", "shucked", "viscera", "shell"])
    table.insert(0, "sex", rng.choice(list("MFI"), len(x)))
    table["rings"] = np.clip(np.round(5 + 10 * x[:, 0] + rng.normal(size=len(x))), 1, 29).astype(int)
    (folder / "reg_abalone").mkdir()
    table.to_csv(folder / "reg_abalone" / "abalone.csv.gz", index=False)
    (folder / "reg_sarcos").mkdir()
    np.savez(folder / "reg_sarcos" / "sarcos_test.npz", X=x, Y=x[:, :2] + rng.normal(size=(len(x), 2)) / 5)


def _rankings(folder: Path, rng: np.random.Generator) -> None:
    arrays = {}
    for part, n_queries in (("train", 60), ("test", 20)):
        qid = np.repeat(np.arange(n_queries), 8)
        x = rng.normal(size=(len(qid), 5))
        y = np.clip(np.round(2 + x[:, 0] + rng.normal(size=len(qid)) / 2), 0, 4)
        arrays |= {f"X_{part}": x, f"y_{part}": y.astype(np.uint8), f"qid_{part}": qid}
    (folder / "rank_lightgbm").mkdir()
    np.savez(folder / "rank_lightgbm" / "lambdarank.npz", **arrays)


def _verdicts(folder: Path, rng: np.random.Generator) -> None:
    judges = [
        f"{who} {how}"
        for who in ("GPT-4", "ChatGPT", "LLaMA2")
        for how in ("Vanilla", "Metrics_Reference", "CoT", "Swap")
    ]

    def vote(truth: int) -> str:
        return str(truth if rng.random() < 0.8 else 3 - truth)

    rows = []
    for n, truth in enumerate(rng.integers(1, 3, size=90)):
        votes = {judge: [vote(int(truth)), vote(int(truth))] for judge in judges}
        rows.append({"subset": "Natural" if n % 3 else "Manual", "label": int(truth), "judges": votes})
    _write_lines(folder / "llm_judged" / "llmbar.jsonl.gz", rows)
    votes_of = {
        who: rng.choice(["model_a", "model_b", "tie"], 160) for who in ("human", "gpt4", "claude3", "gpt35")
    }
    table = pd.DataFrame({"num": range(160), "model_a": "first", "model_b": "second", **votes_of})
    table.to_csv(folder / "llm_judged" / "arena_verdicts.csv.gz", index=False)
