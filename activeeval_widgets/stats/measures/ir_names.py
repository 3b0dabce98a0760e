"""Measures of rankings by the names that `ir_measures` gives them."""

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
"""Our names for those measures that have the same definition; of AP and RR, the mean over queries."""

_GAINS = {"log2": "linear", "exp-log2": "exponential"}

_OF_GRADES = ("nDCG", "NDCG", "DCG", "ERR")

_PATTERN = re.compile(r"(\w+)(?:\((.*)\))?(?:@(\d+))?")


def from_ir_measures(name: str) -> tuple[str, dict[str, object]] | None:
    """Our name for a measure of `ir_measures`, and its options; None where it is no such name.

    Notes
    -----
    "nDCG" has linear gains, as `ir_measures` and trec_eval have them unless it is said. "ERR" there has
    gdeval's largest grade, 4; here it is the largest of the grades, unless `ERR(max_grade=4)` is said. "AP"
    alone is average precision of a class where there are classes; of rankings, `chosen_measure` takes it as
    `ir_measures` means it.
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
