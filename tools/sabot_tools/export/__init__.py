"""`sabot export`: coups, settlements, alerts and staff actions of a journal, for spreadsheets and programs."""
