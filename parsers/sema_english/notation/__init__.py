"""What English writes in several notations: numbers, initials, negations."""
