import pytest
import sacrebleu

from tests.commands import printed, write
from tests.conftest import Run

SOURCE = ["The committee deliberated at length.", "It was, however, adjourned.", "Nobody objected to it."]
FIRST = ["The group talked for long.", "But it was put off.", "Nobody was against it."]
SECOND = ["The committee deliberated.", "It was, however, adjourned.", "Nobody objected."]
REFERENCE = ["The group talked for a long time.", "But it was put off.", "No one was against it."]
COMPARE = [
    "compare",
    "--lang",
    "en",
    "-s",
    "source",
    "-o",
    "a.txt",
    "-o",
    "b.txt",
    "-r",
    "reference",
    "--samples",
    "20",
]


@pytest.fixture
def compare(command: Run) -> Run:
    for name, lines in {"source": SOURCE, "a.txt": FIRST, "b.txt": SECOND, "reference": REFERENCE}.items():
        write(name, "\n".join(lines) + "\n")
    return lambda *more: command(*COMPARE, *more)


def test_json_has_scores_intervals_significance_and_wins(compare: Run) -> None:
    result = printed(compare("--metrics", "bleu,sari", "--json"))
    first, second = result["systems"]
    assert (first["name"], second["name"]) == ("a.txt", "b.txt")
    bleu = first["scores"]["bleu"]
    assert bleu["value"] == pytest.approx(sacrebleu.corpus_bleu(FIRST, [REFERENCE]).score, abs=1e-10)
    assert bleu["low"] <= bleu["value"] <= bleu["high"]
    pair = result["pairs"][0]
    assert pair["metric"] == "bleu" and sorted(pair["first_wins"]) == [0, 1, 2]
    assert 0 < pair["difference"]["p_randomization"] <= 1


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_every_format_names_systems_and_metrics(compare: Run, form: str) -> None:
    done = compare("--metrics", "sari", "--format", form)
    assert done.returncode == 0
    assert "a.txt" in done.stdout and "b.txt" in done.stdout and "sari" in done.stdout


def test_blank_references_break_their_item_alone(compare: Run) -> None:
    write("reference", f"{REFERENCE[0]}\n\n{REFERENCE[2]}\n")
    done = compare("--metrics", "sari", "--json")
    assert done.returncode == 1 and "source:2: sari needs a reference" in done.stderr
    result = printed(done)
    assert (result["items"], result["left_out"]) == (2, 1)
