"""What reads a text's word states further: senses in context and breaks, for the judges of fluency and simplicity."""
