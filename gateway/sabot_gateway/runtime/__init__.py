"""The running gateway: what arrives is journaled, acknowledged, interpreted, journaled again, and then performed."""
