"""Benchmarks: ``python -m benchmarks.FOLDER.NAME`` from the project's folder prints what one of them measures.

Every command takes ``--smoke`` (its smallest form, seconds, for the tests) and ``--record`` (writes its figures to
``benchmarks/results/*.jsonl``); ``make results`` renders RESULTS.md, the pages and the figures of the documents.
"""
