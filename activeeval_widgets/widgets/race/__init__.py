"""The race: two ways to choose instances, held against each other on a pool whose labels are all known."""
