"""The quantities to estimate: of one model, the difference of two, the best of several, or of labels only."""
