"""Trains the cross-encoder: data sets, texts broken on purpose, the network, its export."""
