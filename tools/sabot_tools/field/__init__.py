"""Tools of the table technician: controllers over a cable, their keys and certificates, the broker that admits them."""
