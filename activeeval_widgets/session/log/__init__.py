"""What happened: events, what follows from them, and whether one can follow another."""
