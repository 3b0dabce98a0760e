"""Logs of evaluation tools as tables: what was asked and answered, and what each scorer said."""
