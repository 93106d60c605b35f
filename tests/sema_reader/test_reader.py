"""The cross-encoders of English and Chinese: what holds for both, and a floor for what they make of a pair."""

from functools import cache
from importlib import import_module
from typing import Any

import pytest
from sema_reader.notation import normalised
from sema_reader.reader import MAX_PIECES

from sema import Scorer
from sema.languages import find_language
from sema.model.text import Text
from tests.cases import cases

LANGUAGES = {"en": ("sema_english", "EnglishReader"), "zh": ("sema_chinese", "ChineseReader")}
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


def new_reader(lang: str) -> Any:
    package, name = LANGUAGES[lang]
    return getattr(import_module(f"{package}.meaning.reader"), name)()


reader = cache(new_reader)


def texts(lang: str, *raw: str) -> list[Text]:
    return list(find_language(lang).parts().segmenter.segment(list(raw)))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pair_reads_the_same_alone_and_among_others(lang: str) -> None:
    source, output, other = texts(lang, *TEXTS[lang][:2], SHORT[lang])
    alone = new_reader(lang).read([(source, output)])[0]
    assert alone == new_reader(lang).read([(source, other), (source, output), (other, output)])[1]
    assert len(alone.kept) == len(source.words) and len(alone.supported) == len(output.words)
    assert sum(alone.output_entailed) == pytest.approx(1) and 0 <= alone.same <= 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_unrelated_text_is_not_supported(lang: str) -> None:
    source, _, other = texts(lang, *TEXTS[lang])
    read = reader(lang).read([(source, other)])[0]
    assert read.same < 0.5 and read.output_entailed[0] < 0.3 and read.source_entailed[0] < 0.3


@pytest.mark.parametrize(("lang", "least"), [("en", 0.8), ("zh", 0)])
def test_long_texts_are_read_in_parts(lang: str, least: float) -> None:
    sentences = [LONG[lang].format(1900 + n, n + 2) for n in range(60)]
    source, output = texts(lang, "".join(sentences), "".join(sentences[:30]))
    assert len(source.words) > MAX_PIECES
    read = reader(lang).read([(source, output)])[0]
    assert len(read.kept) == len(source.words) and len(read.supported) == len(output.words)
    assert sum(read.supported) / len(read.supported) > least


@cases("notation")
def test_the_same_in_other_signs_is_read_in_the_source_s_signs(
    lang: str, source: str, output: str, words: str | None
) -> None:
    """English texts are raw, Chinese ones in words."""
    pair = texts(lang, source, output) if lang == "en" else [Text.from_tokenized(text) for text in (source, output)]
    matches = import_module(f"{LANGUAGES[lang][0]}.meaning.notation").matches
    reading = normalised(*pair, matches(*pair))
    assert (None if reading is None else " ".join(reading.text.words)) == words


@cases("other_signs")
def test_other_signs_cost_hardly_anything(lang: str, source: str, output: str, least: float) -> None:
    assert Scorer(lang, ["meaning"]).score([source], [output]).systems[0].scores["meaning"] > least
