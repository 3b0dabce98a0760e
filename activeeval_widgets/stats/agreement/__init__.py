"""How far several people agree, of the pool; and what a second opinion is worth."""
