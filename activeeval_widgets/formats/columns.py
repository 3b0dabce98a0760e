"""Which column of a file holds what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import Any, Self

from activeeval_widgets.session.pool.label_costs import COSTS_BY

MARKS = "_.:- /"
"""What stands between a model's name and what is left of a column's."""

_SEVERAL = (
    *("record", "pair", "conversation", "answer", "markdown", "plain"),
    *("proba", "votes", "classes", "rubric", "compare", "ignore"),
)
_TWO_AT_MOST = ("conversation", "answer")
NO_COLUMNS = ("classes", "compare", "rubric", "cost_by", "queries", "documents", "qrels")
"""What is given with the columns, and names none."""


@dataclass(frozen=True)
class Columns:
    """Which column of a file holds what, under the names that `Pool.read` takes.

    Attributes
    ----------
    text, image : str, optional
        The column that is shown: a text, or the path of an image.
    record : tuple of str, optional
        Columns that are shown together, as a table.
    pair : tuple of two str, optional
        Two texts that are shown side by side.
    conversation : tuple of one or two str, optional
        A conversation as a list of messages with role and content, or two that are shown side by side.
    prompt : str, optional
        What a model was asked; with `answer`.
    answer : tuple of one or two str, optional
        What a model answered to the prompt or the conversation, or two answers that are shown side by side.
    reference : str, optional
        What the answer should be; shown when somebody asks for it.
    markdown, plain : tuple of str, optional
        Columns whose texts are Markdown, and those that are shown as they are written.
    query, items : str, optional
        A query and what was found for it: a list in a cell, or one item a row.
    proba : tuple of str, optional
        The columns of the class probabilities. One that ends in "*" stands for all that begin like it.
    votes : tuple of str, optional
        The columns of judges' verdicts, one judge each: their shares stand for probabilities. "judge_*"
        stands for all that begin like it.
    classes : tuple of str, optional
        The classes, one for each column of `proba`; of a rubric the grades in words, from the lowest on.
    rubric : tuple of str, optional
        Criteria that each answer is graded on. Columns that begin or end with one have the grades of judges.
    score : str, optional
        The probability of the second of two classes.
    predicted : str, optional
        The predicted class.
    mean, variance : str, optional
        A predicted number, and its variance.
    id : str, optional
        What tells the rows apart.
    cost : str, optional
        What labeling a row costs.
    cost_by : {"results", "length"}, optional
        In place of `cost`: labels cost by the number of results to judge, or of words to read.
    group : str, optional
        What a row belongs to.
    queries, documents, qrels : str, optional
        Of TREC runs: files of the queries' texts, of the documents' texts, and of earlier judgments.
    compare : tuple of str, optional
        Two models or more: what the names of their columns begin or end with, or the columns of their
        predictions. Or one file: the log of another system, of the same samples; or TREC runs.
    ignore : tuple of str, optional
        Columns that are nothing of this, whatever they look like.

    See Also
    --------
    examine : guesses them.

    Examples
    --------
    >>> Columns(text="subject", proba=["p_ham", "p_spam"]).given()
    {'text': 'subject', 'proba': ('p_ham', 'p_spam')}
    """

    text: str | None = None
    image: str | None = None
    record: tuple[str, ...] | None = None
    pair: tuple[str, ...] | None = None
    conversation: tuple[str, ...] | None = None
    prompt: str | None = None
    answer: tuple[str, ...] | None = None
    reference: str | None = None
    markdown: tuple[str, ...] | None = None
    plain: tuple[str, ...] | None = None
    query: str | None = None
    items: str | None = None
    proba: tuple[str, ...] | None = None
    votes: tuple[str, ...] | None = None
    classes: tuple[str, ...] | None = None
    rubric: tuple[str, ...] | None = None
    score: str | None = None
    predicted: str | None = None
    mean: str | None = None
    variance: str | None = None
    id: str | None = None
    cost: str | None = None
    cost_by: str | None = None
    group: str | None = None
    queries: str | None = None
    documents: str | None = None
    qrels: str | None = None
    compare: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            object.__setattr__(self, field.name, _checked(field.name, value))
        if self.conversation is not None and self.prompt is not None:
            raise ValueError(
                "conversation and prompt can't go together, for a conversation begins with what was asked: "
                "leave one of them out"
            )
        if self.cost_by is not None and self.cost_by not in COSTS_BY:
            raise ValueError(f"cost_by is {self.cost_by!r}, expected {' or '.join(map(repr, COSTS_BY))}")
        if self.cost_by is not None and self.cost is not None:
            raise ValueError("cost and cost_by can't go together: leave one of them out")
        for other in ("proba", "score", "mean", "predicted", "compare"):
            if self.rubric is not None and getattr(self, other) is not None:
                raise ValueError(
                    f"rubric and {other} can't go together, for answers are graded on several criteria: "
                    "leave one of them out"
                )
        for other in ("proba", "score", "mean", "compare"):
            is_log = other == "compare" and self.is_of_two_logs
            if self.votes is not None and getattr(self, other) is not None and not is_log:
                raise ValueError(
                    f"votes and {other} can't go together, for votes stand for probabilities of one model: "
                    "leave one of them out"
                )

    @property
    def is_of_two_logs(self) -> bool:
        """Whether another log is named, with the answers of another system."""
        return self.compare is not None and len(self.compare) == 1

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Columns by name; names that are not columns' are refused.

        Raises
        ------
        TypeError
            If there is no such column, or a value is neither a string nor a sequence of strings.
        """
        return cls(**given)

    def given(self) -> dict[str, Any]:
        """Those that are not None."""
        return {
            field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None
        }

    def only(self, roles: Sequence[str]) -> Self:
        """Those of some roles alone."""
        return type(self)(**{role: getattr(self, role) for role in roles})

    def with_(self, **changes: Any) -> Self:
        """The same with some changed."""
        return replace(self, **changes)


def _checked(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name not in _SEVERAL:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be the name of a column, got {value!r}")
        return value
    several = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if not isinstance(several, Sequence) or not all(isinstance(each, str) for each in several):
        if name == "classes" and isinstance(several, Sequence):
            several = [str(each) for each in several]
        else:
            raise TypeError(f"{name} must be names of columns, got {value!r}")
    if name == "pair" and len(several) != 2:
        raise ValueError(f"{name} must be two names, got {list(several)!r}")
    if name in _TWO_AT_MOST and len(several) > 2:
        raise ValueError(f"{name} must be one name or two, got {list(several)!r}")
    is_file = len(several) == 1 and PurePath(several[0]).suffix != ""
    if name == "compare" and len(set(several)) < max(len(several), 2) and not is_file:
        raise ValueError(
            f"compare must be two or more different names, or the file of another log, got {list(several)!r}"
        )
    if not several:
        raise ValueError(f"{name} must hold at least one name, got {value!r}")
    return tuple(several)


def columns_of_model(names: Sequence[str], model: str) -> dict[str, str]:
    """A model's columns by what is left of their names."""
    found = {}
    for name in names:
        if name == model:
            found["predicted"] = name
        elif name.startswith(model) and (model[-1] in MARKS or name[len(model)] in MARKS):
            found[name[len(model) :].lstrip(MARKS)] = name
        elif name.endswith(model) and (model[0] in MARKS or name[-len(model) - 1] in MARKS):
            found[name[: -len(model)].rstrip(MARKS)] = name
    return {left: name for left, name in found.items() if left}
