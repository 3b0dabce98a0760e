"""Formats a report as Markdown."""

from __future__ import annotations

import re

from activeeval_widgets.session.report.content import Report, Section


def as_markdown(report: Report) -> str:
    """Format a report as Markdown, without its plot."""
    question = f"**Question.** {plain(report.question)}" if report.question else ""
    sentences = map(plain, filter(None, [report.confidence, *report.caveats]))
    answer = " ".join([f"**{plain(report.answer)}**" if report.answer else "", *sentences])
    head = [f"# {plain(report.title)}", plain(report.subtitle), question, answer]
    return "\n\n".join([*filter(None, head), *map(_section, report.sections)]) + "\n"


def _section(section: Section) -> str:
    lines = [f"## {plain(section.heading)}", "\n\n".join(map(plain, section.paragraphs))]
    lines.append(
        "\n".join(
            [
                *(f"- {plain(name)}: {plain(value)}" for name, value in section.rows),
                *(f"- {plain(item)}" for item in section.items),
            ]
        )
    )
    return "\n\n".join(filter(None, lines))


def plain(text: str) -> str:
    """Escape text as one line of plain Markdown."""
    line = " ".join(str(text).split())
    escaped = re.sub(r"[\\`*_{}\[\]<>|~]|&(?=#?\w+;)|^[#+-]", r"\\\g<0>", line)
    return re.sub(r"^(\d+)([.)])(?= |$)", r"\1\\\2", escaped)
