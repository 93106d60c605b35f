import pytest
import sacrebleu
from sacremoses import MosesTokenizer

from sema.errors import InputError
from sema.languages import find_language
from sema.metrics.token_metric import get_tokenizer
from sema.model.text import Text

TEXT = "Mr. Smith's \"dog\" cost $5.50, didn't it? 中文 too."


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "moses"])
def test_tokens_equal_the_libraries(name: str) -> None:
    if name == "moses":
        theirs = MosesTokenizer().tokenize(TEXT, return_str=True, escape=False)
    else:
        theirs = sacrebleu.metrics.BLEU(tokenize=name).tokenizer(TEXT)
    assert get_tokenizer(name)(TEXT) == tuple(theirs.split())


def test_penn_works_in_spite_of_sacremoses_and_lower_case_comes_first() -> None:
    expected = "Mr. Smith cost $ 5.50 , -LRB- or either/or -RRB- ."
    assert " ".join(get_tokenizer("penn")("Mr. Smith cost $5.50, (or either/or).")) == expected
    # Moses keeps a full stop on the word when a small letter follows.
    assert get_tokenizer("moses", lowercase=True)("In Mainz. He was") == ("in", "mainz.", "he", "was")


class Pairs:
    """Words of two characters, from a segmenter that cannot be hashed."""

    signature = "pairs"
    __hash__ = None  # type: ignore[assignment]

    def segment(self, texts: list[str]) -> list[Text]:
        return [Text.from_sentences([[text[i : i + 2] for i in range(0, len(text), 2)]]) for text in texts]


def test_words_are_the_segmenter_s() -> None:
    first, second = Pairs(), Pairs()
    assert get_tokenizer("words", segmenter=first)("北京大学") == ("北京", "大学")
    assert get_tokenizer("words", segmenter=first) is get_tokenizer("words", segmenter=first)
    assert get_tokenizer("words", segmenter=first) is not get_tokenizer("words", segmenter=second)
    with pytest.raises(InputError, match="segmenter"):
        get_tokenizer("words")
    spaced = {"zh": False, "ud:zh-hant": False, "ud:ja": False, "en": True, "ud:fr": True}
    assert {code: find_language(code).spaced for code in spaced} == spaced, "others are cut as by mteval"
