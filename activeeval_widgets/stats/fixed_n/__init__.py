"""Labels give an estimate, its interval and tests, for one number of draws fixed beforehand."""
