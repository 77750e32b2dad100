"""How large anything on the wire may be, and why. Every bound is checked before memory is taken."""

# A sealed message: fits one TCP segment beside MQTT's and TLS's headers, and a controller's buffers.
MAX_MESSAGE = 1024

# Payload inside the envelope: MAX_MESSAGE less the longest envelope (77 bytes for a 32-byte device name), rounded.
MAX_PAYLOAD = 944

# Nested containers. The deepest message (hello's module list in a batch) needs 5; recursion costs C stack on a board.
MAX_DEPTH = 6

# Items of one payload, keys included. The fullest valid message needs fewer (shown by test);
# 512 empty arrays, the worst a message can ask for, cost 16 KiB of a 32-bit heap.
MAX_ITEMS = 512

# Site and device names; the device name is also MQTT client id and COSE kid.
MAX_NAME = 32
