"""The race: two methods of choosing instances, compared on a pool whose labels are all known."""
