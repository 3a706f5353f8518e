"""The games in the interfaces of other libraries. Each module here needs its library; nothing else imports them."""
