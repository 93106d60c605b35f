"""Sentences that the parser and the encoder are tested with."""

TEXTS = [
    "John got home and gave Mary a call .",
    "Yes .",
    "Graduation",
    "The food , which my sister ordered , was cold by the time it arrived , and nobody apologised .",
    "I read the book that John wrote .",
]
SENTENCES = [text.split() for text in TEXTS]

ODD = [
    [],
    ["Hello"],
    ["."],
    [".", "!", "..."],
    ["😀", "e\u0301", "\u0301"],
    ["\x00"],
    ["\x00", "works"],
    [" "],
    ["x" * 5000],
    ["a," * 2000],
    ["I", "like", "-LRB-", "really", "-RRB-", "it", "``", "''"],
]
