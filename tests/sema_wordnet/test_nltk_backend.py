from __future__ import annotations

from pathlib import Path

import nltk
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from sema_wordnet.nltk_backend import NltkLexicon

from sema.errors import ResourceError
from sema.model.lexicon import IndexedLexicon


@pytest.fixture
def reader(tiny_wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WordNetCorpusReader:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])  # NLTK opens corpora below its own data path only
    return WordNetCorpusReader(nltk.data.FileSystemPathPointer(str(tiny_wordnet)), None)


@pytest.mark.filterwarnings("ignore:The multilingual functions")
def test_answers_like_the_index(reader: WordNetCorpusReader) -> None:
    lexicon = NltkLexicon(reader)
    assert isinstance(lexicon, IndexedLexicon)
    assert "3.0" in lexicon.signature
    assert lexicon.lemmas("Leaves") == {"leaf", "leave"}
    assert lexicon.lemmas("left") == {"leave"}
    assert lexicon.lemmas("zebra") == frozenset()
    assert lexicon.are_synonyms("drinks", "Beverage")
    assert not lexicon.are_synonyms("beer", "leaf")
    assert lexicon.is_hyponym("beers", "drink", depth=3)
    assert not lexicon.is_hyponym("beers", "drink", depth=2)
    assert not lexicon.is_hyponym("drink", "beer")
    assert lexicon.is_hyponym("Guinness", "stout")
    assert not lexicon.is_hyponym("beverage", "food")
    assert not lexicon.are_paraphrases("beer", "brew")
    assert lexicon.paraphrases("beer") == frozenset()


def test_missing_corpus_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nltk.corpus.util import LazyCorpusLoader

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    absent = LazyCorpusLoader("wordnet", WordNetCorpusReader, None)
    monkeypatch.setattr(nltk.corpus, "wordnet", absent)
    with pytest.raises(ResourceError, match=r"nltk\.download"):
        NltkLexicon()
