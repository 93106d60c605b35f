"""TUPA as a scene extractor: an external command parses the sentences, and its output files are read.

TUPA (Hershcovich, Abend and Rappoport, ACL 2017) needs an old Python and libraries that conflict with ours, so it
runs as a separate program. ``SEMA_TUPA`` holds its command line up to and including the model, for example::

    SEMA_TUPA="/opt/tupa/venv/bin/python -m tupa -m /opt/tupa/models/ucca-bilstm"

to which ``-o OUTPUT_FOLDER INPUT_FOLDER`` is added: TUPA takes folders of passages, and writes ``PASSAGE_ID.xml`` for
each. The sentences go in as UCCA XML files with tokens and no units, whose tokens TUPA keeps. Any program with the same
interface that does so works.
"""

from __future__ import annotations

import glob
import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

from sema.errors import InputError, ResourceError
from sema.model.scene_graph import SceneGraph
from sema.options import LOCAL
from sema.runtime.checksums import digest_of, short_digest
from sema_ucca.ucca_xml import read_passage, write_file

VARIABLE = "SEMA_TUPA"


class TupaExtractor:
    """A ``SceneExtractor`` that runs TUPA once for all the sentences of a call."""

    def __init__(
        self,
        *,
        command: Annotated[str | None, "TUPA's command line with its model; none: that of SEMA_TUPA", LOCAL] = None,
    ) -> None:
        """Raises ``ResourceError`` if there is no command, or if it cannot be split into shell words."""
        command = os.environ.get(VARIABLE, "") if command is None else command
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ResourceError(f"the TUPA command cannot be read ({error}): {command}; correct {VARIABLE}") from error
        if not self._command:
            raise ResourceError(f'set {VARIABLE} to a TUPA command, for example "python -m tupa -m models/ucca-bilstm"')
        words = " ".join(Path(word).name for word in self._command)
        # a model is named by what its files' names begin with
        named = (glob.glob(glob.escape(word) + end) for word in self._command for end in ("", ".*"))
        files = [file for file in map(Path, sorted({*chain(*named)})) if file.is_file()]
        self.signature = f"tupa({words})+{short_digest([*self._command, digest_of(*files)])}"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence, over exactly its tokens; a sentence without tokens gives an empty graph.

        ``ResourceError`` if the command cannot be started, fails (with the last line it printed), or leaves out or
        garbles a sentence; ``InputError`` if a token has a character that XML cannot carry.
        """
        graphs = [SceneGraph(words) for words in sentences]
        waiting = [number for number, words in enumerate(sentences) if words]
        if not waiting:
            return graphs
        with tempfile.TemporaryDirectory(prefix="sema-tupa-") as folder:
            given, parsed = Path(folder, "in"), Path(folder, "out")
            given.mkdir()
            parsed.mkdir()
            for number in waiting:
                write_file(graphs[number], given / f"{number:05d}.xml")
            self._run([*self._command, "-o", str(parsed), str(given)])
            for number in waiting:
                graphs[number] = self._read(parsed / f"{number:05d}.xml", number, sentences[number])
        return graphs

    def _run(self, command: list[str]) -> None:
        try:
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ResourceError(f"TUPA cannot be started: {command[0]}: {reason}; correct {VARIABLE}") from error
        if done.returncode:
            lines = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace").splitlines()
            last = " ".join(lines[-1].split())[:300] if lines else "it printed nothing"
            raise ResourceError(f"the TUPA command ended with status {done.returncode}: {last}")

    def _read(self, file: Path, number: int, words: Sequence[str]) -> SceneGraph:
        if not file.exists():
            raise ResourceError(f"TUPA wrote nothing for sentence {number + 1}; see that {VARIABLE} writes UCCA XML")
        try:
            graph = read_passage(file)
            if graph.tokens != tuple(words):
                raise InputError(f"its tokens are {' '.join(graph.tokens)[:80]!r}, not those of the sentence")
            return graph
        except InputError as error:
            where = "" if error.line is None else f" (line {error.line})"
            message = f"TUPA's output for sentence {number + 1} is unusable{where}: {error.message}"
            raise ResourceError(message) from error
