"""Replace a file's gold tags by a tagger's, as the parser will see them.

A tagger that has seen its training data many times tags it almost without error, and a parser trained on such tags
trusts them too much. An early checkpoint, which has learned the rules but not yet the sentences, errs on its training
data about as often as a finished one does on new text; that is cheaper than cross-tagging with several taggers.
"""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger(__name__)


def retag(tagger: Path, vectors: Path, source: Path, target: Path) -> float:
    """Write ``source`` (CoNLL-U) to ``target`` with the tagger's UPOS and XPOS; returns the share of UPOS kept."""
    import torch
    from stanza.models.common import doc
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.common.utils import unsort
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import Trainer
    from stanza.utils.conll import CoNLL

    pretrain = Pretrain(str(vectors))
    trainer = Trainer(pretrain=pretrain, model_file=str(tagger), device="cpu")
    document = CoNLL.conll2doc(str(source))
    gold = document.get(doc.UPOS)
    data = Dataset(document, trainer.args, pretrain, vocab=trainer.vocab, evaluation=True, sort_during_eval=True)
    found, order = [], []
    with torch.no_grad():
        for batch in data.to_length_limited_loader(batch_size=200, maximum_tokens=5000):
            order.extend(batch.idx)
            found.extend(trainer.predict(batch))
    document.set([doc.UPOS, doc.XPOS, doc.FEATS], [tags for sentence in unsort(found, order) for tags in sentence])
    CoNLL.write_doc2conll(document, str(target))
    kept: float = sum(a == b for a, b in zip(gold, document.get(doc.UPOS), strict=True)) / len(gold)
    log.info("%s: %.2f%% of the UPOS tags are as annotated", source.name, 100 * kept)
    return kept
