"""The last steps of the tagger's training: from the best model of Stanza's trainer, with a rate that falls to nothing.

Stanza's trainer keeps one learning rate until the dev score stalls for long; on a treebank of this size a short linear
decay gives the same gain in a fraction of the time.
"""

from __future__ import annotations

import logging
from pathlib import Path

log = logging.getLogger(__name__)

RATE = 0.0015
LOG_STEPS = 50


def anneal(model: Path, vectors: Path, train_files: str, target: Path, steps: int, seed: int) -> None:
    """Train the tagger in ``model`` for ``steps`` more on ``train_files`` (joined by ``;``); save to ``target``."""
    import torch
    from stanza.models.common.pretrain import Pretrain
    from stanza.models.common.utils import set_random_seed
    from stanza.models.pos.data import Dataset, ShuffledDataset
    from stanza.models.pos.trainer import Trainer
    from stanza.utils.conll import CoNLL

    set_random_seed(seed)
    pretrain = Pretrain(str(vectors))
    trainer = Trainer(pretrain=pretrain, model_file=str(model), device="cpu")
    data = [
        Dataset(CoNLL.conll2doc(file), trainer.args, pretrain, vocab=trainer.vocab, evaluation=False)
        for file in train_files.split(";")
    ]
    trainable = [weight for weight in trainer.model.parameters() if weight.requires_grad]
    optimizer = torch.optim.Adam(trainable, lr=RATE, betas=(0.9, 0.95), eps=1e-6)
    trainer.optimizers = {"anneal": optimizer}
    trainer.schedulers = {}
    step, loss = 0, 0.0
    while step < steps:
        for batch in ShuffledDataset(data, trainer.args["batch_size"]):
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - step / steps)
            loss += trainer.update(batch, eval=False)
            step += 1
            if step % LOG_STEPS == 0:
                log.info("annealing step %d of %d: loss %.4f", step, steps, loss / LOG_STEPS)
                loss = 0.0
            if step == steps:
                break
    trainer.save(str(target))
