"""Errors that are meant for the person at the keyboard."""


class UserError(Exception):
    """Something that came from outside is wrong; the message says what, where, and what would be right."""
