"""Numbers read off an item, in named groups: what judges and anybody's own models are made of."""
