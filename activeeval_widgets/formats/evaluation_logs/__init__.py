"""Read logs of evaluation tools into tables: prompts, answers and scores."""
