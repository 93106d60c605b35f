import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sema_rerank.mixes import Mix
from sema_rerank.nbest import Candidate, NBest
from sema_rerank.pool import Objective, Pool
from sema_rerank.simplifiers import read_weights
from sema_rerank.tuning import Tuner

from sema.errors import InputError
from sema.metrics.base import Item, MeanMetric
from sema.metrics.sari import Sari
from sema.model.text import Text
from sema.scoring.scorer import Scorer
from tests.commands import one_line, printed, write
from tests.conftest import Run

pytest.importorskip("cma")
pytest.importorskip("sklearn")


class Letters(MeanMetric):
    """The letter a is worth 10, b costs 10: features say how many of each there are."""

    name = "letters"
    range = (-100.0, 100.0)

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [10.0 * (item.output.raw.count("a") - item.output.raw.count("b")) for item in items]


def objective(metric: MeanMetric) -> Objective:
    mix = Mix.of(metric)
    return Objective(Scorer("en", mix.metrics), mix, Text.from_tokenized)


def lists(count: int = 20) -> list[NBest]:
    """Candidates in which a third feature, noise, is no guide."""
    random = np.random.default_rng(0)

    def candidate(text: str) -> Candidate:
        return Candidate(text, None, {"a": text.count("a"), "b": text.count("b"), "noise": float(random.normal())})

    texts = ["x a", "x b", "x a b", "x a a b", "x a a"]
    drawn = [tuple(map(candidate, random.permutation(texts))) for _ in range(count)]
    return [NBest(f"s {number}", candidates, ("x a",)) for number, candidates in enumerate(drawn)]


@pytest.mark.parametrize("method", ["pro", "search"])
def test_weights_point_where_the_metric_does(method: str) -> None:
    tuned = Tuner(objective(Letters()), method=method, restarts=2).tune_lists(lists())
    assert tuned.rounds[tuned.best].held_out == 20.0  # "x a a" everywhere
    assert tuned.weights["a"] > 0 > tuned.weights["b"]
    assert abs(tuned.weights["noise"]) < tuned.weights["a"]
    first = tuned.rounds[0]
    assert first.oracle == 20.0 and len(first.restarts) == 2 and first.interval[0] <= 20.0
    again = Tuner(objective(Letters()), method=method, restarts=2).tune_lists(lists())
    assert again.weights == tuned.weights


def test_the_value_of_a_choice_is_the_corpus_score_of_those_texts() -> None:
    mix = Mix.of("2*sari")
    scorer = Scorer("en", [Sari(tokenizer="none")])
    made = [
        NBest.of("the cat sat on the mat", ["the cat sat", "a cat sat on the mat"], ["a cat sat", "the cat sat"]),
        NBest.of("it rained for long", ["it rained", "it rained for long"], ["it rained", "rain"]),
    ]
    pool = Pool(made, Objective(scorer, mix, Text.from_tokenized))
    pool.add([entry.candidates for entry in made])
    arrays = pool.arrays([0, 1])
    sources, references = [entry.source for entry in made], [list(entry.references) for entry in made]
    for choice in ([0, 0], [1, 0], [1, 1]):
        texts = [entry.candidates[place].text for entry, place in zip(made, choice, strict=True)]
        expected = scorer.score(sources, texts, references).systems[0].scores["sari"]
        assert arrays.corpus(np.array(choice)) == pytest.approx(2 * expected)


def copying(count: int = 15) -> list[NBest]:
    copies = [Candidate(f"a {number}", None, {"changed": 0.0}) for number in range(count)]
    return [NBest(copy.text, (copy, Candidate(f"b{copy.text[1:]}", None, {"changed": 1.0}))) for copy in copies]


def test_collapse_to_copying_or_deleting_is_reported() -> None:
    tuned = Tuner(objective(Letters())).tune_lists(copying())
    assert tuned.rounds[tuned.best].copies == 1.0
    assert tuned.collapse is not None and tuned.collapse.startswith("collapsed to copying")
    deleting = [
        NBest(f"b b b b {n}", (Candidate(f"b b b {n}", None, {"gone": 1.0}), Candidate(f"{n}", None, {"gone": 4.0})))
        for n in range(12)
    ]
    tuned = Tuner(objective(Letters())).tune_lists(deleting)
    assert tuned.collapse is not None and "20 % of the sources' words" in tuned.collapse


def test_a_start_that_is_the_best_is_reported(command: Run) -> None:
    tuned = Tuner(objective(Letters()), restarts=1).tune_lists(copying())  # the first candidates are the best
    assert tuned.best == 0 and tuned.unchanged is not None and "there are no weights" in tuned.unchanged
    assert Tuner(objective(Letters()), restarts=1).tune_lists(lists()).unchanged is None
    write("nbest.jsonl", "".join(json.dumps(entry.to_dict()) + "\n" for entry in copying()))
    done = command(
        "tune", "nbest.jsonl", "--lang", "en", "--objective", "ld_source", "--restarts", "1", "--to", "w.json"
    )
    assert done.returncode == 0 and "heaviest weights: none" in done.stdout
    assert "sema: warning: tuning found nothing better than its start" in done.stderr


def test_what_cannot_be_tuned_is_refused() -> None:
    for given, lacks in ((copying(9), "too few"), ([NBest.of("a", ["a"])] * 10, "no features")):
        with pytest.raises(InputError, match=lacks):
            Tuner(objective(Letters())).tune_lists(given)


SOURCES = [f"the municipality subsequently purchased {number} houses ." for number in range(10)]


def test_the_commands_work_together(command: Run) -> None:
    write("source.txt", "\n".join(SOURCES) + "\n")
    references = [source.replace("purchased", "bought").replace("subsequently", "later") for source in SOURCES]
    write("reference.txt", "\n".join(references) + "\n")
    listed = command("simplify", "source.txt", "--lang", "en", "--tokenized", "--nbest", "12")
    assert listed.returncode == 0, listed.stderr
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    assert len(rows) == 10 and rows[0]["source"] == SOURCES[0]
    for row, reference in zip(rows, references, strict=True):
        row["references"] = [reference]
    write("nbest.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    common = ("--lang", "en", "--objective", "sari", "--tokenized", "--restarts", "1")
    told = printed(command("tune", "nbest.jsonl", *common, "--to", "weights.json", "--json"))
    assert told["rounds"][0]["held_out"] <= max(made["held_out"] for made in told["rounds"])
    assert set(read_weights(Path("weights.json"))) <= set(rows[0]["candidates"][0]["features"])
    plain = command("simplify", "source.txt", "--lang", "en", "--tokenized", "--weights", "weights.json")
    assert plain.returncode == 0 and len(plain.stdout.splitlines()) == 10
    one_line(command("tune", *common, "--to", "weights.json"), 2, "either n-best lists, or --simplifier")
    for more in (("-s", "source.txt"), ("--rounds", "4")):
        done = command("tune", "nbest.jsonl", *common, "--to", "weights.json", *more)
        one_line(done, 2, "nbest.jsonl: --", "is for tuning a simplifier; leave it out")
    rows[3]["references"] = []  # weights would be tuned on the other lists alone
    write("lacking.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    one_line(command("tune", "lacking.jsonl", *common, "--to", "no.json"), 1, "lacking.jsonl:4: sari needs a reference")
    one_line(
        command("rerank", "lacking.jsonl", "--lang", "en", "--tokenized", "--by", "sari", "--quiet"), 1, "jsonl:4: "
    )
    write("few.jsonl", "".join(json.dumps(row) + "\n" for row in rows[:3]))
    one_line(command("tune", "few.jsonl", *common, "--to", "no.json"), 1, "few.jsonl: 3 sources are too few")
    again = command("rerank", "lacking.jsonl", "--lang", "en", "--tokenized", "--by", "sari", "--json")
    assert "item 3: sari needs a reference" in json.loads(again.stdout.splitlines()[3])["error"]
    curve = command(
        "tune", "--simplifier", "ppdb", "-s", "source.txt", "-r", "reference.txt", *common, "--to", "weights.json",
        "--rounds", "1", "--candidates", "10",
    )  # fmt: skip
    assert curve.returncode == 0, curve.stderr
    assert "held out" in curve.stdout and "heaviest weights" in curve.stdout and "round 1" in curve.stderr


def test_simplify_reads_plain_text_and_keeps_lines(command: Run) -> None:
    write("texts.txt", "He purchased it. She (Mary) stayed.\n\nIn 1990.\n")
    write("weights.json", '{"weights": {"common": 1.0, "rules": -0.1}}')
    done = command("simplify", "texts.txt", "--lang", "en", "--weights", "weights.json")
    assert done.returncode == 1 and "texts.txt:2: the source is empty" in done.stderr
    first, second, third = done.stdout.splitlines()
    assert first.endswith("She (Mary) stayed.") and first != "He purchased it. She (Mary) stayed."
    assert (second, third) == ("", "In 1990.")
    for wrong, said, status in (("--rules", "no such file", 1), ("--simplifier", "unknown simplifier", 2)):
        one_line(command("simplify", "texts.txt", "--lang", "en", wrong, "nothing.json"), status, said)
