"""What scoring loads: the table is the scene graph, and its networkx view is made only for users."""

import json
import subprocess
import sys

SCORE = """
import json, sys
import sema
texts = {"en": "The old man bought a car.", "zh": "老人买了一辆车。"}
scored = [sema.Scorer(lang, ["sema", "samsa", "meaning"]).score([text], [text]) for lang, text in texts.items()]
names = ("networkx", "stanza", "nltk", "simalign", "torch", "transformers")
loaded = [name for name in names if name in sys.modules]
print(json.dumps([[report.systems[0].scores["sema"] for report in scored], loaded]))
"""


def test_the_default_metrics_load_no_graph_library_and_no_other_parser() -> None:
    done = subprocess.run([sys.executable, "-c", SCORE], capture_output=True, text=True, encoding="utf-8", check=True)
    assert json.loads(done.stdout) == [[100.0, 100.0], []]
