"""Plugs into other ecosystems, each a thin layer over the scorer and importable where its library is installed.

* :func:`sema.hf_path`: Hugging Face ``evaluate``.
* :mod:`sema.plugs.torch`: ``torchmetrics``.
* :mod:`sema.plugs.lm_eval`: lm-evaluation-harness.
* :mod:`sema.plugs.inspect`: inspect-ai.
* :mod:`sema.plugs.lighteval`: lighteval.
* :mod:`sema.plugs.mbrs`: mbrs.
* :mod:`sema.plugs.pandas`: ``df.sema``.
* :mod:`sema.plugs.sklearn`: a transformer.
"""
