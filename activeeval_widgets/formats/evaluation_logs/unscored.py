"""Report the samples that the evaluated scorer left without a score."""

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.evaluation_logs.log_columns import LogColumns
from activeeval_widgets.formats.options import flag
from activeeval_widgets.formats.problems import typed
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.stats.text import counted, listed

_LISTED = 5


def report_unscored(table: FileTable, log: LogColumns, columns: Columns) -> None:
    """Report each evaluated scorer with gaps once, with the samples' ids; a log's rows are seen nowhere."""
    for name in log.scorers_of(columns):
        scorer = log.scorers[name]
        cells = next(iter(scorer.columns.values()))
        ids = [row for row, cell in zip(table.strings("id").to_pylist(), cells, strict=True) if cell is None]
        if not ids:
            continue
        remedy = "Score them with the tool, or name another scorer."
        if scorer.verdicts is not None:
            remedy += f" A scorer that only votes ({flag('votes')} {typed(name)}) may leave samples out."
        table.report(
            f"the scorer {name!r} has no score for {counted(len(ids), 'samples')}: {listed(ids, _LISTED)}",
            remedy,
        )
