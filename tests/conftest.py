"""The command line as a user runs it, and an outside package that adds a language."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
Run = Callable[..., subprocess.CompletedProcess[str]]

ESPERANTO = '''
import re
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner
from sema import Language, SceneGraph, Text

class Segmenter:
    signature = "esperanto:1"
    def segment(self, texts):
        return [self.split(text) for text in texts]
    def split(self, text):
        sentences = re.findall(r"[^.!?]+[.!?]*", text)
        return Text.from_sentences(re.findall(r"\\\\w+|[^\\\\w\\\\s]", sentence) for sentence in sentences)

class Extractor:
    """Verbs end in -as, -is, -os; the nouns (-o, -oj, -on) and pronouns around one are its Participants."""
    signature = "endings:1"
    def extract(self, sentences):
        return [self.graph(words) for words in sentences]
    def graph(self, words):
        graph = SceneGraph(words)
        scene = None
        for index, word in enumerate(words):
            if re.fullmatch(r"\\\\w+[aio]s", word):
                scene = scene or graph.add_child(graph.root, "H")
                graph.add_child(scene, "P", tokens=[index])
        for index, word in enumerate(words):
            if scene and re.fullmatch(r"\\\\w+oj?n?|mi|vi|li|si", word.lower()):
                graph.add_child(scene, "A", tokens=[index])
        return graph

def esperanto():
    return Language("eo", "Esperanto", Segmenter, {"endings": Extractor}, {"rules": lambda: RuleAligner(WordRelations())})
'''.replace("\\\\", "\\")

WORD_COUNT = """
from typing import Annotated
from sema import MeanMetric

class WordCount(MeanMetric):
    name = "words"
    description = "words in the output"
    higher_is_better = False
    range = (0.0, float("inf"))
    def __init__(self, *, least: Annotated[int, "letters that a word must have"] = 0):
        self.least = least
    def scores(self, items):
        return [sum(len(word) >= self.least for word in item.output.words) for item in items]
"""


@pytest.fixture(scope="session")
def outside_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip installed a wheel of an outside package into: a language and a metric."""
    folder = tmp_path_factory.mktemp("outside")
    wheel = folder / "sema_eo-0.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("sema_eo.py", ESPERANTO + WORD_COUNT)
        info = "sema_eo-0.1.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: sema-eo\nVersion: 0.1\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(
            f"{info}/entry_points.txt",
            "[sema.languages]\neo = sema_eo:esperanto\n[sema.metrics]\nwords = sema_eo:WordCount\n",
        )
        names = [name for name in archive.namelist()]
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*names, f"{info}/RECORD"]))
    site = folder / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(site)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return site


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``sema`` in an empty folder; ``site`` adds a folder of installed packages."""

    def call(*arguments: str, site: Path | None = None, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        paths = [str(ROOT), str(ROOT / "parsers"), str(ROOT / "lexicons"), *([str(site)] if site else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "sema", *arguments],
            cwd=tmp_path,
            env=environment,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            timeout=300,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
