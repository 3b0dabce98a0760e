"""Formats a report as Markdown."""

from __future__ import annotations

import re

from activeeval_widgets.session.report.content import Report, Section


def as_markdown(report: Report) -> str:
    """Format a report as Markdown, without its plot."""
    head = [f"# {plain(report.title)}", plain(report.subtitle), f"**Question.** {plain(report.question)}"]
    said = filter(None, [report.confidence, *report.caveats])
    answer = " ".join([f"**{plain(report.answer)}**", *map(plain, said)])
    parts = [*head, answer, *(_section(section) for section in report.sections)]
    return "\n\n".join(parts) + "\n"


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
