"""Training of the Stanza models for simplified Chinese that ship with this package.

``python -m training.chinese all`` runs every stage; a stage that is done is skipped, a stage cut short is resumed.
"""
