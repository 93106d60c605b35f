"""The four graphs that :mod:`sema_ud.onnx_inference` runs, made of Stanza's tokenizer, tagger and parser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sema_ud.onnx_inference.tokenizer import CHARACTER_FEATURES, PLACE_FEATURES
from sema_ud.onnx_inference.vocabulary import FIRST, ROOT, Tags, Units

from training.ud.graphs import Graph, Model, Shape

COLUMNS = ["upos", "xpos", "feats"]


def write_tokenizer(model: Model, file: Path) -> None:
    """The graph of a tokenizer without a character language model: whether a word ends with each character.

    Raises:
        ValueError: it is of another architecture.
    """
    model.require(charlm=False, charlm_forward_file=None, conv_res=None, rnn_layers=1, hierarchical=True, use_mwt=False)
    if unknown := set(model.config["feat_funcs"]) - CHARACTER_FEATURES.keys() - PLACE_FEATURES.keys():
        raise ValueError(f"no graph is known for a tokenizer whose feat_funcs have {sorted(unknown)}")
    graph = Graph()
    characters = graph.weights(model, "embeddings.weight", "characters")
    states = graph.lstm(model, "rnn", graph.node("Concat", characters, "features", axis=2), "lengths")
    word, end = (graph.linear(model, f"{name}_clf", states) for name in ("tok", "sent"))
    temperature = float(model.config["hier_invtemp"])
    if temperature > 0:
        certain = graph.node("Sigmoid", graph.node("Mul", word, graph.number(temperature)))
        states = graph.node("Mul", states, certain)
    states = graph.lstm(model, "rnn2", states, "lengths")
    word = graph.node("Add", word, graph.linear(model, "tok_clf2", states))
    end = graph.node("Add", end, graph.linear(model, "sent_clf2", states))
    ends = graph.node("Add", graph.log_sigmoid(word), graph.log_sigmoid(graph.node("Abs", end)))
    cuts = graph.node("Greater", ends, graph.log_sigmoid(graph.node("Neg", word)))
    graph.node("Squeeze", cuts, graph.integers(2), result="cuts")
    inputs = {"characters": ("INT64", "T", "S"), "features": ("FLOAT", "T", "S", model.config["feat_dim"])}
    graph.write(file, {**inputs, "lengths": ("INT32", "S")}, {"cuts": ("BOOL", "T", "S")})


def write_words(tagger: Model, parser: Model, width: int, file: Path) -> None:
    """The graph of what tagger and parser know of words without their sentences, for words of equal length.

    ``width``: that of the dictionary's vectors.

    Raises:
        ValueError: a model is of another architecture, or they number words or characters differently.
    """
    graph = Graph()
    vectors = graph.node("Cast", "vectors", to=1)
    parts = []
    for model in (tagger, parser):
        model.require(charlm=False, bert_model=None, char=True, pretrain=True)
        model.require(rec_dropout=0, char_rec_dropout=0, char_num_layers=1, char_bidirectional=False)
        if any(model.vocab[kind] != tagger.vocab[kind] for kind in ("char", "word")):
            raise ValueError("tagger and parser number words or characters differently")
        spelt = graph.weights(model, "charmodel.char_emb.weight", "characters")
        first = [graph.weights(model, f"charmodel.charlstm_{kind}_init") for kind in "hc"]
        states = graph.lstm(model, "charmodel.charlstm.lstm", spelt, states=first, bidirectional=False)
        share = graph.node("Sigmoid", graph.linear(model, "charmodel.char_attn", states))
        total = graph.node("ReduceSum", graph.node("Mul", states, share), graph.integers(0), keepdims=0)
        parts.append(
            (
                graph.weights(model, "word_emb.weight", "words"),
                graph.linear(model, "trans_pretrained", vectors),
                graph.linear(model, "trans_char", total),
            )
        )
    graph.node("Concat", *parts[0], axis=1, result="tagger")
    word, pretrained, after = parts[1]
    graph.node("Concat", pretrained, word, graph.weights(parser, "lemma_emb.weight", "lemmas"), axis=1, result="before")
    graph.node("Identity", after, result="after")
    inputs: dict[str, Shape] = {"characters": ("INT64", "T", "W"), "vectors": ("FLOAT16", "W", width)}
    inputs |= {name: ("INT64", "W") for name in ("words", "lemmas")}
    graph.write(file, inputs, {name: ("FLOAT", "W", name) for name in ("tagger", "before", "after")})


def write_trees(tagger: Model, parser: Model, file: Path) -> None:
    """The graph from words to tags, scores of pairs of nodes, and the parser's states; its first node is the root.

    Row i of a sentence's scores has those of each node as the head of node i.

    Raises:
        ValueError: a model is of another architecture.
    """
    tagger.require(share_hid=True)
    if [column[0] for column in tagger.config.get("tag_columns") or ([name] for name in COLUMNS)] != COLUMNS:
        raise ValueError(f"no graph is known for the tags {tagger.config['tag_columns']}")
    if not tagger.vocab["feats"].get("keyed") or tagger.vocab["feats"].get("sep") != "|":
        raise ValueError("no graph is known for features that are written otherwise")
    parser.require(use_arc_embedding=False, reversed=False, use_upos=True, use_xpos=True, use_ufeats=False)
    parser.require(resolve_head_constraints=False, model_type="graph", linearization=True, distance=True)
    graph = Graph()
    states = graph.highway(tagger, "taggerlstm", graph.node("Gather", "tagger", "which"), "lengths")
    hidden = graph.node("Relu", graph.linear(tagger, "upos_hid", states))

    def tagged(name: str, result: str = "", *, keep: int = 0) -> str:
        return graph.node("ArgMax", graph.linear(tagger, name, hidden), axis=2, keepdims=keep, result=result)

    each = [tagged(f"tag_clf.feats.{at}", keep=1) for at in range(len(tagger.vocab["feats"]["_id2unit"]))]
    graph.node("Concat", *each, axis=2, result="features")
    tags = {"upos": tagged("upos_clf", "upos"), "xpos": tagged("tag_clf.xpos")}
    nodes = graph.node("Add", "lengths", graph.constant(np.int32(1)))
    states = graph.highway(parser, "parserlstm", _nodes(graph, tagger, parser, tags), nodes)
    graph.node("Transpose", states, perm=[1, 0, 2], result="states")
    _scores(graph, parser)
    types = {name: ("FLOAT", "W", name) for name in ("tagger", "before", "after")}
    inputs = {**types, "which": ("INT64", "T", "S"), "lengths": ("INT32", "S")}
    outputs = {"upos": ("INT64", "T", "S"), "features": ("INT64", "T", "S", len(each))}
    graph.write(file, inputs, outputs | {"scores": ("FLOAT", "S", "N", "N"), "states": ("FLOAT", "S", "N", "states")})


def _nodes(graph: Graph, tagger: Model, parser: Model, tags: dict[str, str]) -> str:
    """The parser's input (nodes x sentences x width): the root, then the words with the tagger's tags."""
    row = graph.node("Concat", graph.integers(1), graph.node("Shape", "lengths"), axis=0)
    of_tags = []
    for kind, found in tags.items():
        if not isinstance(tagger.vocab[kind]["_id2unit"], list):
            raise ValueError("no graph is known for tags of several parts")
        known = Units(parser.vocab[kind])
        numbers = [known.number(name) for name in Tags(tagger.vocab[kind]).names]
        of_words = graph.node("Gather", graph.integers(*numbers), found)
        of_root = graph.node("Expand", graph.integers(ROOT), row)
        of_tags.append(graph.weights(parser, f"{kind}_emb.weight", graph.node("Concat", of_root, of_words, axis=0)))
    last = graph.node("Sub", graph.node("Shape", "tagger", start=0, end=1), graph.integers(1))
    which = graph.node("Concat", graph.node("Expand", last, row), "which", axis=0)
    before, after = (graph.node("Gather", rows, which) for rows in ("before", "after"))
    return graph.node("Concat", before, graph.node("Add", *of_tags), after, axis=2)


def _scores(graph: Graph, parser: Model) -> None:
    """Scores of all pairs of a sentence's nodes.

    To the score of a pair is added the logarithm of how likely the head stands on that side of the word, and of how
    near the expected distance it is.
    """

    def pairs(name: str) -> str:
        matrix = graph.node("Squeeze", graph.weights(parser, f"{name}.scorer.W_bilin.weight"), graph.integers(2))
        words = graph.node("MatMul", graph.scored(parser, f"{name}.W1", "states", 3), matrix)
        heads = graph.node("Transpose", graph.scored(parser, f"{name}.W2", "states", 3), perm=[0, 2, 1])
        return graph.node(
            "Add", graph.node("MatMul", words, heads), graph.weights(parser, f"{name}.scorer.W_bilin.bias")
        )

    size = graph.node("Squeeze", graph.node("Shape", "states", start=1, end=2), graph.integers(0))
    places = graph.node("Range", graph.number(0), graph.node("Cast", size, to=1), graph.number(1))
    columns = graph.node("Unsqueeze", places, graph.integers(1))
    offsets = graph.node("Sub", places, columns)
    side = graph.log_sigmoid(graph.node("Mul", pairs("linearization"), graph.node("Sign", offsets)))
    expected = graph.node("Add", graph.node("Softplus", pairs("distance")), graph.number(1))
    beside = graph.node("Sub", graph.node("Abs", offsets), expected)
    half = graph.node("Mul", graph.node("Mul", beside, beside), graph.number(0.5))
    far = graph.node("Log", graph.node("Add", half, graph.number(1)))
    graph.node("Sub", graph.node("Add", pairs("unlabeled"), side), far, result="scores")


def write_labels(parser: Model, file: Path) -> None:
    """The graph of relations: the number of each dependent's with its head, given the rows of states of both.

    Raises:
        ValueError: its labels are numbered otherwise.
    """
    graph = Graph()
    matrix = parser.weights["deprel.scorer.W_bilin.weight"]
    if len(parser.vocab["deprel"]["_id2unit"]) - FIRST != matrix.shape[2]:
        raise ValueError("no graph is known for labels that are numbered otherwise")
    by_head = graph.node("Transpose", graph.weights(parser, "deprel.scorer.W_bilin.weight"), perm=[1, 0, 2])
    by_head = graph.node("Reshape", by_head, graph.integers(matrix.shape[1], -1))
    seen = graph.node("MatMul", graph.scored(parser, "deprel.W2", "heads", 2), by_head)
    seen = graph.node("Reshape", seen, graph.integers(-1, matrix.shape[0], matrix.shape[2]))
    dependents = graph.node("Unsqueeze", graph.scored(parser, "deprel.W1", "dependents", 2), graph.integers(1))
    scores = graph.node("MatMul", dependents, graph.node("Gather", seen, "place"))
    scores = graph.node("Add", scores, graph.weights(parser, "deprel.scorer.W_bilin.bias"))
    graph.node("Squeeze", graph.node("ArgMax", scores, axis=2, keepdims=0), graph.integers(1), result="labels")
    inputs = {name: ("FLOAT", name, "states") for name in ("dependents", "heads")}
    graph.write(file, {**inputs, "place": ("INT64", "dependents")}, {"labels": ("INT64", "dependents")})
