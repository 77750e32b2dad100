"""The table without the table: models of buses, chips, tags and flash, so that the same code runs off-target."""
