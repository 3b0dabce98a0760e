"""Predictions and a measure give q, and q gives draws."""
