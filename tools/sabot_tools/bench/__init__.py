"""What Sabot costs, measured beside its peers in the same run."""
