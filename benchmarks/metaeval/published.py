"""Tables 7, 10 and 11 of Alva-Manchego, Scarton and Specia (2021) as printed: absolute Pearson correlations."""

from __future__ import annotations

SPLITS = ("low", "high", "all")
TYPES = ("PBMT", "SBMT", "NeuralSeq2Seq", "Semantics", "Semantics+PBMT", "Semantics+NeuralSeq2Seq")

STRUCTURAL_SIMPLICITY = {
    "bleu": ((0.421, 0.643, 0.443), (0.284, 0.380, 0.661, 0.130, 0.147, 0.540)),
    "ibleu": ((0.408, 0.635, 0.436), (0.252, 0.380, 0.642, 0.130, 0.145, 0.536)),
    "sari": ((0.137, 0.418, 0.313), (0.015, 0.286, 0.330, 0.028, 0.166, 0.355)),
    "mean:bleu,sari": ((0.346, 0.599, 0.431), (0.184, 0.364, 0.603, 0.100, 0.175, 0.507)),
    "gmean:bleu,sari": ((0.329, 0.589, 0.438), (0.157, 0.341, 0.589, 0.097, 0.185, 0.515)),
    "mean:bleu,samsa": ((0.289, 0.608, 0.420), (0.240, 0.334, 0.603, 0.095, 0.072, 0.573)),
    "gmean:bleu,samsa": ((0.293, 0.569, 0.370), (0.216, 0.279, 0.563, 0.109, 0.075, 0.561)),
    "fkbleu": ((0.395, 0.608, 0.364), (0.215, 0.344, 0.617, 0.009, 0.119, 0.539)),
    "fkgl": ((0.070, 0.165, 0.228), (0.205, 0.016, 0.251, 0.083, 0.155, 0.242)),
    "samsa": ((0.103, 0.431, 0.284), (0.141, 0.177, 0.368, 0.052, 0.009, 0.497)),
    "bertscore_p": ((0.552, 0.310, 0.090), (0.501, 0.571, 0.292, 0.330, 0.096, 0.111)),
    "bertscore_r": ((0.411, 0.601, 0.430), (0.339, 0.418, 0.635, 0.066, 0.134, 0.480)),
    "bertscore_f1": ((0.483, 0.529, 0.325), (0.405, 0.497, 0.553, 0.180, 0.049, 0.362)),
}
"""By our metric's name: the row of Table 7 (low, high, all) and that of Table 10 (system types, in the order above)."""

REFERENCE_CHOICES = {
    "bleu": ((0.404, 0.230, 0.526), (0.402, 0.223, 0.525)),
    "ibleu": ((0.398, 0.250, 0.537), (0.396, 0.244, 0.536)),
    "sari": ((0.366, 0.097, 0.353), (0.352, 0.115, 0.350)),
    "mean:bleu,sari": ((0.418, 0.218, 0.519), (0.418, 0.221, 0.523)),
    "gmean:bleu,sari": ((0.410, 0.195, 0.490), (0.410, 0.205, 0.496)),
}
"""Table 11 by our metric's name: all 22 references, and those selected by the output's operations (low, high, all)."""

BERTSCORE_CHOICES = {
    "bertscore_p": ((0.541, 0.280, 0.629), (0.543, 0.276, 0.635)),
    "bertscore_r": ((0.476, 0.165, 0.506), (0.479, 0.165, 0.511)),
    "bertscore_f1": ((0.530, 0.202, 0.576), (0.534, 0.202, 0.584)),
}
"""The rows of BERTScore in Table 11, in the same form."""

COLUMNS = {
    "bleu": "bleu",
    "ibleu": "ibleu",
    "sari": "sari",
    "mean:bleu,sari": "amean_bleu_sari",
    "gmean:bleu,sari": "gmean_bleu_sari",
    "mean:sari,samsa": "amean_sari_samsa",
    "gmean:sari,samsa": "gmean_sari_samsa",
    "mean:bleu,samsa": "amean_bleu_samsa",
    "gmean:bleu,samsa": "gmean_bleu_samsa",
    "fkbleu": "fkbleu",
    "fkgl": "fkgl",
    "samsa": "samsa",
    "bertscore_p": "bertscore_P",
    "bertscore_r": "bertscore_R",
    "bertscore_f1": "bertscore_F1",
}
"""Our metrics and the columns of EASSE's published values."""


def structural(metric: str) -> dict[str, float]:
    """The printed values of a metric by split; empty for a metric that the paper does not have."""
    if metric not in STRUCTURAL_SIMPLICITY:
        return {}
    halves, types = STRUCTURAL_SIMPLICITY[metric]
    return {**dict(zip(SPLITS, halves, strict=True)), **dict(zip(TYPES, types, strict=True))}
