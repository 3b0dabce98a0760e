"""The functions to call in the last line of a notebook cell."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.session import Goal, Pool, Session, Store
from activeeval_widgets.session.keywords import knows_keywords
from activeeval_widgets.session.log.people import LEASE_SECONDS
from activeeval_widgets.session.pool.fingerprints import default_seed
from activeeval_widgets.session.pool.given_predictions import check_names
from activeeval_widgets.session.pool.runs import is_run, pool_of_runs
from activeeval_widgets.session.pool.shown_labels import columns_like_labels
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.text import joined_by_and
from activeeval_widgets.widgets.instances.registered_views import View
from activeeval_widgets.widgets.labeling_app import LabelingApp
from activeeval_widgets.widgets.labels.numbers import Unit


@knows_keywords()
def evaluate(
    instances: Any,
    predictions: Any,
    measure: Measure | str,
    *,
    positive: Any = None,
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
    budget: int | None = None,
    seed: int | None = None,
    store: Store | str | Path | None = None,
    name: str = "default",
    protocol: str | None = None,
    q: ArrayLike | None = None,
    defensive: float | None = None,
    y_range: tuple[float, float] | None = None,
    goal: Goal | None = None,
    margin: float | None = None,
    who: str | None = None,
    confidence_level: float | None = None,
    n_raters: int | None = None,
    second_opinions: float | None = None,
    lease_seconds: float = LEASE_SECONDS,
    for_groups: bool = False,
    after: Session | None = None,
    sheets: bool | str = False,
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
    """Evaluate a model in a notebook, as the last line of a cell.

    Creates a `Pool` of the instances and predictions, a `Session` that draws instances, and the `LabelingApp`
    that asks for labels and shows the estimate. The options of the three follow in this order.

    Parameters
    ----------
    instances : sequence, array, DataFrame or table
        What people look at: texts, images, records, ranked lists, conversations (see `Pool`).
    predictions : Predictions, estimator, DataFrame or array-like, or a list or mapping of several, or None
        The model's predictions in the same order: class probabilities, a fitted model with scikit-learn's
        methods (`LinearSVC`, which has no probabilities, is one), only predicted labels, or
        `ClassPredictions`, `ValuePredictions`, `RankingPredictions`. For two models, the difference is
        estimated (see `compare`). None if there is no model, and the measure is of the labels themselves.
    measure : Measure or str
        What to estimate: `FMeasure(positive="spam")`, or its name, as on the command line ("f1",
        "error-rate", "roc-auc", "ndcg@10") or in scikit-learn's `scoring` ("f1_macro", "balanced_accuracy";
        the sign of "neg_mean_squared_error" is dropped).
    positive : class label, optional
        The class of interest, such as "spam", for a measure given by name. By default the one of two classes
        that is called 1, true, yes or positive.
    ids : sequence, optional
        A distinct id for each instance; by default "0", "1", ….
    costs : array-like of shape (n_instances,), or {"length", "results"}, optional
        The cost of labeling each instance; by default equal.
    kind : str, optional
        The kind of instances, if it can't be guessed: "text", "image", "record", …
    features : array-like, optional
        The inputs of a fitted model, if they are not what is shown: one row for each instance.
    groups : sequence, optional
        The group of each instance; `session.by_group()` then estimates the measure in each group.
    classes : array-like of shape (n_classes,), optional
        The possible classes, if `predictions` are None or only predicted labels.
    judged : mapping, optional
        For rankings, earlier grades by query and item.
    labels : sequence or mapping, optional
        Labels that there are already: one for each instance, None without; or by id.
    drawn : {"unknown", "uniformly"} or array-like of shape (n_instances,), optional
        How their instances were chosen: as a random sample, uniform or with these probabilities, which begins
        the session; or in any way.
    decimal_mark : {".", ","}, optional
        The decimal mark of the instances' numbers.
    budget : int, optional
        The planned number of labels. The interval is narrowest there, and valid at all other numbers.
    seed : int, optional
        The seed of the draws. The same seed and labels give the same draws. By default it follows from the
        name and the predictions: a model whose errors were repaired gets other draws than those that found
        them.
    store : Store, str or path-like, optional
        Where labels are stored. With a path, they outlive the kernel: running the cell again continues the
        session if the predictions are the same to the last bit. If a model is not reproducible to the bit,
        save its predictions to a file, too.
    name : str
        The name of the session in the store; another name is another session.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn: from a q that learns from the labels (the default), or from a fixed one.
    q : array-like of shape (n_instances,), optional
        A q of your own, such as `uniform_q(m)`.
    defensive : float, optional
        The least share of uniform draws.
    y_range : tuple of two floats, optional
        For labels that are numbers, the smallest and largest possible label.
    goal : Goal, optional
        When the labels are enough, such as `Goal(half_width=0.02)`.
    margin : float, optional
        For two models, the difference that does not matter.
    who : str, optional
        The name of the labeler, if several people label.
    confidence_level : float, optional
        The level of all intervals, above 0.5 and below 1; by default 0.95.
    n_raters : int, optional
        The number of people who are asked about each draw; by default 1.
    second_opinions : float, optional
        The share of draws that get a second opinion; by default 0.
    lease_seconds : float
        How long draws are leased to a person without a sign of activity.
    for_groups : bool
        Whether draws serve small groups, too.
    after : Session, optional
        An earlier session about the same question, whose labels are carried over to instances of the same
        content. If only votes have changed, and the measure is of the labels, its draws go on.
    sheets : bool or "positive"
        Whether what the model is sure of can be labeled 24 at a time, with the key B: the page shows what it
        predicts, and the wrong ones are marked. "positive", for a measure of one of two classes: the
        positive ones are marked, and no predictions are shown.
    title : str
        The heading.
    intro : str, optional
        One or two sentences of introduction; by default from the measure and the pool.
    question : str, optional
        The question about each instance; by default from the kind of label.
    keys : mapping from label to str, optional
        The keys of labels that should not have their default one.
    unit : str or tuple of two str, optional
        The unit of labels that are numbers: "kg", or ("point", "points").
    grade_words : sequence of str, optional
        The meanings of grades, lowest first.
    guidelines : str, optional
        Instructions for labelers, in Markdown.
    reasons : sequence of str, optional
        Reasons for excluding an instance, to choose from.
    shows_estimate : bool
        Whether the page shows the estimate. If not, it is never sent to the page.
    view : callable, optional
        The view of an instance: a function from an instance to an `Element`, a text or an image.

    Returns
    -------
    LabelingApp
        The app; its `session` has the labels and the estimate.

    Raises
    ------
    TypeError, ValueError
        If an argument does not fit the others, or if there is no such measure or keyword; the message
        suggests a likely one.
    StoreError
        If the store can't be used, or its session was started with other arguments.

    See Also
    --------
    compare : Compare several models.
    LabelingApp : Show an existing session.
    Session.estimate : The estimate of this measure, or any other from the same labels.

    Examples
    --------
    Texts, and a model's probabilities as a DataFrame whose columns name the classes:

    >>> texts = ["Hello Ada", "Win a prize now", "See you at nine"]
    >>> proba = pd.DataFrame({"ham": [0.9, 0.2, 0.7], "spam": [0.1, 0.8, 0.3]})
    >>> app = evaluate(texts, proba, "f1", positive="spam")
    >>> event = app.session.label("ham")
    >>> app.session.measure.name, app.session.n_labels
    ('F1 of spam', 1)

    A fitted model whose inputs are not what people see:

    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = np.arange(40.0).reshape(20, 2), np.arange(20) % 3 > 0
    >>> images = np.zeros((20, 8, 8), dtype=np.uint8)
    >>> app = evaluate(images, LogisticRegression().fit(X, y), "error-rate", features=X)
    >>> app.session.pool.noun, app.session.pool.models[0].name
    ('images', 'LogisticRegression')

    Only predicted labels, stored in a file, until the error rate is known to ± 5 points:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path, goal = Path(folder, "labels.sqlite"), Goal(half_width=0.05)
    ...     app = evaluate(texts, ["ham", "spam", "ham"], ErrorRate(), store=path, goal=goal)
    ...     event = app.session.label("ham")
    ...     app.session.store.close()
    ...     again = evaluate(texts, ["ham", "spam", "ham"], ErrorRate(), store=path, goal=goal)
    ...     print(again.session.n_labels)
    ...     again.session.store.close()
    1
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
        labels=labels,
        drawn=drawn,
        decimal_mark=decimal_mark,
    )
    session = Session(
        pool,
        measure,
        positive=positive,
        budget=budget,
        seed=default_seed(name, pool.fingerprints["predictions"]) if seed is None else seed,
        store=store,
        name=name,
        protocol=protocol,
        q=q,
        defensive=defensive,
        y_range=y_range,
        goal=goal,
        margin=margin,
        who=who,
        confidence_level=confidence_level,
        n_raters=n_raters,
        second_opinions=second_opinions,
        lease_seconds=lease_seconds,
        for_groups=for_groups,
        after=after,
        sheets=sheets,
    )
    if shown := columns_like_labels(pool):
        names, them = joined_by_and([repr(name) for name in shown]), "it" if len(shown) == 1 else "them"
        warnings.warn(
            f"{names} may hold labels or predictions, which nobody who labels should see. To leave {them} "
            f"out, give instances.drop(columns={shown!r}).",
            stacklevel=3,
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


@knows_keywords(options_of=evaluate)
def compare(
    instances: Any,
    models: Mapping[str, Any],
    measure: Measure | str,
    *,
    goal: Goal | None = None,
    documents: Mapping[Any, Any] | None = None,
    grades: ArrayLike | None = None,
    **options: Any,
) -> LabelingApp:
    """Compare models in a notebook, as the last line of a cell: which is better, or the best of several.

    Labels are requested where the models differ. For two models, the page shows the difference of their
    measures; for more, a leaderboard with each one's measure, and which may still be the best. All intervals
    are anytime-valid.

    Parameters
    ----------
    instances : sequence, array, DataFrame or table
        What people look at, as for `Pool`.
    models : mapping from str to predictions
        Two or more models by name. Each is given as for `Pool`, all in one form: a fitted model, a table of
        class probabilities, `ClassPredictions` and so on, or only the predicted classes. Rankers can be given
        by their lists: mappings from queries to documents in ranked order, or to documents' scores, largest
        best, as of `read_run`. `instances` are then the queries: texts, or a mapping from their ids to texts.
    measure : Measure or str
        The measure that compares them, or its name: "f1", "accuracy", "ndcg@10" (see `evaluate`).
    goal : Goal, optional
        When to stop; by default once it is known which of two is better, or that they differ by less than
        `margin`.
    documents : mapping, optional
        For rankers' lists, the content of each document: a text, a `Result`, or a mapping with "title",
        "text", "link" and "image".
    grades : array-like of shape (n_grades,), optional
        For rankers' lists, the possible grades; by default 0 to the largest in `judged`, or to 3.
    **options
        As for `evaluate`. The most relevant ones are:

        - `positive="spam"`: the class of interest, for a measure given by name;
        - `margin=0.01`: for two models, differences of less than one percentage point do not matter;
        - `features=X`: the inputs of fitted models, if they are not what is shown;
        - `classes=["ham", "spam"]`: the possible labels, if all models only give predicted labels;
        - `store="labels.sqlite"`, `name="old and new"`: where labels are stored;
        - `budget=200`, `seed=1`, `y_range=(0, 10)`, `groups=…`, `confidence_level=0.9`: options of draws and
          estimates;
        - `title`, `question`, `guidelines`, `keys`: options of the page.

    Returns
    -------
    LabelingApp
        The app. In its `session`, `verdict()` says which of two models is better, `estimate()` is their
        difference, `of("new").estimate()` is one model's own measure, and `leaderboard()` ranks all models.

    Raises
    ------
    TypeError, ValueError
        If models have no names, if there is only one, or if an argument does not fit the others.
    StoreError
        If the store can't be used, or its session was started with other arguments.

    See Also
    --------
    evaluate : Evaluate one model.
    Session.verdict : Which of two models is better.
    Session.leaderboard : Which of several models may be the best.

    References
    ----------
    Sawade, Landwehr, Scheffer, *Active comparison of prediction models*, NIPS 2012.

    Examples
    --------
    >>> models = {"old": [[0.1, 0.9], [0.7, 0.3]], "new": [[0.4, 0.6], [0.2, 0.8]]}
    >>> app = compare(["so good", "so bad"], models, "error-rate")
    >>> [model.name for model in app.session.models]
    ['old', 'new']

    Three models with only predicted labels:

    >>> predicted = {"A": ["ham", "spam"], "B": ["spam", "spam"], "C": ["ham", "ham"]}
    >>> app = compare(["so good", "so bad"], predicted, FMeasure(positive="spam"))
    >>> event = app.session.label("spam")
    >>> app.session.question.best
    'best'

    Two versions of a search index, by their results:

    >>> found = {"old": {"q1": ["d7", "d2"]}, "new": {"q1": ["d2", "d9"]}}
    >>> texts = {"d7": "The cat", "d2": "The car", "d9": "The operating system"}
    >>> app = compare({"q1": "jaguar"}, found, "ndcg@10", documents=texts)
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
    elif isinstance(instances, Mapping):
        name = next(name for name, model in given.items() if not is_run(model))
        raise TypeError(
            "instances is a mapping, as of queries by their ids. Each of models must then be a ranker's "
            "lists, {query: [document, …]} or {query: {document: score, …}}, but "
            f"{name!r} is a {type(given[name]).__name__}"
        )
    elif documents is not None or grades is not None:
        raise ValueError(
            "documents and grades are for rankers that are given by their lists, mappings from queries to "
            "documents: leave them out"
        )
    return evaluate(instances, given, measure, goal=goal, **options)
