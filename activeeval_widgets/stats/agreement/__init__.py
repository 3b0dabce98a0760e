"""How often several people agree, estimated for the pool, and the benefit of second opinions."""
