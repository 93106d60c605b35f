"""Sources in Esperanto, outputs in a language that cuts words in its own way, and an aligner that knows both."""

import re
from dataclasses import replace

from sema import Language, Link, LinkKind, Text
from sema.model.language import across
from sema.model.text import Token
from tests.esperanto import esperanto

WORDS = {"hundo": "DOG", "kuras": "RUNS", "kato": "CAT", "dormas": "SLEEPS", "kaj": "AND"}


class Slashes:
    """Words are between slashes, sentences between double ones."""

    signature = "slashes:1"

    def segment(self, texts):
        return [self.split(text) for text in texts]

    def split(self, text):
        tokens, sentences = [], []
        for sentence in re.finditer(r"(?:[^/]|/(?!/))+", text):
            first = len(tokens)
            for word in re.finditer(r"[^/\s]+", sentence[0]):
                start = sentence.start() + word.start()
                tokens.append(Token(word[0], start, start + len(word[0])))
            if len(tokens) > first:
                sentences.append((first, len(tokens)))
        return Text(text, tuple(tokens), tuple(sentences))


class Dictionary:
    """Links words and their translations."""

    signature = "dictionary:1"

    def align(self, pairs):
        return [
            [
                Link(i, j, LinkKind.SYNONYM)
                for i, word in enumerate(source)
                for j, other in enumerate(output)
                if WORDS.get(word.lower()) == other
            ]
            for source, output in pairs
        ]


def own_source(**parts) -> Language:
    return replace(esperanto(), **{"scripts": ("LATIN",), "function_words": lambda: {"kaj"}, **parts})


def own_output(**parts) -> Language:
    return Language("sl", "Slashes", Slashes, {}, {}, function_words=lambda: {"and"}, **parts)


def pair(sources: Language | None = None, outputs: Language | None = None) -> Language:
    return across(
        sources or own_source(), outputs or own_output(), aligners={"dictionary": Dictionary}, cross_encoder=None
    )
