"""What a report holds, in words that are the same in every format."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Section:
    """A part of a report: paragraphs, or rows of a table with two columns, or a list.

    Attributes
    ----------
    heading : str
    paragraphs, items : list of str
    rows : list of tuple of two str
    """

    heading: str
    paragraphs: list[str] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    items: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """A report, in words that are the same in every format. Nothing in it is markup.

    Attributes
    ----------
    title, subtitle, question, answer, confidence : str
    caveats : tuple of str
    plot : str
        An SVG.
    sections : list of Section
    """

    title: str
    subtitle: str
    question: str
    answer: str
    confidence: str
    caveats: tuple[str, ...]
    plot: str
    sections: list[Section]
