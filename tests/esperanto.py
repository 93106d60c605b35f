"""A language and a metric as an outside package defines them; the project's code does not know them."""

import re
from typing import Annotated

from sema import Language, MeanMetric, SceneGraph, Text
from sema.alignment.relations import WordRelations
from sema.alignment.rules import RuleAligner


class Segmenter:
    signature = "esperanto:1"

    def segment(self, texts):
        return [self.split(text) for text in texts]

    def split(self, text):
        sentences = re.findall(r"[^.!?]+[.!?]*", text)
        return Text.from_sentences(re.findall(r"\w+|[^\w\s]", sentence) for sentence in sentences)


class Extractor:
    """Verbs end in -as, -is, -os; the nouns (-o, -oj, -on) and pronouns around one are its Participants."""

    signature = "endings:1"

    def extract(self, sentences):
        return [self.graph(words) for words in sentences]

    def graph(self, words):
        graph = SceneGraph(words)
        scene = None
        for index, word in enumerate(words):
            if re.fullmatch(r"\w+[aio]s", word):
                scene = scene or graph.add_child(graph.root, "H")
                graph.add_child(scene, "P", tokens=[index])
        for index, word in enumerate(words):
            if scene and re.fullmatch(r"\w+oj?n?|mi|vi|li|si", word.lower()):
                graph.add_child(scene, "A", tokens=[index])
        return graph


def esperanto():
    aligners = {"rules": lambda: RuleAligner(WordRelations())}
    return Language("eo", "Esperanto", Segmenter, {"endings": Extractor}, aligners)


class WordCount(MeanMetric):
    name = "words"
    description = "words in the output"
    higher_is_better = False
    range = (0.0, float("inf"))

    def __init__(self, *, least: Annotated[int, "letters that a word must have"] = 0):
        self.least = least

    def scores(self, items):
        return [sum(len(word) >= self.least for word in item.output.words) for item in items]
