import random

from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer
from sema_english.stemmer import snowball_stem
from sema_wordnet.index import WordIndex
from sema_wordnet.lexicon import DATA

nltk_stem = SnowballStemmer("english").stem
ENDINGS = ("s", "ed", "ing", "ly", "edly", "eed", "ies", "ied", "ness", "ational", "ization", "ousli", "y", "'s")


def test_wordnets_words_and_forms_have_nltks_stems() -> None:
    rng = random.Random(1)
    words = rng.sample(sorted(WordIndex.load(DATA / "english.npz")._lemmas), 8000)
    words += [word + rng.choice(ENDINGS) for word in words]
    assert [word for word in words if snowball_stem(word) != nltk_stem(word)] == []


@given(st.text("aeiouylstnrbdgzfm'\u2019Y", max_size=12))
def test_anything_else_has_too(word: str) -> None:
    assert snowball_stem(word) == nltk_stem(word)
