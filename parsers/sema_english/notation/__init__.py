"""What English writes in different signs: numbers, initials, negations."""
