"""The pool: instances, their kinds, the predictions for them, and their possible labels."""
