"""The gateway's end of MQTT: the port, the client behind it, and what becomes of a message that arrived."""
