"""Training of the Stanza models for simplified Chinese that ship with this package.

``python -m sema_chinese.training all`` runs every stage; a stage that is done is skipped, a stage cut short is resumed.
"""
