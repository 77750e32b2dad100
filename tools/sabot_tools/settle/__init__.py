"""`sabot settle`: finished coups and procedural checks as JSON lines in, decisions as JSON lines out."""
