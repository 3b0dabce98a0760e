"""`plan`: how many labels a margin of error will take, before there is any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from activeeval_widgets.app.evaluation_options import evaluation_options, given_settings, goals_given
from activeeval_widgets.app.given_once import Command
from activeeval_widgets.app.options import store_option
from activeeval_widgets.app.user_code import SUFFIXES

if TYPE_CHECKING:
    from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
    from activeeval_widgets.session import Goal, Session
    from activeeval_widgets.widgets.start.plans import PlannedWidth


def _half_widths(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, float]:
    """Return the margins by their texts."""
    from activeeval_widgets.formats.goal_text import read_goal

    found = {}
    for value in values:
        try:
            goal = read_goal(value)
        except (ValueError, TypeError):
            goal = None
        if goal is None or goal.half_width is None:
            raise click.BadParameter(f"{value!r} has to be a margin of error above 0, such as 0.03 or 3%.")
        found[value] = goal.half_width
    return found


@click.command("plan", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--half-width",
    "margins",
    metavar="X",
    multiple=True,
    callback=_half_widths,
    help="The margin of error that is wanted: 0.03 or 3%. May be repeated.  [default: that of --goal, else "
    "2, 1 and 0.4 times the one that the page begins with]",
)
@click.option(
    "--price-of-vote",
    metavar="X",
    type=click.FloatRange(0),
    help="The price of a row's votes, where some rows of --votes have none yet; with --price-of-label.",
)
@click.option(
    "--price-of-label",
    metavar="X",
    type=click.FloatRange(0, min_open=True),
    help="The price of a label, in the same unit.",
)
@evaluation_options
@store_option
def command(
    file: Path,
    store: str | None,
    margins: dict[str, float],
    price_of_vote: float | None,
    price_of_label: float | None,
    **options: Any,
) -> None:
    """Say how many labels a margin of error will take, with the model's help and without.

    FILE and the options are those of `serve`; nothing is served or stored. The margin is that of the interval
    that may be watched, at the level of --confidence. Before the first label only the model tells how often
    it is wrong, so the answer is a range; on the page, every label corrects it.

    With two prices, say how many votes of judges and how many labels are cheapest; with --after, how many
    more, where the labels of that session go on.
    """
    from activeeval_widgets.app.file_check import check_file, print_report
    from activeeval_widgets.app.printable import printable
    from activeeval_widgets.session import Goal
    from activeeval_widgets.stats.questions.target import Target
    from activeeval_widgets.widgets.start.plans import asked_instead, planned_widths

    if (price_of_vote is None) != (price_of_label is None):
        one, other = ("vote", "label") if price_of_label is None else ("label", "vote")
        raise click.UsageError(f"--price-of-{one} needs --price-of-{other}, in the same unit")
    if file.suffix.lower() in SUFFIXES:
        raise click.UsageError(
            f"{file.name} is a Python file or a notebook, and FILE has to be a table of predictions or an "
            "evaluation.toml. There, activeeval_widgets.stats.Planner gives a plan"
        )
    settings = given_settings(file, options)
    print_report(check_file(settings, goals={"--half-width": tuple(margins), **goals_given(options)}))
    session = settings.make_session(after=_earlier(settings, store))
    try:
        session.question.expect(
            Target,
            "a plan",
            remedy="before the first label nobody knows which models to tell apart. Compare two of them, or "
            "begin: the page shows the progress",
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    half_widths = tuple(margins.values()) or _usual_widths(session, settings.goal)
    if price_of_vote is not None and price_of_label is not None:
        _plan_votes(session, half_widths, price_of_vote, price_of_label)
        return
    click.echo()
    planned = planned_widths(session, half_widths)
    for each in planned:
        for line in _lines(session, each):
            click.echo(line)
    if advice := asked_instead(session):
        click.echo(advice)
    if any(each.plan.n_labels < inf for each in planned):
        given = {} if settings.goal is None else asdict(settings.goal)
        goal = Goal(**{**given, "half_width": half_widths[0 if margins else len(half_widths) // 2]})
        click.echo("The page corrects this with every label. To begin:")
        click.echo(f"  {printable(settings.with_(goal=goal).command(folder=Path.cwd()))}")


def _usual_widths(session: Session, goal: Goal | None) -> tuple[float, ...]:
    """Return the goal's margin, or the page's between a wider and a narrower one."""
    from activeeval_widgets.widgets.start.plans import rounded_width, usual_width

    if goal is not None and goal.half_width is not None:
        return (goal.half_width,)
    usual = usual_width(session)
    if usual is None:
        raise click.UsageError(
            "nothing is known yet about the spread of the labels: name a margin of error with --half-width"
        )
    return tuple(rounded_width(usual * factor) for factor in (2, 1, 0.4))


def _earlier(settings: EvaluationSettings, store: str | None) -> Session | None:
    """Return the session that the settings follow, from the store that `serve` would take."""
    from activeeval_widgets.app.commands.serve import default_store_of
    from activeeval_widgets.app.file_check import earlier_store
    from activeeval_widgets.app.pages.evaluation import earlier_session

    if settings.after is None:
        return None
    try:
        return earlier_session(settings, earlier_store(str(store or default_store_of(settings))))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _plan_votes(session: Session, half_widths: Sequence[float], vote: float, label: float) -> None:
    """Print what is cheapest for each margin."""
    from activeeval_widgets.formats.option_messages import in_terms_of_files
    from activeeval_widgets.widgets.start.vote_plans import planned_votes, vote_plan_lines

    try:
        plans = [
            planned_votes(session, each, price_of_vote=vote, price_of_label=label) for each in half_widths
        ]
    except (ValueError, TypeError) as error:
        raise click.UsageError(in_terms_of_files(str(error))) from error
    click.echo()
    for half_width, plan in zip(half_widths, plans, strict=True):
        for line in (_heading(session, half_width), *vote_plan_lines(session, plan)):
            click.echo(line)
    if session.pool.known is None and session.log.state.after is None:
        click.echo(
            "Nobody knows yet how good the votes are: some labels (--labels) of rows with votes would tell."
        )


def _heading(session: Session, half_width: float) -> str:
    from activeeval_widgets.widgets.wording.measures import format_width

    name = session.measure.long_name
    return f"{name[:1].upper()}{name[1:]} {format_width(session.measure, half_width)}:"


def _lines(session: Session, planned: PlannedWidth) -> list[str]:
    """Return the lines about one margin."""
    from activeeval_widgets.stats.text import duration
    from activeeval_widgets.widgets.start.plans import assumed_seconds, labels_in_words

    heading = _heading(session, planned.half_width)
    if isnan(planned.plan.n_labels):
        return [f"{heading} nothing is known yet; the first labels will tell."]
    # Without a model, uniform draws are no worse.
    rows = [("as drawn here", planned.plan), ("drawn uniformly, without the model", planned.uniform)]
    if not all(model.is_model for model in session.models):
        rows = rows[:1]
    lines = [heading]
    for drawn, plan in rows:
        time = ""
        if plan.n_labels < inf and not plan.is_vague:
            time = f", {duration(plan.n_labels * assumed_seconds(session, plan))}"
        lines.append(f"  {drawn}: {labels_in_words(session, plan)}{time}")
    return lines
