"""What the last line of a notebook's cell calls."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.session import Goal, Pool, Session, Store
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.pool.given_predictions import check_names
from activeeval_widgets.session.pool.runs import is_run, pool_of_runs
from activeeval_widgets.stats import Measure
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labeling_app import LabelingApp
from activeeval_widgets.widgets.labels.numbers import Unit


def evaluate(
    instances: Any,
    predictions: Any,
    measure: Measure,
    *,
    ids: Sequence[Any] | None = None,
    costs: ArrayLike | None = None,
    kind: str | None = None,
    features: Any = None,
    groups: Sequence[Any] | None = None,
    classes: ArrayLike | None = None,
    judged: Mapping[Any, Mapping[Any, float | None]] | None = None,
    decimal_mark: str | None = None,
    budget: int | None = None,
    seed: int = 0,
    store: Store | str | Path | None = None,
    name: str = "default",
    protocol: str | None = None,
    q: ArrayLike | None = None,
    defensive: float | None = None,
    y_range: tuple[float, float] | None = None,
    goal: Goal | None = None,
    margin: float | None = None,
    who: str | None = None,
    n_raters: int | None = None,
    second_opinions: float | None = None,
    lease_seconds: float = LEASE_SECONDS,
    for_groups: bool = False,
    title: str = "Active evaluation",
    intro: str | None = None,
    question: str | None = None,
    keys: Mapping[Any, str] | None = None,
    unit: Unit | None = None,
    grade_words: Sequence[str] | None = None,
    guidelines: str | None = None,
    reasons: Sequence[str] | None = None,
    shows_estimate: bool = True,
    view: View | None = None,
) -> LabelingApp:
    """Evaluate a model in a notebook: the last line of a cell.

    Parameters
    ----------
    instances, predictions, ids, costs, kind, features, groups, classes, judged, decimal_mark
        As for `Pool`: `predictions` may be the fitted model itself, or None where labels alone count.
    measure : Measure
        What to estimate.
    budget, seed, store, name, protocol, q, defensive, y_range, goal, margin
        As for `Session`. Give a path as `store`, and the labels outlive the kernel: running the cell again
        goes on where it was, if the predictions are the same to the last bit. Where a model does not give
        the same bits twice, keep its predictions in a file, too.
    who, n_raters, second_opinions, lease_seconds, for_groups
        As for `Session`.
    title, intro, question, keys, unit, grade_words, guidelines, reasons, shows_estimate, view
        As for `LabelingApp`.

    Returns
    -------
    LabelingApp
        Its `session` holds the labels and the estimate.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the others.
    StoreError
        If the store can't be used, or the session in it was begun with something else.

    See Also
    --------
    LabelingApp : Shows a session that is there already.

    Examples
    --------
    >>> from activeeval_widgets.stats import ErrorRate
    >>> app = evaluate(["so good", "so bad"], [[0.1, 0.9], [0.7, 0.3]], ErrorRate())
    >>> app.session
    Session('default', ErrorRate(), 0 labels)
    """
    pool = Pool(
        instances,
        predictions=predictions,
        ids=ids,
        costs=costs,
        kind=kind,
        features=features,
        groups=groups,
        classes=classes,
        judged=judged,
        decimal_mark=decimal_mark,
    )
    session = Session(
        pool,
        measure,
        budget=budget,
        seed=seed,
        store=store,
        name=name,
        protocol=protocol,
        q=q,
        defensive=defensive,
        y_range=y_range,
        goal=goal,
        margin=margin,
        who=who,
        n_raters=n_raters,
        second_opinions=second_opinions,
        lease_seconds=lease_seconds,
        for_groups=for_groups,
    )
    return LabelingApp(
        session,
        title=title,
        intro=intro,
        question=question,
        keys=keys,
        unit=unit,
        grade_words=grade_words,
        guidelines=guidelines,
        reasons=reasons,
        shows_estimate=shows_estimate,
        view=view,
    )


def compare(
    instances: Any,
    models: Mapping[str, Any],
    measure: Measure,
    *,
    goal: Goal | None = None,
    documents: Mapping[Any, Any] | None = None,
    grades: ArrayLike | None = None,
    **options: Any,
) -> LabelingApp:
    """Compare models in a notebook: which is better, or of several the best. The last line of a cell.

    Labels are asked for where the models differ. Of two, the page shows the difference of their measures; of
    more, a leaderboard: each one's measure, and who may still be the best. All of it may be watched.

    Parameters
    ----------
    instances : sequence, array or DataFrame
        As for `Pool`.
    models : mapping from str to predictions
        Two models or more, by their names. Each as for `Pool`: a fitted model, a table of class
        probabilities, `ClassPredictions` and so on, or the predicted classes alone; all of one kind. Or
        rankers by their lists: mappings from queries to documents in ranked order, as `read_run` gives them.
        `instances` are then the queries: texts, or a mapping from their ids to texts.
    measure : Measure
        What they are compared by.
    goal : Goal, optional
        When to stop; unless given, once it is known which of two is better, or that they differ by less than
        `margin`.
    documents : mapping, optional
        For rankers' lists: what is shown of each document, a text, a `Result`, or a mapping with "title",
        "text", "link" and "image".
    grades : array-like of shape (n_grades,), optional
        For rankers' lists: the grades there are. Unless given, 0 to the largest in `judged`; to 3 without it.
    **options
        As for `evaluate`; of two models `margin=0.01`, say: differences of less than one percentage point
        don't matter.

    Returns
    -------
    LabelingApp
        Its `session` holds the labels: `session.verdict()` says which of two models is better,
        `session.estimate()` is their difference, `session.of("new").estimate()` one model's own measure,
        `session.leaderboard()` all of them.

    Raises
    ------
    TypeError, ValueError
        If models have no names, there is only one, or an argument does not fit the others.
    StoreError
        If the store can't be used, or the session in it was begun with something else.

    See Also
    --------
    evaluate : One model.
    Session.leaderboard : Who may be the best.

    References
    ----------
    Sawade, Landwehr, Scheffer, *Active comparison of prediction models*, NIPS 2012.

    Examples
    --------
    >>> from activeeval_widgets.stats import ErrorRate
    >>> models = {"old": [[0.1, 0.9], [0.7, 0.3]], "new": [[0.4, 0.6], [0.2, 0.8]]}
    >>> app = compare(["so good", "so bad"], models, ErrorRate())
    >>> [model.name for model in app.session.models]
    ['old', 'new']

    An old and a new search index, by what they found:

    >>> from activeeval_widgets.stats import NDCG
    >>> found = {"old": {"q1": ["d7", "d2"]}, "new": {"q1": ["d2", "d9"]}}
    >>> texts = {"d7": "The cat", "d2": "The car", "d9": "The operating system"}
    >>> app = compare({"q1": "jaguar"}, found, NDCG(10), documents=texts)
    >>> sorted(app.session.labels.items[0])
    ['d2', 'd7', 'd9']
    """
    if not isinstance(models, Mapping):
        raise TypeError(f"models must be a mapping such as {{'old': …, 'new': …}}, got {models!r:.200}")
    check_names(models)
    if goal is None and len(models) == 2:
        goal = Goal(threshold=0.0)
    given = dict(models)
    if all(map(is_run, given.values())):
        arguments = pool_of_runs(
            instances, given, documents=documents, grades=grades, judged=options.pop("judged", None)
        )
        instances, given = arguments.pop("instances"), arguments.pop("predictions")
        options = {**arguments, **options}
    elif documents is not None or grades is not None:
        raise ValueError(
            "documents and grades are for rankers that are given by their lists, mappings from queries to "
            "documents: leave them out"
        )
    return evaluate(instances, given, measure, goal=goal, **options)
