"""What scoring loads: the table is the scene graph, and its networkx view is made only for users."""

import json
import subprocess
import sys

import pytest

SCORE = """
import json, sys
import sema
scored = sema.Scorer(sys.argv[1], ["sema", "samsa", "meaning"]).score([sys.argv[2]], [sys.argv[2]])
names = ("networkx", "stanza", "nltk", "simalign", "torch", "transformers")
print(json.dumps([scored.systems[0].scores["sema"], [name for name in names if name in sys.modules]]))
"""


@pytest.mark.parametrize(("language", "text"), [("en", "The old man bought a car."), ("zh", "老人买了一辆车。")])
def test_the_default_metrics_load_no_graph_library_and_no_other_parser(language: str, text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCORE, language, text], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert json.loads(done.stdout) == [100.0, []]
