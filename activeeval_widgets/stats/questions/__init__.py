"""What is asked: the value of one model, the difference of two, the best of several, labels by themselves."""
