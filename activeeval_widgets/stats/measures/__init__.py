"""Measures: functions of the means of small vectors of statistics."""
