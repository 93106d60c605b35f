"""The encoder of all networks computes what BERT computes."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")
transformers = pytest.importorskip("transformers", reason="the BERT to compare with needs the extra `hf`")
pytest.importorskip("safetensors", reason="training needs the extra `train`")

from training.encoder import Encoder, Shape  # noqa: E402
from training.minilm import begin_as_bert  # noqa: E402


@torch.no_grad()
def test_states_are_those_of_bert_whatever_the_padding() -> None:
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=20, hidden_size=32, num_hidden_layers=3, num_attention_heads=2, intermediate_size=48,
        max_position_embeddings=12,
    )  # fmt: skip
    bert = transformers.BertModel(config, add_pooling_layer=False).eval()
    for parameter in bert.parameters():
        parameter.add_(torch.randn(parameter.shape), alpha=0.1)
    encoder = Encoder(Shape(32, heads=2, inner=48, layers=3, positions=12, kinds=0, drop=0.1)).eval()
    table = begin_as_bert(encoder, bert.state_dict())
    ids = torch.randint(20, (2, 7))
    mask = torch.arange(7) < torch.tensor([[7], [4]])
    wanted = bert(ids, attention_mask=mask.long(), output_hidden_states=True).hidden_states[1:]
    for found, own in zip(encoder.states(table[ids], mask.long()), wanted, strict=True):
        torch.testing.assert_close(found[mask], own[mask], atol=1e-4, rtol=1e-4)
