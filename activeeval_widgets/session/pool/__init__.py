"""What the model will meet: instances, their kinds, predictions for them, and the labels they can have."""
