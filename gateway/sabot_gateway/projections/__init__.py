"""Folds over the journal for reading: coups, alerts and their review, the floor, statistics, recall of a coup."""
