"""The gateway: journals every fact, follows each coup by the rule book, decides outcomes."""
