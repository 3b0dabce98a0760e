"""Options for the contents of a file of predictions, and for what is estimated."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from activeeval_widgets.formats.columns import COLUMN_OPTIONS, FILES, Columns
from activeeval_widgets.formats.evaluation_settings import SETTING_OPTIONS, EvaluationSettings
from activeeval_widgets.formats.options import SettingOption, flag

Command = Callable[..., Any]


def _split(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Split lists of names, one for each time that the option is given; a name with a comma is quoted."""
    names = [name for row in csv.reader(values, skipinitialspace=True) for name in row]
    return tuple(name.strip() for name in names if name.strip()) if values else None


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
    """Print all measures if asked for, and exit."""
    if value == "list" and not context.resilient_parsing:
        from activeeval_widgets.stats.measures.measure_names import named_measures

        of = {"class": "Classes", "value": "Numbers", "ranking": "Rankings"}
        width = max(len(named.name) for named in named_measures())
        for kind, heading in of.items():
            click.echo(f"{heading}:")
            for named in named_measures(kind):
                click.echo(f"  {named.name:<{width}} {named.summary}")
                if len(named.aliases) > 1:
                    click.echo(f"  {'':<{width}} also {', '.join(named.aliases[1:])}")
        context.exit()
    return value


_CALLBACKS = {"measure": _list_measures, "y_range": _two_numbers}


def _of_a_column(name: str) -> Callable[[Command], Command]:
    """Make the option for a role of columns."""
    option = COLUMN_OPTIONS[name]
    return click.option(
        flag(name),
        metavar=option.metavar,
        help=option.help,
        multiple=option.is_list,
        callback=_split if option.is_list else None,
    )


def _of_a_setting(name: str) -> Callable[[Command], Command]:
    """Make the option for a setting."""
    option = SETTING_OPTIONS[name]
    if option.is_flag:
        return click.option(flag(name), is_flag=True, help=option.help)
    return click.option(
        flag(name),
        metavar=option.metavar,
        help=option.help,
        type=_type_of(option),
        multiple=option.is_repeated,
        is_eager=name == "measure",
        callback=_CALLBACKS.get(name),
    )


def _type_of(option: SettingOption) -> click.ParamType[Any] | None:
    """Return the type that parses a value; None for a text that is parsed later."""
    if option.choices:
        return click.Choice(option.choices)
    if option.least is not None:
        is_whole = option.types == (int,)
        ends = click.IntRange if is_whole else click.FloatRange
        return ends(option.least, option.most, min_open=option.is_above_least)
    return click.Path(path_type=Path) if Path in option.types else None


OPTIONS = (*COLUMN_OPTIONS, *SETTING_OPTIONS)
"""The names of all these options, as a command's keywords."""


def evaluation_options(command: Command) -> Command:
    """Add all these options to a command; `given_settings` converts their values."""
    for option in reversed([*map(_of_a_column, COLUMN_OPTIONS), *map(_of_a_setting, SETTING_OPTIONS)]):
        command = option(command)
    return command


def options_named(*names: str) -> Callable[[Command], Command]:
    """Return a decorator that adds some of these options to a command."""

    def add(command: Command) -> Command:
        for name in reversed(names):
            command = (_of_a_column if name in COLUMN_OPTIONS else _of_a_setting)(name)(command)
        return command

    return add


def options_given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of these options that were given, among a command's keywords."""
    return {name: options[name] for name in OPTIONS if options.get(name) not in (None, (), False)}


def goals_given(options: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Return the texts of the options that may be percentages of a measure, by option."""
    margin = options.get("margin")
    return {"--goal": options.get("goal") or (), "--margin": () if margin is None else (margin,)}


def given_settings(file: Path, options: dict[str, Any]) -> EvaluationSettings:
    """Make settings from a file and options; options override an evaluation.toml."""
    from activeeval_widgets.formats.goal_text import read_goal, read_margin
    from activeeval_widgets.session.pool.readers import check_local

    given = options_given(options)
    try:
        check_local(str(file))
    except ValueError as error:
        raise click.ClickException(f"{error}.") from error
    file = file.expanduser().absolute()
    columns = {name: value for name, value in given.items() if name in COLUMN_OPTIONS}
    others = {name: value for name, value in given.items() if name not in COLUMN_OPTIONS}
    if _is_run(file):
        columns |= _files_of_runs(columns)
        others.setdefault("measure", "ndcg@10")
    elif len(columns.get("compare", ())) == 1 and "compare_by" not in columns:
        columns |= {"compare": (_absolute_path(columns["compare"][0]),), **_labels_of_two(columns, others)}
    elif "compare_by" in columns:
        columns |= _labels_of_two(columns, others)
    try:
        settings = EvaluationSettings.of(file)
        if "after" in others:
            others["after"] = _absolute_path(others["after"])
        if "goal" in others:
            others["goal"] = read_goal(others["goal"])
        if "margin" in others:
            others["margin"] = read_margin(others["margin"])
        return settings.with_(columns=Columns(**{**settings.columns.named_options(), **columns}), **others)
    except OSError as error:
        raise click.ClickException(
            f"{file} can't be read: {error.strerror}. Check its name and its folder"
        ) from error
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from error


def _labels_of_two(columns: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """Return the labels for the win rate of two systems in logs."""
    is_win_rate = str(others.get("measure", "")).strip().lower().replace("_", "-") == "win-rate"
    return {"classes": ("A", "B", "tie")} if is_win_rate and "classes" not in columns else {}


def _is_run(file: Path) -> bool:
    from activeeval_widgets.formats.trec import is_run_file

    return is_run_file(file)


def _files_of_runs(columns: dict[str, Any]) -> dict[str, Any]:
    """Return the options that name files for a run, with absolute paths."""
    named: dict[str, Any] = {role: _absolute_path(columns[role]) for role in FILES if role in columns}
    if "compare" in columns:
        named["compare"] = tuple(map(_absolute_path, columns["compare"]))
    return named


def _absolute_path(name: str) -> str:
    """Return a file's absolute path; a name that is no file stays as it is."""
    path = Path(name).expanduser()
    return str(path.absolute()) if path.is_file() else name
