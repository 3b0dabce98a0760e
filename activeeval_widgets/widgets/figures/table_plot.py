"""A table of intervals of models or groups as a plot, with one line for each, on a common scale."""

from collections.abc import Mapping
from typing import Any

_ROOM = 0.6
"""The margin above the first and below the last line, in lines."""


def table_plot(table: Mapping[str, Any], title: str) -> dict[str, Any]:
    """Return the plot description of a table."""
    rows = list(table["rows"])
    places = [float(len(rows) - i) for i in range(len(rows))]
    with_interval = [(row, y) for row, y in zip(rows, places, strict=True) if row["has_interval"]]
    with_value = [(row, y) for row, y in with_interval if row["at"] is not None]
    scale = table["scale"]
    vertical = [("whole", table.get("whole")), ("zero", table.get("zero"))]
    return {
        "heading": title,
        "note": table["summary"],
        "x": {
            "low": scale["low"],
            "high": scale["high"],
            "ticks": [list(tick) for tick in scale["ticks"]],
            "title": table["columns"][-1],
        },
        "y": {
            "low": 1 - _ROOM,
            "high": max(1, len(rows)) + _ROOM,
            "ticks": [[y, row["name"]] for row, y in zip(rows, places, strict=True)][::-1],
        },
        "bands": [],
        "curves": [
            *({"kind": "bar", "x": [row["low"], row["high"]], "y": [y, y]} for row, y in with_interval),
            *(
                {"kind": "ideal", "x": [at, at], "y": [1 - _ROOM, len(rows) + _ROOM]}
                for _, at in vertical
                if at is not None
            ),
        ],
        "lines": [],
        "points": [
            {"kind": row.get("color", "drawn"), "shape": "dot", "x": [row["at"]], "y": [y]}
            for row, y in with_value
        ],
        "sides": [],
        "legend": [["drawn", "estimate"], ["bar", "interval"]],
        "stops": [
            {
                "name": title,
                "by": "point",
                "x": [row["at"] for row, _ in with_value],
                "y": [y for _, y in with_value],
                "text": [f"{row['name']}: {row['value']}, {row['interval']}" for row, _ in with_value],
            }
        ],
        "summary": table["summary"],
        "columns": [],
        "rows": [],
    }
