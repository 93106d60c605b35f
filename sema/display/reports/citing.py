"""The works to cite with a metric's figures."""

from __future__ import annotations

from collections.abc import Sequence

WORKS = {
    "sema": "Zhang, Zhao, Zhang and Zhang: SEMA: Text Simplification Evaluation through Semantic Alignment "
    "(sema, sema_part, sema_base)",
    "samsa": "Sulem, Abend and Rappoport: Semantic Structural Evaluation for Text Simplification. NAACL 2018 "
    "(samsa, samsa_abl)",
    "ucca": "Abend and Rappoport: Universal Conceptual Cognitive Annotation. ACL 2013 (the Scenes)",
    "sari": "Xu, Napoles, Pavlick, Chen and Callison-Burch: Optimizing Statistical Machine Translation for Text "
    "Simplification. TACL 4, 2016 (sari, fkbleu)",
    "bleu": "Papineni, Roukos, Ward and Zhu: BLEU. ACL 2002; Post: A Call for Clarity in Reporting BLEU Scores. "
    "WMT 2018 (bleu)",
    "ibleu": "Sun and Zhou: Joint Learning of a Dual SMT System for Paraphrase Generation. ACL 2012 (ibleu)",
    "fkgl": "Kincaid, Fishburne, Rogers and Chissom: Derivation of New Readability Formulas for Navy Enlisted "
    "Personnel. 1975 (fkgl)",
    "bertscore": "Zhang, Kishore, Wu, Weinberger and Artzi: BERTScore. ICLR 2020 (bertscore)",
    "meteor": "Banerjee and Lavie: METEOR. ACL workshop 2005 (meteor)",
    "ld": "Narayan and Gardent: Unsupervised Sentence Simplification Using Deep Semantics. INLG 2016 "
    "(ld_source, ld_reference)",
    "hsk": "Chong et al.: MCTS: A Multi-Reference Chinese Text Simplification Dataset. LREC-COLING 2024 (hsk)",
}
FAMILIES = {"fkbleu": ("sari", "ibleu"), "sema": ("sema", "ucca"), "samsa": ("samsa", "ucca"), "mean": (), "gmean": ()}


def works_of(metrics: Sequence[str], lang: str) -> list[str]:
    """The works behind some metrics, and this software; UCCA where the language's Scenes are UCCA's."""
    keys: list[str] = []
    for name in metrics:
        family = name.partition("_")[0]
        keys += FAMILIES.get(name, FAMILIES.get(family, (family,)))
    found = [WORKS[key] for key in dict.fromkeys(keys) if key in WORKS and (key != "ucca" or lang == "en")]
    return [*found, "sema: a multilingual semantic-alignment metric engine for text simplification (CITATION.cff)"]
