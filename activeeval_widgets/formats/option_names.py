"""Messages in the terms of a file and its command line, where they are written in those of Python."""

import re

_OPTIONS = ("y_range", "n_raters", "second_opinions", "for_groups", "cost_by", "lease_minutes")
_MEASURES = (("WithinTolerance", "within-tolerance"), ("ClippedSquaredError", "clipped-squared-error"))


def in_terms_of_files(text: str) -> str:
    """A message with options in place of arguments, and measures by what `--measure` takes."""
    text = re.sub(rf"(?<![\w-])({'|'.join(_OPTIONS)})\b", lambda name: f"--{name[1].replace('_', '-')}", text)
    for name, measure in _MEASURES:
        text = re.sub(rf"\b{name}\(([^()]*)\)", rf"--measure {measure}@\1", text)
    return text.replace("(--y-range, or --y-range)", "(--y-range)")
