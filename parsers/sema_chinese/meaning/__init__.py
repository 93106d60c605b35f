"""What `meaning` knows of Chinese: words cut differently, plainer words for learned ones, and contradictions."""
