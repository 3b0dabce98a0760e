"""Measures of rankings by their names in `ir_measures`."""

import ast
import re

_NAMES = {
    "P": "precision",
    "R": "recall",
    "RR": "reciprocal-rank",
    "MRR": "reciprocal-rank",
    "AP": "mean-average-precision",
    "MAP": "mean-average-precision",
    "nDCG": "ndcg",
    "NDCG": "ndcg",
    "DCG": "dcg",
    "ERR": "err",
}
"""Our names of measures with the same definition; for AP and RR, the mean over queries."""

_GAINS = {"log2": "linear", "exp-log2": "exponential"}

_OF_GRADES = ("nDCG", "NDCG", "DCG", "ERR")

_PATTERN = re.compile(r"(\w+)(?:\((.*)\))?(?:@(\d+))?")


def from_ir_measures(name: str) -> tuple[str, dict[str, object]] | None:
    """Return our name of a measure of `ir_measures`, and its options; None for other names.

    "nDCG" has linear gains, the default of `ir_measures` and trec_eval. "ERR" there has gdeval's largest
    grade, 4; here it is the largest of the grades, unless `ERR(max_grade=4)` is given. "AP" is the average
    precision of a class if there are classes; for rankings, `chosen_measure` uses it as in `ir_measures`.
    """
    match = _PATTERN.fullmatch(str(name).strip())
    if match is None or match[1] not in _NAMES or match[0] == "AP":  # that is also a measure of classes
        return None
    options: dict[str, object] = {}
    for part in filter(None, (each.strip() for each in (match[2] or "").split(","))):
        option, _, text = part.partition("=")
        try:
            value = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError):
            value = text.strip()
        if option.strip() == "rel" and isinstance(value, int) and match[1] not in _OF_GRADES:
            options["relevant_from"] = value
        elif option.strip() == "dcg" and value in _GAINS and match[1] in ("nDCG", "NDCG"):
            if _GAINS[value] != "linear":
                options["gain"] = _GAINS[value]
        else:
            raise ValueError(
                f"measure {name!r} has the option {part!r}, which is not known here: rel=2, for the least "
                "grade of what is relevant, and dcg='exp-log2' of nDCG are"
            )
    return _NAMES[match[1]] + (f"@{match[3]}" if match[3] else ""), options
