"""`sabot replay`: every decision of a journal again, held against what was decided that night."""
