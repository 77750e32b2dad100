"""The pages of the surveillance room, their JSON twins, and what supervisors ask the gateway."""
