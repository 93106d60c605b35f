import json
from pathlib import Path

import pytest
import sacrebleu

from sema.cli.main import main

SOURCE = ["The committee deliberated at length.", "It was, however, adjourned.", "Nobody objected to it."]
FIRST = ["The group talked for long.", "But it was put off.", "Nobody was against it."]
SECOND = ["The committee deliberated.", "It was, however, adjourned.", "Nobody objected."]
REFERENCE = ["The group talked for a long time.", "But it was put off.", "No one was against it."]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    names = []
    for name, lines in (("source", SOURCE), ("a.txt", FIRST), ("b.txt", SECOND), ("reference", REFERENCE)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        names.append(str(tmp_path / name))
    return names


def command(files: list[str], *more: str) -> list[str]:
    source, first, second, reference = files
    return ["compare", "--lang", "en", "-s", source, "-o", first, "-o", second, "-r", reference, *more]


def test_json_has_scores_intervals_significance_and_wins(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command(files, "--metrics", "bleu,sari", "--samples", "50", "--json")) == 0
    printed = json.loads(capsys.readouterr().out)
    first, second = printed["systems"]
    assert (first["name"], second["name"]) == ("a.txt", "b.txt")
    bleu = first["scores"]["bleu"]
    assert bleu["value"] == pytest.approx(sacrebleu.corpus_bleu(FIRST, [REFERENCE]).score, abs=1e-10)
    assert bleu["low"] <= bleu["value"] <= bleu["high"]
    pair = printed["pairs"][0]
    assert pair["metric"] == "bleu" and sorted(pair["first_wins"]) == [0, 1, 2]
    assert 0 < pair["difference"]["p_randomization"] <= 1


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_every_format_names_systems_and_metrics(
    files: list[str], form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command(files, "--metrics", "sari", "--samples", "20", "--format", form)) == 0
    shown = capsys.readouterr().out
    assert "a.txt" in shown and "b.txt" in shown and "sari" in shown


def test_blank_references_break_their_item_alone(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(files[3]).write_text(f"{REFERENCE[0]}\n\n{REFERENCE[2]}\n", encoding="utf-8")
    assert main(command(files, "--metrics", "sari", "--samples", "20", "--json")) == 1
    captured = capsys.readouterr()
    assert (json.loads(captured.out)["items"], json.loads(captured.out)["left_out"]) == (2, 1)
    assert "source:2: sari needs a reference" in captured.err
