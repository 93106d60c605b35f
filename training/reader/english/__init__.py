"""Trains the reader of pairs: data sets, texts broken on purpose, the network, its export."""
