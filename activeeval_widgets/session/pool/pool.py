"""The pool: unlabeled instances with predictions."""

import os
from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from functools import cached_property, partial
from html import escape
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.pool.fetched_predictions import FetchedParts, FetchedRows
from activeeval_widgets.session.pool.fingerprints import (
    fingerprint,
    fingerprint_ids,
    fingerprint_items,
    fingerprint_predictions,
)
from activeeval_widgets.session.pool.given_predictions import as_predictions
from activeeval_widgets.session.pool.groups import check_group_names
from activeeval_widgets.session.pool.kinds import KINDS, check_instances, fingerprint_instances
from activeeval_widgets.session.pool.known_grades import check_judged
from activeeval_widgets.session.pool.known_labels import check_known
from activeeval_widgets.session.pool.label_costs import check_costs_by, costs_by
from activeeval_widgets.session.pool.missing_values import is_missing
from activeeval_widgets.session.pool.other_libraries import as_column, as_instances
from activeeval_widgets.session.pool.parts import Parts, PartsInMemory
from activeeval_widgets.session.pool.readers import pool_of, read
from activeeval_widgets.session.pool.row_order import RowOrder
from activeeval_widgets.session.pool.shared_rows import SharedRows
from activeeval_widgets.session.pool.stored import Ids, number_ids
from activeeval_widgets.stats import (
    Predictions,
    UnpredictedClasses,
    UnpredictedValues,
)
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_costs, refuse_masked
from activeeval_widgets.stats.predictions.base import as_models, one_or_all, read_only
from activeeval_widgets.stats.text import counted

Items: TypeAlias = tuple[Hashable, ...]
"""Items of a list."""

LENGTH = 120
"""The maximum length of excerpts."""


class Pool:
    """Instances with the predictions of one, several or no models.

    Instances that can't be shown (a missing file, an empty text, invalid image data) are accepted, shown as
    broken, and can be excluded.

    Parameters
    ----------
    instances : sequence, array or DataFrame
        - "image": an array of shape (n_instances, height, width) or (n_instances, height, width, channels),
          gray or with 3 (RGB) or 4 (RGBA) channels; or, for images of different sizes, a list of arrays, PIL
          images, bytes of files, or paths (also strings, if they name existing images). The range is 0 to 255
          for `uint8`, and 0 to 1 for floats in that range; otherwise values are scaled from the smallest
          (black) to the largest (white). Files are read when they are shown.
        - "text": strings, or `Text` for highlighted parts, code, and the direction of reading.
        - "ranking": `Ranking`, a query with its results, for `RankingPredictions`.
        - "record": a DataFrame, or mappings from column to value.
        - "pair": pairs of strings, shown side by side.
        - "conversation": `Conversation`, or lists of messages with "role" and "content".
        - "custom": any sequence, which may create its instances on demand; the app needs a renderer.

        Tables may come from pyarrow, polars or any library with Arrow streams, or be data sets of Hugging
        Face. A table with a single column is used as a sequence.
    predictions : Predictions, estimator, DataFrame or array-like, or a list or mapping of several, optional
        The model's predictions, in the order of `instances`; those of two models to compare them, or of more
        to find the best. A mapping gives each model a name. Each model is one of:

        - `ClassPredictions`, `ValuePredictions` or `RankingPredictions`;
        - class probabilities of shape (n_instances, n_classes), as for `ClassPredictions`: a DataFrame's
          columns, or those of an Arrow or polars table, name the classes. For logits, see
          `ClassPredictions.from_logits`;
        - a fitted classifier or regressor with scikit-learn's methods, which is called with the instances or
          with `features`. For a classifier without `predict_proba`, such as `LinearSVC`, decision scores
          guide the draws but are not used as probabilities (`ScoredClasses`);
        - the results of a text-classification pipeline of transformers with `top_k=None`: for each instance a
          list of {"label": …, "score": …};
        - predicted classes of shape (n_instances,), as for `PredictedClasses`.

        If None, there is no model: for measures of the labels themselves, such as `LabelShare`.
    ids : sequence, optional
        A distinct id for each instance, converted to a string; by default "0", "1", …
    costs : array-like of shape (n_instances,), optional
        The cost of labeling each instance, positive and in any unit; equal by default. "results" uses the
        number of a ranking's results that have no grade yet, down to the measure's cutoff; "length" the
        number of words to read. Both are at least 1.
    kind : {"conversation", "custom", "image", "pair", "ranking", "record", "text"}, optional
        The kind of instances, by default guessed from the first one.
    features : array-like, optional
        The input of a fitted model, one row per instance, if it is not the instances themselves.
    groups : sequence, optional
        The group of each instance, as a string ("(none)" if missing): see `Session.by_group`.
    classes : array-like of shape (n_classes,), optional
        The possible classes, for a pool without predictions or with predicted classes only. By default those
        of the measure (or numbers, if it is a measure of numbers), or the predicted ones.
    judged : mapping from id to mapping, optional
        For rankings, known grades by query and item; None for an item that could not be judged. They are not
        asked again (see `read_qrels`). Other queries are ignored.
    labels : sequence or mapping, optional
        Labels that there are already: one for each instance, None without; or by id.
    drawn : {"unknown", "uniformly"} or array-like of shape (n_instances,), optional
        How they were chosen. "unknown", the default: they only guide the draws. "uniformly", or independently
        by these probabilities, with a sample size that did not depend on them: they are the first draws.
    decimal_mark : {".", ","}, optional
        The decimal mark of the instances' numbers, by which the page reads typed numbers. `read` finds it in
        the file. If None, the page asks what "200,000" means.
    question : str, optional
        The question about each instance, unless measure or page define it. `read` derives it from the names
        of columns.

    Attributes
    ----------
    instances : array, list or DataFrame
        The instances as given; but lists of images of one size become an array, and mappings a DataFrame.
    models : tuple of Predictions
        The predictions, always as a tuple. Without a model, the possible labels (`UnpredictedClasses`).
    judged, below : dict
        By index, the known grades of items, and the items below the measure's cutoff in all lists, which are
        left out; empty if there are none.
    known : KnownLabels or None
        The labels that there were already, and how they were chosen.
    is_open : bool
        Whether the possible labels are still unknown: there are neither predictions nor classes.

    Raises
    ------
    ValueError, TypeError
        If the pool is empty, or an argument is invalid.

    See Also
    --------
    Text, Ranking, Result : Instances with structure.
    register_kind : Register further kinds of instances.

    Examples
    --------
    >>> Pool(["so good", "so bad"], predictions=ClassPredictions([[0.1, 0.9], [0.7, 0.3]]))
    <Pool of 2 texts, predicted by 1 model>

    Two models with predicted labels, and costs by the number of words to read:

    >>> predicted = {"old": ["ham", "spam"], "new": ["spam", "spam"]}
    >>> pool = Pool(["Hello", "Win a prize now"], predictions=predicted, costs="length")
    >>> [model.name for model in pool.models], pool.costs.tolist()
    (['old', 'new'], [1.0, 4.0])

    A table of records, with class probabilities and a column of groups:

    >>> flats = pd.DataFrame({"rooms": [1, 2, 3], "town": ["Ulm", "Ulm", "Bonn"]})
    >>> proba = pd.DataFrame({"cheap": [0.9, 0.4, 0.2], "dear": [0.1, 0.6, 0.8]})
    >>> Pool(flats, predictions=proba, groups=flats["town"]).groups
    ['Ulm', 'Ulm', 'Bonn']
    """

    @knows_keywords("Pool")
    def __init__(
        self,
        instances: Any,
        *,
        predictions: Any = None,
        ids: Sequence[Any] | None = None,
        costs: ArrayLike | None = None,
        kind: str | None = None,
        features: Any = None,
        groups: Sequence[Any] | None = None,
        classes: ArrayLike | None = None,
        judged: Mapping[Any, Mapping[Any, float | None]] | None = None,
        labels: Any = None,
        drawn: str | ArrayLike | None = None,
        decimal_mark: str | None = None,
        question: str | None = None,
    ) -> None:
        self.decimal_mark, self.question = _check_decimal_mark(decimal_mark), question
        self.heading: str | None = None  # of pages: `read` finds an evaluation log's task and model
        self.is_by_command = False  # if True, pages name options of the command line, not arguments
        self.row_order = RowOrder(instances, ids, costs=costs, groups=groups, labels=labels, drawn=drawn)
        instances = as_instances(instances, kind)
        kind, checked = check_instances(instances, kind)
        self.models = _models_of(predictions, instances, features, classes, self.row_order, len(checked))
        self._streamed = predictions if isinstance(predictions, FetchedParts) else None
        self.is_open = (
            self.predictions is None and classes is None and not isinstance(predictions, Predictions)
        )
        self.kind, self.instances = kind, checked
        _check_number(self.models, self.n_instances, self.noun)
        KINDS[self.kind].check_predictions(self.instances, self.models)
        self.ids = _check_ids(ids, self.n_instances)
        self.groups = check_group_names(groups, self.n_instances)
        self.judged = check_judged(judged, self.ids, self.models)
        self.known = check_known(labels, drawn, self.ids, self.models, is_streamed=self.is_streamed)
        self._costs_by = costs if isinstance(costs, str) else None
        self.costs = _costs_of(costs, self)
        self.below: dict[int, frozenset[str]] = {}
        self.judged_to: tuple[int, int] | None = None  # how far down, and in how many lists
        self._shared_rows: dict[Any, SharedRows] = {}

    @classmethod
    def read(
        cls,
        file: Any,
        *,
        text: str | None = None,
        image: str | None = None,
        record: Sequence[str] | str | None = None,
        pair: Sequence[str] | str | None = None,
        conversation: Sequence[str] | str | None = None,
        prompt: str | None = None,
        answer: Sequence[str] | str | None = None,
        reference: str | None = None,
        markdown: Sequence[str] | str | None = None,
        plain: Sequence[str] | str | None = None,
        query: str | None = None,
        items: str | None = None,
        proba: Sequence[str] | str | None = None,
        votes: Sequence[str] | str | None = None,
        classes: Sequence[Any] | str | None = None,
        rubric: Sequence[str] | str | None = None,
        score: str | None = None,
        predicted: str | None = None,
        mean: str | None = None,
        variance: str | None = None,
        std: str | None = None,
        id: str | None = None,  # noqa: A002 - the usual name
        cost: str | None = None,
        cost_by: str | None = None,
        group: str | None = None,
        labels: str | None = None,
        drawn: str | None = None,
        drawn_by: str | None = None,
        queries: str | None = None,
        documents: str | None = None,
        qrels: str | None = None,
        compare: Sequence[str] | str | None = None,
        compare_by: str | None = None,
        ignore: Sequence[str] | str | None = None,
        folder: str | os.PathLike[str] | None = None,
    ) -> Self:
        r"""Read a pool from a file of predictions (CSV, TSV, JSON lines, Parquet or Arrow) or a data set.

        Arguments that are not given are guessed from the columns' names and content. Several columns are
        given as a list, or separated by commas.

        Parameters
        ----------
        file : str, path-like or Dask DataFrame
            The file; text may be compressed with gzip. A folder of Parquet files is one data set. Such a
            folder, a Parquet file of more than a GiB, and a Dask DataFrame are streamed: predictions are
            processed in parts, and drawn instances are fetched.
        text, image, query, items, record, pair : str or sequence of str, optional
            The columns of texts, of images' paths, of queries and of their results; columns to show together,
            or two columns of texts to show side by side.
        conversation, prompt, answer, reference : str or sequence of two str, optional
            The columns of conversations (lists of messages with role and content, or JSON of these), prompts,
            answers, and expected answers, which are shown on request. Two conversations or answers are shown
            side by side.
        markdown, plain, ignore : sequence of str, optional
            Columns with Markdown, and columns to show as they are (both guessed for conversations, prompts
            and answers); columns to ignore.
        proba : sequence of str, optional
            The columns of class probabilities; ``p_*`` matches all that begin with ``p_``.
        votes : sequence of str, optional
            The columns of judges' verdicts, instead of probabilities: see `ClassPredictions.from_votes`. With
            `predicted`, that column contains the verdicts that are evaluated.
        classes : sequence of str, optional
            The classes, in the order of `proba`; by default the names of these columns without their common
            part. Without predictions, the possible labels; for a rubric, the grades in words, ascending.
        rubric : sequence of str, optional
            The criteria for grading each answer: see `rubric_predictions`. Columns that begin or end with one
            of them contain judges' grades; `votes` may name some of these.
        score, predicted, mean, variance, std : str, optional
            The columns of the probability of the second of two classes, of the predicted classes, and of
            predicted numbers and their variances or standard deviations.
        id, group, labels, drawn_by, cost, drawn, cost_by : str, optional
            The columns of ids, groups, labels that there are already, the probabilities with which these were
            drawn, and costs; how labels were drawn; or how to compute costs, "results" or "length".
        queries, documents, qrels : str, optional
            For a TREC run, files of the texts of queries and documents (lines of id, tab and text, or JSON
            lines), and of earlier judgments. By default they are looked for in the run's folder.
        compare, compare_by : sequence of str, optional
            Two or more models, by prefixes or suffixes of their columns, or by their predictions' columns; a
            run's or log's other files. For results of promptfoo, "provider" or "prompt": what differs.
        folder : str or path-like, optional
            The folder of the images, by default the file's. Images outside it are not read.

        Raises
        ------
        ValueError
            If the file is invalid: `formats.FileProblemsError` lists each row.

        See Also
        --------
        activeeval_widgets.formats.examine : Report guesses and problems.
        register_reader : Register further formats.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "mails.csv")
        ...     size = path.write_text("text,p_ham,p_spam\nHello,0.9,0.1\nWin now,0.2,0.8\n")
        ...     pool = Pool.read(path)
        ...     pool, pool.predictions.classes.tolist()
        (<Pool of 2 texts, predicted by 1 model>, ['ham', 'spam'])
        """
        columns = {name: value for name, value in locals().items() if name not in ("cls", "file")}
        return pool_of(cls, read(file, columns))

    @property
    def predictions(self) -> Predictions | Sequence[Predictions] | None:
        """The predictions of one model, or of each; None without a model."""
        return one_or_all(self.models) if any(model.is_model for model in self.models) else None

    @property
    def is_streamed(self) -> bool:
        """Whether the pool is streamed: predictions are not in memory, and instances share rows."""
        return self._streamed is not None

    @property
    def parts(self) -> Parts:
        """The predictions in parts."""
        return PartsInMemory(self.models, self.costs) if self._streamed is None else self._streamed

    def shared_rows(self, positive: Any = None) -> SharedRows:
        """Return the rows that similar instances share, cached by class of interest."""
        if self._streamed is not None and self._streamed.known_rows is not None:
            known: SharedRows = self._streamed.known_rows
            return known
        if positive not in self._shared_rows:
            self._shared_rows[positive] = SharedRows(self.parts, positive)
        return self._shared_rows[positive]

    @property
    def noun(self) -> str:
        """The plural noun for the instances, such as "images"."""
        return KINDS[self.kind].called(self.instances)[1]

    @property
    def n_instances(self) -> int:
        """The number of instances, m."""
        return len(self.instances)

    def with_models(self, models: Sequence[Predictions]) -> Self:
        """Return the pool with other predictions."""
        made = copy(self)
        made.models = tuple(models)
        made._shared_rows = {}
        made.__dict__.pop("fingerprints", None)
        return made

    def with_items_left(self, models: Sequence[Predictions], left: Sequence[Items], depth: int) -> Self:
        """Return the pool with only some items of each instance's list, and predictions down to a depth."""
        made = self.with_models(models)
        made.instances = KINDS[self.kind].with_items(self.instances, left)
        made.judged_to = depth, len(models)
        made.below = _items_left_out(self, left)
        if made._costs_by is not None:
            made.costs = _costs_of(made._costs_by, made)
        return made

    def items(self, index: int) -> Items:
        """Return the graded items of an instance: those of its `Ranking`, or else those that models rank."""
        is_table = hasattr(self.instances, "iloc")
        items = None if is_table else KINDS[self.kind].items(self.instances[index])
        if items is not None:
            return items
        return tuple(dict.fromkeys(item for model in self.models for item in model.items(index)))

    def excerpt(self, index: int, length: int = LENGTH) -> str:
        """Return an instance in a line of text: its title, first words or file; "" without words."""
        line = " ".join(KINDS[self.kind].words_at(self.instances, index).split())
        return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"

    @cached_property
    def fingerprints(self) -> dict[str, str]:
        """Digests of the content, equal in every process; files count by path, custom instances by id."""
        return _fingerprints_of(self, self._streamed)

    def fetch(self, instances: Sequence[int]) -> None:
        """Fetch the predictions for some instances of a streamed pool at once."""
        if self._streamed is not None and len(instances):
            self._streamed.fetch(np.asarray(instances, dtype=np.intp))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return _in_words(self)

    def _repr_html_(self) -> str:
        return f"<div>{escape(str(self))}</div>"


def _models_of(
    predictions: Any,
    instances: Any,
    features: Any,
    classes: ArrayLike | None,
    order: RowOrder,
    n_instances: int,
) -> tuple[Predictions, ...]:
    if isinstance(predictions, FetchedParts):
        return tuple(as_models(predictions.models))
    if predictions is not None:
        return _check_models(as_predictions(predictions, instances, features, classes, order))
    if features is not None:
        raise ValueError("features are for predictions by a fitted model, and there is none: leave them out")
    return (UnpredictedValues(n_instances) if classes is None else UnpredictedClasses(classes, n_instances),)


def _fingerprints_of(pool: Pool, streamed: FetchedParts | None) -> dict[str, str]:
    found = {"instances": fingerprint_instances(pool.kind, pool.instances)}
    if streamed is not None:
        return found | streamed.digests
    found["ids"] = fingerprint_ids(pool.ids)
    found["predictions"] = fingerprint_predictions(pool.models)
    found["costs"] = "equal" if pool.costs is None else fingerprint(pool.costs)
    if pool.known is not None:
        found["labels"] = pool.known.fingerprint
    if pool.models[0].label_kind == "grades":
        found["items"] = fingerprint_items(map(pool.items, range(pool.n_instances)))
    return found


def _in_words(pool: Pool) -> str:
    names = [model.name for model in pool.models if model.name and model.is_model]
    n_models = sum(model.is_model for model in pool.models)
    by = ", ".join(names) or (counted(n_models, "models"))
    predicted = f", predicted by {by}" if n_models else ", without predictions"
    noun = KINDS[pool.kind].called(pool.instances)[pool.n_instances > 1]
    return f"Pool of {pool.n_instances:,} {noun}{predicted}"


def _to_judge(pool: Pool, index: int) -> list[str]:
    """Return the results of a query that have no grade yet."""
    known = pool.judged.get(index, ())
    return [str(item) for item in pool.items(index) if str(item) not in known]


def _costs_of(costs: Any, pool: Pool) -> FloatArray | None:
    if isinstance(costs, str):
        is_graded = pool.models[0].label_kind == "grades"
        check_costs_by(costs, is_graded=is_graded, is_streamed=pool.is_streamed)
        to_judge = partial(_to_judge, pool) if is_graded else None
        return costs_by(costs, KINDS[pool.kind], pool.instances, pool.n_instances, to_judge)
    if isinstance(costs, FetchedRows):
        return costs  # type: ignore[return-value]  # they are checked where they are
    checked = check_costs(costs, pool.n_instances)
    found: FloatArray | None = None if checked is None else read_only(checked)
    return found


def _items_left_out(pool: Pool, left: Sequence[Items]) -> dict[int, frozenset[str]]:
    """Return the names of the items of each instance that are not left."""
    return {
        index: frozenset(map(str, pool.items(index))) - frozenset(map(str, after))
        for index, after in enumerate(left)
    }


def _check_number(models: Sequence[Predictions], n_instances: int, noun: str) -> None:
    n_predicted = models[0].n_instances
    if n_instances != n_predicted:
        raise ValueError(
            f"instances holds {n_instances} {noun}, but the predictions are for {n_predicted} instances"
        )


def _check_decimal_mark(value: str | None) -> str | None:
    if value not in (None, ".", ","):
        raise ValueError(f"decimal_mark must be '.' or ',', got {value!r}")
    return value


def _check_models(predictions: Any) -> tuple[Predictions, ...]:
    expected = (
        "ClassPredictions, ValuePredictions or RankingPredictions, class probabilities or a fitted model, "
        "or a list of several of one type; or None without a model"
    )
    if isinstance(predictions, Predictions):
        return (predictions,)
    if not isinstance(predictions, list | tuple) or not all(isinstance(p, Predictions) for p in predictions):
        uncalled = ": give what it returns" if callable(predictions) else ""
        raise TypeError(f"predictions must be {expected}, got {predictions!r}{uncalled}")
    if len(predictions) < 2:
        raise ValueError(f"predictions must be {expected}, got a list of {len(predictions)}")
    return tuple(as_models(predictions))


def _check_ids(value: Sequence[Any] | None, n_instances: int) -> Sequence[str]:
    if value is None:
        return number_ids(n_instances)
    if isinstance(value, Ids) and len(value) == n_instances:
        return value
    refuse_masked("ids", value)
    given = list(as_column("ids", value))
    missing = [at for at, each in enumerate(given) if not isinstance(each, str | int) and is_missing(each)]
    if missing:
        raise ValueError(
            f"ids[{missing[0]}] is {given[missing[0]]!r}, expected an id for each instance: fill what is "
            "missing, or leave ids out, to number the instances"
        )
    ids = [str(each) for each in given]
    if len(ids) != n_instances:
        raise ValueError(f"ids has {len(ids)} entries, expected one for each of {n_instances} instances")
    if len(set(ids)) < n_instances:
        seen: set[str] = set()
        twice = next(i for i in ids if i in seen or seen.add(i))  # type: ignore[func-returns-value]
        raise ValueError(f"ids must be distinct, but {twice!r} occurs twice")
    return ids
