"""Write tasks for other labeling tools and read their labels: spreadsheets, Label Studio, Prodigy."""

from activeeval_widgets.formats.tasks.task_formats import (
    FORMATS,
    annotations,
    format_of,
    read_answers,
    write_tasks,
)

__all__ = ["FORMATS", "annotations", "format_of", "read_answers", "write_tasks"]
