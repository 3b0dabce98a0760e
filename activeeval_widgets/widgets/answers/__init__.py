"""What a person does: labels, what is put aside or left out, earlier answers."""
