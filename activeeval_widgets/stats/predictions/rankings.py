"""A ranker's predictions: a ranking of items for each query, and their relevance probabilities."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import (
    check_distributions,
    check_grades,
    check_order,
    check_rankings,
    index_of,
    is_half,
    normalize_half,
    refuse_masked,
    to_floats,
)
from activeeval_widgets.stats.predictions.base import PredictionDescription, Predictions, read_only
from activeeval_widgets.stats.predictions.beliefs import RelevanceModel
from activeeval_widgets.stats.predictions.from_dict import plain_item
from activeeval_widgets.stats.predictions.trial_bets import BetsOnGrades

ItemProba: TypeAlias = Mapping[Any, ArrayLike] | AnyArray


class RankingPredictions(Predictions):
    """A ranker's rankings for every query of the pool; a query is an instance.

    Parameters
    ----------
    rankings : sequence of sequences
        For each query, the ids of its items in ranked order. Lists may differ in length, or be empty.
    relevance_proba : sequence of mappings, or of arrays
        For each query, a mapping from item id to p(grade | query, item) of shape (n_grades,), at least for
        the ranked items; or an array of shape (n_items, n_grades) in ranked order.
    grades : array-like of shape (n_grades,)
        The relevance grades: distinct numbers ≥ 0, the smallest of them 0.
    name : str, optional
        The ranker's name on screen.

    Raises
    ------
    ValueError, TypeError
        If an item is ranked twice or has no probabilities, or a grade is below 0.

    See Also
    --------
    ClassPredictions, ValuePredictions : The other kinds of predictions.

    References
    ----------
    T, 6.1 and eq. 6.3.

    Examples
    --------
    >>> RankingPredictions([["b", "a"]], [{"a": [0.9, 0.1], "b": [0.2, 0.8]}], grades=[0, 1])
    <RankingPredictions: 1 instance, 2 grades>
    """

    kind: ClassVar[str] = "ranking"
    label_kind: ClassVar[str] = "grades"
    grade_words: tuple[str, ...] = ()
    """Words for the grades, of a rubric that was read from a file."""

    def __init__(
        self,
        rankings: Sequence[Sequence[Hashable]],
        relevance_proba: Sequence[ItemProba],
        grades: ArrayLike,
        name: str | None = None,
    ) -> None:
        self.grades: FloatArray = read_only(check_grades(grades))
        check_order("relevance_proba", relevance_proba, "rankings", rankings)
        self.name, self.index = name, index_of(rankings, relevance_proba)
        self.rankings: tuple[tuple[Hashable, ...], ...] = check_rankings(rankings)
        if not self.rankings:
            raise ValueError("rankings must hold at least one query, got an empty sequence")
        if len(relevance_proba) != len(self.rankings):
            raise ValueError(
                f"relevance_proba is for {len(relevance_proba)} queries, "
                f"but rankings is for {len(self.rankings)}"
            )
        self.relevance = _relevance_of(self.rankings, relevance_proba, self.grades)
        self.lengths: IntArray = np.array([len(ranking) for ranking in self.rankings], dtype=np.intp)

    @property
    def n_instances(self) -> int:
        """The number of queries in the pool, m."""
        return len(self.rankings)

    def mismatch(self, other: Self) -> tuple[str, str] | None:
        """Return both models' grades, if they differ."""
        if np.array_equal(self.grades, other.grades):
            return None
        return f"the grades {self.grades.tolist()}", f"the grades {other.grades.tolist()}"

    def belief(self, others: Sequence[Self]) -> RelevanceModel:
        """Return each item's mean grade distribution over the models that know it (T, eq. 5.11 and 6.3)."""
        models = [self.relevance, *(other.relevance for other in others)]
        if all(model is models[0] or _same(model, models[0]) for model in models):
            return models[0]
        united: list[dict[Hashable, int]] = []
        moved: list[list[int]] = [[] for _ in models]
        n_rows = 0
        for query in range(self.n_instances):
            known: dict[Hashable, int] = {}
            for model, to in zip(models, moved, strict=True):
                own = model.rows[query]
                new = [item for item in own if item not in known]
                known.update(zip(new, range(n_rows, n_rows + len(new)), strict=True))
                n_rows += len(new)
                # A model's rows are consecutive, in the order of its mappings.
                to.extend(map(known.__getitem__, own))
            united.append(known)
        total = np.zeros((n_rows, self.grades.size))
        count = np.zeros((n_rows, 1))
        for model, to in zip(models, moved, strict=True):
            rows = np.array(to, dtype=np.intp)
            total[rows] += model.proba
            count[rows] += 1
        return RelevanceModel(self.grades, total / count, united)

    def corrected(
        self,
        others: Sequence[Self],
        draws: IntArray,  # noqa: ARG002
        y_true: Any,  # noqa: ARG002
        *,
        positive: Any = None,  # noqa: ARG002
        with_labels: bool = False,  # noqa: ARG002
    ) -> RelevanceModel:
        """Return the uncorrected belief: labels correct a measure's expectation, not the grades."""
        return self.belief(others)

    def extreme_labels(
        self,
        y_range: tuple[float, float] | None,  # noqa: ARG002
        others: Sequence[Self] = (),  # noqa: ARG002
    ) -> Iterator[list[list[float]]]:
        """Yield the smallest and the largest grade for all items; a gain never falls when a grade rises."""
        for grade in (self.grades.min(), self.grades.max()):
            yield [[grade] * n for n in self.lengths]

    def counting_labels(self, instances: IntArray) -> Iterator[list[list[float]]]:
        """Yield the largest grade for each item."""
        greatest = float(self.grades.max())
        yield [[greatest] * int(self.lengths[query]) for query in instances]

    def trial_bets(self) -> BetsOnGrades:
        """Return bets on grades; see `Predictions.trial_bets`."""
        return BetsOnGrades(self.rankings, self.relevance)

    def with_uniform_relevance(self) -> Self:
        """Return the same rankings with all grades equally likely, for lack of a relevance model."""
        n_grades = self.grades.size
        uniform = [np.full((len(ranking), n_grades), 1 / n_grades) for ranking in self.rankings]
        return type(self)(self.rankings, uniform, self.grades, self.name)

    def differs(self, other: Self) -> BoolArray:
        """Return where another ranker has a different list; see `Predictions.differs`."""
        return np.array(
            [tuple(one) != tuple(two) for one, two in zip(self.rankings, other.rankings, strict=True)],
            dtype=bool,
        )

    def up_to(self, depth: int, others: Sequence[Self] = ()) -> Self:
        """Return the first items of each list, without the relevance of items below them in all lists.

        Parameters
        ----------
        depth : int
            The number of items.
        others : sequence of RankingPredictions
            Other rankers, whose first items are included.

        Returns
        -------
        RankingPredictions
            The same object if nothing is left out.
        """
        every = (self, *others)
        if all(each.lengths.max() <= depth for each in every):
            return self
        proba = []
        for query, known in enumerate(self.relevance.rows):
            left_out = {item for each in every for item in each.rankings[query][depth:]}
            left_out -= {item for each in every for item in each.rankings[query][:depth]}
            proba.append(
                {item: self.relevance.proba[row] for item, row in known.items() if item not in left_out}
            )
        rankings = [ranking[:depth] for ranking in self.rankings]
        return type(self)(rankings, proba, self.grades, self.name)

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        rows = [self.relevance.rows[query] for query in instances.tolist()]
        proba = [{item: self.relevance.proba[row] for item, row in known.items()} for known in rows]
        rankings = [self.rankings[query] for query in instances.tolist()]
        made = type(self)(rankings, proba, self.grades, self.name)
        made.assists = self.assists
        return made

    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> list[Any]:
        """Validate labels, each a mapping from item to grade or a sequence of grades in ranked order."""
        # A Series has the grades by item, as a mapping, but would be taken as a list.
        refuse_masked("y_true", y_true)
        labels = [
            label if isinstance(label, dict) or not hasattr(label, "keys") else dict(label)
            for label in y_true
        ]
        if len(labels) != n_labels:
            raise ValueError(f"y_true must hold one label for each of {expected}, got {len(labels)}")
        return labels

    def check_common_labels(self, labels: Any) -> None:
        """Refuse grades in ranked order if there are several rankings."""
        for position, label in enumerate(labels):
            if not isinstance(label, Mapping):
                raise ValueError(
                    f"y_true[{position}] is {label!r}, expected a mapping from item to grade: "
                    "two rankings have no common order"
                )

    @property
    def label_values(self) -> FloatArray:
        """The grades that an item can have."""
        return self.grades

    @property
    def certainty(self) -> None:
        """None, since the uncertainty of a ranking depends on the measure."""

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """The grades, and the items' grade probabilities, query by query."""
        return self.grades, self.relevance.proba

    @property
    def ranked_items(self) -> Iterator[tuple[Sequence[Hashable], Sequence[Hashable]]]:
        """For each query, the ranked items, and all items with probabilities."""
        for ranking, known in zip(self.rankings, self.relevance.rows, strict=True):
            yield ranking, tuple(known)

    def items(self, instance: int) -> tuple[Hashable, ...]:
        """Return a query's items in ranked order."""
        return self.rankings[instance]

    def to_dict(self) -> dict[str, Any]:
        """Return each query's ranking, and all items with their probabilities; see the base.

        Raises
        ------
        TypeError
            If an item's id is neither a string nor a number.
        """
        proba = self.relevance.proba
        return {
            "kind": self.kind,
            "name": self.name,
            "grades": self.grades.tolist(),
            "queries": [
                {
                    "ranking": [plain_item(item) for item in ranking],
                    "items": [plain_item(item) for item in rows],
                    "relevance_proba": proba[list(rows.values())].tolist(),
                }
                for ranking, rows in zip(self.rankings, self.relevance.rows, strict=True)
            ],
            **({} if self.assists else {"assists": False}),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote."""
        queries = record["queries"]
        known = [dict(zip(each["items"], each["relevance_proba"], strict=True)) for each in queries]
        made = cls([each["ranking"] for each in queries], known, record["grades"], record["name"])
        made.assists = record.get("assists", True)
        return made

    def describe(self, instance: int) -> PredictionDescription:
        """Return the expected grade of each item, in ranked order; see the base."""
        ranking = self.rankings[instance]
        rows = [self.relevance.rows[instance][item] for item in ranking]
        expected = (self.relevance.proba[rows] @ self.grades).tolist()
        first = ", ".join(f"{grade:.1f}" for grade in expected[:5])
        grades = {str(item): round(grade, 4) for item, grade in zip(ranking, expected, strict=True)}
        return PredictionDescription("", "", f"expects grades {first} from the top", {"prediction": grades})

    def _repr_details(self) -> str:
        return f", {self.grades.size} grades"


def graded(
    model: RankingPredictions, y_true: Sequence[Any], queries: IntArray, cutoff: int | None
) -> tuple[FloatArray, IntArray]:
    """Return the grades of the ranked items up to the cutoff, query by query, and the number of each query's.

    A label is a mapping from item to grade, or the sequence of all grades in ranked order.
    """
    values: list[float] = []
    lengths = np.empty(len(queries), dtype=np.intp)
    for position, (query, label) in enumerate(zip(queries.tolist(), y_true, strict=True)):
        ranking = model.rankings[query][:cutoff]
        lengths[position] = len(ranking)
        if isinstance(label, Mapping):
            missing = [item for item in ranking if item not in label]
            if missing:
                raise ValueError(
                    f"y_true[{position}] has no grade for the item {missing[0]!r} of query {query}"
                )
            values.extend(label[item] for item in ranking)
        else:
            if not hasattr(label, "__len__") or len(label) != len(model.rankings[query]):
                raise ValueError(
                    f"y_true[{position}] is {label!r}, expected a mapping from item to grade, "
                    f"or {len(model.rankings[query])} grades for the ranking of query {query}"
                )
            values.extend(label[: len(ranking)])
    grades = _checked_grades(model, values, lengths)
    return grades, lengths


def judged(
    model: RankingPredictions, y_true: Sequence[Any], queries: IntArray, cutoff: int | None
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return all grades of labeled queries, each query's number of them, and its number of listed items.

    Labels are as for `graded`. The listed items' grades come first, in ranked order, 0 if missing.
    """
    graded(model, y_true, queries, cutoff)
    values: list[float] = []
    lengths, n_listed = np.empty((2, len(queries)), dtype=np.intp)
    for position, (query, label) in enumerate(zip(queries.tolist(), y_true, strict=True)):
        ranking = model.rankings[query]
        before = len(values)
        if isinstance(label, Mapping):
            values.extend(label.get(item, 0.0) for item in ranking)
            listed = frozenset(ranking)
            values.extend(grade for item, grade in label.items() if item not in listed)
        else:
            values.extend(label)
        lengths[position], n_listed[position] = len(values) - before, len(ranking)
    grades = _checked_grades(model, values, lengths)
    return grades, lengths, n_listed


def _checked_grades(model: RankingPredictions, values: Sequence[Any], lengths: IntArray) -> FloatArray:
    """Return given grades as an array; refuse unknown ones."""
    refuse_masked("y_true", values)
    try:
        grades = to_floats(values)
    except (TypeError, ValueError) as error:
        raise TypeError(f"y_true must hold grades of {model.grades.tolist()}: {error}") from error
    unknown = ~np.isin(grades, model.grades)
    if unknown.any():
        where = int(np.argmax(unknown))
        position = int(np.searchsorted(lengths.cumsum(), where, side="right"))
        raise ValueError(
            f"y_true[{position}] has the grade {grades[where]:g}, expected one of {model.grades.tolist()}"
        )
    return grades


def _relevance_of(
    rankings: Sequence[Sequence[Hashable]], relevance_proba: Sequence[ItemProba], grades: FloatArray
) -> RelevanceModel:
    """Return the checked probabilities of all items."""
    tables: list[FloatArray] = []
    rows: list[dict[Hashable, int]] = []
    start = 0
    for query, (ranking, given) in enumerate(zip(rankings, relevance_proba, strict=True)):
        if isinstance(given, Mapping):
            items: Sequence[Hashable] = tuple(given)
            table = _table_of(query, list(given.values()), len(items), grades.size)
        else:
            items = ranking
            table = _table_of(query, given, len(items), grades.size)
        known = dict(zip(items, range(start, start + len(items)), strict=True))
        for item in ranking:
            if item not in known:
                raise ValueError(f"rankings[{query}] names the item {item!r}, which has no probabilities")
        if len(set(ranking)) < len(ranking):
            twice = next(item for at, item in enumerate(ranking) if item in ranking[:at])
            raise ValueError(f"rankings[{query}] ranks the item {twice!r} twice")
        tables.append(table)
        rows.append(known)
        start += len(items)
    proba = np.concatenate(tables)

    def describe(row: int) -> str:
        query, item = next((q, i) for q, known in enumerate(rows) for i, at in known.items() if at == row)
        return f"relevance_proba[{query}][{item!r}]"

    if not np.isfinite(proba).all():
        row = int(np.argmax(~np.isfinite(proba).all(axis=1)))
        raise ValueError(f"{describe(row)} is {proba[row].tolist()}, expected finite numbers")
    check_distributions(proba, describe)
    return RelevanceModel(grades, read_only(proba), rows)


def _table_of(query: int, given: Any, n_items: int, n_grades: int) -> FloatArray:
    shape = (n_items, n_grades)
    if n_items == 0:
        return np.empty(shape)
    refuse_masked(f"relevance_proba[{query}]", given)
    try:
        table = np.asarray(given)
        is_rounded, table = is_half(table), to_floats(table)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"relevance_proba[{query}] must hold numbers, one for each of {n_grades} grades: {error}"
        ) from error
    if table.shape != shape:
        raise ValueError(
            f"relevance_proba[{query}] has shape {table.shape}, expected {shape} (items, grades)"
        )
    return normalize_half(table) if is_rounded else table


def _same(a: RelevanceModel, b: RelevanceModel) -> bool:
    return np.array_equal(a.proba, b.proba) and list(a.rows) == list(b.rows)
