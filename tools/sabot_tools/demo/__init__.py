"""The demonstration: a broker, a gateway, five simulated tables and the surveillance pages, started by one command."""
