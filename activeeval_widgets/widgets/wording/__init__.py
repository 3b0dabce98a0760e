"""Names and numbers in words: of measures, models and sessions."""
