"""A phrase simplifier: paraphrase, deletion and splitting rules under a linear model that can be tuned to a metric.

After Xu et al. (TACL 2016), with phrases in place of a syntactic decoder: rules from PPDB, rules learned from people's
simplifications, features of each rule and two language models, and a beam search for the best candidates.
"""
