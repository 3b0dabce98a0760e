"""The roles of a file's columns; each option is declared once, as a field of `Columns`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any, Self

from activeeval_widgets.formats.options import ColumnOption, options_of

MARKS = "_.:- /"
"""The characters between a model's name and the rest of a column's name."""


def _one(text: str, metavar: str = "COL", **about: Any) -> Any:
    """Declare an option that takes one name."""
    return field(default=None, metadata={"option": ColumnOption(help=text, metavar=metavar, **about)})


def _several(text: str, metavar: str = "COL,…", **about: Any) -> Any:
    """Declare an option that takes several names, or one text with commas."""
    return _one(text, metavar, is_list=True, **about)


@dataclass(frozen=True)
class Columns:
    """The roles of a file's columns: the options of `Pool.read`, where they are explained.

    An option that takes several names holds a tuple; one that is not given holds None.

    Raises
    ------
    TypeError
        If a value is neither a string nor a sequence of strings.
    ValueError
        If options exclude each other, or one has too few or too many names.

    See Also
    --------
    examine : Guesses them.

    Examples
    --------
    >>> Columns(text="subject", proba=["p_ham", "p_spam"]).named_options()
    {'text': 'subject', 'proba': ('p_ham', 'p_spam')}
    """

    text: str | None = _one("Column with the text to show.", role="text", guessed="texts")
    image: str | None = _one(
        "Column with the path of the image to show, relative to the file's folder.",
        role="image",
        guessed="images",
    )
    record: tuple[str, ...] | None = _several(
        "Columns to show together.", "COL,COL,…", role="shown in a table", guessed="what is shown"
    )
    pair: tuple[str, ...] | None = _several(
        "Two columns of texts to show side by side.",
        "A,B",
        min_names=2,
        most=2,
        role="one of two texts",
        guessed="pairs of texts",
    )
    conversation: tuple[str, ...] | None = _several(
        "Column with a conversation: messages with role and content, as JSON; or two to show side by side.",
        "COL[,COL]",
        most=2,
        role="conversation",
        guessed="conversations",
    )
    prompt: str | None = _one(
        "Column with what a model was asked; with --answer.", role="prompt", guessed="prompts"
    )
    answer: tuple[str, ...] | None = _several(
        "Column with what it answered; or two to show side by side.",
        "COL[,COL]",
        most=2,
        role="answer",
        guessed="answers",
    )
    reference: str | None = _one(
        "Column with what the answer should be; shown when you ask for it.",
        role="reference answer",
        guessed="reference answers",
    )
    markdown: tuple[str, ...] | None = _several(
        "Columns whose texts are Markdown.  [default: guessed for answers]", guessed="shown as Markdown"
    )
    plain: tuple[str, ...] | None = _several(
        "Columns whose texts are shown as they are written, Markdown or not."
    )
    query: str | None = _one(
        "Column with the query, for rankings; with --items.", role="query", guessed="queries"
    )
    items: str | None = _one(
        "Column with what was found for the query.", role="items of the query", guessed="their items"
    )
    proba: tuple[str, ...] | None = _several(
        "Columns with the probabilities of the classes.",
        "COL,… | PREFIX*",
        role="probability",
        guessed="class probabilities",
    )
    votes: tuple[str, ...] | None = _several(
        "Columns with the verdicts of judges, one judge each; --predicted names the one that is evaluated.",
        "COL,… | PREFIX*",
        role="verdict of a judge",
    )
    classes: tuple[str, ...] | None = _several(
        "The classes of these columns, in their order.  "
        "[default: what is left of the columns' names without their common prefix]",
        "NAME,…",
        names="words",
    )
    rubric: tuple[str, ...] | None = _several(
        "Criteria to grade each answer on; --classes has the grades in words, and columns that begin or end "
        "with a criterion the grades of judges. Of an Inspect log with epochs, `epochs`.",
        "NAME,…",
        names="words",
    )
    score: str | None = _one(
        "Column with the probability of the class of interest, where there are two classes; or of the "
        "predicted class, in --predicted.",
        role="probability of one class",
        guessed="probability of the positive class",
    )
    predicted: str | None = _one(
        "Column with the predicted class; enough by itself.", role="prediction", guessed="predicted classes"
    )
    mean: str | None = _one(
        "Column with the predicted number.", role="predicted number", guessed="predicted numbers"
    )
    variance: str | None = _one(
        "Column with the variance of that number.", role="variance of the number", guessed="their variances"
    )
    std: str | None = _one(
        "In place of --variance: column with the standard deviation of that number.",
        role="standard deviation",
        guessed="their standard deviations",
    )
    id: str | None = _one("Column with a unique ID for each row.", role="id", guessed="ids")
    cost: str | None = _one(
        "Column with the cost of labeling each row.", role="cost of a label", guessed="costs of a label"
    )
    cost_by: str | None = _one(
        "In place of --cost: labels cost by the number of results to judge, or of words to read.",
        "results|length",
        names="words",
    )
    group: str | None = _one(
        "Column with the group that each row belongs to.", role="group", guessed="groups"
    )
    labels: str | None = _one(
        "Column with labels that there are already, empty where there is none; with --drawn.",
        role="known label",
    )
    drawn: str | None = _one(
        "How the rows with --labels were chosen: as a uniform random sample, which begins the session; or in "
        "any way, so that they only guide the draws.  [default: unknown]",
        "uniformly|unknown",
        names="words",
    )
    drawn_by: str | None = _one(
        "In place of --drawn: column with the probability with which each row, labeled or not, got into the "
        "sample, independently of the other rows; it begins the session.",
        role="draw probability",
    )
    queries: str | None = _one(
        "Of TREC runs: the queries' texts, lines of id, tab and text, or JSON lines.", "FILE", names="files"
    )
    documents: str | None = _one(
        "Of TREC runs: the documents' texts, in the same way.", "FILE", names="files"
    )
    qrels: str | None = _one(
        "Of TREC runs: earlier judgments, which are not asked again.", "FILE", names="files"
    )
    compare: tuple[str, ...] | None = _several(
        "Two models or more: what the names of their columns begin or end with. Of a log: its scorers, "
        "or the log of another system, with the same samples. Of a TREC run: other runs.",
        "A,B,… | LOG | RUN,…",
        names="words",
    )
    compare_by: str | None = _one(
        "Of promptfoo's results: what tells two systems apart, whose answers are compared side by side; "
        "--compare A,B names two of several.",
        "provider|prompt",
        names="words",
    )
    ignore: tuple[str, ...] | None = _several("Columns to leave out, whatever they look like.")

    def __post_init__(self) -> None:
        for name in COLUMN_OPTIONS:
            object.__setattr__(self, name, _checked(name, getattr(self, name)))
        if self.conversation is not None and self.prompt is not None:
            raise ValueError(
                "conversation and prompt can't go together, for a conversation begins with what was asked: "
                "leave one of them out"
            )
        from activeeval_widgets.session.pool.label_costs import (
            COSTS_BY,  # not at the top: --help need not wait
        )

        if self.cost_by is not None and self.cost_by not in COSTS_BY:
            raise ValueError(f"cost_by is {self.cost_by!r}, expected {' or '.join(map(repr, COSTS_BY))}")
        for one, other in (("cost", "cost_by"), ("drawn", "drawn_by"), ("std", "variance")):
            if getattr(self, one) is not None and getattr(self, other) is not None:
                raise ValueError(f"{one} and {other} can't go together: leave one of them out")
        for spread in ("std", "variance"):
            if getattr(self, spread) is not None and self.predicted is not None and self.mean is None:
                raise ValueError(
                    f"{spread} and predicted can't go together, for predicted classes have no spread: name a "
                    "column of predicted numbers with mean (--mean)"
                )
        for other in ("proba", "score", "mean", "predicted", "compare"):
            if self.rubric is not None and getattr(self, other) is not None:
                raise ValueError(
                    f"rubric and {other} can't go together, for answers are graded on several criteria: "
                    "leave one of them out"
                )
        for other in ("proba", "score", "mean", "compare"):
            is_log = other == "compare" and (self.is_of_two_logs or self.compare_by is not None)
            if self.votes is not None and getattr(self, other) is not None and not is_log:
                remedy = "leave one of them out"
                if other == "score":
                    remedy += ", or name the scorer of a log that is evaluated (--predicted X --votes Y)"
                raise ValueError(
                    f"votes and {other} can't go together, for votes stand for probabilities of one model: "
                    f"{remedy}"
                )

    @property
    def is_of_two_logs(self) -> bool:
        """Whether another log is given for comparison."""
        return self.compare is not None and len(self.compare) == 1

    def named_options(self) -> dict[str, Any]:
        """Return the options that are not None."""
        return {name: value for name in COLUMN_OPTIONS if (value := getattr(self, name)) is not None}

    def named(self) -> set[str]:
        """Return the names of all columns that are given."""
        values = self.named_options().values()
        return {name for value in values for name in ([value] if isinstance(value, str) else value)}

    def only(self, roles: Sequence[str]) -> Self:
        """Keep only some options."""
        return type(self)(**{role: getattr(self, role) for role in roles})

    def with_(self, **changes: Any) -> Self:
        """Return a copy with some options changed."""
        return replace(self, **changes)


def _checked(name: str, value: Any) -> Any:
    """Return a validated value, several names as a tuple."""
    option = COLUMN_OPTIONS[name]
    if value is None:
        return None
    if not option.is_list:
        if not isinstance(value, str):
            raise TypeError(f"{name} must be the name of a column, got {value!r}")
        return value
    several = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    if not isinstance(several, Sequence) or not all(isinstance(each, str) for each in several):
        if name == "classes" and isinstance(several, Sequence):
            several = [str(each) for each in several]
        else:
            raise TypeError(f"{name} must be names of columns, got {value!r}")
    n = len(several)
    if (n < option.min_names and option.min_names > 1) or (option.most is not None and n > option.most):
        expected = "two names" if option.min_names == 2 else "one name or two"
        raise ValueError(f"{name} must be {expected}, got {list(several)!r}")
    is_file = n == 1 and PurePath(several[0]).suffix != ""
    if name == "compare" and len(set(several)) < max(n, 2) and not is_file:
        raise ValueError(
            f"compare must be two or more different names, or the file of another log, got {list(several)!r}"
        )
    if not several:
        raise ValueError(f"{name} must hold at least one name, got {value!r}")
    return tuple(several)


COLUMN_OPTIONS: dict[str, ColumnOption] = options_of(Columns)
"""The options by their names."""

PREDICTIONS = ("proba", "votes", "score", "predicted", "mean", "variance", "std")
"""Options that name columns of predictions."""

FILES = tuple(name for name, option in COLUMN_OPTIONS.items() if option.names == "files")
"""Options that name files."""


def columns_of_model(names: Sequence[str], model: str) -> dict[str, str]:
    """Map the rest of each column's name to the column, for the columns of one model."""
    found = {}
    for name in names:
        if name == model:
            found["predicted"] = name
        elif name.startswith(model) and (model[-1] in MARKS or name[len(model)] in MARKS):
            found[name[len(model) :].lstrip(MARKS)] = name
        elif name.endswith(model) and (model[0] in MARKS or name[-len(model) - 1] in MARKS):
            found[name[: -len(model)].rstrip(MARKS)] = name
    return {left: name for left, name in found.items() if left}
