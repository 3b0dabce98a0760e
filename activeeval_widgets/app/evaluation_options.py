"""The options that say what a file of predictions holds, and what is to be estimated."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from activeeval_widgets.formats.evaluation_settings import EvaluationSettings

Command = Callable[..., Any]

COLUMNS = {
    "text": ("COL", "Column with the text to show."),
    "image": ("COL", "Column with the path of the image to show, relative to the file's folder."),
    "record": ("COL,COL,…", "Columns to show together."),
    "pair": ("A,B", "Two columns of texts to show side by side."),
    "conversation": (
        "COL[,COL]",
        "Column with a conversation: messages with role and content, as JSON; or two to show side by side.",
    ),
    "prompt": ("COL", "Column with what a model was asked; with --answer."),
    "answer": ("COL[,COL]", "Column with what it answered; or two to show side by side."),
    "reference": ("COL", "Column with what the answer should be; shown when you ask for it."),
    "markdown": ("COL,…", "Columns whose texts are Markdown.  [default: guessed for answers]"),
    "plain": ("COL,…", "Columns whose texts are shown as they are written, Markdown or not."),
    "query": ("COL", "Column with the query, for rankings; with --items."),
    "items": ("COL", "Column with what was found for the query."),
    "proba": ("COL,… | PREFIX*", "Columns with the probabilities of the classes."),
    "votes": (
        "COL,… | PREFIX*",
        "Columns with the verdicts of judges, one judge each; --predicted names the one that is evaluated.",
    ),
    "classes": (
        "NAME,…",
        "The classes of these columns, in their order.  "
        "[default: what is left of the columns' names without their common prefix]",
    ),
    "rubric": (
        "NAME,…",
        "Criteria to grade each answer on; --classes has the grades in words, and columns that begin or end "
        "with a criterion the grades of judges.",
    ),
    "score": ("COL", "Column with the probability of the class of interest, where there are two classes."),
    "predicted": ("COL", "Column with the predicted class; enough by itself."),
    "mean": ("COL", "Column with the predicted number."),
    "variance": ("COL", "Column with the variance of that number."),
    "id": ("COL", "Column with a unique ID for each row."),
    "cost": ("COL", "Column with the cost of labeling each row."),
    "cost_by": (
        "results|length",
        "In place of --cost: labels cost by the number of results to judge, or of words to read.",
    ),
    "group": ("COL", "Column with the group that each row belongs to."),
    "queries": ("FILE", "Of TREC runs: the queries' texts, lines of id, tab and text, or JSON lines."),
    "documents": ("FILE", "Of TREC runs: the documents' texts, in the same way."),
    "qrels": ("FILE", "Of TREC runs: earlier judgments, which are not asked again."),
    "compare": (
        "A,B,… | LOG | RUN,…",
        "Two models or more: what the names of their columns begin or end with. Of a log: the log of "
        "another system, with the same samples. Of a TREC run: other runs.",
    ),
    "ignore": ("COL,…", "Columns to leave out, whatever they look like."),
}
"""The options that name columns, as `Columns` has them; a test compares."""

_LISTS = {
    *("record", "pair", "conversation", "answer", "markdown", "plain"),
    *("proba", "votes", "classes", "rubric", "compare", "ignore"),
}


def _split(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """A list of names; one with a comma in it is put in double quotes."""
    if value is None:
        return None
    names = next(csv.reader([value], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def _two_numbers(
    _context: click.Context, _parameter: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    if value is None:
        return None
    try:
        low, high = map(float, value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} has to be two numbers, such as 0,5.") from None
    return low, high


def _list_measures(context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Tell of all measures there are, where that is asked."""
    if value == "list" and not context.resilient_parsing:
        from activeeval_widgets.stats.measures.by_name import named_measures

        of = {"class": "Classes", "value": "Numbers", "ranking": "Rankings"}
        width = max(len(named.name) for named in named_measures())
        for kind, heading in of.items():
            click.echo(f"{heading}:")
            for named in named_measures(kind):
                click.echo(f"  {named.name:<{width}} {named.tells}")
                if len(named.spellings) > 1:
                    click.echo(f"  {'':<{width}} also {', '.join(named.spellings[1:])}")
        context.exit()
    return value


def _of_a_column(name: str) -> Callable[[Command], Command]:
    metavar, text = COLUMNS[name]
    return click.option(
        f"--{name.replace('_', '-')}", metavar=metavar, help=text, callback=_split if name in _LISTS else None
    )


_SETTINGS: dict[str, Callable[[Command], Command]] = {
    "measure": click.option(
        "--measure",
        metavar="NAME",
        is_eager=True,
        callback=_list_measures,
        help="What to estimate: error-rate, f1, recall, squared-error, dcg@10, …; `list` shows them all.  "
        "[default: error-rate for classes, absolute-error for numbers, dcg for rankings]",
    ),
    "positive": click.option(
        "--positive", metavar="LABEL", help="The class of interest.  [default: the rarer one of two]"
    ),
    "budget": click.option(
        "--budget", type=click.IntRange(1), metavar="N", help="How many labels to ask for."
    ),
    "goal": click.option(
        "--goal",
        metavar="X",
        multiple=True,
        help='When to stop: 0.03 or 3% (margin of error), "30 minutes", "> 0.9" (once it is clear), "cost '
        '100". May be repeated.',
    ),
    "margin": click.option(
        "--margin",
        metavar="X",
        help="With --compare A,B: differences of less than this don't matter, such as 0.01, 1% or "
        '"1 point". Once it is known to be less, the labels are enough, too.',
    ),
    "y_range": click.option(
        "--y-range",
        metavar="LOW,HIGH",
        callback=_two_numbers,
        help="For numbers: the smallest and the largest possible label.",
    ),
    "name": click.option(
        "--name", help="The name of the session.  [default: the file's, without its ending]"
    ),
    "title": click.option("--title", help="The heading of the page.  [default: the file's name]"),
    "question": click.option("--question", help="What is asked about each instance."),
    "guidelines": click.option(
        "--guidelines",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="How to decide: a Markdown file to show beside the instance.",
    ),
    "hide_estimate": click.option(
        "--hide-estimate", is_flag=True, help="Keep the estimate and the model's predictions off the page."
    ),
    "ask_name": click.option(
        "--ask-name",
        is_flag=True,
        help="Ask on the page who labels, for several people without a login.",
    ),
    "owner": click.option(
        "--owner",
        metavar="NAME",
        help="With --hide-estimate: the login of someone who sees the estimate anyway.",
    ),
    "lease_minutes": click.option(
        "--lease-minutes",
        type=click.FloatRange(0, min_open=True),
        metavar="N",
        help="How long items stay reserved for someone who has gone quiet.  [default: 5]",
    ),
    "n_raters": click.option(
        "--n-raters",
        type=click.IntRange(1),
        metavar="N",
        help="How many people label each instance; the label of one of them, chosen at random, counts.  "
        "[default: 1]",
    ),
    "second_opinions": click.option(
        "--second-opinions",
        type=click.FloatRange(0, 1),
        metavar="SHARE",
        help="Share of instances, chosen at random, for which one more person is asked.  [default: 0]",
    ),
    "for_groups": click.option(
        "--for-groups", is_flag=True, help="With --group: draw enough for every group, small ones too."
    ),
    "seed": click.option(
        "--seed", type=click.IntRange(0), help="Seed of the draws.  [default: made from the session's name]"
    ),
    "protocol": click.option(
        "--protocol",
        type=click.Choice(["adaptive", "papers"]),
        help="How instances are drawn.  [default: adaptive]",
    ),
}

OPTIONS = (*COLUMNS, *_SETTINGS)
"""The names of all these options, as a command gets them."""


def evaluation_options(command: Command) -> Command:
    """Add all these options to a command; `given_settings` takes what it gets."""
    for option in reversed([*map(_of_a_column, COLUMNS), *_SETTINGS.values()]):
        command = option(command)
    return command


def options_named(*names: str) -> Callable[[Command], Command]:
    """What adds some of these options to a command."""

    def add(command: Command) -> Command:
        for name in reversed(names):
            command = (_of_a_column(name) if name in COLUMNS else _SETTINGS[name])(command)
        return command

    return add


def given_settings(file: Path, options: dict[str, Any]) -> EvaluationSettings:
    """What a file and the options ask for; an option counts more than what an evaluation.toml says."""
    from activeeval_widgets.formats import Columns
    from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
    from activeeval_widgets.formats.goal_text import read_goal, read_margin
    from activeeval_widgets.session.pool.readers import check_local

    given = {name: options[name] for name in OPTIONS if options.get(name) not in (None, (), False)}
    try:
        check_local(str(file))
    except ValueError as error:
        raise click.ClickException(f"{error}.") from error
    file = file.expanduser().absolute()
    if (file / "evaluation.toml").is_file():
        file = file / "evaluation.toml"
    columns = {name: value for name, value in given.items() if name in COLUMNS}
    others = {name: value for name, value in given.items() if name not in COLUMNS}
    if _is_run(file):
        columns |= _files_of_runs(columns)
        others.setdefault("measure", "ndcg@10")
    elif len(columns.get("compare", ())) == 1:
        columns |= _of_two_logs(columns["compare"][0], columns, others)
    try:
        if file.suffix.lower() == ".toml":
            settings = EvaluationSettings.read(file)
        else:
            settings = EvaluationSettings(file)
        if "goal" in others:
            others["goal"] = read_goal(others["goal"])
        if "margin" in others:
            others["margin"] = read_margin(others["margin"])
        return settings.with_(columns=Columns(**{**settings.columns.given(), **columns}), **others)
    except OSError as error:
        raise click.ClickException(
            f"{file} can't be read: {error.strerror}. Check its name and its folder"
        ) from error
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from error


def _of_two_logs(name: str, columns: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """What another log stands for: its path whatever the folder, and the labels that a win rate has."""
    found: dict[str, Any] = {"compare": (_wherever(name),)}
    is_win_rate = str(others.get("measure", "")).strip().lower().replace("_", "-") == "win-rate"
    if is_win_rate and "classes" not in columns:
        found["classes"] = ("A", "B", "tie")
    return found


def _is_run(file: Path) -> bool:
    from activeeval_widgets.formats.runs import is_run_file

    return is_run_file(file)


def _files_of_runs(columns: dict[str, Any]) -> dict[str, Any]:
    """The files beside a run by their paths, whatever the folder."""
    named: dict[str, Any] = {
        role: _wherever(columns[role]) for role in ("queries", "documents", "qrels") if role in columns
    }
    if "compare" in columns:
        named["compare"] = tuple(map(_wherever, columns["compare"]))
    return named


def _wherever(name: str) -> str:
    """A file by its path, whatever the folder; else the name as it was given."""
    path = Path(name).expanduser()
    return str(path.absolute()) if path.is_file() else name
