"""From texts to items that metrics can score: segment, extract Scenes, align, match, gather evidence."""
