"""The English scene parser."""
