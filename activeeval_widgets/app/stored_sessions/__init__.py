"""Sessions as the command line deals with them: found in a store, listed, handed on."""
