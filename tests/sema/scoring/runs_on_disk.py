"""Items of two systems for runs of five chunks, the last of which is shorter."""

from collections.abc import Callable
from pathlib import Path

from sema import Run, Scorer
from tests.esperanto import WordCount, esperanto

SOURCES = [f"La {'bela ' * (number % 3)}kato dormas. Mi vidas {number} domojn." for number in range(13)] + [""]
OUTPUTS = {"ours": ["Mi vidas domojn.", *(text.replace("bela ", "") for text in SOURCES[1:])], "copy": SOURCES}
REFERENCES = [[text or "Mi."] for text in SOURCES]
CHUNKS = ["00000.jsonl", "00002.jsonl", "00004.jsonl"]
"""The first of the five chunks, the one in the middle, and the last."""
METRICS: list[str | WordCount] = ["sari", "samsa", WordCount()]
Progress = Callable[[int, int], None]


def score(folder: Path, *, last: int = len(SOURCES), progress: Progress | None = None, **how: bool) -> Run:
    """Score so many of the last items."""
    outputs = {name: texts[-last:] for name, texts in OUTPUTS.items()}
    scorer = Scorer(esperanto(), METRICS)
    return scorer.write(folder, SOURCES[-last:], outputs, REFERENCES[-last:], progress=progress, **how)
