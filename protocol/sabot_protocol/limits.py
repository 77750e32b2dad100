"""How large anything on the wire may be, and why. Every bound is checked before memory is taken."""

# A sealed message: fits one TCP segment beside MQTT's and TLS's headers, and a controller's buffers.
MAX_MESSAGE = 1024

# Payload inside the envelope: MAX_MESSAGE less the longest envelope (77 bytes for a 32-byte device name), rounded.
MAX_PAYLOAD = 944

# Nested containers. The deepest message (hello's module list in a batch) needs 5; recursion costs C stack on a board.
MAX_DEPTH = 6

# Items of one payload, keys included. No valid message has more than 480: 32 events of 11 one-byte items each,
# and a UID for every five bytes left. 512 empty arrays, the worst a message can ask for, cost 18 KiB of a 32-bit heap.
MAX_ITEMS = 512

# Keys of one map. No message has more than 5; a growing dict needs its old and new room in one piece each.
MAX_KEYS = 16

# Site and device names; the device name is also MQTT client id and COSE kid.
MAX_NAME = 32
