"""Jupyter widgets that tell how good a predictive model is, with as few human labels as possible."""
