import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.model.text import Text, is_punctuation

WORDS = st.lists(st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=8), max_size=8)


def test_tokenized_line_keeps_its_tokens_as_one_sentence() -> None:
    text = Text.from_tokenized("  He did  n't\tgo -LRB- yet -RRB- .\n")
    assert text.words == ("He", "did", "n't", "go", "-LRB-", "yet", "-RRB-", ".")
    assert (text.sentences, text.raw) == (((0, 8),), "He did n't go -LRB- yet -RRB- .")
    for line in ("", " ", "\t\n"):
        assert Text.from_tokenized(line) == Text("", (), ())


def test_sentences_without_words_are_left_out() -> None:
    text = Text.from_sentences([["John", "wrote", "."], [], ["I", "read", "."]])
    assert text.sentences == ((0, 3), (3, 6))
    assert text.sentence_words == (("John", "wrote", "."), ("I", "read", "."))


@given(st.lists(WORDS, max_size=5))
def test_offsets_point_at_the_tokens(sentences: list[list[str]]) -> None:
    text = Text.from_sentences(sentences)
    assert list(text.words) == [text.raw[token.start : token.end] for token in text.tokens]
    assert list(text.words) == [word for words in sentences for word in words]
    assert list(text.sentence_words) == [tuple(words) for words in sentences if words]


@pytest.mark.parametrize(
    "word",
    [".", ",", "...", "…", "--", "—", "-", "''", "``", "`", "´", "“", "(", "]", "/", "*", "***", "_", "|", "~", "====",
     "<<", "-LRB-", "-rrb-", "&quot;", "@-@", "。", "，", "、", "《", "？！", "·", ":)", "\u200b", "\x00", "\ud800"],
)  # fmt: skip
def test_marks_are_punctuation(word: str) -> None:
    assert is_punctuation(word)


@pytest.mark.parametrize(
    "word",
    ["", "a", "5", "$", "€", "￥", "%", "％", "+", "=", "<", "&", "@", "#", "＃", "++", "°", "½", "№", "→", "🙂",
     "👩\u200d👩\u200d👧", "n't", "'s", "U.S.", ":D", "中", "é", "-LRB", "&apos;s"],
)  # fmt: skip
def test_words_and_numbers_are_not_punctuation(word: str) -> None:
    assert not is_punctuation(word)
