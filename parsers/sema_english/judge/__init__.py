"""The reader of word states: senses in context and breaks, for the judges of fluency and simplicity."""
