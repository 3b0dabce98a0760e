"""Formats a report as a self-contained HTML page without scripts, ready for printing."""

from __future__ import annotations

from html import escape

from activeeval_widgets.session.report.content import Report, Section

_STYLE = """
:root { color-scheme: light; }
body { max-width: 720px; margin: 40px auto; padding: 0 24px; background: #fff; color: #1a1c20;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 20px; }
h2 { margin: 28px 0 6px; font-size: 15px; }
p { margin: 6px 0; }
.subtitle, .question { color: #5c626c; }
.answer { margin: 22px 0 4px; font-size: 26px; font-weight: 700; line-height: 1.25; }
.confidence { font-size: 17px; }
.caveat { color: #a3420b; }
svg { display: block; width: 100%; margin: 22px 0 0; font: 12px system-ui, "DejaVu Sans", sans-serif; }
svg text { fill: #5c626c; }
svg .grid { stroke: #e5e7eb; }
svg .band { fill: #2f6fd0; fill-opacity: 0.16; }
svg .approximate { fill: #2f6fd0; fill-opacity: 0.36; }
svg .estimate { fill: none; stroke: #1f5fbf; stroke-width: 2; }
svg .zero { stroke: #5c626c; }
svg .goal { stroke: #a3420b; stroke-dasharray: 5 4; }
figcaption { color: #5c626c; font-size: 13px; }
figure { margin: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 5px 0; border-bottom: 1px solid #e5e7eb; text-align: left; vertical-align: top;
  font-weight: 400; }
th { width: 34%; padding-right: 16px; color: #5c626c; }
td { font-variant-numeric: tabular-nums; }
ul { margin: 6px 0; padding-left: 20px; }
/* On a phone the plot is scrolled, so that its words can be read. */
@media (max-width: 600px) {
  figure { overflow-x: auto; }
  svg { min-width: 640px; }
}
@page { margin: 18mm; }
@media print {
  body { max-width: none; margin: 0; padding: 0; font-size: 11pt; -webkit-print-color-adjust: exact;
    print-color-adjust: exact; }
  h2 { break-after: avoid; }
  figure, tr, p, li { break-inside: avoid; }
}
"""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_html(report: Report) -> str:
    """Format a report as an HTML page; all content is escaped."""
    title = _text(report.title)
    figure = ""
    if report.plot:
        figure = (
            f'<figure tabindex="0">{report.plot}<figcaption>{_text(report.caption)}</figcaption></figure>'
        )
    head = [
        f"<h1>{title}</h1>",
        f'<p class="subtitle">{_text(report.subtitle)}</p>',
        f'<p class="question">{_text(report.question)}</p>' if report.question else "",
        f'<p class="answer">{_text(report.answer)}</p>' if report.answer else "",
        f'<p class="confidence">{_text(report.confidence)}</p>' if report.confidence else "",
        *(f'<p class="caveat">{_text(caveat)}</p>' for caveat in report.caveats),
        figure,
    ]
    body = "\n".join([*filter(None, head), *(_section(section) for section in report.sections)])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        "</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [f"<h2>{_text(section.heading)}</h2>"]
    parts += [f"<p>{_text(paragraph)}</p>" for paragraph in section.paragraphs]
    if section.rows:
        rows = "".join(
            f'<tr><th scope="row">{_text(name)}</th><td>{_text(value)}</td></tr>'
            for name, value in section.rows
        )
        parts.append(f"<table>{rows}</table>")
    if section.items:
        parts.append("<ul>" + "".join(f"<li>{_text(item)}</li>" for item in section.items) + "</ul>")
    return f"<section>{''.join(parts)}</section>"


def _text(text: str) -> str:
    return escape(str(text))
