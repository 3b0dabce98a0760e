"""The content of a report, independent of the format."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Section:
    """A section of a report: paragraphs, rows of a table with two columns, or a list."""

    heading: str
    paragraphs: list[str] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    items: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """The content of a report in plain text, independent of the format; the plot is SVG."""

    title: str
    subtitle: str
    question: str
    answer: str
    confidence: str
    caveats: tuple[str, ...]
    plot: str
    sections: list[Section]
    caption: str = ""
