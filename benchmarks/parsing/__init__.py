"""Trees of Universal Dependencies and their Scenes, in every language."""
