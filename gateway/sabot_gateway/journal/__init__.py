"""The journal: what came in, what was concluded and what people did, in the order it was made durable."""
