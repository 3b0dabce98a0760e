"""A person's answers: labels, deferrals and exclusions, and changes of earlier answers."""
