"""How sealed messages leave and reach a controller: MQTT over Wi-Fi or Ethernet, or frames on a serial line."""
