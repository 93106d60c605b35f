"""A page and a JSON API over the scorer (the extra ``web``); keeps nothing beyond a temporary folder."""
