"""What is estimated: functions of the means of small vectors of statistics."""
