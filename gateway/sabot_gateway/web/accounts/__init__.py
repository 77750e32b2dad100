"""Who may look and who may act: people, passwords, sessions."""
