"""What somebody asked for and cannot have, told in words for them."""


class Refused(Exception):
    """The text is for the reader of the page."""
