"""The event log: events, the state that they lead to, and whether one can follow another."""
