"""The tables of the journal, one numbered script per version and database."""
