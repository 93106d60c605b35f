"""``df.sema``: scores of a table's rows. Import this module once; pandas then knows the accessor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas

from sema.scoring.results import Report
from sema.scoring.scorer import Scorer


@pandas.api.extensions.register_dataframe_accessor("sema")
class SemaAccessor:
    """The accessor.

    >>> import sema.plugs.pandas
    >>> frame.sema.score("original", "simplified", metrics=["sema"])      # a column for each metric, the same rows
    >>> frame.sema.report("original", ["ours", "theirs"]).systems         # corpus scores of several systems
    """

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def score(self, source: str, output: str, references: str | Sequence[str] | None = None, **scoring: Any) -> Any:
        """The scores of every row, under the table's own index; NaN for rows that cannot be scored.

        Args:
            source, output: names of columns.
            references: a column of references (texts or lists of them), or several columns of texts.
            scoring: arguments of :class:`sema.Scorer`.
        """
        report = self.report(source, [output], references, **scoring)
        return report.to_frame()[list(report.metrics)].astype(float).set_axis(self._frame.index)

    def report(
        self, source: str, outputs: Sequence[str], references: str | Sequence[str] | None = None, **scoring: Any
    ) -> Report:
        """The report of several columns of outputs, each a system; rows that cannot be scored carry their errors."""
        columns = references if references is None or isinstance(references, str) else list(references)
        given = None if columns is None else self._frame[columns].to_numpy().tolist()
        systems = {name: self._frame[name].tolist() for name in outputs}
        return Scorer(**scoring).score(self._frame[source].tolist(), systems, given, collect_errors=True)
