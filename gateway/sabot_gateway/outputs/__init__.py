"""What other systems of the house are told: alerts and settlements as JSON, at the broker and by webhooks."""
